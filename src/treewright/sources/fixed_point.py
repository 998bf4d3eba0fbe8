"""Real numbers as 64-bit integers, so that sums do not depend on their order.

A column of weights or target values is scaled once per fit by a power of two and
rounded. Adding integers is exact and associative: any row order, any number of threads
or blocks gives the same bits. The scale leaves room for the sum over all rows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

SUM_BITS = 61  # sums stay below 2^61, differences of sums below 2^62


@dataclass(frozen=True, eq=False)
class FixedPoint:
    """Integers that stand for `ints / scale`; the scale is a power of two."""

    ints: Ints
    scale: float


def to_fixed_point(values: Floats) -> FixedPoint:
    """Scale and round `values` such that any sum of them stays below 2^SUM_BITS."""
    largest = float(np.abs(values).max(initial=0.0))
    if largest == 0.0:
        return FixedPoint(np.zeros(values.shape, np.int64), 1.0)
    # the bound n * largest depends on the values only, not on their order
    _, exponent = math.frexp(largest)
    _, row_exponent = math.frexp(max(values.shape[0], 1))
    bits = min(SUM_BITS - exponent - row_exponent, 1000)
    # two factors, because one power of two may be out of range for tiny values
    half = bits // 2
    scaled = values * 2.0**half * 2.0 ** (bits - half)
    return FixedPoint(np.rint(scaled).astype(np.int64), 2.0**bits)


def weights_to_fixed_point(weights: Floats, *, divisible: bool = False) -> FixedPoint:
    """Scale weights; whole numbers stay as they are: weight 2 equals a row twice.

    Weights that will be divided among branches need digits behind the point.
    """
    if not divisible and (
        np.all(weights == np.rint(weights))
        and float(weights.max()) * len(weights) < 2**53
    ):
        return FixedPoint(weights.astype(np.int64), 1.0)
    return to_fixed_point(weights)
