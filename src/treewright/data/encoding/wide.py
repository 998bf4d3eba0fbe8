"""Exact comparison of numbers that float64 would round.

A tree asks `x <= cut`. Where x and the cut are stored in different types, x is rounded
*up* to the cut's type: for every cut of that type the answer stays the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.schema import Feature
from treewright.data.tables.raw import Numbers

# A finer unit is a whole part of a coarser one, so one division relates any two.
PER_DAY = {"D": 1, "h": 24, "m": 24 * 60, "s": 24 * 3600}
PER_DAY |= {
    unit: PER_DAY["s"] * 1000**power
    for power, unit in enumerate(("ms", "us", "ns", "ps", "fs", "as"), start=1)
}


def count_cuts_below(numbers: Numbers, feature: Feature) -> npt.NDArray[np.float64]:
    """Return for each number how many of the feature's cuts lie below it."""
    if feature.cuts is None:
        return np.zeros(len(numbers))
    values = numbers.comparable()
    if numbers.unit and numbers.unit != feature.storage:
        values = _to_unit(values, numbers.unit, feature.storage)
    values = _round_up_to_integer(values, feature.cuts.dtype)
    return np.searchsorted(feature.cuts, values, side="left").astype(np.float64)


def round_up_to_float(values: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Return 64-bit integers as the next float64 that is not below them."""
    if values.dtype.kind == "f":
        return values
    floats = values.astype(np.float64)
    # Above this the float is the power of two that ends the range: never too low.
    inside = floats < float(np.iinfo(values.dtype).max)
    too_low = np.zeros(len(values), bool)
    too_low[inside] = floats[inside].astype(values.dtype) < values[inside]
    return np.where(too_low, np.nextafter(floats, np.inf), floats)


def _round_up_to_integer(
    values: npt.NDArray[Any], dtype: np.dtype[Any]
) -> npt.NDArray[Any]:
    """Return numbers as integers of the type, rounded up, kept within its range."""
    if values.dtype == dtype:
        return values
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    if values.dtype.kind != "f":  # int64 for uint64, or the other way round
        bound = np.iinfo(values.dtype)
        return values.clip(max(low, bound.min), min(high, bound.max)).astype(dtype)
    ceiling = np.ceil(np.nan_to_num(values, nan=0.0))
    # The range ends one below a power of two, which float64 cannot say: test it apart.
    inside = np.where((ceiling >= low) & (ceiling < float(high)), ceiling, 0.0)
    integers = inside.astype(dtype)
    integers[ceiling < low] = low
    integers[ceiling >= float(high)] = high
    return integers


def _to_unit(
    values: npt.NDArray[np.int64], unit: str, wanted: str
) -> npt.NDArray[np.int64]:
    """Return times counted in another unit, rounded up, kept within int64."""
    here, there = PER_DAY[unit_of(unit)], PER_DAY[unit_of(wanted)]
    if here > there:
        return -(-values // (here // there))
    factor = there // here
    bound = np.iinfo(np.int64).max // factor
    return values.clip(-bound, bound) * factor


def unit_of(storage: str) -> str:
    """Return the unit of a storage such as "datetime64[us]"."""
    return str(np.datetime_data(storage)[0])
