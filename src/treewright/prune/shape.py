"""A tree that is being pruned: what its nodes ask can change, its numbers can go.

A node becomes a leaf, or takes over the question and the branches of one of its
branches (it is *raised*). Nodes that no branch leads to any more stay in the arrays
until `finished` numbers the others anew.
"""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from treewright import _core
from treewright.tree.structure.node_kind import HAVE_CODES
from treewright.tree.structure.part import part_of
from treewright.tree.structure.tree import NodeKind, Reason, Tree

Ints = npt.NDArray[np.int64]
Number = TypeVar("Number", np.int64, np.float64)

_HAS_SET = np.isin(np.arange(len(NodeKind)), HAVE_CODES)  # by kind
_QUESTION = (
    "kind",
    "feature",
    "threshold",
    "first_child",
    "n_children",
    "missing_branch",
    "gain",
)


class Shape:
    """The questions of a tree, to be changed; everything else stays as it was."""

    def __init__(self, tree: Tree) -> None:
        self._tree = dataclasses.replace(
            tree,
            **{name: getattr(tree, name).copy() for name in (*_QUESTION, "reason")},
        )
        self._set_of = np.arange(tree.node_count)  # whose set a node has
        self.grown = tree  # as it was
        self._asked_by = np.arange(tree.node_count)  # whose question a node asks
        self.kept: Ints | None = None  # the nodes that are left, once it is finished

    @property
    def tree(self) -> Tree:
        """The arrays as they are now; some nodes may be out of reach."""
        return self._tree

    def make_leaves(self, nodes: Ints | npt.NDArray[np.intp], reason: Reason) -> None:
        """Turn nodes into leaves."""
        tree = self._tree
        tree.kind[nodes] = NodeKind.LEAF
        tree.feature[nodes] = -1
        tree.threshold[nodes] = np.nan
        tree.first_child[nodes] = -1
        tree.n_children[nodes] = 0
        tree.missing_branch[nodes] = -1
        tree.gain[nodes] = 0.0
        tree.reason[nodes] = reason
        self._asked_by[nodes] = -1

    def raise_branches(self, nodes: Ints, branches: Ints) -> None:
        """Put inner nodes `branches` in the place of their parents `nodes`."""
        for name in _QUESTION:
            array = getattr(self._tree, name)
            array[nodes] = array[branches]
        self._set_of[nodes] = self._set_of[branches]
        if _HAS_SET[self._tree.kind[nodes]].any():
            self._rebuild_sets()
        self._asked_by[nodes] = self._asked_by[branches]
        surrogates = self.grown.surrogates
        if len(surrogates):
            self._tree = dataclasses.replace(
                self._tree, surrogates=surrogates.take(self._asked_by)
            )

    def _rebuild_sets(self) -> None:
        tree = self._tree
        sets = [tree.subset(int(owner)) for owner in self._set_of]
        lengths = [len(codes) for codes in sets]
        self._tree = dataclasses.replace(
            tree,
            set_start=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
            set_codes=np.concatenate([np.zeros(0, np.int32), *sets]),
        )
        self._set_of = np.arange(tree.node_count)

    def below(self, tops: Ints) -> Ints:
        """The nodes under `tops`, level by level, without `tops` themselves."""
        levels = [self.children(tops)]
        while len(levels[-1]):
            levels.append(self.children(levels[-1]))
        return np.concatenate(levels)

    def children(self, nodes: npt.NDArray[np.integer[Any]]) -> Ints:
        """The branches of nodes, one after the other."""
        return self.branches(nodes)[0]

    def branches(self, nodes: npt.NDArray[np.integer[Any]]) -> tuple[Ints, Ints]:
        """The branches of nodes, one after the other, and where each node's start."""
        counts = self._tree.n_children[nodes]
        ends = counts.cumsum(dtype=np.int64)
        starts = ends - counts
        before = (self._tree.first_child[nodes] - starts).repeat(counts)
        return before + np.arange(len(before)), starts

    def added_up(
        self, nodes: npt.NDArray[np.integer[Any]], of_nodes: npt.NDArray[Number]
    ) -> npt.NDArray[Number]:
        """`of_nodes`, in which inner nodes among `nodes` are sums of their branches."""
        inner = nodes[self._tree.n_children[nodes] > 0]
        n_children = np.zeros_like(self._tree.n_children)
        n_children[inner] = self._tree.n_children[inner]
        own = of_nodes.copy()
        own[inner] = 0
        sums: npt.NDArray[Number] = _core.subtree_sums(
            self._tree.first_child, n_children, own
        )
        return sums

    def reachable(self) -> Ints:
        """The nodes of the tree, level by level."""
        tree = self._tree
        order: Ints
        order, _ = _core.order_by_level(tree.first_child, tree.n_children, 1)
        return order

    def finished(self) -> Tree:
        """The tree without the nodes that are out of reach, numbered anew."""
        self.kept = self.reachable()
        if self.is_whole():
            return self._tree
        surrogates = self.grown.surrogates.take(self._asked_by[self.kept])
        return part_of(self._tree, self.kept, surrogates)

    def is_whole(self) -> bool:
        """Whether all nodes are left, and numbered level by level already."""
        kept = self.kept
        if kept is None or len(kept) != self.grown.node_count:
            return False
        return bool((kept[1:] > kept[:-1]).all())


def is_by_level(tree: Tree) -> bool:
    """Tell whether the nodes are numbered level by level, as `finished` does."""
    first = tree.first_child[tree.n_children.nonzero()[0]]
    return bool((first[1:] > first[:-1]).all())


def sums_below(tree: Tree, of_leaves: npt.NDArray[Number]) -> npt.NDArray[Number]:
    """For each node the sum over its leaves; `of_leaves` has a row for each node."""
    own = of_leaves.copy()
    own[tree.n_children > 0] = 0
    return subtree_sums(tree, own)


def subtree_sums(tree: Tree, of_nodes: npt.NDArray[Number]) -> npt.NDArray[Number]:
    """For each node the sum over its subtree, itself included."""
    sums: npt.NDArray[Number] = _core.subtree_sums(
        tree.first_child, tree.n_children, np.ascontiguousarray(of_nodes)
    )
    return sums


def levels_upwards(tree: Tree) -> list[tuple[Ints, npt.NDArray[np.int32]]]:
    """The nodes of each level with their parents, the deepest level first."""
    parent = tree.parents()
    depth = tree.depths()
    order = np.argsort(depth, kind="stable")
    edges = np.searchsorted(depth[order], np.arange(1, depth.max() + 2))
    levels = np.split(order, edges)[1:-1]
    return [(nodes, parent[nodes]) for nodes in reversed(levels)]


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
