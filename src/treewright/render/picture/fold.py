"""Which nodes of a tree a picture shows, and what it folds away.

Glossary
--------
fold      to leave out what is below a node; the node says how much that is
rest      branches of a node that are left out together, drawn as one stub
budget    the most nodes that are drawn; the heaviest subtrees are opened first
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass, replace

import numpy as np

from treewright.errors import SettingError
from treewright.render.listing.outline import check_folding, top_of
from treewright.tree.structure.tree import Tree

MANY_NODES = 150
LEAST_SHARE = 0.01  # of a branch, where not all can be drawn


@dataclass(frozen=True)
class View:
    """What part of a tree to show."""

    # deeper nodes are folded; counted from the top of the picture
    max_depth: int | None = None
    # branches with a smaller share of the tree's training weight are folded. None: 0 if
    # all nodes can be drawn, else `LEAST_SHARE`.
    min_share: float | None = None
    focus: int | None = None  # the node at the top of the picture; the root if None
    max_nodes: int | None = MANY_NODES  # the most nodes to draw; None for all

    def __post_init__(self) -> None:
        check_folding(self.max_depth, self.min_share or 0.0)
        if self.max_nodes is not None and self.max_nodes < 1:
            raise SettingError(
                f"max_nodes must be 1 or more, not {self.max_nodes}; None for all"
            )


@dataclass(frozen=True)
class DrawnNodes:
    """One thing in the picture: a node, or the rest of a node's branches."""

    nodes: tuple[int, ...]  # the node; of a rest, the nodes that its branches lead to
    parent: int  # place of the parent in the list; -1 at the top
    depth: int  # depth below the top of the picture
    is_rest: bool  # whether it stands for several branches
    # nodes and leaves of the tree that it stands for and that are not drawn
    n_hidden: int
    n_hidden_leaves: int

    @property
    def node(self) -> int:
        """The node; of a rest, the first."""
        return self.nodes[0]


def settled(tree: Tree, view: View) -> View:
    """Return a view whose share is a number."""
    if view.min_share is not None:
        return view
    n_nodes = int(tree.subtree_sizes()[top_of(tree, view.focus)])
    fits = view.max_nodes is None or n_nodes <= view.max_nodes
    return replace(view, min_share=0.0 if fits else LEAST_SHARE)


def drawn_nodes(tree: Tree, view: View) -> list[DrawnNodes]:
    """Return what is drawn, parents before children, branches in order."""
    view = settled(tree, view)
    top = top_of(tree, view.focus)
    shown = _opened(tree, view, top)
    sizes, leaves = tree.subtree_sizes(), _leaf_counts(tree)
    out: list[DrawnNodes] = []
    stack: list[tuple[tuple[int, ...], int, int, bool]] = [((top,), -1, 0, False)]
    while stack:
        nodes, parent, depth, is_rest = stack.pop()
        below = [] if is_rest else shown.get(nodes[0], [])
        n_hidden = n_hidden_leaves = 0
        if is_rest or (not below and tree.n_children[nodes[0]]):
            inside = list(nodes)
            n_hidden = int(sizes[inside].sum()) - (0 if is_rest else 1)
            n_hidden_leaves = int(leaves[inside].sum())
        place = len(out)
        out.append(DrawnNodes(nodes, parent, depth, is_rest, n_hidden, n_hidden_leaves))
        stack += [
            (group, place, depth + 1, len(group) > 1) for group in reversed(below)
        ]
    return out


def _opened(tree: Tree, view: View, top: int) -> dict[int, list[tuple[int, ...]]]:
    """What stands below each node that is opened, the heaviest nodes first."""
    weight = tree.weight.tolist()
    least = (view.min_share or 0.0) * weight[0]
    room = math.inf if view.max_nodes is None else view.max_nodes - 1
    shown: dict[int, list[tuple[int, ...]]] = {}
    queue = [(-weight[top], top, 0)]
    while queue:
        _, node, depth = heapq.heappop(queue)
        if not tree.n_children[node] or depth == view.max_depth:
            continue
        kept = [child for child in tree.children(node) if weight[child] >= least]
        if not kept:
            continue
        groups = _with_rest(tree, node, kept)
        if len(groups) > room and node == top and room >= 2:
            heaviest = sorted(kept, key=lambda child: (-weight[child], child))
            kept = sorted(heaviest[: int(room) - 1])
            groups = _with_rest(tree, node, kept)
        if len(groups) > room:
            continue
        room -= len(groups)
        shown[node] = groups
        for child in kept:
            heapq.heappush(queue, (-weight[child], child, depth + 1))
    return shown


def _with_rest(tree: Tree, node: int, kept: list[int]) -> list[tuple[int, ...]]:
    """The branches of a node: those kept, and the others as one rest at the end.

    A single other one keeps its place: a stub would take no less room.
    """
    known = set(kept)
    others = tuple(child for child in tree.children(node) if child not in known)
    if len(others) == 1:
        return [(child,) for child in tree.children(node)]
    return [(child,) for child in kept] + ([others] if others else [])


def _leaf_counts(tree: Tree) -> np.ndarray:
    """Number of leaves under each node; 1 of a leaf."""
    parent = tree.parents().tolist()
    out = (tree.n_children == 0).astype(np.int64).tolist()
    for node in range(tree.node_count - 1, 0, -1):
        out[parent[node]] += out[node]
    return np.asarray(out)
