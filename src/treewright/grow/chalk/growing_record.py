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
    """A set of rows.

    Attributes
    ----------
    name : str
        The branch: "Sunny", "<= 66.5", "missing"; empty for a node.
    relation : str
        What stands between the feature and the branch's value; "is" for "missing".
    n_rows, weight : int, float
        How many rows, and their weight; the same unless rows are weighted or divided.
    counts : tuple of tuples of float
        Weight of each class, for each output; empty for numbers.
    values : tuple of float
        Numbers: the mean, or for absolute error the median, of each output.
    impurity : float
        The measure's value.
    """

    name: str
    n_rows: int
    weight: float
    counts: tuple[tuple[float, ...], ...]
    values: tuple[float, ...]
    impurity: float
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
    """The best split of one feature at a node.

    Attributes
    ----------
    feature : str
        Its name.
    question : {"values", "cut", "set", "groups", "known"}
        One branch per value; at a threshold; a set of values and the rest; groups of
        values; whether the value is known.
    parts : tuple of Part
        The branches that have rows, as the gain counts them.
    known, missing : Part or None
        If some rows have no value and are not in `parts`: the others, and these.
    factor : float
        What the gain on the known rows is multiplied by: their share, or 1.
    threshold : float or None
        Of a cut.
    remainder, gain : float
        Mean impurity of the branches; what the split takes off the impurity.
    n_cuts : float
        Cuts that the cost is about, or 0.
    cost, charge : float
        Bits per row that naming the cut, or the groups, takes off.
    net : float
        The gain less these.
    split_information, ratio : float or None
        Where features are compared by gain ratio.
    worth : float
        What is compared.
    verdict : {"best", "tie", "compared", "below_guard", "no_gain", "no_information"}
        How the feature fared.
    in_average : bool
        Whether its gain counts in the guard's average: features that do not gain, or
        have very many values, do not.
    cuts : tuple of CutTried
        Cuts that were tried, with their counts; a selection if there are very many, and
        none for features behind the best 30 of a node.
    curve : tuple of (float, float)
        Threshold and gain of every cut, thinned if there are very many.
    """

    feature: str
    question: str
    parts: tuple[Part, ...]
    known: Part | None
    missing: Part | None
    factor: float
    threshold: float | None
    remainder: float
    gain: float
    n_cuts: float
    cost: float
    charge: float
    net: float
    split_information: float | None
    ratio: float | None
    worth: float
    verdict: str
    in_average: bool = True
    cuts: tuple[CutTried, ...] = ()
    curve: tuple[tuple[float, float], ...] = ()
    n_tried: int = 0


@dataclass(frozen=True)
class WithoutValue:
    """What the rows of a node do that have no value of the feature it asks about.

    Attributes
    ----------
    rule : str
        The dialect's `missing`.
    rows : Part or None
        These rows; None where they are counted among the branches.
    branch : Condition or None
        The branch that they take, where it is one for all, or for those that no
        surrogate speaks for.
    surrogates : tuple of Condition
        What sends them down the first branch, in the order asked.
    """

    rule: str
    rows: Part | None = None
    branch: BranchCondition | None = None
    surrogates: tuple[BranchCondition, ...] = ()


@dataclass(frozen=True)
class LeftOut:
    """A feature without a split at a node, and why."""

    feature: str
    why: str  # "one_value", "too_few_rows", "used_above" or "not_drawn"


@dataclass(frozen=True)
class Step:
    """One node: what was there, what was compared, what was done.

    Attributes
    ----------
    number : int
        From 1, in growing order.
    node, parent : int
        Numbers in the tree as grown, before any pruning; the root's parent is -1.
    path, conditions : tuple of str, tuple of Condition
        The conditions that lead here, as text and taken apart.
    rows : Part
        The rows at the node.
    measure : str
        "entropy", "gini", "classification_error", "squared_error", "absolute_error".
    compared_by : {"gain", "net_gain", "gain_ratio"}
        What `worth` is.
    candidates : tuple of Candidate
        In column order.
    left_out : tuple of LeftOut
        The other features.
    best, runner_up : int or None
        Places in `candidates`.
    margin : float or None
        How much more the best is worth than the runner-up.
    ties : tuple of str
        Features whose worth is that of the best; the first in column order is taken, or
        the one that was drawn first.
    rounding_decided : bool
        Whether another one is taken, or one that is worth less, because the numbers
        that were compared are rounded to 32 bits.
    least_gain : float or None
        The guard's: a net gain below it is not compared.
    guard : str or None
        "c45" or "c50".
    chi_square : ChiSquare or None
        If the dialect tests the best split.
    without_value : WithoutValue or None
        What the rows without a value do, if there are some or may be.
    children : tuple of int
        The nodes that it was split into; empty at a leaf.
    answer : tuple of str
        What the node predicts, for each output.
    reason : str
        Why a leaf is a leaf, in words; empty at inner nodes.
    reason_key : str
        The same as a name of `tree.Reason`, in small letters.
    """

    number: int
    node: int
    parent: int
    depth: int
    path: tuple[str, ...]
    conditions: tuple[BranchCondition, ...]
    rows: Part
    measure: str
    compared_by: str
    candidates: tuple[Candidate, ...]
    left_out: tuple[LeftOut, ...]
    best: int | None
    runner_up: int | None
    margin: float | None
    ties: tuple[str, ...]
    least_gain: float | None
    guard: str | None
    chi_square: ChiSquare | None
    children: tuple[int, ...]
    answer: tuple[str, ...]
    reason: str
    reason_key: str
    rounding_decided: bool = False
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
    """What a tree of a forest drew.

    Attributes
    ----------
    tree : int
        Its number in the forest, from 1.
    n_rows : int
        Rows of the table.
    rows, times : tuple of int
        The rows that it was grown from, by their numbers from 1, and how often each was
        drawn.
    n_features : int
        How many features a node looks at, of `all_features`; more where all of these
        have one value.
    """

    tree: int
    n_rows: int
    rows: tuple[int, ...]
    times: tuple[int, ...]
    n_features: int
    all_features: int

    @property
    def looks_at_all(self) -> bool:
        """Whether nodes look at all features; then these are in column order."""
        return self.n_features >= self.all_features


@dataclass(frozen=True)
class Record:
    """The steps of a tree, and what their numbers are about.

    Attributes
    ----------
    learner : str
        Name of the dialect.
    target : tuple of str
        Name of each output.
    classes : tuple of tuples of str
        Of each output, in the order of `Part.counts`; empty for numbers.
    steps : tuple of Step
        In growing order; those that were asked for.
    n_nodes : int
        Nodes of the grown tree, shown or not.
    drawn : Drawn or None
        Of a tree of a forest; None of any other.
    """

    learner: str
    target: tuple[str, ...]
    classes: tuple[tuple[str, ...], ...]
    steps: tuple[Step, ...]
    n_nodes: int
    settings: dict[str, Any] = field(default_factory=dict)
    drawn: Drawn | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return plain dicts, lists, texts and numbers."""
        data = dataclasses.asdict(self)
        if self.drawn is None:
            del data["drawn"]
        return data
