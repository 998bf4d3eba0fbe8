"""Watching a learner at work: what is written down while it grows and prunes a tree."""

from __future__ import annotations

from dataclasses import replace

from treewright.grow.chalk.cal_record import CALRecord
from treewright.grow.chalk.compared import Grown
from treewright.grow.chalk.growing_record import Drawn, Record
from treewright.grow.chalk.steps import record_of
from treewright.grow.chalk.watch import Selection, Watch
from treewright.prune.pruning_record import PruningRecord


class Watching:
    """Is passed to `grow_tree`, and has the records afterwards.

    `depth`, `node`: show nodes down to this depth only, or this one node; nodes are
    numbered as they are grown. `counts_cuts`: whether the rows on both sides of each
    cut are counted; the gains of all cuts are known in any case.
    """

    def __init__(
        self,
        *,
        depth: int | None = None,
        node: int | None = None,
        counts_cuts: bool = True,
    ) -> None:
        self.watch = Watch(Selection(depth, node), counts_cuts=counts_cuts)
        self.grown: Grown | None = None
        self.drawn: Drawn | None = None
        self.pruning = PruningRecord()
        self.cal = CALRecord()  # of a learner that takes one row after the other

    def record(self) -> Record:
        """Return every calculation of the growing, step by step."""
        assert self.grown is not None, "nothing was grown"
        return replace(record_of(self.watch, self.grown), drawn=self.drawn)
