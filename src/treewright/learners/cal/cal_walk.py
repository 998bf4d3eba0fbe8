"""The cyclic walk of CAL2 and CAL3 through the rows, and when it ends."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from treewright.data.columns import Column, Columns, DenseColumn
from treewright.data.complaints import counted, quoted
from treewright.data.schema import Feature
from treewright.errors import DataError, SettingError
from treewright.grow.chalk.cal_record import CALChange, CALEnding, CALRecord, CALStep
from treewright.learners.admitted import admitted
from treewright.learners.cal.cal_settings import CALSettings
from treewright.tree.structure.tree import NO_CLASS


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
    """How the walk ended."""

    ending: CALEnding  # why
    # passes that were begun, and rows that were looked at in all
    n_passes: int
    n_steps: int
    last_row: int  # the row at which it ended
    leaves: list[int]  # the leaf of each row


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


# ---- A table as CAL2 and CAL3 read it: categories, classes, and how often a row comes.

MOST_WHOLE = 20  # different whole numbers that are taken as categories
_LARGEST = 2**53


def cal_columns(columns: Columns, dialect: CALSettings) -> Columns:
    """Return the rows with all features nominal; refuse what cannot be learned from."""
    _check_target(columns, dialect)
    pairs = zip(columns.schema.features, columns.features, strict=True)
    read = [_as_categories(feature, column) for feature, column in pairs]
    schema = dataclasses.replace(
        columns.schema, features=tuple(feature for feature, _ in read)
    )
    whole = [
        now.name
        for was, now in zip(columns.schema.features, schema.features, strict=True)
        if was.kind == "numeric" != now.kind
    ]
    notes = columns.notes
    if whole:
        holds = "holds" if len(whole) == 1 else "hold"
        notes += (
            f"{quoted(whole)} {holds} whole numbers, taken as names of categories",
        )
    columns = dataclasses.replace(
        columns, schema=schema, features=tuple(one for _, one in read), notes=notes
    )
    return admitted(columns, dialect.shape)


def times_of(columns: Columns, dialect: CALSettings) -> list[int] | None:
    """Return how often each row comes in a pass: its weight, a whole number."""
    if columns.weights is None:
        return None
    odd = np.flatnonzero(columns.weights != np.round(columns.weights))
    if len(odd):
        raise DataError(
            f"{counted(len(odd), 'row weight')} of {columns.n_rows:,} "
            f"{'is no whole number' if len(odd) == 1 else 'are no whole numbers'} "
            f"(one is {columns.weights[odd[0]]:g}), and {dialect.name} takes a weight "
            "as the number of times that a row comes; round or multiply the weights, "
            "or leave them out"
        )
    return [int(weight) for weight in columns.weights.tolist()]


def _as_categories(feature: Feature, column: Column) -> tuple[Feature, Column]:
    """Return whole numbers and ordered categories as plain ones; others as they are."""
    if feature.kind == "ordinal":
        return dataclasses.replace(feature, kind="nominal"), column
    values = column.values
    if feature.kind != "numeric" or values is None or feature.storage[:4] in _DATES:
        return feature, column
    if feature.word is not None:  # rows that come later have texts, not categories
        return feature, column
    few = 0 < len(values) <= MOST_WHOLE
    # also of integers: an infinity is no whole number, and has no category
    if not few or not all(float(v).is_integer() and abs(v) < _LARGEST for v in values):
        return feature, column
    names = tuple(int(value) for value in values.tolist())
    made = Feature(feature.name, "nominal", names)
    return made, DenseColumn(column.codes, len(names), None, column.has_missing)


_DATES = ("date", "time")


def _check_target(columns: Columns, dialect: CALSettings) -> None:
    """Refuse what has no single class: numbers, several outputs; and costs."""
    target, name = columns.schema.target, dialect.name
    if target.kind != "classes":
        raise DataError(
            f"the target holds numbers, and {name} is for classes; use cart, or "
            "declare the target nominal"
        )
    if target.n_outputs != 1:
        raise DataError(
            f"the target has {target.n_outputs} columns, and {name} predicts one; fit "
            "one model for each"
        )
    if target.costs is not None:
        raise SettingError(
            f"{name} replaces classes row by row and knows no costs of wrong ones; "
            "leave them out"
        )


# ---- A tree while rows walk through it, for CAL2 and CAL3.
# leaf        *, a class, or (CAL3) counts of classes
#     question    the next feature in a fixed order, with a branch for each value
#
# On every path the features come in the same order, so the depth of a node says which
# one is asked next. Rows stay where they fell and walk on from there: a leaf can only
# become a question, so nothing above it changes.

MOST_NODES = 5_000_000


class WalkedTree:
    """Nodes as lists that grow.

    `feature`, `first_child`, `depth`: of each node, as in `Tree`. `label`: the class of
    each leaf; NO_CLASS for "*", and at questions.
    """

    def __init__(
        self,
        codes: list[list[int]],
        n_branches: list[int],
        order: list[int],
        names: Sequence[str],
    ) -> None:
        self.names = names
        self.codes = codes
        self.n_branches = n_branches
        # a question with one branch cannot tell rows apart
        self.order = [k for k in order if n_branches[k] > 1]
        self.feature = [-1]
        self.first_child = [-1]
        self.depth = [0]
        self.label = [NO_CLASS]

    def fall(self, row: int, node: int) -> int:
        """Return the leaf where a row falls that stands at a node above it."""
        feature, first_child, codes = self.feature, self.first_child, self.codes
        while feature[node] >= 0:
            node = first_child[node] + codes[feature[node]][row]
        return node

    def can_split(self, leaf: int) -> bool:
        """Whether a feature is left that the path to the leaf does not ask about."""
        return self.depth[leaf] < len(self.order)

    def split(self, leaf: int, row: int) -> int:
        """Make a leaf a question, all branches "*"; return where the row falls then."""
        feature = self.order[self.depth[leaf]]
        n_new = self.n_branches[feature]
        if len(self.feature) + n_new > MOST_NODES:
            raise DataError(
                f"the tree gets more than {MOST_NODES:,} nodes: each question about "
                f"{self.names[feature]!r} has {n_new:,} branches, one for each value; "
                "leave that feature out, or ask about it first (attribute_order)"
            )
        self.feature[leaf] = feature
        self.first_child[leaf] = len(self.feature)
        self.label[leaf] = NO_CLASS
        self.feature.extend([-1] * n_new)
        self.first_child.extend([-1] * n_new)
        self.depth.extend([self.depth[leaf] + 1] * n_new)
        self.label.extend([NO_CLASS] * n_new)
        return self.fall(row, leaf)
