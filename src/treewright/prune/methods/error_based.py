"""Error-based pruning: C4.5's choice among a subtree, a leaf and the largest branch.

    bottom up, at each inner node, the errors expected on new rows (`error_estimate.py`)
        as a leaf         of the node's own rows
        as it is          the sum over its branches
        as its largest branch, if that had to classify all rows of the node
    the leaf if it is not worse than both by more than 0.1
    else the branch, if it is not worse than the tree by more than 0.1: it takes the
    node's place and all its rows, and is pruned again

Nodes whose branches are done do not depend on each other, so each round decides about
all of them at once.

References
----------
Quinlan, J. R. (1993). C4.5: Programs for Machine Learning, chapter 4.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from treewright.data.short_rows import row_sums
from treewright.prune.methods.error_estimate import (
    ErrorEstimate,
    EstimateRecord,
    Verdicts,
)
from treewright.prune.pruning_record import PruningRecord
from treewright.prune.rows_at_leaves import LeafTally, RowsAtLeaves
from treewright.prune.shape import Shape
from treewright.tree.structure.tree import Reason, Tree

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

# a simpler tree may be expected to make this many errors more
SLACK = 0.1
# by so much less than a bound may a sum be, because of rounding
ROUNDING = 1e-6


class ErrorBasedPruning:
    """Prunes one tree.

    - `tree`: the grown tree, for one class output.
    - `estimate`: how errors are estimated.
    - `rows`: the training rows, for raising branches; None: no raising.
    - `tolerance`: weights and errors that differ by no more are equal.
    - `pool_below`: the branches of a node that weigh less are estimated as one leaf
      (C5.0); 0: each is estimated on its own.
    - `record`: gets every judgement.
    """

    def __init__(
        self,
        tree: Tree,
        estimate: ErrorEstimate,
        rows: RowsAtLeaves | None,
        tolerance: float = 0.0,
        *,
        pool_below: float = 0.0,
        record: PruningRecord | None = None,
    ) -> None:
        self.pool_below = pool_below
        self.shape = Shape(tree)
        self.estimate = estimate
        self.rows = rows
        self.tolerance = tolerance
        self.weights = tree.class_weights()
        self.as_leaf = estimate.of(self.weights)  # errors of each node as a leaf
        self.expected = self.as_leaf.copy()  # errors of each subtree, when done
        self.parent = tree.parents().astype(np.int64)
        self.slack = SLACK + tolerance
        self.record = None
        if record is not None:
            self.record = EstimateRecord(record, self, self.slack)

    def prune(self) -> Tree:
        """Decide about all nodes, and return what is left of the tree."""
        tree = self.shape.tree
        inner = tree.n_children.nonzero()[0]
        waits_for = self._inner_branches(inner)
        ready = inner[waits_for[inner] == 0]
        while len(ready):
            raised, changed = self._decide(ready)
            waits_for[ready] = -1  # done
            above = self.parent[ready]
            above = above[above >= 0]
            np.add.at(waits_for, above, -1)
            self._look_again(changed, raised, waits_for)
            ready = (waits_for == 0).nonzero()[0]
        return self.shape.finished()

    def kept(self) -> Ints:
        """The nodes that are left, in the order of their new numbers."""
        assert self.shape.kept is not None
        return self.shape.kept

    def kept_all(self) -> bool:
        """Tell whether the tree is as it was."""
        shape = self.shape
        return shape.is_whole() and np.array_equal(
            shape.tree.n_children, shape.grown.n_children
        )

    def _inner_branches(self, nodes: Ints | npt.NDArray[np.intp]) -> Ints:
        """For each node of the tree, how many of its branches are among `nodes`."""
        counts = np.full(self.shape.tree.node_count, -1, np.int64)
        counts[nodes] = 0
        above = self.parent[nodes]
        is_among = (above >= 0) & (counts[above] >= 0)
        np.add.at(counts, above[is_among], 1)
        return counts

    def _look_again(self, changed: Ints, raised: Ints, waits_for: Ints) -> None:
        """Open the inner nodes again whose rows have changed."""
        if len(raised) == 0:
            return
        nodes = np.concatenate([raised, changed])
        nodes = nodes[self.shape.tree.n_children[nodes] > 0]
        waits_for[nodes] = 0
        above = self.parent[nodes]
        above = above[above >= 0]
        np.add.at(waits_for, above[waits_for[above] >= 0], 1)

    def _decide(self, nodes: Ints) -> tuple[Ints, Ints]:
        """Make each node a leaf, keep it or raise its largest branch.

        Returns the raised nodes, and the nodes under them whose rows have changed.
        """
        branches, starts = self.shape.branches(nodes)
        as_leaf = self.as_leaf[nodes]
        as_tree = self._as_tree(self.weights[branches], self.expected[branches], starts)
        largest = self._largest(nodes, branches, starts)
        as_branch = self._as_branch(nodes, largest, as_tree)
        slack = self.slack
        leaf = (as_leaf <= as_tree + slack) & (as_leaf <= as_branch + slack)
        raised = ~leaf & (as_branch <= as_tree + slack)
        if self.record is not None:
            self.record.write(
                Verdicts(nodes, largest, as_leaf, as_tree, as_branch, leaf, raised)
            )
        self.expected[nodes] = np.where(leaf, as_leaf, as_tree)
        self._make_leaves(nodes[leaf])
        return nodes[raised], self._raise(nodes[raised], largest[raised])

    def _make_leaves(self, nodes: Ints) -> None:
        if len(nodes) == 0:
            return
        if self.rows is not None:
            self.rows.make_leaves(self.shape.tree, nodes)
        self.shape.make_leaves(nodes, Reason.PRUNED)

    def _as_tree(self, weights: Floats, expected: Floats, starts: Ints) -> Floats:
        """Errors of nodes whose branches have these weights and errors."""
        if self.pool_below == 0:
            return np.asarray(np.add.reduceat(expected, starts))
        small = row_sums(weights) < self.pool_below - self.tolerance
        pooled = np.add.reduceat(np.where(small[:, None], weights, 0.0), starts)
        large = np.add.reduceat(np.where(small, 0.0, expected), starts)
        return np.asarray(large + self.estimate.of(pooled))

    def _largest(self, nodes: Ints, branches: Ints, starts: Ints) -> Ints:
        """The heaviest branch of each node, the last one of equals."""
        weight = row_sums(self.weights[branches])
        most = np.maximum.reduceat(weight, starts)
        owner = np.repeat(np.arange(len(nodes)), self.shape.tree.n_children[nodes])
        is_largest = weight >= most[owner] - self.tolerance
        largest = np.empty(len(nodes), np.int64)
        largest[owner[is_largest]] = branches[is_largest]  # the last one written stays
        return largest

    def _as_branch(self, nodes: Ints, largest: Ints, as_tree: Floats) -> Floats:
        """Errors of each node if its largest branch got all rows.

        Where a bound of that settles the decision, the bound.
        """
        if self.rows is None:
            return np.full(len(nodes), np.inf)
        errors = self.as_leaf[nodes]  # a leaf with all rows is the node as a leaf
        inner = np.flatnonzero(self.shape.tree.n_children[largest])
        if self.pool_below == 0 and self.record is None:
            inner = self._bounded(nodes, largest, inner, as_tree, errors)
        tops = largest[inner]
        if len(tops) == 0:
            return errors
        sent = self.rows.send(self.shape.tree, nodes[inner], tops)
        if self.pool_below > 0:
            errors[inner] = self._pooled(tops, sent)
        else:
            errors[inner] = self._expected_after(tops, sent, self.estimate.of)
        return errors

    def _bounded(
        self,
        nodes: Ints,
        largest: Ints,
        inner: npt.NDArray[np.intp],
        as_tree: Floats,
        out_errors: Floats,
    ) -> npt.NDArray[np.intp]:
        """Write what whole rows tell of `inner`; the places that need the others, too.

        As a branch a node makes at least the errors that whole rows make there. With
        a bound b on them it is no branch if b > tree + slack; and if it may be a leaf
        at all (leaf <= tree + slack), it is one if leaf <= b + slack.
        """
        assert self.rows is not None
        if len(inner) == 0:
            return inner
        tops = largest[inner]
        sent = self.rows.send_whole(self.shape.tree, nodes[inner], tops)
        if not sent.divides.any():
            out_errors[inner] = self._expected_after(tops, sent, self.estimate.of)
            return inner[:0]
        bound = self._expected_after(tops, sent, self.estimate.at_least)
        as_leaf, limit = out_errors[inner], as_tree[inner] + self.slack
        settled = np.where(
            as_leaf <= limit,
            as_leaf <= bound + self.slack - ROUNDING,
            bound > limit + ROUNDING,
        )
        out_errors[inner] = bound
        return np.asarray(inner[~settled])

    def _expected_after(
        self, tops: Ints, sent: LeafTally, estimate: Callable[[Floats], Floats]
    ) -> Floats:
        """Errors of branches with the rows that were sent there."""
        # leaves whose rows stay as they are count as they did
        more = estimate(sent.weights) - self.as_leaf[sent.leaf]
        added = np.bincount(sent.group, more, minlength=len(tops))
        return np.asarray(self.expected[tops] + added)

    def _pooled(self, tops: Ints, sent: LeafTally) -> Floats:
        """Errors of subtrees with the rows that were sent, small branches pooled.

        Which branches are small depends on these rows, so that all nodes are added up.
        """
        tree = self.shape.tree
        weights = self.weights_after(tops, sent)
        nodes = np.concatenate([tops, self.shape.below(tops)])
        errors = np.zeros(tree.node_count)
        errors[nodes] = self.estimate.of(weights[nodes])
        for level in self._levels(nodes[tree.n_children[nodes] > 0]):
            branches, starts = self.shape.branches(level)
            errors[level] = self._as_tree(weights[branches], errors[branches], starts)
        return np.asarray(errors[tops])

    def weights_after(self, tops: Ints, sent: LeafTally) -> Floats:
        """Class weights of all nodes if rows had been sent down `tops`."""
        weights = self.weights.copy()
        weights[sent.leaf] = sent.weights
        nodes = np.concatenate([tops, self.shape.below(tops)])
        return self.shape.added_up(nodes, weights)

    def _raise(self, tops: Ints, branches: Ints) -> Ints:
        """Put branches in the place of their parents, with all their rows.

        Returns the nodes under them whose rows have changed.
        """
        if len(tops) == 0:
            return tops
        assert self.rows is not None
        sent = self.rows.raise_branches(self.shape.tree, tops, branches)
        self.shape.raise_branches(tops, branches)
        children = self.shape.children(tops)
        self.parent[children] = np.repeat(tops, self.shape.tree.n_children[tops])
        self.weights[sent.leaf] = sent.weights
        changed = self._above(sent.leaf.astype(np.int64), tops)
        self.weights = self.shape.added_up(changed, self.weights)
        self.as_leaf[changed] = self.estimate.of(self.weights[changed])
        self.expected[changed] = self.as_leaf[changed]
        if self.record is not None:
            self.record.count_again(changed)
        return changed

    def _above(self, leaves: Ints, tops: Ints) -> Ints:
        """The leaves and all nodes above them, up to `tops` without these."""
        is_found = np.zeros(self.shape.tree.node_count, bool)
        is_found[tops] = True
        nodes = leaves
        while len(nodes):
            is_found[nodes] = True
            above = self.parent[nodes]
            nodes = above[~is_found[above]]
        is_found[tops] = False
        return np.flatnonzero(is_found)

    def _levels(self, nodes: Ints) -> list[Ints]:
        """Nodes in groups, none above another in its own or an earlier group."""
        if len(nodes) == 0:
            return []
        height = np.zeros(self.shape.tree.node_count, np.int64)
        for node in np.sort(nodes)[::-1].tolist():
            above = self.parent[node]
            height[above] = max(height[above], height[node] + 1)
        order = nodes[np.argsort(height[nodes], kind="stable")]
        cuts = np.flatnonzero(np.diff(height[order])) + 1
        return np.split(order, cuts)
