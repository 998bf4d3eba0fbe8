"""Error-based pruning: each node as it is, as a leaf, or as its largest branch."""

from __future__ import annotations

import math
from dataclasses import replace

from conformance.rounding.grow import Node, as_leaf, divide, empty_leaf
from conformance.rounding.splits import Training
from conformance.rounding.sums import Members

CONFIDENCE = 0.25
# of Release 8's table, between 0.20 and 0.40
DEVIATION = 0.84 - (0.25 - 0.20) / (0.40 - 0.20) * (0.84 - 0.25)
SLACK = 0.1


def prune(training: Training, tree: Node) -> Node:
    """Return the pruned tree."""
    return _pruned(training, tree, training.sums.members(training.rows))[0]


def more_errors(n: float, e: float) -> float:
    """Return how many errors are expected on top of e among n rows."""
    of_none = n * (1 - math.exp(math.log(CONFIDENCE) / n))
    if e < 1e-6:
        return of_none
    if e < 0.9999:
        return of_none + e * (more_errors(n, 1.0) - of_none)
    if e + 0.5 >= n:
        return 0.67 * (n - e)
    square, f = DEVIATION**2, e + 0.5
    root = math.sqrt(f * (1 - f / n) + square / 4)
    return n * (f + square / 2 + DEVIATION * root) / (n + square) - e


def _expected(leaf: Node) -> float:
    errors = float(leaf.errors)
    return errors + more_errors(float(leaf.weight), errors)


def _pruned(training: Training, node: Node, members: Members) -> tuple[Node, float]:
    """Return what becomes of a node with these members, and its expected errors."""
    leaf = as_leaf(training, members)
    leaf_errors = _expected(leaf)
    if not node.branches:
        return leaf, leaf_errors
    parts = divide(training, members, node.feature, node.cut)
    done = [
        _pruned(training, branch, part)
        if len(part.rows)
        else (_emptied(training, branch), 0.0)
        for branch, part in zip(node.branches, parts, strict=True)
    ]
    branches = tuple(branch for branch, _ in done)
    tree_errors = sum(errors for _, errors in done)
    largest = branches[0]
    for branch in branches:
        if branch.weight >= largest.weight - training.sums.slack:
            largest = branch
    branch_errors = _errors(training, largest, members)
    slack = SLACK + training.sums.slack
    if leaf_errors <= min(tree_errors, branch_errors) + slack:
        return leaf, leaf_errors
    if branch_errors <= tree_errors + slack:
        return _pruned(training, largest, members)
    kept = replace(
        leaf, feature=node.feature, cut=node.cut, branches=branches, errors=0
    )
    return kept, tree_errors


def _errors(training: Training, node: Node, members: Members) -> float:
    """Return the expected errors of a subtree if it got these members."""
    if len(members.rows) == 0:
        return 0.0
    if not node.branches:
        return _expected(as_leaf(training, members))
    parts = divide(training, members, node.feature, node.cut)
    pairs = zip(node.branches, parts, strict=True)
    return sum(_errors(training, branch, part) for branch, part in pairs)


def _emptied(training: Training, node: Node) -> Node:
    """Return a subtree that gets no rows: its leaves keep their classes."""
    branches = tuple(_emptied(training, branch) for branch in node.branches)
    empty = empty_leaf(training, node.label)
    return replace(empty, feature=node.feature, cut=node.cut, branches=branches)
