"""Sparse cells: encoded rows most of whose cells are zero, as trees walk on them.

They stand for a float64 matrix that would be too large: whoever walks makes some rows
at a time dense. All other uses get the matrix itself if it is of bounded size, and an
error that says so if it is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from treewright.data.coded_cells import cells_by_code
from treewright.data.columns import Columns
from treewright.data.schema import Feature
from treewright.data.sparse.sparse_columns import SparseBlock, SparseColumn
from treewright.errors import DataError

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

MAX_DENSE_CELLS = 100_000_000  # 800 MB of float64
FEW_CELLS = 1_000_000  # so many are a matrix at once
BLOCK_CELLS = 4_000_000  # of the rows that are dense at the same time


def refuse_dense(n_rows: int, n_columns: int, what: str) -> None:
    """Raise if a table is too large to be made dense."""
    if n_rows * n_columns > MAX_DENSE_CELLS:
        raise DataError(
            f"{what} needs a dense table, and {n_rows:,} rows x {n_columns:,} columns "
            f"are more than the {MAX_DENSE_CELLS:,} cells that are made dense; take "
            "fewer columns (of texts fewer words: --text-max-words) or rows, or use "
            "cart or a random forest, which take sparse tables as they are"
        )


class SparseCells:
    """Rows of cells, row after row only those that are not zero.

    `starts` (int64, shape (n_rows + 1,)): where the cells of each row start. `columns`,
    `values` (shape (n_cells,)): column and value of each.
    """

    def __init__(
        self, starts: Ints, columns: Ints, values: Floats, n_columns: int
    ) -> None:
        self.starts, self.columns, self.values = starts, columns, values
        self.shape = (len(starts) - 1, n_columns)
        self.dtype = values.dtype

    @classmethod
    def of_entries(
        cls, row: Ints, column: Ints, value: Floats, shape: tuple[int, int]
    ) -> SparseCells:
        """Put cells in the order of their rows."""
        order = np.argsort(row, kind="stable")
        starts = np.append(0, np.cumsum(np.bincount(row, minlength=shape[0])))
        return cls(starts, column[order], value[order], shape[1])

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, which: Any) -> Any:
        """Some rows; or the cells at pairs of a row and a column."""
        if isinstance(which, tuple):
            rows, columns = which
            return self._at(np.asarray(rows), np.asarray(columns))
        rows = np.arange(len(self))[which]
        lengths = np.diff(self.starts)[rows]
        starts = np.append(0, np.cumsum(lengths))
        cells = np.repeat(self.starts[rows] - starts[:-1], lengths)
        cells += np.arange(starts[-1])
        return SparseCells(
            starts, self.columns[cells], self.values[cells], self.shape[1]
        )

    def _at(self, rows: Ints, columns: Ints) -> Floats:
        found = np.zeros(len(rows))
        for index, (row, column) in enumerate(
            zip(rows.tolist(), columns.tolist(), strict=True)
        ):
            own = slice(self.starts[row], self.starts[row + 1])
            match = np.flatnonzero(self.columns[own] == column)
            if len(match):
                found[index] = self.values[own][match[0]]
        return found

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Floats:
        """Return the whole matrix, if it is of bounded size."""
        refuse_dense(*self.shape, "this")
        whole = np.zeros(self.shape)
        rows = np.repeat(np.arange(len(self)), np.diff(self.starts))
        whole[rows, self.columns] = self.values
        return whole if dtype is None else whole.astype(dtype)

    def unless_few(self) -> Floats:
        """Return the cells as they are, or few as a matrix; walks take both."""
        if self.shape[0] * self.shape[1] <= FEW_CELLS:
            return np.asarray(self)
        return cast(Floats, self)

    def blocks(self) -> Iterator[Floats]:
        """Yield the rows as dense matrices; each is valid until the next one."""
        n_rows = max(BLOCK_CELLS // max(self.shape[1], 1), 1)
        block = np.zeros((min(n_rows, len(self)), self.shape[1]))
        for start in range(0, len(self), n_rows):
            stop = min(start + n_rows, len(self))
            own = slice(self.starts[start], self.starts[stop])
            row = np.repeat(
                np.arange(stop - start), np.diff(self.starts[start : stop + 1])
            )
            block[row, self.columns[own]] = self.values[own]
            yield block[: stop - start]
            block[row, self.columns[own]] = 0.0

    def behind(self, others: Floats) -> SparseCells:
        """Return the cells with other columns before them."""
        row, column = np.nonzero(others)  # NaN is not zero
        own = np.repeat(np.arange(len(self)), np.diff(self.starts))
        n_others = others.shape[1]
        return SparseCells.of_entries(
            np.append(row, own),
            np.append(column, self.columns + n_others),
            np.append(others[row, column], self.values),
            (len(self), n_others + self.shape[1]),
        )

    def only(self, columns: Ints) -> Floats:
        """Return some columns, given in ascending order, as a dense matrix."""
        refuse_dense(len(self), len(columns), "this")
        number = np.full(self.shape[1], -1)
        number[columns] = np.arange(len(columns))
        place = number[self.columns]
        rows = np.repeat(np.arange(len(self)), np.diff(self.starts))
        found = np.zeros((len(self), len(columns)))
        found[rows[place >= 0], place[place >= 0]] = self.values[place >= 0]
        return found


def cells_of_columns(
    columns: Columns, features: Sequence[Feature]
) -> SparseCells | None:
    """The cells of an encoded table as trees walk on them; None: it is not sparse."""
    if not any(isinstance(column, SparseColumn) for column in columns.features):
        return None
    rows: list[Ints] = []
    numbers: list[Ints] = []
    values: list[Floats] = []
    blocks: dict[int, SparseBlock] = {}
    place: dict[int, Ints] = {}  # of each block's columns in the table
    for index, column in enumerate(columns.features):
        if isinstance(column, SparseColumn):
            key = id(column.block)
            blocks[key] = column.block
            place.setdefault(key, np.full(column.block.n_columns, -1))
            place[key][column.number] = index
            continue
        cells = cells_by_code(features[index], column)[column.codes]
        nonzero = np.flatnonzero(cells)  # NaN is none
        rows.append(nonzero)
        numbers.append(np.full(len(nonzero), index))
        values.append(cells[nonzero])
    for key, block in blocks.items():
        number = place[key][block.column_of_entry]
        rows.append(block.rows[number >= 0].astype(np.int64))
        numbers.append(number[number >= 0])
        values.append(block.value_of_entry[number >= 0].astype(np.float64))
    shape = columns.n_rows, len(columns.features)
    return SparseCells.of_entries(
        np.concatenate(rows), np.concatenate(numbers), np.concatenate(values), shape
    )
