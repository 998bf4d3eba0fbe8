"""Sparse columns: numbers most of which are zero, as the words of documents are.

A `SparseBlock` holds the columns of a sparse matrix: only cells that are not zero have
an entry, feature after feature, each in code order. The zeros of a column are one run
of equal codes without entries. A `SparseColumn` is one column of it; its codes for all
rows are made when they are asked for, so that whoever looks at one column after the
other needs to know nothing of this.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Codes

Ints = npt.NDArray[np.int64]
Rows = npt.NDArray[np.uint32]


@dataclass(frozen=True, eq=False)
class SparseBlock:
    """The columns of a sparse matrix, encoded."""

    n_rows: int
    # int64, shape (n_columns + 1,): where the entries of each column start
    starts: Ints
    # uint32, shape (n_entries,): row and code of each entry; the codes of a column
    # ascend
    rows: Rows
    codes: npt.NDArray[np.uint32]
    # uint32, shape (n_columns,): how many entries are below zero, and the code of zero.
    # Columns without a zero have as many entries "below" as there are, and a code that
    # does not occur.
    n_below: npt.NDArray[np.uint32]
    run_codes: npt.NDArray[np.uint32]
    # int64, shape (n_columns + 1,): where the values of each column start
    value_starts: Ints
    # float64 or float32: the distinct values of each column in ascending order
    values: npt.NDArray[Any]

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return len(self.run_codes)

    @cached_property
    def column_of_entry(self) -> Ints:
        """The column of each entry."""
        return np.repeat(np.arange(self.n_columns), np.diff(self.starts))

    @cached_property
    def value_of_entry(self) -> npt.NDArray[Any]:
        """The value of each entry."""
        value: npt.NDArray[Any] = self.values[
            self.value_starts[self.column_of_entry] + self.codes
        ]
        return value

    def columns(self) -> tuple[SparseColumn, ...]:
        """Return the columns one by one."""
        return tuple(SparseColumn(self, k) for k in range(self.n_columns))

    @classmethod
    def of_entries(
        cls, column: Ints, row: Ints, value: npt.NDArray[Any], shape: tuple[int, int]
    ) -> SparseBlock:
        """Encode the cells that are not zero; none of them is missing."""
        n_rows, n_columns = shape
        order = np.lexsort((value, column))
        column, row, value = column[order], row[order], value[order]
        counts = np.bincount(column, minlength=n_columns)
        starts = np.append(0, np.cumsum(counts))
        is_new = np.ones(len(column), bool)
        is_new[1:] = (column[1:] != column[:-1]) | (value[1:] != value[:-1])
        has_zeros = counts < n_rows
        below = value < 0
        per_column = np.bincount(column[is_new], minlength=n_columns)
        new_below = np.bincount(column[is_new & below], minlength=n_columns)
        n_codes = per_column + has_zeros
        value_starts = np.append(0, np.cumsum(n_codes))
        # the number of new values up to each entry, counted from its column's first
        before = np.append(0, np.cumsum(per_column))[:-1]
        codes = np.cumsum(is_new) - 1 - before[column]
        codes += has_zeros[column] & ~below
        values = np.zeros(value_starts[-1], value.dtype)
        values[value_starts[column] + codes] = value
        n_below = np.where(
            has_zeros, np.bincount(column[below], minlength=n_columns), counts
        )
        return cls(
            n_rows,
            starts,
            row.astype(np.uint32),
            codes.astype(np.uint32),
            n_below.astype(np.uint32),
            np.where(has_zeros, new_below, n_codes).astype(np.uint32),
            value_starts,
            values,
        )

    def take(self, rows: npt.NDArray[np.intp]) -> SparseBlock:
        """Some of the rows; codes and tables of values stay as they are."""
        which, row = self._entries_in(rows)
        column = self.column_of_entry[which]
        is_below = which - self.starts[column] < self.n_below[column]
        counts = np.bincount(column, minlength=self.n_columns)
        return SparseBlock(
            len(rows),
            np.append(0, np.cumsum(counts)),
            row.astype(np.uint32),
            self.codes[which],
            np.bincount(column[is_below], minlength=self.n_columns).astype(np.uint32),
            self.run_codes,
            self.value_starts,
            self.values,
        )

    def part(self, rows: npt.NDArray[np.intp]) -> SparseBlock:
        """Some of the rows, encoded as if there were no others."""
        which, row = self._entries_in(rows)
        shape = len(rows), self.n_columns
        value = self.value_of_entry[which]
        return SparseBlock.of_entries(self.column_of_entry[which], row, value, shape)

    def only(self, columns: Ints) -> SparseBlock:
        """Some of the columns, given in ascending order."""
        number = np.full(self.n_columns, -1)
        number[columns] = np.arange(len(columns))
        place = number[self.column_of_entry]
        which = place >= 0
        return SparseBlock.of_entries(
            place[which],
            self.rows[which].astype(np.int64),
            self.value_of_entry[which],
            (self.n_rows, len(columns)),
        )

    def _entries_in(self, rows: npt.NDArray[np.intp]) -> tuple[Ints, Ints]:
        """Entries in these rows, and the place of each among them; in their order.

        A row that is there twice has its entries twice.
        """
        order = np.argsort(rows, kind="stable")
        times = np.bincount(rows, minlength=self.n_rows)
        first = np.cumsum(times) - times
        n_each = times[self.rows]
        which = np.repeat(np.arange(len(self.rows)), n_each)
        nth = np.arange(len(which)) - np.repeat(np.cumsum(n_each) - n_each, n_each)
        return which, order[first[self.rows[which]] + nth]


@dataclass(frozen=True, eq=False, slots=True)
class SparseColumn:
    """One column of a block; all that is asked of a `Column` is looked up there."""

    block: SparseBlock
    number: int

    @property
    def n_codes(self) -> int:
        """Number of codes."""
        first, stop = self.block.value_starts[self.number : self.number + 2].tolist()
        return int(stop - first)

    @property
    def values(self) -> npt.NDArray[Any]:
        """The distinct values in ascending order."""
        first, stop = self.block.value_starts[self.number : self.number + 2].tolist()
        return self.block.values[first:stop]

    @property
    def has_missing(self) -> bool:
        """No: a missing cell would be no zero."""
        return False

    @property
    def entries(self) -> slice:
        """Where the entries of the column are."""
        return slice(*self.block.starts[self.number : self.number + 2].tolist())

    @property
    def codes(self) -> Codes:
        """The codes of all rows, made anew."""
        run_code = int(self.block.run_codes[self.number])
        dtype = np.min_scalar_type(self.n_codes)
        whole: Codes = np.full(self.block.n_rows, run_code, dtype)
        whole[self.block.rows[self.entries]] = self.block.codes[self.entries]
        return whole

    def take(
        self, rows: npt.NDArray[np.intp], taken: dict[int, SparseBlock]
    ) -> SparseColumn:
        """Some of the rows; `taken` has the blocks that were looked at before."""
        if id(self.block) not in taken:
            taken[id(self.block)] = self.block.take(rows)
        return SparseColumn(taken[id(self.block)], self.number)

    def part(
        self, rows: npt.NDArray[np.intp], taken: dict[int, SparseBlock]
    ) -> SparseColumn:
        """The same, encoded as if there were no other rows."""
        if id(self.block) not in taken:
            taken[id(self.block)] = self.block.part(rows)
        return SparseColumn(taken[id(self.block)], self.number)
