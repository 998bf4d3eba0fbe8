"""Tables of a stream that bring little new: looked up column by column, quickly.

`StreamTable.encode` reads any table and explains what is wrong with one. Here are the
forms in which most batches come, once the kinds and the categories are known. A column
that is in doubt, because of a new category, say, is left to `StreamTable`, and so is a
table that is (None is returned): nothing is decided here.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright import _core
from treewright.data.complaints import row_name
from treewright.data.stream.stream_table import Cells, StreamFeature, StreamTable, Where
from treewright.data.stream.stream_target import LARGEST
from treewright.data.tables.frames import read_column
from treewright.data.tables.raw import LARGEST_EXACT

# cells, with gaps where columns are in doubt; and these columns
_Read = tuple[Cells, dict[int, Any]]


def quick_cells(
    table: Any, known: StreamTable, where: Where = row_name, *, learns: bool = False
) -> tuple[Cells, StreamTable] | None:
    """Return what `known.encode` does, or None if the table needs a closer look."""
    kind = type(table)
    found: _Read | None = None
    if kind is np.ndarray:
        found = _matrix_cells(table, known)
    elif kind is list:
        found = _row_cells(table, known)
    elif kind is dict:
        if tuple(table) == known.names:
            found = _column_cells([*table.values()], known, _array_column)
    elif kind.__name__ == "DataFrame" and known.has_names:
        library = kind.__module__.partition(".")[0]
        read = {"polars": _polars_cells, "pandas": _pandas_cells}.get(library)
        if read is not None and tuple(table.columns) == known.names:
            found = read(table, known)
    if found is None:
        return None
    cells, doubtful = found
    if not doubtful:
        return cells, known
    raw = {k: read_column(known.names[k], column) for k, column in doubtful.items()}
    if any(len(column) != len(cells) for column in raw.values()):
        return None
    return cells, known.fill_in(cells, raw, where, learns=learns)


def _column_cells(
    columns: Sequence[Any], known: StreamTable, read: Any
) -> _Read | None:
    """Return columns as cells."""
    if not columns or not hasattr(columns[0], "__len__"):
        return None
    cells = np.empty((len(columns[0]), len(columns)))
    doubtful = {}
    for k, (column, feature) in enumerate(zip(columns, known.features, strict=True)):
        found = read(column, feature)
        if found is None:
            doubtful[k] = column
        elif len(found) != len(cells):
            return None
        else:
            cells[:, k] = found
    return cells, doubtful


def _matrix_cells(table: npt.NDArray[Any], known: StreamTable) -> _Read | None:
    """Return a matrix of numbers as it is."""
    is_plain = table.dtype.kind == "f" or _is_short(table.dtype)
    if table.ndim != 2 or not is_plain or table.shape[1] != len(known.features):
        return None
    if not known.all_numeric:
        return None
    return np.ascontiguousarray(table, np.float64), {}


def _row_cells(rows: list[Any], known: StreamTable) -> _Read | None:
    """Return rows that are dicts with a cell for each column."""
    found = _core.read_rows(rows, known.lookups) if rows else None
    if found is None:
        return None
    cells, doubtful = found
    names = known.names
    return cells, {k: [row[names[k]] for row in rows] for k in doubtful}


def _array_column(column: Any, feature: StreamFeature) -> npt.NDArray[Any] | None:
    """Return a column of numbers, or of objects that are text."""
    if type(column) is not np.ndarray or column.ndim != 1:
        return None
    if feature.kind == "numeric":
        return _numbers(column)
    if column.dtype.kind != "O":
        return None
    return _looked_up(column.tolist(), feature)


def _polars_cells(table: Any, known: StreamTable) -> _Read | None:
    """Return a polars table of numbers and text; polars looks the text up."""
    columns = table.get_columns()
    if not columns or not len(table):
        return None
    in_doubt = [
        not _fits(column.dtype, feature)
        for column, feature in zip(columns, known.features, strict=True)
    ]
    expressions = _expressions(known)
    if any(in_doubt):
        plain = [k for k, doubt in enumerate(in_doubt) if not doubt]
        if not plain:
            return None
        found = table.select([expressions[k] for k in plain])
        cells = np.full((len(table), len(columns)), np.nan)
        cells[:, plain] = found.to_numpy()
    else:
        plain = list(range(len(columns)))
        found = table.select(expressions)
        cells = found.to_numpy(order="c", writable=True)
    for k, codes in zip(plain, found.get_columns(), strict=True):
        # a new category has become null
        in_doubt[k] = columns[k].null_count() != codes.null_count()
    # NaN is not larger
    large = np.abs(cells) > LARGEST_EXACT
    if large.any():
        in_doubt = (np.array(in_doubt) | large.any(axis=0)).tolist()
    return cells, {k: columns[k] for k, doubt in enumerate(in_doubt) if doubt}


def _fits(dtype: Any, feature: StreamFeature) -> bool:
    """Tell whether a polars column is of the feature's kind, in a plain form."""
    if feature.kind == "numeric":
        return bool(dtype.is_float() or dtype.is_integer())
    is_nominal = feature.kind == "nominal"  # not so if all cells were missing so far
    return is_nominal and type(dtype).__name__ == "String" and feature.are_text


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


def _pandas_cells(table: Any, known: StreamTable) -> _Read | None:
    """Return a pandas table of numbers and text."""
    return _column_cells([table[name] for name in known.names], known, _pandas_column)


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


def _is_short(dtype: np.dtype[Any]) -> bool:
    """Tell whether all numbers of an integer type are held by float64."""
    return dtype.kind in "iu" and dtype.itemsize < 8


def _numbers(values: npt.NDArray[Any]) -> npt.NDArray[Any] | None:
    """Return numbers that float64 holds."""
    kind = values.dtype.kind
    if kind == "f" or _is_short(values.dtype):
        return values
    if kind not in "iu" or not values.size:
        return None
    is_exact = -LARGEST_EXACT <= values.min() and values.max() <= LARGEST_EXACT
    return values if is_exact else None


def _looked_up(cells: list[Any], feature: StreamFeature) -> Cells | None:
    """Return the codes of text; None if some cell is anything else, or new."""
    return _core.look_up(cells, feature.quick_lookup)


def quick_codes(y: Any, known: Mapping[Any, int]) -> npt.NDArray[np.int32] | None:
    """Return the codes of answers that are all known, or None."""
    if type(y) is np.ndarray and y.ndim == 1:
        y = y.tolist()
    elif type(y) is not list:
        if not hasattr(y, "to_list"):
            return None
        y = y.to_list()
    found = _core.look_up(y, known)
    return None if found is None else found.astype(np.int32)


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
