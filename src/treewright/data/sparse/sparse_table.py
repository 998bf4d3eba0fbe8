"""Sparse tables in: scipy.sparse matrices, and words beside other columns.

A matrix of many cells is never made dense (`sparse_columns.py`); small ones are, so
that all that can be said of a table can be said of them. Nothing of SciPy is imported:
a matrix brings its own methods.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.complaints import counted, row_name
from treewright.data.schema import Feature
from treewright.data.sparse.sparse_cells import MAX_DENSE_CELLS, SparseCells
from treewright.data.sparse.sparse_columns import SparseBlock
from treewright.data.tables.frames import is_sparse, numbered_names
from treewright.data.tables.raw import Table
from treewright.errors import DataError

TOO_LARGE = 2**53  # float64 holds all whole numbers below, and their sums
MOST_COLUMNS = 5_000_000  # each costs about 1 kB, whatever it holds
SMALL_CELLS = 100_000  # up to here a sparse matrix is made dense


@dataclass(frozen=True, eq=False)
class SparseTable:
    """A table some of whose columns are sparse, taken apart."""

    others: Table  # the columns that are not sparse; they come first
    features: tuple[Feature, ...]  # the sparse columns
    # where the cells that are not zero are
    row: npt.NDArray[np.int64]
    column: npt.NDArray[np.int64]
    value: npt.NDArray[Any]  # what they hold
    n_rows: int

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the sparse columns."""
        return tuple(feature.name for feature in self.features)

    @property
    def all_names(self) -> tuple[str, ...]:
        """The names of all columns."""
        return self.others.names + self.names

    def block(self, rows: npt.NDArray[np.bool_]) -> SparseBlock:
        """Encode the sparse columns of these rows."""
        row, column, value = self.row, self.column, self.value
        if not rows.all():
            kept = rows[row]
            row = (np.cumsum(rows) - 1)[row[kept]]
            column, value = column[kept], value[kept]
        shape = int(rows.sum()), len(self.names)
        return SparseBlock.of_entries(column, row, value, shape)

    def cells(self) -> SparseCells:
        """The rows of a table of sparse columns alone, as trees walk on them."""
        value = self.value.astype(np.float64)
        shape = self.n_rows, len(self.names)
        return SparseCells.of_entries(self.row, self.column, value, shape)


def read_sparse(table: Any) -> SparseTable | None:
    """Take a table apart whose columns stay sparse; None: it has none.

    `table`: a `SparseTable`, or a large scipy.sparse matrix or array of numbers.
    """
    if isinstance(table, SparseTable):
        return table
    if not is_sparse(table) or len(table.shape) != 2:
        return None
    n_rows, n_columns = table.shape
    if n_columns > MOST_COLUMNS:
        raise DataError(
            f"{n_columns:,} columns; at most {MOST_COLUMNS:,} are taken: leave out "
            "those without an entry (X[:, np.unique(X.nonzero()[1])]), or hash to "
            "fewer"
        )
    if n_rows * n_columns <= SMALL_CELLS or _dtype(table).kind not in "iuf":
        return None
    if _has_missing(table) and n_rows * n_columns <= MAX_DENSE_CELLS:
        return None
    others = Table((), (), n_rows, named=False)
    return _taken_apart(table, numbered_names(n_columns), others)


def _dtype(table: Any) -> np.dtype[Any]:
    dtype: np.dtype[Any] = np.dtype(table.dtype)
    return dtype


def _has_missing(table: Any) -> bool:
    """Whether a matrix holds NaN, which is missing."""
    if _dtype(table).kind != "f":
        return False
    return bool(np.isnan(table.tocoo().data).any())


def _taken_apart(matrix: Any, names: tuple[str, ...], others: Table) -> SparseTable:
    dtype = _dtype(matrix)
    if dtype.kind in "iu":
        _refuse_rounded(matrix.tocoo(), names)
    # a copy: what stands twice is added up in place, and the caller's is left alone
    cells = matrix.tocsr(copy=True).astype(_kept_type(dtype), copy=False)
    cells.sum_duplicates()
    cells = cells.tocoo()
    if dtype.kind in "iu":
        _refuse_rounded(cells, names)  # sums, too
    row, column = (np.asarray(each, np.int64) for each in (cells.row, cells.col))
    value = np.asarray(cells.data)
    missing = np.isnan(value)
    if missing.any():
        where = int(np.argmax(missing))
        raise DataError(
            f"feature {names[int(column[where])]!r} is missing in "
            f"{row_name(int(row[where]))} and {counted(len(value), 'cell')} are "
            "sparse; large sparse tables are taken without missing values: fill them in"
        )
    nonzero = value != 0
    features = tuple(Feature(name, "numeric") for name in names)
    return SparseTable(
        others, features, row[nonzero], column[nonzero], value[nonzero], matrix.shape[0]
    )


def _refuse_rounded(cells: Any, names: Sequence[str]) -> None:
    """Raise if a whole number is larger than a float64 is sure to hold."""
    large = (cells.data >= TOO_LARGE) | (cells.data <= -TOO_LARGE)
    if not large.any():
        return
    where = int(np.argmax(large))
    raise DataError(
        f"feature {names[int(cells.col[where])]!r} holds {cells.data[where]} in "
        f"{row_name(int(cells.row[where]))}, and large sparse tables hold whole "
        f"numbers below {TOO_LARGE:,} (2**53); make them smaller, or pass the "
        "column in a dense table, where they are exact"
    )


def _kept_type(dtype: np.dtype[Any]) -> Any:
    """Short floats stay short, as in a dense table; all others are float64."""
    return np.float32 if dtype in (np.float16, np.float32) else np.float64
