"""From Python objects and NumPy arrays to raw columns.

A column of objects is judged by the types of its cells: numbers, dates and durations
become `Numbers`, all else becomes `Labels`. Read `raw.py` first.
"""

from __future__ import annotations

import datetime as dt
import math
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import count
from numbers import Integral, Real
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.complaints import row_name, short
from treewright.data.labels import MISSING, plain
from treewright.data.tables.raw import LARGEST_EXACT, Labels, Numbers, RawColumn
from treewright.errors import DataError, DataTypeError

NESTED = (list, tuple, dict, set, frozenset, np.ndarray)
_MISSING_TYPES = {"NoneType", "NAType", "NaTType"}  # None, pandas.NA, pandas.NaT
_CALENDAR_UNITS = {"Y", "M", "W", "generic"}  # counted in days from here on
# tuples of types: subclasses of them are found sooner than those of unions
_TRUTH = (bool, np.bool_)
DECIMAL_NOTE = "decimal numbers read as float64"


def is_missing(cell: object) -> bool:
    """Tell whether a cell is None, NaN, NaT or pandas.NA."""
    if type(cell).__name__ in _MISSING_TYPES:
        return True
    if isinstance(cell, float | np.floating | Decimal):
        return math.isnan(cell)
    return isinstance(cell, np.datetime64 | np.timedelta64) and bool(np.isnat(cell))


def from_array(name: str, values: npt.NDArray[Any]) -> RawColumn:
    """Return a one-dimensional array as a raw column, as a view where possible."""
    kind = values.dtype.kind
    if isinstance(values, np.ma.MaskedArray):
        column = from_array(name, np.ma.getdata(values))
        return mark_missing(column, np.ma.getmaskarray(values))
    if kind in "fiu":
        return Numbers(values)
    if kind in "mM":
        return from_times(values)
    if kind == "b":
        return Labels(values.astype(np.int64), (False, True)).compact()
    if kind in "USTO":
        return from_cells(name, values.tolist())
    raise DataTypeError(unusable(name, f"dtype {values.dtype}"))


def unusable(name: str, what: str) -> str:
    """Word the error about a column whose type has no meaning to a tree."""
    return (
        f"column {name!r} has {what}, which a tree cannot use; "
        "turn it into numbers, dates or text, or leave it out"
    )


def mark_missing(column: RawColumn, missing: npt.NDArray[np.bool_]) -> RawColumn:
    """Return the column with these cells taken as missing too."""
    if isinstance(column, Labels):
        codes = np.where(missing, MISSING, column.codes)
        return Labels(codes, column.labels, column.declared, column.ordered).compact()
    if column.missing is not None:
        missing = missing | column.missing
    return replace(column, missing=missing)


def from_times(values: npt.NDArray[Any]) -> Numbers:
    """Return datetime64 or timedelta64 values as the integers behind them."""
    kind = "datetime64" if values.dtype.kind == "M" else "timedelta64"
    unit, _ = np.datetime_data(values.dtype)
    dtype = f"{kind}[{'D' if unit in _CALENDAR_UNITS else unit}]"
    numbers = values.astype(dtype).astype(np.int64)
    return Numbers(numbers, np.isnat(values), unit=dtype)


def from_cells(name: str, cells: Sequence[Any]) -> RawColumn:
    """Return a sequence of Python objects as a raw column."""
    types = set(map(type, cells))
    known = {kind for kind in types if kind.__name__ not in _MISSING_TYPES}
    if known == {str}:
        return labels_of(cells)
    if any(issubclass(kind, (complex, np.complexfloating)) for kind in known):
        raise DataTypeError(unusable(name, "complex numbers"))
    if _all_are(known, (Real, Decimal, np.bool_)) and not _all_are(known, _TRUTH):
        return _numbers(name, cells, types)
    if _all_are(known, (dt.date, np.datetime64)):
        return _times(name, cells, "datetime64[us]")
    if _all_are(known, (dt.timedelta, np.timedelta64)):
        return _times(name, cells, "timedelta64[us]")
    if any(issubclass(kind, np.generic) for kind in known):
        cells = [plain(cell) for cell in cells]
        known = {type(cell) for cell in cells}  # None adds a type: no harm
    return _labels(name, cells, mixed=len(known) > 1)


def _all_are(types: Collection[type], family: type | tuple[type, ...]) -> bool:
    """Tell whether there are types and all of them belong to the family."""
    return bool(types) and all(issubclass(kind, family) for kind in types)


def _numbers(name: str, cells: Sequence[Any], types: Collection[type]) -> Numbers:
    """Return number objects as an array; integers stay exact."""
    missing = None
    if any(kind.__name__ in _MISSING_TYPES for kind in types):
        missing = np.fromiter(map(is_missing, cells), bool, len(cells))
        cells = [0 if is_missing(cell) else cell for cell in cells]
    known = [kind for kind in types if kind.__name__ not in _MISSING_TYPES]
    if _all_are(known, (Integral, np.bool_)):
        return Numbers(_integers(name, [int(cell) for cell in cells]), missing)
    values = np.array(cells, dtype=np.float64)
    if any(issubclass(kind, (int, np.integer)) for kind in known):
        _refuse_rounding(name, cells, values)
    decimal = any(issubclass(kind, Decimal) for kind in types)
    return Numbers(values, missing, note=DECIMAL_NOTE if decimal else "")


def _integers(name: str, numbers: list[int]) -> npt.NDArray[Any]:
    """Return Python integers as int64, or as uint64 where they need it."""
    low, high = min(numbers), max(numbers)
    if low >= -(2**63) and high < 2**63:
        return np.array(numbers, np.int64)
    if low >= 0 and high < 2**64:
        return np.array(numbers, np.uint64)
    row = numbers.index(low if low < -(2**63) else high)
    raise DataError(
        f"column {name!r} has {short(numbers[row])} in {row_name(row)}, which does not "
        "fit into 64 bits; divide the column, or turn it into floats or text"
    )


def _refuse_rounding(
    name: str, cells: Sequence[Any], values: npt.NDArray[np.float64]
) -> None:
    """Raise if an integer among floats is so large that float64 changes it."""
    for row in np.flatnonzero(np.abs(values) >= LARGEST_EXACT).tolist():
        cell = cells[row]
        if isinstance(cell, int | np.integer) and int(values[row]) != cell:
            raise DataError(
                f"column {name!r} mixes fractions with the integer {cell} in "
                f"{row_name(row)}, which float64 would round; "
                "use integers only, or turn the column into floats"
            )


def _times(name: str, cells: Sequence[Any], dtype: str) -> Numbers:
    """Return date, datetime or timedelta objects as numbers of microseconds."""
    known = [None if is_missing(cell) else cell for cell in cells]
    times = [cell for cell in known if cell is not None]
    zoned = any(map(_has_zone, times))
    if zoned:
        _refuse_two_clocks(name, known)
        known = [
            cell and cell.astimezone(dt.UTC).replace(tzinfo=None) for cell in known
        ]
    numbers = from_times(np.array(known, dtype=dtype))
    return replace(numbers, zoned=zoned, scalar=_scalar_type(set(map(type, times))))


def _has_zone(cell: object) -> bool:
    return getattr(cell, "tzinfo", None) is not None


def _refuse_two_clocks(name: str, cells: Sequence[Any]) -> None:
    """Raise if some of the times have a zone and others have none."""
    for row, cell in enumerate(cells):
        if cell is not None and not _has_zone(cell):
            raise DataTypeError(
                f"column {name!r} mixes times with and without a time zone: the one in "
                f"{row_name(row)} has none; give all of them a zone, or none"
            )


def _scalar_type(types: set[type]) -> type | None:
    """Return the Python type that the cells are of, or None for NumPy's."""
    if types == {dt.date}:
        return dt.date
    for family in (dt.datetime, dt.timedelta):
        if _all_are(types, family):
            return family
    # dates among datetimes are their midnights
    return dt.datetime if _all_are(types, dt.date) else None


def factorize(
    cells: Iterable[Hashable], n_rows: int
) -> tuple[npt.NDArray[np.int64], list[Any]]:
    """Return a code per cell and the distinct cells, in order of appearance."""
    # A lookup in this table gives an unknown cell the next free code, so the loop
    # over the rows runs inside map and fromiter, not in Python.
    table: defaultdict[Hashable, int] = defaultdict(count().__next__)
    codes = np.fromiter(map(table.__getitem__, cells), np.int64, n_rows)
    return codes, list(table)


def labels_of(cells: Sequence[Hashable]) -> Labels:
    """Return cells as labels, without a look at their types."""
    codes, found = factorize(cells, len(cells))
    return _known(codes, found)


def _labels(name: str, cells: Sequence[Any], *, mixed: bool) -> Labels:
    """Return hashable objects as labels."""
    try:
        if not mixed:
            return labels_of(cells)
        # 1, 1.0 and True are equal, yet written differently
        pairs = zip(map(type, cells), cells, strict=True)
        codes, keys = factorize(pairs, len(cells))
        return _known(codes, [label for _, label in keys])
    except TypeError:
        row, cell = next((k, c) for k, c in enumerate(cells) if not _is_hashable(c))
        what = f"a nested value of type {type(cell).__name__} in {row_name(row)}"
        raise DataTypeError(unusable(name, what)) from None


def _known(codes: npt.NDArray[np.int64], found: list[Any]) -> Labels:
    """Return the labels that are not missing."""
    known = [code for code, label in enumerate(found) if not is_missing(label)]
    return Labels(codes, tuple(found)).in_order(known)


def _is_hashable(cell: object) -> bool:
    try:
        hash(cell)
    except TypeError:
        return False
    return True
