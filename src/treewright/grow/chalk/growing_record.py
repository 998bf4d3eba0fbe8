"""What chalk keeps of growing: a step for each node, with all that was compared there.

Everything is a plain number or a text in the data's own names, so that it can be
printed in any form, and recomputed by whoever doubts it.

Glossary
--------
part       a set of rows: a node, a branch, the rows without a value
known      the rows of a node that have a value of the feature
worth      what the features of a node are compared by: gain, net gain, or gain ratio
net        the gain less what it costs to name the cut or the groups
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any

from treewright.tree.structure.branch_words import BranchCondition


@dataclass(frozen=True)
class Part:
    """A set of rows."""

    name: str  # the branch: "Sunny", "<= 66.5", "missing"; empty for a node
    # how many rows, and their weight; the same unless rows are weighted or divided
    n_rows: int
    weight: float
    # weight of each class, for each output; empty for numbers
    counts: tuple[tuple[float, ...], ...]
    # numbers: the mean, or for absolute error the median, of each output
    values: tuple[float, ...]
    impurity: float  # the measure's value
    # what stands between the feature and the branch's value; "is" for "missing"
    relation: str = ""


@dataclass(frozen=True)
class CutTried:
    """One cut of a numeric feature: its two sides and its gain."""

    threshold: float
    low: Part
    high: Part
    gain: float


@dataclass(frozen=True)
class ChiSquare:
    """The test whether a split could be chance: the counts it saw, and its answer."""

    observed: tuple[tuple[float, ...], ...]
    deviation: float
    degrees: int
    p_value: float
    level: float


@dataclass(frozen=True)
class Candidate:
    """The best split of one feature at a node."""

    feature: str
    # {"values", "cut", "set", "groups", "known"}: one branch per value; at a threshold;
    # a set of values and the rest; groups of values; whether the value is known
    question: str
    parts: tuple[Part, ...]  # the branches that have rows, as the gain counts them
    # if some rows have no value and are not in `parts`: the others, and these
    known: Part | None
    missing: Part | None
    factor: float  # what the gain on the known rows is multiplied by: their share, or 1
    threshold: float | None  # of a cut
    # mean impurity of the branches; what the split takes off the impurity
    remainder: float
    gain: float
    n_cuts: float  # cuts that the cost is about, or 0
    # bits per row that naming the cut, or the groups, takes off
    cost: float
    charge: float
    net: float  # the gain less these
    # where features are compared by gain ratio
    split_information: float | None
    ratio: float | None
    worth: float  # what is compared
    # {"best", "tie", "compared", "below_guard", "no_gain", "no_information"}: how the
    # feature fared
    verdict: str
    # whether its gain counts in the guard's average: features that do not gain, or have
    # very many values, do not
    in_average: bool = True
    # cuts that were tried, with their counts; a selection if there are very many, and
    # none for features behind the best 30 of a node
    cuts: tuple[CutTried, ...] = ()
    # threshold and gain of every cut, thinned if there are very many
    curve: tuple[tuple[float, float], ...] = ()
    n_tried: int = 0


@dataclass(frozen=True)
class WithoutValue:
    """What the rows of a node do that have no value of the feature it asks about."""

    rule: str  # the dialect's `missing`
    # these rows; None where they are counted among the branches
    rows: Part | None = None
    # the branch that they take, where it is one for all, or for those that no surrogate
    # speaks for
    branch: BranchCondition | None = None
    # what sends them down the first branch, in the order asked
    surrogates: tuple[BranchCondition, ...] = ()


@dataclass(frozen=True)
class LeftOut:
    """A feature without a split at a node, and why."""

    feature: str
    why: str  # "one_value", "too_few_rows", "used_above" or "not_drawn"


@dataclass(frozen=True)
class Step:
    """One node: what was there, what was compared, what was done."""

    number: int  # from 1, in growing order
    # numbers in the tree as grown, before any pruning; the root's parent is -1
    node: int
    parent: int
    depth: int
    # the conditions that lead here, as text and taken apart
    path: tuple[str, ...]
    conditions: tuple[BranchCondition, ...]
    rows: Part  # the rows at the node
    # "entropy", "gini", "classification_error", "squared_error", "absolute_error"
    measure: str
    compared_by: str  # {"gain", "net_gain", "gain_ratio"}: what `worth` is
    candidates: tuple[Candidate, ...]  # in column order
    left_out: tuple[LeftOut, ...]  # the other features
    # places in `candidates`
    best: int | None
    runner_up: int | None
    margin: float | None  # how much more the best is worth than the runner-up
    # features whose worth is that of the best; the first in column order is taken, or
    # the one that was drawn first
    ties: tuple[str, ...]
    least_gain: float | None  # the guard's: a net gain below it is not compared
    guard: str | None  # "c45" or "c50"
    chi_square: ChiSquare | None  # if the dialect tests the best split
    children: tuple[int, ...]  # the nodes that it was split into; empty at a leaf
    answer: tuple[str, ...]  # what the node predicts, for each output
    reason: str  # why a leaf is a leaf, in words; empty at inner nodes
    reason_key: str  # the same as a name of `tree.Reason`, in small letters
    # whether another one is taken, or one that is worth less, because the numbers that
    # were compared are rounded to 32 bits
    rounding_decided: bool = False
    # what the rows without a value do, if there are some or may be
    without_value: WithoutValue | None = None

    @property
    def is_leaf(self) -> bool:
        """Whether the node was not split."""
        return not self.children

    def candidate(self, feature: str) -> Candidate:
        """Return the candidate of a feature by name."""
        for one in self.candidates:
            if one.feature == feature:
                return one
        known = ", ".join(one.feature for one in self.candidates) or "none"
        raise KeyError(f"no split of {feature!r} at this node; there are: {known}")


@dataclass(frozen=True)
class Drawn:
    """What a tree of a forest drew."""

    tree: int  # its number in the forest, from 1
    n_rows: int  # rows of the table
    # the rows that it was grown from, by their numbers from 1, and how often each was
    # drawn
    rows: tuple[int, ...]
    times: tuple[int, ...]
    # how many features a node looks at, of `all_features`; more where all of these have
    # one value
    n_features: int
    all_features: int

    @property
    def looks_at_all(self) -> bool:
        """Whether nodes look at all features; then these are in column order."""
        return self.n_features >= self.all_features


@dataclass(frozen=True)
class Record:
    """The steps of a tree, and what their numbers are about."""

    learner: str  # name of the dialect
    target: tuple[str, ...]  # name of each output
    # of each output, in the order of `Part.counts`; empty for numbers
    classes: tuple[tuple[str, ...], ...]
    steps: tuple[Step, ...]  # in growing order; those that were asked for
    n_nodes: int  # nodes of the grown tree, shown or not
    settings: dict[str, Any] = field(default_factory=dict)
    drawn: Drawn | None = None  # of a tree of a forest; None of any other

    def to_dict(self) -> dict[str, Any]:
        """Return plain dicts, lists, texts and numbers."""
        data = dataclasses.asdict(self)
        if self.drawn is None:
            del data["drawn"]
        return data
