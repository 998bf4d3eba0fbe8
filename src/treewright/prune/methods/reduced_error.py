"""Reduced-error pruning: what does not help on held-out rows is cut.

Bottom up, a node becomes a leaf if it then makes no more errors on rows that the tree
was not grown from than its subtree, pruned already, does. That is the smallest of the
prunings with the fewest errors on these rows. A branch that none of them reaches
becomes a leaf, because nothing speaks for it (J48 does the same). For numbers the error
is the squared one.

`CutSequence` goes another way, T1, T2, ..., one cut at a time, and keeps every tree
between. Each step turns the inner node into a leaf that lowers the held-out error most,
or, when none does, raises it least; of equals the one with the fewest leaves, then the
first. The sequence ends with a single leaf. Of its trees the smallest is chosen among
those with the least held-out error. A large cut can come before two small ones that
together are better, so that error may be above the one of bottom-up pruning, which is
the least there is.

Glossary
--------
place   a node's number when a parent comes before its branches, left to right: those of
        a subtree are neighbours, and a node's ancestors are the nodes around it

References
----------
Quinlan, J. R. (1987). Simplifying decision trees. International Journal of Man-Machine
Studies 27, 221-234, section 2.2.
"""

from __future__ import annotations

import numpy as np

from treewright.prune.node_errors import NodeErrors
from treewright.prune.pruning_record import PruningRecord
from treewright.prune.shape import Shape, left_to_right, subtree_sums
from treewright.tree.pruning_table import PruningTable
from treewright.tree.structure.tree import NodeKind, Reason, Tree


def prune_bottom_up(
    tree: Tree, errors: NodeErrors, record: PruningRecord | None = None
) -> Tree:
    """Turn nodes into leaves that are no worse than their pruned subtrees."""
    as_leaf = errors.as_leaf.tolist()
    stage = None
    if record is not None:
        stage = record.begin("reduced_error", tree, order="bottom_up")
        stage.note_held_out(*errors.noted(tree))
    below = errors.ended.tolist()  # of the pruned subtree, once its branches are done
    parent = tree.parents().tolist()
    cut = []
    for node in range(tree.node_count - 1, -1, -1):  # branches before their parent
        is_cut = tree.n_children[node] and as_leaf[node] <= below[node] + errors.slack
        if stage is not None and tree.n_children[node]:
            as_tree = below[node] * errors.unit
            numbers = {"as_leaf": as_leaf[node] * errors.unit, "as_tree": as_tree}
            stage.judge(node, "leaf" if is_cut else "kept", numbers)
        if is_cut:
            below[node] = as_leaf[node]
            cut.append(node)
        if node:
            below[parent[node]] += below[node]
    shape = Shape(tree)
    shape.make_leaves(np.array(cut, np.intp), Reason.PRUNED)
    return shape.finished()


_HELD_OUT, _TRAINING, _LEAVES = 0, 1, 2


def prune_best_first(
    tree: Tree,
    held_out: NodeErrors,
    training: NodeErrors,
    n_outputs: int,
    record: PruningRecord | None = None,
) -> tuple[Tree, PruningTable]:
    """Cut node after node; the best tree on the way, and the whole way."""
    sequence = CutSequence(tree, held_out, training)
    cut = sequence.cut_all()
    way = np.array(sequence.totals)
    error = way[:, _HELD_OUT]
    chosen = int(np.flatnonzero(error <= error.min() + held_out.slack)[-1])
    if record is not None:
        stage = record.begin("reduced_error", tree, order="best_first")
        stage.note_held_out(*held_out.noted(tree))
        for step, node in enumerate(cut):
            as_leaf = held_out.as_leaf[node] * held_out.unit
            added = (error[step + 1] - error[step]) * held_out.unit
            numbers = {
                "as_leaf": as_leaf,
                "as_tree": as_leaf - added,
                "of_whole_tree": error[step + 1] * held_out.unit,
            }
            stage.judge(node, "leaf" if step < chosen else "kept", numbers)
    shape = Shape(tree)
    shape.make_leaves(np.array(cut[:chosen], np.intp), Reason.PRUNED)
    path = PruningTable(
        n_leaves=np.rint(way[:, _LEAVES]).astype(np.int64),
        training_error=way[:, _TRAINING] / (tree.weight[0] * n_outputs),
        validation_error=error * held_out.unit / (held_out.weight * n_outputs),
        chosen=chosen,
    )
    return shape.finished(), path


class CutSequence:
    """The inner nodes that still stand, with the errors of their subtrees."""

    def __init__(self, tree: Tree, held_out: NodeErrors, training: NodeErrors) -> None:
        is_leaf = (tree.kind == NodeKind.LEAF).astype(np.float64)
        ended = np.stack([held_out.ended, training.ended, is_leaf], axis=1)
        below = subtree_sums(tree, ended)
        size = tree.subtree_sizes().astype(np.int64)
        place = left_to_right(tree, size)
        self.slack = held_out.slack
        self.totals = [below[0].copy()]
        self.nodes = np.flatnonzero(tree.n_children).astype(np.int64)
        self.first = place[self.nodes]
        self.stop = self.first + size[self.nodes]
        self.below = below[self.nodes]
        self.as_leaf = np.stack(
            [held_out.as_leaf, training.as_leaf, np.ones(tree.node_count)], axis=1
        )[self.nodes]
        self.stands = np.ones(len(self.nodes), bool)
        self.gain = self.below[:, _HELD_OUT] - self.as_leaf[:, _HELD_OUT]

    def cut_all(self) -> list[int]:
        """The nodes in the order in which they are cut."""
        cut = []
        n_standing = len(self.nodes)
        while n_standing:
            best = self._best()
            cut.append(int(self.nodes[best]))
            n_standing -= self._cut(best)
            if 2 * n_standing < len(self.nodes):
                self._forget_the_cut()
        return cut

    def _best(self) -> int:
        """The next to cut."""
        ties = np.flatnonzero(self.gain >= self.gain.max() - self.slack)
        return int(ties[np.argmin(self.below[ties, _LEAVES])])

    def _cut(self, best: int) -> int:
        """Make a leaf of a node; how many inner nodes that takes away."""
        change = self.below[best] - self.as_leaf[best]
        above = (self.first <= self.first[best]) & (self.stop >= self.stop[best])
        self.below[above] -= change
        self.gain[above] -= change[_HELD_OUT]
        self.totals.append(self.totals[-1] - change)
        gone = (self.first >= self.first[best]) & (self.first < self.stop[best])
        gone &= self.stands
        self.stands[gone] = False
        self.gain[gone] = -np.inf
        return int(np.count_nonzero(gone))

    def _forget_the_cut(self) -> None:
        """Keep only what stands, so that late steps are short."""
        kept = self.stands
        for name in ("nodes", "first", "stop", "below", "as_leaf", "gain", "stands"):
            setattr(self, name, getattr(self, name)[kept])
