"""What error-based pruning writes into the record: the leaves behind each estimate.

`error_based.py` needs only sums. Here they are taken apart again, as far as a reader
can follow them: N, E and U(N, E) of every leaf of a small subtree, and their sums.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from treewright.prune.estimate import ErrorEstimate
from treewright.prune.record import Decision, Estimate, LeafEstimate, PruningRecord
from treewright.prune.rows import RowsAtLeaves, Tally
from treewright.prune.shape import Shape

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

# of a larger subtree only the sums are written down
MOST_LEAVES = 50


@dataclass(frozen=True, eq=False)
class Verdicts:
    """What was found out and decided about some nodes.

    Attributes
    ----------
    nodes, largest : ndarray of int64
        The nodes, and the largest branch of each.
    as_leaf, as_tree, as_branch : ndarray of float64
        Expected errors; infinite as branches if these are not raised.
    leaf, raised : ndarray of bool
        The decisions.
    """

    nodes: Ints
    largest: Ints
    as_leaf: Floats
    as_tree: Floats
    as_branch: Floats
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

    def weights_after(self, tops: Ints, sent: Tally) -> Floats:
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

    def _trees(self, nodes: Ints) -> list[Estimate]:
        """Each node with its branches as they are."""
        shape, weights = self.pruner.shape, self.pruner.weights
        found = []
        for node in nodes.tolist():
            sums = self.sums[shape.tree.children(node)].sum(axis=0)
            found.append(self._subtree(node, weights, sums))
        return found

    def _branches(self, nodes: Ints, largest: Ints, own: Floats) -> list[Estimate]:
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

    def _sums_after(self, tops: Ints, sent: Tally) -> Floats:
        """Sums over the leaves of `tops` with the rows that were sent."""
        sums = self.sums[tops]
        more = self._of_leaves(sent.weights) - self.sums[sent.leaf]
        np.add.at(sums, sent.group, more)
        return sums

    def _is_listed(self, sums: Floats) -> npt.NDArray[np.bool_]:
        # which branches are pooled is known only from the list
        return np.asarray((sums[:, 0] <= MOST_LEAVES) | (self.pruner.pool_below > 0))

    def _subtree(self, top: int, weights: Floats, sums: Floats) -> Estimate:
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
    ) -> Estimate:
        n_leaves, weight, errors, added = sums.tolist()
        listed = zip(leaves, each[:, 1:].tolist(), strict=True)
        return Estimate(
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
