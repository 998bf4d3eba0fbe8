"""The memory source: the whole table as codes in memory, one compiled call per step.

The work is in `core/memory.hpp`; this file hands it the arrays.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from treewright import _core
from treewright.data.columns import Columns
from treewright.sources.node_statistics import Statistics
from treewright.sources.source import Branches, Candidates, Chosen, Frontier, Ints

# as numbered in core/memory.hpp
CANDIDATES = {"cut": 0, "multiway": 1, "subset": 2}
MISSING = {"error": 0, "own_branch": 1, "majority": 2}


class MemorySource:
    """Rows in memory, searched by `n_threads` threads.

    Parameters
    ----------
    columns : Columns
        The encoded table.
    statistics : Statistics
        The target, as the sums that the criterion needs.
    candidates : sequence of {"cut", "multiway", "subset"}
        The kind of split that each feature can make.
    missing : {"error", "own_branch", "majority"}
        What rows without a value do.
    min_rows, min_weight : int, float
        What every branch must hold.
    n_threads : int
        Threads; the answer does not depend on it.
    """

    def __init__(
        self,
        columns: Columns,
        statistics: Statistics,
        *,
        candidates: Sequence[str],
        missing: str,
        min_rows: int,
        min_weight: float,
        n_threads: int,
    ) -> None:
        self.n_features = len(columns.features)
        self._core = _core.Memory(
            [column.codes for column in columns.features],
            [column.n_codes for column in columns.features],
            [int(column.has_missing) for column in columns.features],
            [CANDIDATES[kind] for kind in candidates],
            statistics.core_target(),
            {
                "min_rows": min_rows,
                "min_weight": statistics.fixed_weight(min_weight),
                "missing": MISSING[missing],
            },
            columns.n_rows,
            n_threads,
        )

    def open_root(self) -> tuple[Ints, bool]:
        """Open the root as handle 0; its statistic, and whether all rows agree."""
        return self._core.open_root()

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

    def split(self, chosen: Chosen) -> Branches:
        """Make the chosen splits; the branches are not open yet."""
        answer = self._core.split(
            chosen.handles, chosen.feature, chosen.position, chosen.tolerances
        )
        return Branches(
            n_branches=answer[0],
            n_rows=answer[1],
            statistics=answer[2],
            pure=answer[3].astype(bool),
            n_set=answer[4],
            set_codes=answer[5],
            missing_branch=answer[6],
            low=answer[7],
            high=answer[8],
        )

    def advance(
        self, chosen: Chosen, branches: Branches, is_open: npt.NDArray[np.bool_]
    ) -> Ints:
        """Open the branches marked in `is_open`; their handles in order."""
        first = self._core.advance(
            chosen.handles,
            branches.n_branches,
            branches.n_rows,
            is_open.astype(np.uint8),
        )
        n_open = int(np.count_nonzero(is_open))
        return np.arange(first, first + n_open, dtype=np.int64)
