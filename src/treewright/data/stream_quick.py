"""Tables of a stream that bring nothing new: looked up column by column, quickly.

`StreamTable.encode` reads any table and explains what is wrong with one. Here are the
forms in which most batches come, once the kinds and the categories are known. Whatever
is in doubt is left to `encode` (None is returned), so nothing is decided here.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.raw import LARGEST_EXACT
from treewright.data.stream_table import Cells, StreamFeature, StreamTable
from treewright.data.stream_target import LARGEST

_EXACT = {"int8", "int16", "int32", "uint8", "uint16", "uint32"}


def quick_cells(table: Any, known: StreamTable) -> Cells | None:
    """Return the cells of a table, or None if it needs a closer look."""
    kind = type(table)
    if kind is np.ndarray:
        return _matrix_cells(table, known)
    if kind is list:
        return _row_cells(table, known)
    if kind is dict:
        is_known = tuple(table) == known.names
        return _filled([*table.values()], known, _array_cells) if is_known else None
    if kind.__name__ != "DataFrame" or not known.has_names:
        return None
    library = kind.__module__.partition(".")[0]
    read = {"polars": _polars_cells, "pandas": _pandas_cells}.get(library)
    if read is None or tuple(table.columns) != known.names:
        return None
    return read(table, known)


def _filled(columns: Sequence[Any], known: StreamTable, read: Any) -> Cells | None:
    """Return the columns as cells, if all of them can be read."""
    cells: Cells | None = None
    for k, (column, feature) in enumerate(zip(columns, known.features, strict=True)):
        found = read(column, feature)
        if found is None or (cells is not None and len(found) != len(cells)):
            return None
        if cells is None:
            cells = np.empty((len(found), len(columns)))
        cells[:, k] = found
    return cells


def _matrix_cells(table: npt.NDArray[Any], known: StreamTable) -> Cells | None:
    """Return a matrix of numbers as it is."""
    is_plain = table.dtype.kind == "f" or table.dtype.name in _EXACT
    if table.ndim != 2 or not is_plain or table.shape[1] != len(known.features):
        return None
    if not known.all_numeric:
        return None
    return np.ascontiguousarray(table, np.float64)


def _row_cells(rows: list[Any], known: StreamTable) -> Cells | None:
    """Return rows that are dicts of plain cells."""
    cells: list[float] = []
    try:
        for row in rows:
            if type(row) is not dict or len(row) != len(known.lookups):
                return None
            for name, lookup in known.lookups:
                cell = row[name]
                if lookup is not None:
                    cells.append(lookup[cell])
                elif type(cell) is float:
                    cells.append(cell)
                elif type(cell) is int and -LARGEST_EXACT <= cell <= LARGEST_EXACT:
                    cells.append(cell)
                elif cell is None:
                    cells.append(np.nan)
                else:
                    return None
    except (KeyError, TypeError):  # a column or a category that is new
        return None
    return np.array(cells, np.float64).reshape(len(rows), -1)


def _array_cells(column: Any, feature: StreamFeature) -> npt.NDArray[Any] | None:
    """Return a column of numbers, or of objects that are text."""
    if type(column) is not np.ndarray or column.ndim != 1:
        return None
    if feature.kind == "numeric":
        return _numbers(column)
    if column.dtype.kind != "O":
        return None
    return _looked_up(column.tolist(), feature)


def _polars_cells(table: Any, known: StreamTable) -> Cells | None:
    """Return a polars table of numbers and text; polars looks the text up."""
    columns = table.get_columns()
    for column, feature in zip(columns, known.features, strict=True):
        dtype = column.dtype
        if feature.kind == "numeric":
            if not dtype.is_float() and not dtype.is_integer():
                return None
        elif not feature.are_text or str(dtype) != "String":
            return None
    found = table.select(_expressions(known))
    for column, codes in zip(columns, found.get_columns(), strict=True):
        if column.null_count() != codes.null_count():
            return None  # a new category
    cells: Cells = found.to_numpy(order="c")
    # NaN is not larger
    return None if (np.abs(cells) > LARGEST_EXACT).any() else cells


def _expressions(known: StreamTable) -> list[Any]:
    """Return how polars makes floats of the columns."""
    # with the table that they are for, since a batch would wait for them to be made
    made: list[Any] | None = known.__dict__.get("_polars")
    if made is None:
        import polars as pl  # noqa: PLC0415 - it is loaded, since the table is of it

        made = []
        for feature in known.features:
            column = pl.col(feature.name)
            if feature.kind == "nominal":
                categories = pl.Enum(list(map(str, feature.codes)))
                column = column.cast(categories, strict=False).to_physical()
            made.append(column.cast(pl.Float64))
        known.__dict__["_polars"] = made
    return made


def _pandas_cells(table: Any, known: StreamTable) -> Cells | None:
    """Return a pandas table of numbers and text."""
    return _filled([table[name] for name in known.names], known, _pandas_column)


def _pandas_column(column: Any, feature: StreamFeature) -> npt.NDArray[Any] | None:
    dtype = column.dtype
    if feature.kind == "numeric":
        return _numbers(column.to_numpy()) if isinstance(dtype, np.dtype) else None
    if feature.kind != "nominal" or str(dtype) not in ("object", "str"):
        return None
    if getattr(dtype, "storage", "") == "pyarrow" and feature.are_text:
        return _arrow_cells(column.array.__arrow_array__(), feature)
    return _looked_up(column.to_numpy().tolist(), feature)


def _arrow_cells(text: Any, feature: StreamFeature) -> npt.NDArray[Any] | None:
    """Return text in Arrow's form, which Arrow looks up."""
    arrow = sys.modules["pyarrow"]
    compute = importlib.import_module("pyarrow.compute")
    known = arrow.array(list(feature.codes), text.type)
    codes = compute.index_in(text, value_set=known)
    if codes.null_count != text.null_count:
        return None  # a new category
    return np.asarray(codes.to_numpy(zero_copy_only=False))  # null becomes NaN


def _numbers(values: npt.NDArray[Any]) -> npt.NDArray[Any] | None:
    """Return numbers that float64 holds."""
    kind = values.dtype.kind
    if kind == "f" or values.dtype.name in _EXACT:
        return values
    if kind not in "iu" or not values.size:
        return None
    is_exact = -LARGEST_EXACT <= values.min() and values.max() <= LARGEST_EXACT
    return values if is_exact else None


def _looked_up(cells: list[Any], feature: StreamFeature) -> Cells | None:
    """Return the codes of text; None if some cell is anything else, or new."""
    try:
        look_up = feature.quick_lookup.__getitem__
        return np.fromiter(map(look_up, cells), float, len(cells))
    except (KeyError, TypeError):
        return None


def quick_codes(y: Any, known: Mapping[Any, int]) -> npt.NDArray[np.int32] | None:
    """Return the codes of answers that are all known, or None."""
    if hasattr(y, "to_list"):
        y = y.to_list()
    elif type(y) is np.ndarray and y.ndim == 1:
        y = y.tolist()
    if type(y) is not list:
        return None
    try:
        return np.fromiter(map(known.__getitem__, y), np.int32, len(y))
    except (KeyError, TypeError):
        return None


def quick_numbers(y: Any) -> npt.NDArray[np.float64] | None:
    """Return numbers to predict that need no closer look, or None."""
    if type(y) is list and all(type(one) is float for one in y):
        y = np.array(y)
    elif hasattr(y, "to_numpy") and not hasattr(y, "columns"):
        y = y.to_numpy()
    if type(y) is not np.ndarray or y.ndim != 1 or y.dtype != np.float64:
        return None
    # also false for NaN
    return np.ascontiguousarray(y) if (np.abs(y) <= LARGEST).all() else None
