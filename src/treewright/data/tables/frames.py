"""Any table in, raw columns out.

pandas, polars and Arrow go through narwhals (`series.py`); NumPy arrays, dicts of
columns, lists of rows and scipy.sparse matrices are taken apart here. No library is
imported for a table that does not come from it. Read `raw.py` first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set, Sized
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.complaints import counted, row_name, short
from treewright.data.tables.cells import from_array, from_cells
from treewright.data.tables.raw import RawColumn, Table
from treewright.errors import DataError, DataTypeError

MAX_DENSE_CELLS = 100_000_000  # 800 MB of float64


def read_frame(table: Any) -> Table:
    """Take any table apart into named raw columns.

    `table`: pandas, polars, Arrow; NumPy with two dimensions, structured or of objects;
    a dict of columns; a list of rows (sequences or dicts); scipy.sparse. Returns
    columns of equal length with different names.
    """
    if isinstance(table, np.ndarray):
        return _from_ndarray(table)
    if is_sparse(table):
        return _from_sparse(table)
    if isinstance(table, Mapping):
        return _from_mapping(table)
    if isinstance(table, list | tuple):
        return _from_rows(table)
    frame = _from_frame(table)
    if frame is not None:
        return frame
    if hasattr(table, "__array__"):
        return _from_ndarray(np.asarray(table))
    raise DataTypeError(
        f"a table of type {type(table).__name__} cannot be read; pass a data frame, "
        "a two-dimensional array, a dict of columns or a list of rows"
    )


def is_sparse(table: object) -> bool:
    """Tell whether this is a scipy.sparse matrix or array, without importing scipy."""
    return type(table).__module__.startswith("scipy.sparse")


def read_column(name: str, column: Any) -> RawColumn:
    """Return one column (array, series or sequence) as a raw column."""
    if isinstance(column, np.ndarray):
        if column.ndim != 1:
            raise DataError(
                f"column {name!r} has {counted(column.ndim, 'dimension')}; 1 is needed:"
                " pass each of its columns under a name of its own"
            )
        return from_array(name, column)
    if isinstance(column, list | tuple | range):
        return from_cells(name, column)
    series = _as_series(column)
    if series is not None:
        # narwhals takes a tenth of a second to import, which small tables do not need
        from treewright.data.tables.series import from_series  # noqa: PLC0415

        return from_series(name, series)
    if hasattr(column, "__array__"):
        return read_column(name, np.asarray(column))
    without_order = isinstance(column, str | bytes | Mapping | Set)
    if isinstance(column, Iterable) and not without_order:
        return from_cells(name, list(column))
    raise DataTypeError(
        f"column {name!r} is {short(column)} of type {type(column).__name__}; "
        "pass a list of values, one per row"
    )


def numbered_names(n_columns: int) -> tuple[str, ...]:
    """Return the names of columns that have none: x0, x1, ..."""
    return tuple(f"x{k}" for k in range(n_columns))


def refuse_duplicates(names: Sequence[str]) -> None:
    """Raise if a column name stands twice."""
    name, times = Counter(names).most_common(1)[0] if names else ("", 0)
    if times > 1:
        where = [k for k, other in enumerate(names) if other == name]
        raise DataError(
            f"{times} columns have the name {short(name)}: columns "
            f"{', '.join(map(str, where))} (counted from 0); rename all but one"
        )


def _from_ndarray(table: npt.NDArray[Any]) -> Table:
    if table.dtype.names is not None and table.ndim == 1:
        names = table.dtype.names
        columns = tuple(read_column(name, table[name]) for name in names)
        return Table(names, columns, len(table), named=True)
    if table.ndim != 2:
        raise DataError(
            f"the table has {counted(table.ndim, 'dimension')}; 2 are needed: reshape "
            "your data with X.reshape(-1, 1) if it is one column, or with "
            "X.reshape(1, -1) if it is one row"
        )
    names = numbered_names(table.shape[1])
    columns = tuple(from_array(name, table[:, k]) for k, name in enumerate(names))
    return Table(names, columns, table.shape[0], named=False)


def _from_sparse(table: Any) -> Table:
    n_rows, n_columns = table.shape
    if n_rows * n_columns > MAX_DENSE_CELLS:
        raise DataError(
            f"the sparse matrix has {n_rows:,} x {n_columns:,} = "
            f"{n_rows * n_columns:,} cells of type {table.dtype}; at most "
            f"{MAX_DENSE_CELLS:,} are made dense, and only numbers stay sparse: "
            "convert it with X.astype(float), or select columns or rows"
        )
    csc = table.tocsc()
    names = numbered_names(n_columns)
    columns = tuple(
        from_array(name, csc[:, [k]].toarray().ravel()) for k, name in enumerate(names)
    )
    return Table(names, columns, n_rows, named=False)


def _from_mapping(table: Mapping[Any, Any]) -> Table:
    names = tuple(str(name) for name in table)
    refuse_duplicates(names)
    columns = tuple(
        read_column(name, column)
        for name, column in zip(names, table.values(), strict=True)
    )
    lengths = dict(zip(names, map(len, columns), strict=True))
    if len(set(lengths.values())) > 1:
        listed = ", ".join(f"{name!r} {length}" for name, length in lengths.items())
        raise DataError(
            f"the columns have different lengths: {listed}; give each the same rows"
        )
    n_rows = len(columns[0]) if columns else 0
    return Table(names, columns, n_rows, named=_are_text(table))


def _from_rows(rows: Sequence[Any]) -> Table:
    """Take a list of rows; a row is a sequence of cells or a dict."""
    if rows and all(isinstance(row, Mapping) for row in rows):
        names = list(dict.fromkeys(name for row in rows for name in row))
        return _from_mapping({name: [row.get(name) for row in rows] for name in names})
    for position, row in enumerate(rows):
        if isinstance(row, str | bytes) or not isinstance(row, Sized):
            raise DataError(
                f"the table is a list, but {row_name(position)} is the single value "
                f"{short(row)}; each row must be a list of cells: reshape your data, "
                "for one column with [[value] for value in X]"
            )
        if len(row) != len(rows[0]):
            raise DataError(
                f"{row_name(position)} has {counted(len(row), 'cell')} and row 0 has "
                f"{len(rows[0])}; give every row the same number of cells"
            )
    cells = [list(column) for column in zip(*rows, strict=True)]
    names = list(numbered_names(len(cells)))
    columns = tuple(map(from_cells, names, cells))
    return Table(tuple(names), columns, len(rows), named=False)


def is_frame(table: Any) -> bool:
    """Tell whether this looks like a data frame: its type has column names."""
    return hasattr(type(table), "columns") or hasattr(type(table), "column_names")


def _from_frame(table: Any) -> Table | None:
    """Take a data frame, or return None if this is none."""
    if not is_frame(table):
        return None
    if hasattr(table, "collect"):
        raise DataTypeError(
            f"the table is lazy ({type(table).__module__.partition('.')[0]}); "
            "call .collect() and pass the result"
        )
    # Arrow calls its names column_names, and its columns are the arrays.
    found = table.column_names if hasattr(table, "column_names") else table.columns
    names = tuple(str(name) for name in found)
    refuse_duplicates(names)
    # narwhals takes a tenth of a second to import, which small tables do not need
    from treewright.data.tables.series import columns_of  # noqa: PLC0415

    columns = columns_of(table, names)
    if columns is None:
        return None
    return Table(names, columns, len(table), named=_are_text(found))


def _are_text(names: Iterable[Any]) -> bool:
    """Tell whether columns have names of text; pandas numbers those that have none."""
    return all(isinstance(name, str) for name in names)


def _as_series(column: Any) -> Any | None:
    """Return the column if it belongs to a data frame library."""
    library = type(column).__module__.partition(".")[0]
    return column if library in {"pandas", "polars", "pyarrow", "modin"} else None
