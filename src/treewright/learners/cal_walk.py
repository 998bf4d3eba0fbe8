"""The cyclic walk of CAL2 and CAL3 through the rows, and when it ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from treewright.grow.chalk.cal_record import CALChange, CALEnding, CALRecord, CALStep
from treewright.learners.cal_tree import WalkedTree


class RowLearner(Protocol):
    """What learns from one row at a time: `cal2.py`, `cal3.py`."""

    tree: WalkedTree
    exhausted: set[int]

    def learn(self, row: int, leaf: int, k: int) -> CALChange | None:
        """Take a row of class `k` that fell on a leaf; return what became of it."""

    def is_settled(self, leaf: int) -> bool:
        """Tell whether no row can change a leaf any more."""

    def all_closed(self) -> bool:
        """Tell whether all leaves are closed for good."""

    def counts_at(self, leaf: int) -> tuple[tuple[int, int], ...]:
        """Return the classes that a leaf has counted."""

    def answer(self, leaf: int) -> int:
        """Return the class of a leaf, or NO_CLASS."""


@dataclass(frozen=True)
class Walked:
    """How the walk ended.

    Attributes
    ----------
    ending : Ending
        Why.
    n_passes, n_steps : int
        Passes that were begun, and rows that were looked at in all.
    last_row : int
        The row at which it ended.
    leaves : list of int
        The leaf of each row.
    """

    ending: CALEnding
    n_passes: int
    n_steps: int
    last_row: int
    leaves: list[int]


class Walk:
    """Goes through the rows; every change is told to `record`, if there is one.

    `times` says how often each row comes in a pass, one directly after the other.
    """

    def __init__(
        self,
        learner: RowLearner,
        answers: list[int],
        times: list[int] | None,
        record: CALRecord | None,
        *,
        stops_exhausted: bool,
    ) -> None:
        self.learner = learner
        self.answers = answers
        self.times = times
        self.record = record
        self.stops_exhausted = stops_exhausted
        self.place = [0] * len(answers)
        self.n_steps = 0

    def run(self, max_passes: int) -> Walked:
        """Go through the rows again and again until it ends."""
        last = len(self.answers) - 1
        # rows at settled leaves stay there, and need not be looked at again
        rows: list[int] = list(range(len(self.answers)))
        for in_pass in range(1, max_passes + 1):
            changed, ended_at, ending = self._pass(in_pass, rows)
            self.n_steps += (last if ended_at is None else ended_at) + 1
            if ended_at is not None:
                return self._walked(ending, in_pass, ended_at)
            if not changed:
                return self._walked(CALEnding.UNCHANGED, in_pass, last)
            settled = self.learner.is_settled
            rows = [row for row in rows if not settled(self.place[row])]
        return self._walked(CALEnding.PASSES, max_passes, last)

    def _pass(
        self, in_pass: int, rows: list[int]
    ) -> tuple[bool, int | None, CALEnding]:
        """Go through the rows once; tell if the tree changed, and where it ended."""
        learner, place, answers = self.learner, self.place, self.answers
        fall, learn = learner.tree.fall, learner.learn
        feature, label = learner.tree.feature, learner.tree.label
        times, record, once = self.times, self.record, (0,)
        changed = False
        for row in rows:
            for _ in once if times is None else range(times[row]):
                leaf = place[row]
                if feature[leaf] >= 0:
                    leaf = place[row] = fall(row, leaf)
                said = label[leaf]
                change = learn(row, leaf, answers[row])
                if change is None:
                    break
                if record is not None:
                    counts = learner.counts_at(leaf)
                    record.add(CALStep(in_pass, row, leaf, change, said, counts))
                if change is CALChange.EXHAUSTED:
                    if self.stops_exhausted:
                        return changed, row, CALEnding.EXHAUSTED
                    break
                changed = True
                if change is CALChange.CLOSED and learner.all_closed():
                    return changed, row, CALEnding.CLOSED
        return changed, None, CALEnding.UNCHANGED

    def _walked(self, ending: CALEnding, n_passes: int, last_row: int) -> Walked:
        fall, place = self.learner.tree.fall, self.place
        leaves = [fall(row, place[row]) for row in range(len(place))]
        return Walked(ending, n_passes, self.n_steps, last_row, leaves)
