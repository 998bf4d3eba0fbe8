"""From a data frame's series to raw columns, for all libraries that narwhals knows.

Declared categories are read from each library itself: their order, the ones that do
not occur and whether they are ordered have no common form.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

import narwhals as nw
import numpy as np

from treewright.data.labels import MISSING, plain
from treewright.data.tables.cells import (
    DECIMAL_NOTE,
    from_array,
    from_cells,
    from_times,
    labels_of,
    unusable,
)
from treewright.data.tables.raw import Labels, Numbers, RawColumn
from treewright.errors import DataTypeError

FEW_ROWS = 10_000  # up to here a loop over cells beats the set-up of a join


def columns_of(table: Any, names: tuple[str, ...]) -> tuple[RawColumn, ...] | None:
    """Return the columns of a data frame, or None if narwhals does not know it."""
    if type(table).__module__.startswith("polars."):
        return tuple(map(from_series, names, table.get_columns()))
    frame = nw.from_native(_whole(table), pass_through=True)
    if not isinstance(frame, nw.DataFrame):
        return None
    return tuple(map(_raw, names, frame.iter_columns()))


def from_series(name: str, column: Any) -> RawColumn:
    """Return a series of a library that narwhals knows as a raw column."""
    if _is_short_text(column):
        return labels_of(column.to_list())
    return _raw(name, nw.from_native(_whole(column), series_only=True))


def _is_short_text(column: Any) -> bool:
    """Tell whether this is few texts of polars, soon read without narwhals."""
    of_polars = type(column).__module__.startswith("polars.")
    return of_polars and str(column.dtype) == "String" and len(column) < FEW_ROWS


def _raw(name: str, series: nw.Series[Any]) -> RawColumn:
    dtype = series.dtype
    if isinstance(dtype, nw.String):
        return _from_text(series)
    if dtype.is_nested() or isinstance(dtype, nw.Binary | nw.Time):
        raise DataTypeError(unusable(name, f"dtype {dtype}"))
    if isinstance(dtype, nw.Categorical | nw.Enum):
        return _from_categories(series, dtype)
    if isinstance(dtype, nw.Boolean):
        codes = series.cast(nw.Int8).fill_null(MISSING).to_numpy().astype(np.int64)
        return Labels(codes, (False, True)).compact()
    if isinstance(dtype, nw.Int128 | nw.UInt128 | nw.Object | nw.Unknown):
        return _from_objects(name, series)
    if isinstance(dtype, nw.Date | nw.Datetime | nw.Duration):
        return _from_times(series)
    return _from_numbers(series)


def _whole(native: Any) -> Any:
    """Return the parts of a library's series and frames as such: arrays, batches."""
    library = type(native).__module__.partition(".")[0]
    if library == "pandas" and not hasattr(native, "iloc"):  # Index, Categorical, ...
        return sys.modules["pandas"].Series(native)
    if library == "pyarrow":
        arrow = sys.modules["pyarrow"]
        if isinstance(native, arrow.Array):
            return arrow.chunked_array([native])
        if isinstance(native, arrow.RecordBatch):
            return arrow.Table.from_batches([native])
    return native


def _from_numbers(series: nw.Series[Any]) -> Numbers:
    if series.dtype.is_decimal():
        floats = series.cast(nw.Float64).to_numpy()
        return Numbers(floats, note=DECIMAL_NOTE)
    if series.dtype.is_float() or not series.is_null().any():
        return Numbers(series.to_numpy())
    # to_numpy would turn integers with gaps into floats and round the large ones
    return Numbers(series.fill_null(0).to_numpy(), series.is_null().to_numpy())


def _from_times(series: nw.Series[Any]) -> Numbers:
    if isinstance(series.dtype, nw.Datetime) and series.dtype.time_zone is not None:
        series = series.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
        return replace(from_times(series.to_numpy()), zoned=True)
    return from_times(series.to_numpy())


def _from_objects(name: str, series: nw.Series[Any]) -> RawColumn:
    """Read a column of objects, or of a type that narwhals has no name for."""
    native = series.to_native()
    if isinstance(getattr(native, "dtype", None), np.dtype):  # pandas
        return from_array(name, native.to_numpy())
    return from_cells(name, series.to_list())


def _from_text(series: nw.Series[Any]) -> Labels:
    if len(series) < FEW_ROWS:
        return labels_of(series.to_list())
    labels = series.drop_nulls().unique().to_list()
    if not labels:
        return Labels(np.full(len(series), MISSING), ())
    codes = np.full(len(series), MISSING)
    # without missing cells, which libraries translate in their own ways
    known = series.drop_nulls().replace_strict(
        labels, range(len(labels)), return_dtype=nw.Int64
    )
    codes[~series.is_null().to_numpy()] = known.to_numpy()
    return Labels(codes, tuple(labels))


def _from_categories(series: nw.Series[Any], dtype: Any) -> Labels:
    native: Any = series.to_native()
    if series.implementation.is_pandas_like() and hasattr(native, "cat"):
        categories = native.cat
        codes = categories.codes.to_numpy().astype(np.int64)
        labels = tuple(map(plain, categories.categories.tolist()))
        return Labels(codes, labels, declared=True, ordered=bool(categories.ordered))
    if series.implementation.is_pyarrow():
        return _from_dictionary(native)
    if isinstance(dtype, nw.Enum):
        codes = native.to_physical()
        if codes.null_count():
            codes = codes.cast(int).fill_null(MISSING)
        labels = tuple(dtype.categories)
        whole = codes.to_numpy().astype(np.int64, copy=False)
        return Labels(whole, labels, declared=True)
    # The categories of a polars Categorical come in the order in which the process
    # met them, so they are text without a declared order.
    return _from_text(series.cast(nw.String))


def _from_dictionary(native: Any) -> Labels:
    """Read an Arrow dictionary column, whose chunks may have different dictionaries."""
    array = native.combine_chunks()
    indices = array.indices.cast("int64").fill_null(MISSING)
    labels = tuple(array.dictionary.to_pylist())
    codes = indices.to_numpy(zero_copy_only=False)
    return Labels(codes, labels, declared=True, ordered=array.type.ordered)
