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
from treewright.tree.tree import EVERY_BRANCH, Tree
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
        dividing = np.unique(tree.feature[tree.missing_branch == EVERY_BRANCH])
        self._is_divided = np.asarray(np.isnan(cells[:, dividing]).any(axis=1))
        self._set(self._at_root(tree, weights))

    def _at_root(self, tree: Tree, weights: Floats) -> Parts:
        n_rows = len(self.cells)
        root = np.zeros(1, np.int32)
        starts = np.array([0, n_rows], np.int64)
        return place(tree, self.cells, root, starts, np.arange(n_rows), weights)

    def has_divided(self, nodes: Ints) -> npt.NDArray[np.bool_]:
        """Whether any row of each node may be divided among branches."""
        first, last = self._range(nodes)
        return np.asarray(self._n_divided[last] > self._n_divided[first])

    def send(
        self, tree: Tree, nodes: Ints, tops: Ints, *, others: bool = False
    ) -> tuple[Ints, Parts]:
        """Send the rows of each of `nodes` down from one of its branches, `tops`.

        With `others`, only the rows of its other branches; those of the branch itself
        stay where they are, unless rows are divided.

        Returns the index in `nodes` of each part, and the parts where they end.
        """
        first, last = self._range(nodes)
        group, items = _ranges(first, last)
        if others:
            start, stop = self._range(tops)
            outside = (items < start[group]) | (items >= stop[group])
            group, items = group[outside], items[outside]
            rows, weights = self._parts.row[items], self._parts.weight[items]
        else:
            group, rows, weights = self._merged(group, items)
        starts = np.searchsorted(group, np.arange(len(nodes) + 1))
        sent = place(tree, self.cells, tops.astype(np.int32), starts, rows, weights)
        return group[sent.row], Parts(rows[sent.row], sent.node, sent.weight)

    def _range(self, nodes: Ints) -> tuple[Ints, Ints]:
        """Where the parts under each node start and stop."""
        start = self._place_of[nodes]
        first = np.searchsorted(self._places, start)
        return first, np.searchsorted(self._places, start + self._size[nodes])

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

    def replace(self, nodes: Ints, kept: Ints, parts: Parts) -> None:
        """Put `parts` in the place of what stands under `nodes`.

        `kept` has for each of them the branch whose own parts stay, or -1.
        """
        n_parts = len(self._places)
        gone = _marked(n_parts, *self._range(nodes))
        gone &= ~_marked(n_parts, *self._range(kept[kept >= 0]))
        old = self._parts
        self._set(
            Parts(
                np.concatenate([old.row[~gone], parts.row]),
                np.concatenate([old.node[~gone], parts.node]),
                np.concatenate([old.weight[~gone], parts.weight]),
            )
        )

    def _set(self, parts: Parts) -> None:
        """Keep parts in the order of their leaves."""
        places = self._place_of[parts.node]
        order = np.argsort(places, kind="stable")
        self._places = places[order]
        self._parts = Parts(parts.row[order], parts.node[order], parts.weight[order])
        divided = self._is_divided[self._parts.row]
        self._n_divided = np.concatenate([[0], np.cumsum(divided)])

    def class_weights(self, group: Nodes, parts: Parts, n_groups: int) -> Floats:
        """Class weights of groups of parts, shape (n_groups, n_classes)."""
        slot = group.astype(np.int64) * self.n_classes + self.classes[parts.row]
        sums = np.bincount(slot, parts.weight, minlength=n_groups * self.n_classes)
        return np.asarray(sums.reshape(n_groups, self.n_classes), np.float64)


def _ranges(first: Ints, last: Ints) -> tuple[Ints, Ints]:
    """The numbers from first to last of each range, and which range they are of."""
    counts = last - first
    ends = np.cumsum(counts)
    which = np.repeat(np.arange(len(counts)), counts)
    shift = np.repeat(first - (ends - counts), counts)
    return which, np.arange(len(which)) + shift


def _marked(n: int, first: Ints, last: Ints) -> npt.NDArray[np.bool_]:
    """Which of n places lie inside one of the ranges."""
    depth = np.bincount(first, minlength=n + 1) - np.bincount(last, minlength=n + 1)
    return np.asarray(np.cumsum(depth)[:-1] > 0)


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
