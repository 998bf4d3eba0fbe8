"""Growing: the best split, rows without a value down every branch, collapsing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from conformance.rounding.splits import MIN_ROWS, Training
from conformance.rounding.sums import UNKNOWN, Array, Members

COLLAPSE_SLACK = 1e-3


@dataclass(frozen=True, eq=False)
class Node:
    """A node; a leaf if it has no branches.

    `weight` is what stands there, `errors` what the leaves below get wrong of it.
    """

    by_class: Array
    weight: Any
    label: int
    errors: Any
    feature: int = UNKNOWN
    cut: float | None = None
    branches: tuple[Node, ...] = ()

    @property
    def size(self) -> int:
        """Number of nodes."""
        return 1 + sum(branch.size for branch in self.branches)


def grow(training: Training) -> Node:
    """Grow a tree, not pruned."""
    members = training.sums.members(training.rows)
    return _grow(training, members, range(len(training.table.names)))


def as_leaf(training: Training, members: Members) -> Node:
    """Return the members as a leaf."""
    members = training.sums.arranged(members)
    by_class = training.sums.by_class(training.table, members)
    weight = training.sums.total(members.weights)
    label = int(np.argmax(by_class >= by_class.max() - training.sums.slack))
    return Node(by_class, weight, label, weight - by_class[label])


def empty_leaf(training: Training, label: int) -> Node:
    """Return a leaf without rows."""
    nothing = training.sums.number(0)
    by_class = np.zeros(training.table.n_classes, training.sums.number)
    return Node(by_class, nothing, label, nothing)


def divide(
    training: Training, members: Members, feature: int, cut: float | None
) -> list[Members]:
    """Send members down the branches, those without a value down all that get rows."""
    sums = training.sums
    members = sums.arranged(members)
    branch = training.table.branch(feature, cut, members.rows)
    unknown = members.where(branch == UNKNOWN)
    known = sums.total(members.weights) - sums.total(unknown.weights)
    parts = []
    for k in range(2 if cut is not None else training.table.n_values[feature]):
        part = members.where(branch == k)
        if len(part.rows):
            share = sums.number(sums.total(part.weights) / known)
            part = Members(
                np.append(unknown.rows, part.rows),
                np.append(unknown.weights * share, part.weights),
            )
        parts.append(part)
    return parts


def _grow(training: Training, members: Members, features: Sequence[int]) -> Node:
    leaf = as_leaf(training, members)
    slack = training.sums.slack
    if leaf.errors <= slack or leaf.weight < 2 * MIN_ROWS - slack:
        return leaf
    split = training.choose(training.splits(members, features), members)
    if split is None:
        return leaf
    if split.cut is None:  # not asked about again
        features = [feature for feature in features if feature != split.feature]
    branches = tuple(
        _grow(training, part, features)
        if len(part.rows)
        else empty_leaf(training, leaf.label)
        for part in divide(training, members, split.feature, split.cut)
    )
    errors = training.sums.total(np.array([branch.errors for branch in branches]))
    if errors >= leaf.errors - COLLAPSE_SLACK:
        return leaf
    return Node(
        leaf.by_class,
        leaf.weight,
        leaf.label,
        errors,
        split.feature,
        split.cut,
        branches,
    )
