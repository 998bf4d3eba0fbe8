"""The sparse source: columns most of whose rows have one value, as words of documents.

The work is in `core/sparse.hpp`; this file hands it the arrays. It answers what the
memory source answers, for cuts of columns without missing values.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright import _core
from treewright.data.columns import Column, Columns
from treewright.data.sparse.sparse_cells import refuse_dense
from treewright.data.sparse.sparse_columns import SparseColumn
from treewright.sources.memory import SplitRule, core_roots, core_rule, rows_of_roots
from treewright.sources.node_statistics import Statistics
from treewright.sources.source import (
    Branches,
    Candidates,
    Chosen,
    Drawing,
    Floats,
    FoundSurrogates,
    Frontier,
    Ints,
    Keys,
    Roots,
)

_NO_INTS: Ints = np.zeros(0, np.int64)
_NO_FLOATS: Floats = np.zeros(0)
_NO_SHORTS: npt.NDArray[np.int32] = np.zeros(0, np.int32)
_NO_TABLE: Floats = np.zeros((0, 0))
_NO_SURROGATES = FoundSurrogates(
    _NO_INTS,
    _NO_SHORTS,
    _NO_INTS,
    _NO_INTS,
    _NO_SHORTS,
    _NO_FLOATS,
    _NO_FLOATS,
    _NO_INTS,
    _NO_SHORTS,
    _NO_SHORTS,
)
_RULES = ("error", "own_branch", "majority", "learned")


def has_sparse(columns: Columns) -> bool:
    """Whether some columns of a table are sparse."""
    return any(isinstance(column, SparseColumn) for column in columns.features)


def cells_per_row(columns: Columns) -> int:
    """How many cells a row has, on average; of sparse columns those not zero."""
    blocks = {
        id(column.block): column.block
        for column in columns.features
        if isinstance(column, SparseColumn)
    }
    n_entries = sum(len(block.rows) for block in blocks.values())
    n_others = sum(not isinstance(column, SparseColumn) for column in columns.features)
    return n_others + -(-n_entries // columns.n_rows)


def takes_sparse(
    columns: Columns, candidates: Sequence[str], rule: SplitRule, criterion: str
) -> bool:
    """Whether a table is sparse and the sparse source can grow from it.

    Only where features are compared by their gains alone, and may be asked again.
    """
    plain = not (
        rule.every_cut
        or rule.most_per_side > 0
        or rule.min_gap > 0
        or rule.wants_information
    )
    return (
        has_sparse(columns)
        and plain
        and criterion != "absolute_error"
        and rule.missing in _RULES
        and all(kind == "cut" for kind in candidates)
        and not any(column.has_missing for column in columns.features)
    )


def refuse_large(columns: Columns, what: str) -> None:
    """Raise if a sparse table must be made dense and is too large for that."""
    if has_sparse(columns):
        refuse_dense(columns.n_rows, len(columns.features), what)


class SparseSource:
    """A table of few entries in memory.

    - `columns`: the encoded table, of ordered columns without missing values.
    - `statistics`: what is summed up for a node.
    - `rule`: which splits are admissible; see `takes_sparse`.
    - `n_threads`: threads of the compiled calls.
    - `roots`: several trees, each from rows of its own.
    """

    def __init__(
        self,
        columns: Columns,
        statistics: Statistics,
        *,
        rule: SplitRule,
        n_threads: int,
        roots: Roots | None = None,
    ) -> None:
        self.n_features = len(columns.features)
        self._n_rows = rows_of_roots(columns, roots)
        self.cells_per_row = cells_per_row(columns)
        starts, rows, codes, n_below, run_codes = _entries(columns)
        self._core = _core.Sparse(
            starts,
            rows,
            codes,
            n_below,
            run_codes,
            statistics.core_target(),
            core_rule(rule, statistics, columns),
            columns.n_rows,
            n_threads,
            core_roots(roots),
        )

    def stop(self) -> None:
        """End the call that another thread is in, and refuse all later ones."""
        self._core.stop()

    def open_roots(self) -> tuple[Ints, npt.NDArray[np.bool_], Ints]:
        """Open the roots as handles 0, 1, ...; their statistics, purity and rows."""
        statistics, pure = self._core.open_roots()
        n_roots = len(self._n_rows)
        return statistics.reshape(n_roots, -1), pure.astype(bool), self._n_rows

    def tolerances(self, statistics: Ints) -> Floats:
        """Difference of scores, per node, below which two splits are a tie."""
        return self._core.tolerances(statistics)

    def candidates(self, frontier: Frontier) -> Candidates:
        """Find the best split of every open node: the only candidate of each."""
        gain, position, feature = self._core.scan(
            frontier.handles, frontier.statistics, frontier.tolerances
        )
        return Candidates(gain, position, _NO_TABLE, _NO_TABLE, _NO_TABLE, feature)

    def drawn_candidates(
        self, frontier: Frontier, drawing: Drawing
    ) -> tuple[Candidates, Keys]:
        """Find the best split of the features that each node draws."""
        gain, position, feature, constant = self._core.scan_drawn(
            frontier.handles,
            frontier.statistics,
            frontier.tolerances,
            drawing.keys,
            drawing.constant,
            drawing.n_features,
            drawing.counts_constant,
        )
        none = _NO_TABLE
        return Candidates(gain, position, none, none, none, feature), constant

    def split(self, chosen: Chosen) -> Branches:
        """Make the chosen splits; the branches are not open yet."""
        n_rows, statistics, pure, missing_branch, low, high = self._core.split(
            chosen.handles, chosen.feature, chosen.position
        )
        n_nodes = len(chosen.handles)
        return Branches(
            n_branches=np.full(n_nodes, 2),
            n_rows=n_rows,
            statistics=statistics,
            pure=pure.astype(bool),
            n_set=np.zeros(n_nodes, np.int64),
            set_codes=_NO_SHORTS,
            missing_branch=missing_branch,
            low=low,
            high=high,
            known=np.zeros(2 * n_nodes, np.int64),
            surrogates=_NO_SURROGATES,
            threshold=_NO_FLOATS,
        )

    def advance(
        self, chosen: Chosen, branches: Branches, is_open: npt.NDArray[np.bool_]
    ) -> Ints:
        """Open the branches marked in `is_open`; their handles in order."""
        first = self._core.advance(
            chosen.handles, branches.n_rows, is_open.astype(np.uint8)
        )
        n_open = int(np.count_nonzero(is_open))
        return np.arange(first, first + n_open, dtype=np.int64)

    def dense(self) -> None:
        """No node is small here, and chalk makes tables dense."""


def _entries(columns: Columns) -> tuple[npt.NDArray[Any], ...]:
    """Starts, rows, codes, entries below the run and its code, of all columns."""
    starts: list[Ints] = [np.zeros(1, np.int64)]
    rest: list[tuple[npt.NDArray[Any], ...]] = []
    n_entries = 0
    features = columns.features
    index = 0
    while index < len(features):
        column = features[index]
        stop = _end_of_run(features, index)
        if isinstance(column, SparseColumn):
            block = column.block
            own = slice(column.number, column.number + stop - index)
            ends = block.starts[own.start : own.stop + 1]
            part = slice(int(ends[0]), int(ends[-1]))
            starts.append(ends[1:] - ends[0] + n_entries)
            n_entries += part.stop - part.start
            rest.append(
                (
                    block.rows[part],
                    block.codes[part],
                    block.n_below[own],
                    block.run_codes[own],
                )
            )
        else:
            rest.append(_around_most_common(column))
            n_entries += len(rest[-1][0])
            starts.append(np.array([n_entries], np.int64))
        index = stop
    joined = [
        np.ascontiguousarray(np.concatenate(parts), np.uint32)
        for parts in zip(*rest, strict=True)
    ]
    return np.concatenate(starts), *joined


def _end_of_run(features: Sequence[Column], first: int) -> int:
    """Where columns that follow each other in their block, too, end."""
    column = features[first]
    stop = first + 1
    while isinstance(column, SparseColumn) and stop < len(features):
        other = features[stop]
        if (
            not isinstance(other, SparseColumn)
            or other.block is not column.block
            or other.number != column.number + stop - first
        ):
            break
        stop += 1
    return stop


def _around_most_common(column: Column) -> tuple[npt.NDArray[Any], ...]:
    """The entries of a column that is not sparse, around its most common code."""
    run_code = int(np.argmax(np.bincount(column.codes, minlength=1)))
    rows = np.argsort(column.codes, kind="stable")
    codes = column.codes[rows]
    listed = codes != run_code
    n_below = np.count_nonzero(codes < run_code)
    return rows[listed], codes[listed], np.array([n_below]), np.array([run_code])
