"""Error-based pruning: C4.5's choice among a subtree, a leaf and the largest branch.

    bottom up, at each inner node, the errors expected on new rows (`estimate.py`)
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

import numpy as np
import numpy.typing as npt

from treewright.prune.estimate import ErrorEstimate
from treewright.prune.rows import RowsAtNodes
from treewright.prune.shape import Shape
from treewright.tree.place import Parts
from treewright.tree.tree import NodeKind, Reason, Tree

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

# a simpler tree may be expected to make this many errors more
SLACK = 0.1


class ErrorBasedPruning:
    """Prunes one tree.

    Parameters
    ----------
    tree : Tree
        The grown tree, for one class output.
    estimate : ErrorEstimate
        How errors are estimated.
    rows : RowsAtNodes or None
        The training rows, for raising branches; None: no raising.
    tolerance : float
        Weights and errors that differ by no more are equal.
    """

    def __init__(
        self,
        tree: Tree,
        estimate: ErrorEstimate,
        rows: RowsAtNodes | None,
        tolerance: float = 0.0,
    ) -> None:
        self.shape = Shape(tree)
        self.estimate = estimate
        self.rows = rows
        self.tolerance = tolerance
        self.weights = tree.class_weights()
        self.expected = estimate.of(self.weights)  # errors of each subtree, when done
        self.parent = tree.parents().astype(np.int64)

    def prune(self) -> Tree:
        """Decide about all nodes, and return what is left of the tree."""
        tree = self.shape.tree
        inner = np.flatnonzero(tree.n_children)
        waits_for = self._inner_branches(inner)
        while len(inner):
            ready = inner[waits_for[inner] == 0]
            raised = self._decide(ready)
            waits_for[ready] = -1  # done
            above = self.parent[ready]
            np.add.at(waits_for, above[above >= 0], -1)
            again = self._look_again(raised, waits_for)
            inner = np.concatenate([inner[waits_for[inner] >= 0], again])
            inner = np.unique(inner)
        return self.shape.finished()

    def _inner_branches(self, nodes: Ints | npt.NDArray[np.intp]) -> Ints:
        """For each node of the tree, how many of its branches are among `nodes`."""
        counts = np.full(self.shape.tree.node_count, -1, np.int64)
        counts[nodes] = 0
        above = self.parent[nodes]
        is_among = (above >= 0) & (counts[above] >= 0)
        np.add.at(counts, above[is_among], 1)
        return counts

    def _look_again(self, raised: Ints, waits_for: Ints) -> Ints:
        """Open raised nodes and what is under them again; the inner ones of these."""
        if len(raised) == 0:
            return raised
        tree = self.shape.tree
        self.parent[self.shape.children(raised)] = np.repeat(
            raised, tree.n_children[raised]
        )
        nodes = np.concatenate([raised, self.shape.below(raised)])
        nodes = nodes[tree.n_children[nodes] > 0]
        waits_for[nodes] = 0
        under = np.setdiff1d(nodes, raised)
        np.add.at(waits_for, self.parent[under], 1)
        above = self.parent[raised]
        np.add.at(waits_for, above[above >= 0], 1)
        return np.asarray(nodes)

    def _decide(self, nodes: Ints) -> Ints:
        """Make each node a leaf, keep it or raise its largest branch; the raised."""
        tree = self.shape.tree
        branches = self.shape.children(nodes)
        starts = np.cumsum(tree.n_children[nodes]) - tree.n_children[nodes]
        as_leaf = self.estimate.of(self.weights[nodes])
        as_tree = np.add.reduceat(self.expected[branches], starts)
        largest = self._largest(nodes, branches, starts)
        as_branch, group, parts = self._as_branch(nodes, largest, as_leaf)
        slack = SLACK + self.tolerance
        leaf = (as_leaf <= as_tree + slack) & (as_leaf <= as_branch + slack)
        branch = ~leaf & (as_branch <= as_tree + slack)
        self.expected[nodes] = np.where(leaf, as_leaf, as_tree)
        self.shape.make_leaves(nodes[leaf], Reason.PRUNED)
        if branch.any() and parts is not None:
            chosen = branch[group]
            moved = Parts(parts.row[chosen], parts.node[chosen], parts.weight[chosen])
            self._raise(nodes[branch], largest[branch], moved)
        return nodes[branch]

    def _largest(self, nodes: Ints, branches: Ints, starts: Ints) -> Ints:
        """The heaviest branch of each node, the last one of equals."""
        weight = self.weights[branches].sum(axis=1)
        most = np.maximum.reduceat(weight, starts)
        owner = np.repeat(np.arange(len(nodes)), self.shape.tree.n_children[nodes])
        is_largest = weight >= most[owner] - self.tolerance
        largest = np.empty(len(nodes), np.int64)
        largest[owner[is_largest]] = branches[is_largest]  # the last one written stays
        return largest

    def _as_branch(
        self, nodes: Ints, largest: Ints, as_leaf: Floats
    ) -> tuple[Floats, Ints, Parts | None]:
        """Errors if the largest branch got all rows, and where these would end."""
        none = np.zeros(0, np.int64)
        if self.rows is None:
            return np.full(len(nodes), np.inf), none, None
        tree = self.shape.tree
        errors = as_leaf.copy()  # a leaf with all rows is the node as a leaf
        inner = np.flatnonzero(tree.n_children[largest] > 0)
        if len(inner) == 0:
            return errors, none, None
        group, parts = self.rows.send(tree, nodes[inner], largest[inner])
        owner = np.full(tree.node_count, -1, np.int64)  # by leaf: the groups share none
        owner[parts.node] = group
        ends = np.flatnonzero(owner >= 0)
        weights = self.rows.class_weights(parts.node, parts, tree.node_count)[ends]
        errors[inner] = np.bincount(
            owner[ends], self.estimate.of(weights), minlength=len(inner)
        )
        return errors, inner[group], parts

    def _raise(self, nodes: Ints, branches: Ints, parts: Parts) -> None:
        """Put branches in the place of their parents, with all their rows."""
        assert self.rows is not None
        self.rows.replace(nodes, parts)
        is_leaf = self.shape.tree.kind[branches] == NodeKind.LEAF
        self.shape.make_leaves(nodes[is_leaf], Reason.PRUNED)
        self.shape.raise_branches(nodes[~is_leaf], branches[~is_leaf])
        under = self.shape.below(nodes)
        self.weights[under] = 0.0
        np.add.at(
            self.weights,
            (parts.node, self.rows.classes[parts.row]),
            parts.weight,
        )
        self._add_up(nodes)
        self.expected[under] = self.estimate.of(self.weights[under])

    def _add_up(self, tops: Ints) -> None:
        """Class weights of the inner nodes under `tops` from those of their leaves."""
        levels = [self.shape.children(tops)]
        while len(levels[-1]):
            levels.append(self.shape.children(levels[-1]))
        for nodes in reversed(levels):
            inner = nodes[self.shape.tree.n_children[nodes] > 0]
            if len(inner) == 0:
                continue
            branches = self.shape.children(inner)
            counts = self.shape.tree.n_children[inner]
            starts = np.cumsum(counts) - counts
            self.weights[inner] = np.add.reduceat(self.weights[branches], starts)
