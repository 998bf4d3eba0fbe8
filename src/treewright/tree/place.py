"""Placing: where rows end if those without a value go down every branch, in shares.

A walk follows one branch and stops where a node divides a row (`EVERY_BRANCH`). From
there on a row has several parts, each with a share of its weight; the shares are those
of the branches' training weights, or of the rows that are placed together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright import _core
from treewright.data.threads import thread_count
from treewright.tree.tree import EVERY_BRANCH, Tree
from treewright.tree.walk import Cells, Ints, Nodes, tree_arrays, visited, walk

Floats = npt.NDArray[np.float64]

_NO_WEIGHTS: Floats = np.zeros(0)


@dataclass(frozen=True, eq=False)
class Parts:
    """Parts of rows: whose they are, where they ended, how much of the row they are.

    Weights are of the type that was placed.
    """

    row: Ints
    node: Nodes
    weight: npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Ends:
    """Where rows end in each tree of a model.

    Attributes
    ----------
    nodes : int32, shape (n_rows, n_trees)
        The node where each row's walk ends; a row that is divided ends where that
        happens first.
    parts : tuple of Parts or None
        For each tree the parts of the divided rows; None if there are none.
    """

    nodes: Nodes
    parts: tuple[Parts | None, ...]

    def __len__(self) -> int:
        return len(self.nodes)


def ends_of(trees: tuple[Tree, ...], cells: Cells) -> Ends:
    """Where each encoded row ends in each tree."""
    nodes = [walk(tree, cells) for tree in trees]
    parts = [_parts(tree, cells, end) for tree, end in zip(trees, nodes, strict=True)]
    return Ends(np.stack(nodes, axis=1), tuple(parts))


def _parts(tree: Tree, cells: Cells, ends: Nodes) -> Parts | None:
    """Follow the rows that a walk has left at a node that divides them."""
    stopped = np.flatnonzero(tree.missing_branch[ends] == EVERY_BRANCH)
    stopped = stopped[np.isnan(cells[stopped, tree.feature[ends[stopped]]])]
    if len(stopped) == 0:
        return None
    stopped = stopped[np.argsort(ends[stopped], kind="stable")]
    tops, starts = np.unique(ends[stopped], return_index=True)
    starts = np.append(starts, len(stopped)).astype(np.int64)
    weights = np.ones(len(stopped))
    parts = place(tree, cells, tops, starts, stopped, weights, node_weights=tree.weight)
    return Parts(stopped[parts.row], parts.node, parts.weight)


def visited_in_parts(
    tree: Tree, nodes: Nodes, parts: Parts | None
) -> tuple[Ints, Nodes]:
    """Return every row's nodes as `visited` does; of divided rows, of all parts."""
    if parts is None:
        return visited(tree, nodes)
    whole = np.setdiff1d(np.arange(len(nodes)), parts.row)
    ends = np.concatenate([nodes[whole], parts.node])
    starts, path = visited(tree, ends)
    row = np.repeat(np.concatenate([whole, parts.row]), np.diff(starts))
    pairs = np.unique(np.stack([row, path.astype(np.int64)], axis=1), axis=0)
    counts = np.bincount(pairs[:, 0], minlength=len(nodes))
    indptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return indptr, pairs[:, 1].astype(np.int32)


def place(
    tree: Tree,
    cells: Cells,
    tops: Nodes,
    starts: Ints,
    rows: Ints,
    weights: Floats | Ints,
    *,
    node_weights: Floats | None = None,
    min_share: float = 0.0,
) -> Parts:
    """Send groups of rows down from nodes; divided rows end in several.

    Parameters
    ----------
    tree : Tree
        A valid tree.
    cells : ndarray of float64, shape (n_rows, n_features)
        Encoded rows.
    tops : ndarray of int32, shape (n_groups,)
        Where each group starts.
    starts : ndarray of int64, shape (n_groups + 1,)
        Group g has the items `starts[g]` up to `starts[g + 1]`.
    rows, weights : ndarray, shape (n_items,)
        The row of `cells` and the weight of each item. Weights are floats, or integers
        (fixed point), whose sums do not depend on the order of the rows.
    node_weights : ndarray of float64, shape (n_nodes,), optional
        Shares are in proportion to them (weights must be floats); else to the items
        that have a value.
    min_share : float
        Branches with a smaller share get no part, unless none has a larger one.

    Returns
    -------
    Parts
        `row` is the item.
    """
    item, node, weight = _core.place(
        tree_arrays(tree),
        _NO_WEIGHTS if node_weights is None else node_weights,
        np.ascontiguousarray(cells, np.float64),
        np.ascontiguousarray(tops, np.int32),
        starts,
        np.ascontiguousarray(rows, np.int64),
        weights,
        min_share,
        thread_count(None),
    )
    return Parts(item, node, weight)
