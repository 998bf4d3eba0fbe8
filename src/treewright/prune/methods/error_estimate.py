"""How many errors a leaf is expected to make on new rows, from those in training.

    predicted errors = E + U(N, E)

for a leaf with weight N of which E is wrong. U is the upper confidence limit of a
binomial count: Quinlan's pessimistic estimate, as C4.5 and J48 compute it.

`error_based.py` needs only sums. `EstimateRecord` takes them apart again, as far as a
reader can follow them: N, E and U(N, E) of every leaf of a small subtree, and their
sums.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import Protocol

import numpy as np
import numpy.typing as npt

from treewright import _core
from treewright.data.short_rows import row_maxima, row_sums
from treewright.prune.pruning_record import (
    Decision,
    LeafEstimate,
    PruningRecord,
    SubtreeEstimate,
)
from treewright.prune.rows_at_leaves import LeafTally, RowsAtLeaves
from treewright.prune.shape import Shape

Floats = npt.NDArray[np.float64]

# C4.5's table: confidence level against the normal quantile of 1 - level
_LEVELS = (0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.0)
_QUANTILES = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.0)


@dataclass(frozen=True)
class ErrorEstimate:
    """The switches of the estimate."""

    confidence: float = 0.25  # the confidence level, between 0 and 1; smaller adds more
    # {"normal", "table"}: the quantile exact (J48), or from C4.5's table of nine points
    limit: str = "normal"
    # {"rest", "two_thirds"}: what is added where all rows but half a row are wrong: the
    # rest (J48), or 0.67 of it (C4.5)
    mostly_wrong: str = "rest"

    @cached_property
    def quantile(self) -> float:
        """The number of standard deviations that the confidence level stands for."""
        if self.limit == "table":
            return float(np.interp(self.confidence, _LEVELS, _QUANTILES))
        return NormalDist().inv_cdf(1 - self.confidence)

    def added(self, weight: npt.ArrayLike, errors: npt.ArrayLike) -> Floats:
        """U(N, E), for any numbers of leaves.

        Examples
        --------
        >>> float(ErrorEstimate().added(6, 0).round(4))
        1.2378
        """
        n, e = np.broadcast_arrays(
            np.asarray(weight, np.float64), np.asarray(errors, np.float64)
        )
        return self._added(n.ravel(), e.ravel()).reshape(n.shape)

    def _added(self, n: Floats, e: Floats) -> Floats:
        if self.confidence > 0.5:  # nothing is added: the limit would be below E
            return np.zeros(len(n))
        rest_share = 0.67 if self.mostly_wrong == "two_thirds" else 1.0
        return _core.added_errors(n, e, self.confidence, self.quantile, rest_share)

    def of(self, class_weights: Floats) -> Floats:
        """Predicted errors of leaves with these class weights, one row each."""
        weight = row_sums(class_weights)
        errors = weight - row_maxima(class_weights)
        return np.where(weight > 0, errors + self._added(weight, errors), 0.0)

    def at_least(self, class_weights: Floats) -> Floats:
        """A bound of `of` for leaves that have these rows and perhaps others.

        E + U(N, E) rises with N and with E, and rows that are added lower neither. Only
        C4.5's estimate falls, by 0.33 (N - E), where E + 0.5 reaches N; then no class
        weighs more than 0.5.
        """
        errors = self.of(class_weights)
        if self.mostly_wrong == "rest":
            return errors
        is_low = row_maxima(class_weights) <= 0.5
        return np.asarray(errors - np.where(is_low, 0.33 * 0.5, 0.0))


Ints = npt.NDArray[np.int64]

# of a larger subtree only the sums are written down
MOST_LEAVES = 50


@dataclass(frozen=True, eq=False)
class Verdicts:
    """What was found out and decided about some nodes."""

    # the nodes, and the largest branch of each
    nodes: Ints
    largest: Ints
    # expected errors; infinite as branches if these are not raised
    as_leaf: Floats
    as_tree: Floats
    as_branch: Floats
    # the decisions
    leaf: npt.NDArray[np.bool_]
    raised: npt.NDArray[np.bool_]


class Pruner(Protocol):
    """What is read of `ErrorBasedPruning`."""

    shape: Shape
    weights: Floats
    rows: RowsAtLeaves | None
    estimate: ErrorEstimate
    pool_below: float
    tolerance: float

    def weights_after(self, tops: Ints, sent: LeafTally) -> Floats:
        """Class weights of all nodes if rows had been sent down `tops`."""


class EstimateRecord:
    """Writes the judgements of one error-based pruning."""

    def __init__(self, record: PruningRecord, pruner: Pruner, slack: float) -> None:
        self.pruner = pruner
        self.stage = record.begin(
            "error_based",
            pruner.shape.tree,
            confidence=pruner.estimate.confidence,
            quantile=pruner.estimate.quantile,
            quantile_from=pruner.estimate.limit,
            mostly_wrong=pruner.estimate.mostly_wrong,
            slack=slack,
            pool_below=pruner.pool_below or None,
        )
        # number of leaves, N, E, U of each subtree, once it is judged
        self.sums = self._of_leaves(pruner.weights)

    def write(self, found: Verdicts) -> None:
        """Write down the judgements, before the tree is changed."""
        own = self._of_leaves(self.pruner.weights[found.nodes])
        trees = self._trees(found.nodes)
        branches = self._branches(found.nodes, found.largest, own)
        for place, node in enumerate(found.nodes.tolist()):
            is_leaf, is_raised = bool(found.leaf[place]), bool(found.raised[place])
            decision: Decision = "leaf" if is_leaf else "kept"
            leaf = self._estimate(own[place], [(node,)], own[place : place + 1])
            estimates = {"leaf": leaf, "tree": trees[place]}
            numbers = {
                "as_leaf": found.as_leaf[place],
                "as_tree": found.as_tree[place],
            }
            if branches:
                estimates["branch"] = branches[place]
                numbers["as_branch"] = found.as_branch[place]
            self.stage.judge(
                node,
                "raised" if is_raised else decision,
                numbers,
                branch=int(found.largest[place]) if branches else None,
                estimates=estimates,
            )
            tree = trees[place]
            in_all = (tree.n_leaves, tree.weight, tree.errors, tree.added)
            self.sums[node] = own[place] if is_leaf else in_all

    def count_again(self, changed: Ints) -> None:
        """Nodes have other rows; they will be judged again, or are leaves."""
        self.sums[changed] = self._of_leaves(self.pruner.weights[changed])

    def _trees(self, nodes: Ints) -> list[SubtreeEstimate]:
        """Each node with its branches as they are."""
        shape, weights = self.pruner.shape, self.pruner.weights
        found = []
        for node in nodes.tolist():
            sums = self.sums[shape.tree.children(node)].sum(axis=0)
            found.append(self._subtree(node, weights, sums))
        return found

    def _branches(
        self, nodes: Ints, largest: Ints, own: Floats
    ) -> list[SubtreeEstimate]:
        """Each node if its largest branch took its place; none without raising."""
        pruner = self.pruner
        if pruner.rows is None:
            return []
        found = [
            self._estimate(sums, [(branch,)], sums[None])
            for branch, sums in zip(largest.tolist(), own, strict=True)
        ]
        inner = np.flatnonzero(pruner.shape.tree.n_children[largest])
        tops = largest[inner]
        sent = pruner.rows.send(pruner.shape.tree, nodes[inner], tops)
        sums = self._sums_after(tops, sent)
        is_small = np.flatnonzero(self._is_listed(sums))
        after = pruner.weights
        if len(is_small):
            after = pruner.weights_after(tops[is_small], sent.of_groups(is_small))
        for place, top, of_top in zip(inner, tops.tolist(), sums, strict=True):
            found[place] = self._subtree(top, after, of_top)
        return found

    def _sums_after(self, tops: Ints, sent: LeafTally) -> Floats:
        """Sums over the leaves of `tops` with the rows that were sent."""
        sums = self.sums[tops]
        more = self._of_leaves(sent.weights) - self.sums[sent.leaf]
        np.add.at(sums, sent.group, more)
        return sums

    def _is_listed(self, sums: Floats) -> npt.NDArray[np.bool_]:
        # which branches are pooled is known only from the list
        return np.asarray((sums[:, 0] <= MOST_LEAVES) | (self.pruner.pool_below > 0))

    def _subtree(self, top: int, weights: Floats, sums: Floats) -> SubtreeEstimate:
        """The leaves under a node that have some class weights, and their sums."""
        if not self._is_listed(sums[None])[0]:
            return self._estimate(sums, [], np.zeros((0, 4)))
        leaves = self._leaves(top, weights)
        each = self._of_leaves(
            np.array([weights[list(nodes)].sum(axis=0) for nodes in leaves])
        )
        return self._estimate(each.sum(axis=0), leaves, each)

    def _leaves(self, top: int, weights: Floats) -> list[tuple[int, ...]]:
        """The leaves under a node, small branches of a node together."""
        pruner = self.pruner
        tree = pruner.shape.tree
        least = pruner.pool_below - pruner.tolerance if pruner.pool_below > 0 else 0.0
        found: list[tuple[int, ...]] = []
        stack = [top]
        while stack:
            node = stack.pop()
            branches = tree.children(node)
            if len(branches) == 0:
                found.append((node,))
                continue
            small = [one for one in branches if weights[one].sum() < least]
            if small:
                found.append(tuple(small))
            stack += [one for one in reversed(branches) if one not in small]
        return found

    def _estimate(
        self, sums: Floats, leaves: Sequence[tuple[int, ...]], each: Floats
    ) -> SubtreeEstimate:
        n_leaves, weight, errors, added = sums.tolist()
        listed = zip(leaves, each[:, 1:].tolist(), strict=True)
        return SubtreeEstimate(
            round(n_leaves),
            weight,
            errors,
            added,
            tuple(LeafEstimate(nodes, *numbers) for nodes, numbers in listed)
            if len(leaves) <= MOST_LEAVES
            else (),
        )

    def _of_leaves(self, class_weights: Floats) -> Floats:
        """One row for each leaf: 1, N, E, U(N, E)."""
        weight = class_weights.sum(axis=1)
        errors = weight - class_weights.max(axis=1, initial=0.0)
        expected = self.pruner.estimate.of(class_weights)
        added = np.where(weight > 0, expected - errors, 0.0)
        return np.stack([np.ones(len(weight)), weight, errors, added], axis=1)
