"""The training rows at the nodes of a tree that is being pruned.

Rows without a value are divided among branches, so a row may stand in several leaves
with a part of its weight each. Parts are kept in the order of their leaves, from left
to right, so that those under any node are neighbours.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.prune.shape import levels_upwards
from treewright.tree.place import Parts, place
from treewright.tree.tree import Tree
from treewright.tree.walk import Nodes

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class RowsAtNodes:
    """Which rows stand where.

    Parameters
    ----------
    tree : Tree
        As it was before pruning; its numbers stay.
    cells : ndarray of float64, shape (n_rows, n_features)
        The encoded rows.
    classes : ndarray of int, shape (n_rows,)
        Their classes.
    weights : ndarray of float64, shape (n_rows,)
        Their weights.
    n_classes : int
        Number of classes.
    """

    def __init__(
        self,
        tree: Tree,
        cells: Floats,
        classes: npt.NDArray[np.integer[Any]],
        weights: Floats,
        n_classes: int,
    ) -> None:
        self.cells = cells
        self.classes = np.asarray(classes, np.int64)
        self.n_classes = n_classes
        self._size = tree.subtree_sizes().astype(np.int64)
        self._place_of = left_to_right(tree, self._size)
        self._parts = self._sorted(self._at_root(tree, weights))
        self._is_divided = np.asarray(np.isnan(cells).any(axis=1))

    def _at_root(self, tree: Tree, weights: Floats) -> Parts:
        n_rows = len(self.cells)
        root = np.zeros(1, np.int32)
        starts = np.array([0, n_rows], np.int64)
        return place(tree, self.cells, root, starts, np.arange(n_rows), weights)

    def _sorted(self, parts: Parts) -> Parts:
        order = np.argsort(self._place_of[parts.node], kind="stable")
        return Parts(parts.row[order], parts.node[order], parts.weight[order])

    def send(self, tree: Tree, nodes: Ints, tops: Ints) -> tuple[Ints, Parts]:
        """Send all rows of each of `nodes` down from another node, `tops`.

        Returns the index in `nodes` of each part, and the parts where they end.
        """
        where = self._place_of[self._parts.node]
        first = np.searchsorted(where, self._place_of[nodes])
        last = np.searchsorted(where, self._place_of[nodes] + self._size[nodes])
        counts = last - first
        ends = np.cumsum(counts)
        group = np.repeat(np.arange(len(nodes)), counts)
        items = np.arange(len(group)) + np.repeat(first - (ends - counts), counts)
        group, rows, weights = self._merged(group, items)
        starts = np.searchsorted(group, np.arange(len(nodes) + 1))
        sent = place(tree, self.cells, tops.astype(np.int32), starts, rows, weights)
        return group[sent.row], Parts(rows[sent.row], sent.node, sent.weight)

    def _merged(self, group: Ints, items: Ints) -> tuple[Ints, Ints, Floats]:
        """Groups of parts with at most one part of each row."""
        rows, weights = self._parts.row[items], self._parts.weight[items]
        divided = self._is_divided[rows]
        if not divided.any():
            return group, rows, weights
        key = group[divided] * len(self.cells) + rows[divided]
        key, which = np.unique(key, return_inverse=True)
        merged = np.bincount(which, weights[divided])
        group = np.concatenate([group[~divided], key // len(self.cells)])
        rows = np.concatenate([rows[~divided], key % len(self.cells)])
        weights = np.concatenate([weights[~divided], merged])
        order = np.argsort(group, kind="stable")
        return group[order], rows[order], weights[order]

    def replace(self, nodes: Ints, parts: Parts) -> None:
        """Put `parts` in the place of all that stands under `nodes`."""
        where = self._place_of[self._parts.node]
        inside = np.zeros(len(where) + 1, np.int64)
        np.add.at(inside, np.searchsorted(where, self._place_of[nodes]), 1)
        stop = self._place_of[nodes] + self._size[nodes]
        np.add.at(inside, np.searchsorted(where, stop), -1)
        stays = np.cumsum(inside)[:-1] == 0
        old = self._parts
        self._parts = self._sorted(
            Parts(
                np.concatenate([old.row[stays], parts.row]),
                np.concatenate([old.node[stays], parts.node]),
                np.concatenate([old.weight[stays], parts.weight]),
            )
        )

    def class_weights(self, group: Nodes, parts: Parts, n_groups: int) -> Floats:
        """Class weights of groups of parts, shape (n_groups, n_classes)."""
        slot = group.astype(np.int64) * self.n_classes + self.classes[parts.row]
        sums = np.bincount(slot, parts.weight, minlength=n_groups * self.n_classes)
        return np.asarray(sums.reshape(n_groups, self.n_classes), np.float64)


def left_to_right(tree: Tree, size: Ints) -> Ints:
    """The place of each node when a parent comes before its branches, left to right.

    `size` is the number of nodes of each subtree.
    """
    before = np.concatenate([[0], np.cumsum(size)])  # the branches are neighbours
    place_of = np.zeros(tree.node_count, np.int64)
    for nodes, parents in reversed(levels_upwards(tree)):
        first = tree.first_child[parents]
        place_of[nodes] = place_of[parents] + 1 + before[nodes] - before[first]
    return place_of
