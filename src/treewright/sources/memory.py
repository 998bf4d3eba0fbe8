"""The memory source: the whole table as codes in memory, one compiled call per step.

The work is in `core/memory.hpp`; this file hands it the arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright import _core
from treewright.data.columns import Column, Columns
from treewright.sources.drawn_cells import DrawnCells
from treewright.sources.node_statistics import Statistics
from treewright.sources.source import (
    Branches,
    Candidates,
    Chosen,
    Drawing,
    Floats,
    FoundSurrogates,
    Frontier,
    GrownOut,
    Ints,
    Keys,
    LeafLimits,
    Roots,
    ScoredCuts,
    Tabulated,
)

# as numbered in core/memory.hpp
CANDIDATES = {
    "cut": 0,
    "multiway": 1,
    "subset": 2,
    "one_value": 3,
    "groups": 4,
    "drawn_set": 5,
}
MISSING = {
    "error": 0,
    "own_branch": 1,
    "majority": 2,
    "fractional": 3,
    "most_common_in_node": 4,
    "most_common_in_class": 5,
    "learned": 6,
    "surrogates": 7,
}

# Nodes with no more rows are grown out: those of all features are near in the cache,
# and there are enough of such nodes for several threads; one thread need not share.
SMALL_ROWS, SMALL_ROWS_ALONE = 4_096, 65_536
# threads start and end in the time that one of them needs for so many cells
FEW_CELLS = 16_384
NO_LIMIT = 2**62
NO_VALUES: npt.NDArray[np.float64] = np.zeros(0)


@dataclass(frozen=True)
class SplitRule:
    """What makes a split admissible, and how the cuts of a feature are compared."""

    missing: str = "error"  # what rows without a value do
    # how many surrogates a split has at most, under missing "surrogates"
    max_surrogates: int = 5
    surrogate_sets: str = "two_each_way"  # what a nominal surrogate needs
    # whether the gain of the rows with a value counts by their share only
    discounts_missing: bool = True
    # what every branch must hold (two of them, under `two_branches`)
    min_rows: int = 1
    min_weight: float = 0.0
    # whether a multiway split needs two branches of that size, or all
    two_branches: bool = False
    # each side of a cut needs a tenth of the known weight per class, but at most this
    # much (C4.5); 0: `min_weight` alone
    most_per_side: float = 0.0
    # score every admissible cut in order; one must beat the best before it by more than
    # the tolerance, and the first must gain that much
    every_cut: bool = False
    # give the number of distinct values minus one instead of that of the cuts
    count_values: bool = False
    # give no more cuts than gaps as wide as the chosen one fill the range of the values
    # at the node (C5.0)
    cuts_by_range: bool = False
    # rows that are divided have no part in branches with a smaller share
    min_share: float = 0.0
    min_gap: float = 0.0  # cuts lie between values that differ by more than this
    single_precision: bool = False  # compare values as 32-bit floats
    slack: float = 0.0  # weights that fall short of a limit by this much reach it
    wants_information: bool = False  # whether the split information is needed
    # whether groups of values lose bits for being named (C5.0)
    charges_groups: bool = False


class KeptLists:
    """The sorted columns of one table, for sources that differ in weights and rows."""

    def __init__(self) -> None:
        self._features: tuple[Column, ...] = ()
        self._lists: _core.SortedLists | None = None

    def of(self, columns: Columns) -> _core.SortedLists | None:
        """Return the lists, if they are of these very columns."""
        return self._lists if columns.features is self._features else None

    def keep(self, columns: Columns, core: _core.Memory) -> None:
        """Keep the lists of a new source; those of the first table stay."""
        if self._lists is None:
            self._features, self._lists = columns.features, core.sorted_lists()


class MemorySource:
    """Rows in memory, searched by `n_threads` threads.

    - `statistics`: the target, as the sums that the criterion needs.
    - `candidates` (sequence of {"cut", "multiway", "subset", "one_value", "groups",
      "drawn_set"}): the kind of split that each feature can make.
    - `rule`: which splits are admissible.
    - `n_threads`: threads, at most: few cells need one. The answer does not depend on
      it.
    - `roots`: several trees, each from rows of its own.
    - `lists`: spares sorting the columns again.
    - `cells`: what cuts are drawn from; without it they are searched for.
    """

    def __init__(
        self,
        columns: Columns,
        statistics: Statistics,
        *,
        candidates: Sequence[str],
        rule: SplitRule,
        n_threads: int,
        roots: Roots | None = None,
        lists: KeptLists | None = None,
        cells: DrawnCells | None = None,
    ) -> None:
        self.n_features = self.cells_per_row = len(columns.features)
        self._n_rows = rows_of_roots(columns, roots)
        if int(self._n_rows.sum()) * self.n_features <= FEW_CELLS:
            n_threads = 1
        given = core_rule(rule, statistics, columns)
        if cells is not None and cells.n_combined:
            given |= {"n_combined": cells.n_combined, "scales": cells.scales}
        self._core = _core.Memory(
            [column.codes for column in columns.features],
            [column.n_codes for column in columns.features],
            [int(column.has_missing) for column in columns.features],
            [CANDIDATES[kind] for kind in candidates],
            [_values(column, rule) for column in columns.features],
            statistics.core_target(),
            given,
            columns.n_rows,
            n_threads,
            core_roots(roots),
            None if lists is None else lists.of(columns),
            None if cells is None else cells.cells,
            () if cells is None else cells.kinds,
        )
        self.small_rows = 0
        if self.n_features > 0 and self._core.can_grow_out():
            self.small_rows = SMALL_ROWS_ALONE if n_threads == 1 else SMALL_ROWS
        if lists is not None and roots is None:
            lists.keep(columns, self._core)

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
        """Find the best split of every feature at every open node of the batch."""
        return Candidates(
            *self._core.scan(
                frontier.handles,
                frontier.statistics,
                frontier.tolerances,
                frontier.allowed,
            )
        )

    def drawn_candidates(
        self, frontier: Frontier, drawing: Drawing
    ) -> tuple[Candidates, Keys]:
        """Find the best split of the features that each node draws."""
        gain, position, feature, n_cuts, bits, charge, constant = self._core.scan_drawn(
            frontier.handles,
            frontier.statistics,
            frontier.tolerances,
            frontier.allowed,
            drawing.keys,
            drawing.constant,
            drawing.n_features,
            drawing.counts_constant,
        )
        return Candidates(gain, position, n_cuts, bits, charge, feature), constant

    def split(self, chosen: Chosen) -> Branches:
        """Make the chosen splits; the branches are not open yet."""
        answer = self._core.split(
            chosen.handles, chosen.feature, chosen.position, chosen.tolerances
        )
        return _branches(answer)

    def dense(self) -> MemorySource:
        """Itself."""
        return self

    def grow_out(
        self,
        handles: Ints,
        statistics: Ints,
        depth: npt.NDArray[np.int32],
        allowed: npt.NDArray[np.uint8],
        drawing: Drawing | None,
        limits: LeafLimits,
        choosing: _core.Choosing,
    ) -> GrownOut:
        """Grow all that is below open nodes."""
        keys = np.zeros(0, np.uint64)
        constant = np.zeros((len(handles), -(-self.n_features // 64)), np.uint64)
        n_features, counts_constant = 0, True
        if drawing is not None:
            keys, constant, n_features, counts_constant = vars(drawing).values()
        answer = self._core.grow_out(
            handles,
            statistics,
            depth,
            keys,
            constant,
            allowed,
            n_features,
            counts_constant,
            limits.min_rows_in_leaf,
            limits.min_rows_to_split,
            NO_LIMIT if limits.max_depth is None else min(limits.max_depth, NO_LIMIT),
            limits.min_weight_to_split,
            limits.slack,
            choosing,
        )
        return GrownOut(
            node=answer[0],
            feature=answer[1],
            position=answer[2],
            gain=answer[3],
            branches=_branches(answer[4]),
            depth=answer[5],
            unsplit=answer[6],
            why=answer[7],
        )

    def advance(
        self, chosen: Chosen, branches: Branches, is_open: npt.NDArray[np.bool_]
    ) -> Ints:
        """Open the branches marked in `is_open`; their handles in order."""
        first = self._core.advance(
            chosen.handles,
            chosen.feature,
            branches.n_branches,
            branches.n_rows,
            branches.known,
            is_open.astype(np.uint8),
        )
        n_open = int(np.count_nonzero(is_open))
        return np.arange(first, first + n_open, dtype=np.int64)

    def tabulate(self, chosen: Chosen) -> Tabulated:
        """Count the branches of splits; a node may stand there more than once."""
        answer: Any = self._core.tabulate(
            chosen.handles, chosen.feature, chosen.position, chosen.tolerances
        )
        found = Tabulated(*answer)
        return replace(found, pure=found.pure.astype(bool))

    def score_cuts(self, handle: int, feature: int, tolerance: float) -> ScoredCuts:
        """Score every admissible cut of a feature at an open node."""
        return ScoredCuts(*self._core.score_cuts(handle, feature, tolerance))


def rows_of_roots(columns: Columns, roots: Roots | None) -> Ints:
    """How many rows each tree grows from."""
    if roots is None:
        return np.array([columns.n_rows], np.int64)
    return np.diff(roots.starts)


def core_roots(roots: Roots | None) -> tuple[Any, ...] | None:
    """The rows of several trees, as the core reads them."""
    return None if roots is None else tuple(vars(roots).values())


def core_rule(
    rule: SplitRule, statistics: Statistics, columns: Columns
) -> dict[str, Any]:
    """The rule in the units of the statistics, as the core reads it."""
    return {
        **vars(rule),
        "min_weight": statistics.fixed_weight(max(rule.min_weight - rule.slack, 0.0)),
        "missing": MISSING[rule.missing],
        "two_disagree": rule.surrogate_sets == "two_disagree",
        "most_per_side": statistics.fixed_weight(
            min(rule.most_per_side, columns.total_weight)
        ),
        "slack": rule.slack * statistics.weight_scale,
        # a bit for one row of weight 1, in the units of the scores
        "charge_unit": rule.charges_groups * statistics.weight_scale,
    }


def _branches(answer: tuple[Any, ...]) -> Branches:
    found = Branches(*answer)
    surrogates = FoundSurrogates(*answer[10])
    return replace(found, pure=found.pure.astype(bool), surrogates=surrogates)


def _values(column: Column, rule: SplitRule) -> npt.NDArray[np.float64]:
    """The column's values, if any two neighbours are too close, or all are needed."""
    needed = rule.min_gap > 0 or rule.cuts_by_range
    if not needed or column.values is None or len(column.values) < 2:
        return NO_VALUES
    values = column.values.astype(np.float64)
    if rule.single_precision:
        values = column.values.astype(np.float32).astype(np.float64)
    if not rule.cuts_by_range and np.all(values[:-1] + rule.min_gap < values[1:]):
        return NO_VALUES
    return values
