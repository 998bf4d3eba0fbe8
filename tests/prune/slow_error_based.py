"""Error-based pruning straight from its description: slow, recursive, on lists of rows.

Nothing of `treewright.prune` is used. A row is (cells, class, weight); one without a
value goes down every branch, in proportion to the rows that have one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from itertools import pairwise
from statistics import NormalDist

import numpy as np

from treewright.tree.structure.tree import NodeKind, Tree

SLACK = 0.1
TABLE = (
    (0.0, 4.0),
    (0.001, 3.09),
    (0.005, 2.58),
    (0.01, 2.33),
    (0.05, 1.65),
    (0.10, 1.28),
    (0.20, 0.84),
    (0.40, 0.25),
    (1.0, 0.0),
)
Row = tuple[list[float], int, float]


@dataclass
class SlowNode:
    """A question with its branches, or a leaf."""

    feature: int = -1
    kind: NodeKind = NodeKind.LEAF
    threshold: float = math.nan
    codes: tuple[int, ...] = ()
    branches: list[SlowNode] = field(default_factory=list)

    def words(self) -> object:
        """The shape as nested tuples, to be compared."""
        if not self.branches:
            return "leaf"
        threshold = None if math.isnan(self.threshold) else self.threshold
        below = tuple(branch.words() for branch in self.branches)
        return (self.feature, threshold, self.codes, below)

    def branch_of(self, cells: list[float]) -> int | None:
        """The branch of a row; None if it has no value."""
        cell = cells[self.feature]
        if math.isnan(cell):
            return None
        if self.kind == NodeKind.CUT:
            return int(cell > self.threshold)
        if self.kind == NodeKind.SUBSET:
            return int(int(cell) not in self.codes)
        if self.kind == NodeKind.GROUPS:
            return self.codes[int(cell)]
        assert self.kind == NodeKind.MULTIWAY
        return int(cell)

    def divide(self, rows: list[Row]) -> list[list[Row]]:
        """The rows of each branch."""
        parts: list[list[Row]] = [[] for _ in self.branches]
        for row in rows:
            branch = self.branch_of(row[0])
            if branch is not None:
                parts[branch].append(row)
        known = [sum(row[2] for row in part) for part in parts]
        for cells, label, weight in rows:
            if self.branch_of(cells) is not None:
                continue
            for part, own in zip(parts, known, strict=True):
                share = own / sum(known) if sum(known) else 1 / len(parts)
                if share:
                    part.append((cells, label, weight * share))
        return parts


def from_arrays(tree: Tree, node: int = 0) -> SlowNode:
    """A tree as nodes."""
    return SlowNode(
        int(tree.feature[node]),
        tree.kind_of(node),
        float(tree.threshold[node]),
        tuple(tree.subset(node).tolist()),
        [from_arrays(tree, child) for child in tree.children(node)],
    )


@dataclass(frozen=True)
class Slow:
    """The estimate, and whether branches are raised."""

    confidence: float = 0.25
    table: bool = False
    two_thirds: bool = False
    raising: bool = True
    tolerance: float = 0.0
    pool_below: float = 0.0

    @property
    def z(self) -> float:
        if not self.table:
            return NormalDist().inv_cdf(1 - self.confidence)
        for (low, above), (high, below) in pairwise(TABLE):
            if self.confidence <= high:
                part = (self.confidence - low) / (high - low)
                return above + part * (below - above)
        raise AssertionError

    def added(self, n: float, e: float) -> float:
        """U(N, E)."""
        if self.confidence > 0.5:
            return 0.0
        if e == 0:
            return n * (1 - self.confidence ** (1 / n))
        if e < 1:
            none = self.added(n, 0)
            return none + e * (self.added(n, 1) - none)
        if e + 0.5 >= n:
            return max((0.67 if self.two_thirds else 1.0) * (n - e), 0.0)
        f = e + 0.5
        z = self.z
        root = math.sqrt(f * (1 - f / n) + z * z / 4)
        return n * (f + z * z / 2 + z * root) / (n + z * z) - e

    def of_leaf(self, rows: list[Row]) -> float:
        """Errors expected of a leaf with these rows."""
        n = sum(row[2] for row in rows)
        if n <= 0:
            return 0.0
        classes = {row[1] for row in rows}
        most = max(sum(row[2] for row in rows if row[1] == label) for label in classes)
        e = n - most
        return e + self.added(n, 0.0 if e < 1e-12 else e)

    def of_tree(self, node: SlowNode, rows: list[Row]) -> float:
        """Errors expected of a subtree that has to classify these rows."""
        if not node.branches:
            return self.of_leaf(rows)
        errors, pooled = 0.0, []
        for branch, part in zip(node.branches, node.divide(rows), strict=True):
            if sum(row[2] for row in part) < self.pool_below - self.tolerance:
                pooled += part
            else:
                errors += self.of_tree(branch, part)
        return errors + self.of_leaf(pooled)

    def pruned(self, node: SlowNode, rows: list[Row]) -> SlowNode:
        """The subtree after pruning."""
        if not node.branches:
            return node
        parts = node.divide(rows)
        below = zip(node.branches, parts, strict=True)
        node = SlowNode(
            node.feature,
            node.kind,
            node.threshold,
            node.codes,
            [self.pruned(branch, part) for branch, part in below],
        )
        weights = [sum(row[2] for row in part) for part in parts]
        most = max(weights)
        largest = max(
            k for k, own in enumerate(weights) if own >= most - self.tolerance
        )
        as_leaf = self.of_leaf(rows)
        as_tree = self.of_tree(node, rows)
        as_branch = math.inf
        if self.raising:
            as_branch = self.of_tree(node.branches[largest], rows)
        slack = SLACK + self.tolerance
        if as_leaf <= as_tree + slack and as_leaf <= as_branch + slack:
            return SlowNode()
        if as_branch <= as_tree + slack:
            return self.pruned(node.branches[largest], rows)
        return node


def errors_of(rows: list[Row]) -> float:
    """Training errors of a leaf."""
    classes = {row[1] for row in rows}
    weights = [sum(row[2] for row in rows if row[1] == label) for label in classes]
    return sum(weights) - max(weights, default=0.0)


def cheapest(node: SlowNode, rows: list[Row]) -> tuple[float, int, float]:
    """Errors and leaves of a subtree, and the least of added errors per leaf in it."""
    if not node.branches:
        return errors_of(rows), 1, math.inf
    below = [
        cheapest(branch, part)
        for branch, part in zip(node.branches, node.divide(rows), strict=True)
    ]
    errors, leaves = sum(b[0] for b in below), sum(b[1] for b in below)
    own = max((errors_of(rows) - errors) / (leaves - 1), 0.0)
    return errors, leaves, min(own, *(b[2] for b in below))


def without_cheapest(node: SlowNode, rows: list[Row], price: float) -> SlowNode:
    """The subtree in which all that add so few errors per leaf are leaves."""
    if not node.branches:
        return node
    errors, leaves, _ = cheapest(node, rows)
    if (errors_of(rows) - errors) / (leaves - 1) <= price + 1e-9:
        return SlowNode()
    below = zip(node.branches, node.divide(rows), strict=True)
    branches = [without_cheapest(branch, part, price) for branch, part in below]
    return replace(node, branches=branches)


def globally_pruned(node: SlowNode, rows: list[Row]) -> SlowNode:
    """Cut the cheapest subtrees while errors are within one standard error."""
    n = sum(row[2] for row in rows)
    errors, _, price = cheapest(node, rows)
    limit = errors + math.sqrt(max(errors * (1 - errors / n), 0.0))
    while node.branches:
        less = without_cheapest(node, rows, price)
        errors, _, price = cheapest(less, rows)
        if errors > limit + 1e-9:
            return node
        node = less
    return node


def rows_of(cells: np.ndarray, target: np.ndarray, weights: np.ndarray) -> list[Row]:
    """Encoded rows as tuples."""
    triples = zip(cells.tolist(), target.tolist(), weights.tolist(), strict=True)
    return [(row, label, weight) for row, label, weight in triples]
