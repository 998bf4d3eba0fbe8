"""The record of a tree that learns row by row (CAL2, CAL3): what each row changed.

Only steps that changed something are kept, up to `MOST_STEPS`; rows between two of them
changed nothing. Replayed in order, the steps give the tree.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

MOST_STEPS = 100_000  # beyond, nobody reads and memory ends


class CALChange(StrEnum):
    """What a row did to the leaf where it fell."""

    NAMED = "named"  # CAL2: a leaf without a class got the row's class
    COUNTED = "counted"  # CAL3: the row was counted, and nothing is decided yet
    CLOSED = "closed"  # CAL3: the row was counted, and one class has the leaf for good
    SPLIT = "split"  # the leaf became a question
    EXHAUSTED = "exhausted"  # it should, and no feature is left


class CALEnding(StrEnum):
    """Why learning ended."""

    UNCHANGED = "unchanged"  # a whole pass changed nothing
    CLOSED = "closed"  # CAL3: every leaf is closed
    EXHAUSTED = "exhausted"  # a question is needed, and no feature is left
    PASSES = "passes"  # max_passes is reached


@dataclass(frozen=True)
class CALStep:
    """One row that changed something."""

    in_pass: int  # the pass, from 1
    row: int  # the row, by its place in the table, from 0
    leaf: int  # the node where the row fell
    change: CALChange  # what became of the leaf
    said: int = -1  # CAL2: the class that the leaf had; -1: none
    # CAL3: classes and how often the leaf has counted them, this row included, in the
    # order in which they came
    counts: tuple[tuple[int, int], ...] = ()


@dataclass
class CALRecord:
    """All steps of a learner; it is filled while the learner works."""

    learner: str = ""  # "cal2" or "cal3"
    # names; of features each with the names of its branches in order
    target: str = ""
    features: tuple[tuple[str, tuple[str, ...]], ...] = ()
    classes: tuple[str, ...] = ()
    # the features in the order in which they are asked about
    order: tuple[int, ...] = ()
    codes: tuple[list[int], ...] = ()  # for each feature the branch of each row
    answers: list[int] = field(default_factory=list)  # the class of each row
    # what the rows are called: their numbers in the table as given, from 1
    numbers: list[int] = field(default_factory=list)
    # CAL3: its thresholds
    s1: int | None = None
    s2: float | None = None
    # in order, the first `MOST_STEPS`
    steps: list[CALStep] = field(default_factory=list)
    n_changes: int = 0  # how many there were
    ending: CALEnding = CALEnding.UNCHANGED  # why it ended
    # the last pass, and the row at which it ended; the last one if it was whole
    n_passes: int = 0
    last_row: int = 0

    def add(self, step: CALStep) -> None:
        """Keep one more step, if there is room."""
        self.n_changes += 1
        if self.n_changes <= MOST_STEPS:
            self.steps.append(step)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, in the names of the data."""
        names = [name for name, _ in self.features]
        return {
            "learner": self.learner,
            "target": self.target,
            "features": [
                {"name": name, "values": list(values)} for name, values in self.features
            ],
            "attribute_order": [names[k] for k in self.order],
            "classes": list(self.classes),
            "s1": self.s1,
            "s2": self.s2,
            "steps": [self._step(step) for step in self.steps],
            "changes": self.n_changes,
            "ending": str(self.ending),
            "passes": self.n_passes,
            "last_row": self.numbers[self.last_row],
        }

    def _step(self, step: CALStep) -> dict[str, Any]:
        said = None if step.said < 0 else self.classes[step.said]
        return {
            "pass": step.in_pass,
            "row": self.numbers[step.row],
            "values": [
                values[codes[step.row]]
                for (_, values), codes in zip(self.features, self.codes, strict=True)
            ],
            "class": self.classes[self.answers[step.row]],
            "node": step.leaf,
            "said": said,
            "counts": {self.classes[k]: count for k, count in step.counts},
            "change": str(step.change),
        }
