"""The table as rows of cells, from which extra trees draw their cuts, or sums are made.

Codes are ranks, and a cut that is drawn between two values must know how far apart they
are. All trees of a forest share one such array.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Column, Columns
from treewright.data.sparse.sparse_cells import refuse_dense
from treewright.data.sparse.sparse_columns import SparseColumn

# as numbered in core/memory_types.hpp
NUMBERS, RANKS, ROUNDED = 0, 1, 2


@dataclass(frozen=True, eq=False)
class DrawnCells:
    """Rows of cells."""

    # float64, shape (n_rows, n_features): numbers; codes of categories; of integers
    # that a float64 would round, their distance from the least one. NaN: missing.
    cells: npt.NDArray[np.float64]
    kinds: list[int]  # which of these each feature has
    # nodes draw weighted sums of so many features; 0: cuts of single ones
    n_combined: int = 0
    # by what each feature's weights are multiplied, in such sums
    scales: list[float] = field(default_factory=list)

    @classmethod
    def of(cls, columns: Columns) -> DrawnCells:
        """Look up the cells of a table."""
        n_columns = len(columns.features)
        if any(isinstance(column, SparseColumn) for column in columns.features):
            refuse_dense(columns.n_rows, n_columns, "drawing cuts at random")
        cells = np.empty((columns.n_rows, n_columns))
        for index, column in enumerate(columns.features):
            cells[:, index] = np.append(_by_code(column), np.nan)[column.codes]
        return cls(cells, [_kind(column) for column in columns.features])


def _kind(column: Column) -> int:
    if column.values is None:
        return RANKS
    return NUMBERS if column.values.dtype.kind == "f" else ROUNDED


def _by_code(column: Column) -> npt.NDArray[Any]:
    """The cell of each code."""
    if column.values is None:
        return np.arange(column.n_codes, dtype=np.float64)
    if _kind(column) == NUMBERS:
        return column.values.astype(np.float64)
    # the distance of two int64 may need 64 bits, and wraps to the right number
    far = column.values.astype(np.uint64) - column.values[:1].astype(np.uint64)
    return far.astype(np.float64)
