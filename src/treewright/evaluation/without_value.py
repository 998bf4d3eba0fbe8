"""Two splits that divide the rows with a value alike: where the other rows go.

Chalk has the rows with a value on each branch; what a branch of the tree weighs beyond
that came without one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from treewright.data.schema import Schema
from treewright.grow.chalk.record import Candidate, Part, Step
from treewright.tree.structure.branch_words import branch_condition
from treewright.tree.structure.tree import Tree

_LEAST = 1e-9  # of a node's weight: less is rounding


@dataclass(frozen=True)
class Going:
    """Rows without a value on one side: the weight of those that take each branch.

    Attributes
    ----------
    shared : bool
        Whether each row is divided among the branches.
    branches : tuple of (str, float)
        The branches that get some, in words, and the weight that they get.
    """

    shared: bool
    branches: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class WithoutValue:
    """Rows that lack the value that two splits ask for, and where they go.

    Attributes
    ----------
    feature : str
        What both ask about.
    missing : Part or None
        These rows, if there are any.
    goes : tuple of Going
        On either side.
    """

    feature: str
    missing: Part | None
    goes: tuple[Going, Going]


@dataclass(frozen=True, eq=False)
class Asked:
    """A node of a grown tree, its chalk, and whether rows are divided in shares."""

    step: Step
    tree: Tree
    schema: Schema
    shares: bool

    @property
    def taken(self) -> Candidate | None:
        """The split; none at a leaf."""
        best = self.step.best
        if self.step.is_leaf or best is None:
            return None
        return self.step.candidates[best]


def without_value(one: Asked, other: Asked) -> WithoutValue | None:
    """Where rows without a value go, if both divide all others alike; else None."""
    ours, theirs = one.taken, other.taken
    if ours is None or theirs is None or ours.feature != theirs.feature:
        return None
    parts = _with_value(ours), _with_value(theirs)
    if "known" in (ours.question, theirs.question) or not _alike(*parts):
        return None
    others = [_without_value(each) for each in (ours, theirs)]
    weights = [part.weight if part else 0.0 for part in others]
    if not np.isclose(weights[0], weights[1]):
        return None
    goes = [
        Going(each.shares, tuple(_going(each, known)))
        for each, known in zip((one, other), parts, strict=True)
    ]
    return WithoutValue(ours.feature, others[0], (goes[0], goes[1]))


def _with_value(split: Candidate) -> list[Part]:
    """The branches, but for the one of missing values."""
    return [part for part in split.parts if not _is_of_missing(part)]


def _without_value(split: Candidate) -> Part | None:
    """The rows without a value, whether or not they have a branch of their own."""
    return split.missing or next(filter(_is_of_missing, split.parts), None)


def _is_of_missing(part: Part) -> bool:
    return (part.relation, part.name) == ("is", "missing")


def _alike(ours: list[Part], theirs: list[Part]) -> bool:
    """Whether the same rows are together, whatever their branches are called."""
    if len(ours) != len(theirs):
        return False
    contents = [
        sorted(
            np.round([part.weight, *sum(part.counts, ()), *part.values], 9).tolist()
            for part in parts
        )
        for parts in (ours, theirs)
    ]
    return np.allclose(contents[0], contents[1])


def _going(asked: Asked, known: list[Part]) -> Iterator[tuple[str, float]]:
    """Yield each branch that rows without a value take, and their weight there."""
    tree, node = asked.tree, asked.step.node
    weight = {(part.relation, part.name): part.weight for part in known}
    for branch, child in enumerate(tree.children(node)):
        condition = branch_condition(asked.schema, tree, node, branch)
        had = weight.get((condition.relation, condition.answer), 0.0)
        more = float(tree.weight[child]) - had
        if more > _LEAST * float(tree.weight[node]):
            yield str(condition), more
