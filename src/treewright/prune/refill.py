"""Refilling: the training rows go down a tree anew, and its nodes count them.

After a branch was raised its nodes hold other rows than those it was grown from.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.coded_cells import cells_by_code
from treewright.data.columns import Columns
from treewright.data.schema import Schema
from treewright.prune.shape import left_to_right, levels_upwards, sums_below
from treewright.sources.class_statistics import class_impurity
from treewright.sources.fixed_point import weights_to_fixed_point
from treewright.tree.place import Parts, place
from treewright.tree.tree import NodeKind, Reason, Tree

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def training_cells(columns: Columns, schema: Schema) -> Floats:
    """The rows of an encoded table as the cells that trees walk on."""
    cells = np.empty((columns.n_rows, len(columns.features)))
    for index, (feature, column) in enumerate(
        zip(schema.features, columns.features, strict=True)
    ):
        cells[:, index] = cells_by_code(feature, column)[column.codes]
    return cells


def refilled(
    tree: Tree,
    cells: Floats,
    classes: npt.NDArray[np.integer[Any]],
    weights: Floats,
    criterion: str,
    *,
    min_share: float = 0.0,
) -> Tree:
    """The tree with the class weights and row counts that these rows give.

    `criterion` names the impurity that the nodes show.
    """
    n_rows = len(cells)
    starts = np.array([0, n_rows], np.int64)
    root = np.zeros(1, np.int32)
    fixed = weights_to_fixed_point(weights, divisible=True)
    parts = place(
        tree, cells, root, starts, np.arange(n_rows), fixed.ints, min_share=min_share
    )
    sums = np.zeros(tree.value.shape, np.int64)
    np.add.at(sums, (parts.node, np.asarray(classes)[parts.row]), parts.weight)
    value = sums_below(tree, sums) / fixed.scale
    weight = value.sum(axis=1)
    impurity = class_impurity(criterion, value, [slice(0, value.shape[1])])
    n_at = rows_at(tree, parts)
    parent = tree.parents()
    empty = np.flatnonzero(n_at == 0)
    value[empty] = value[parent[empty]]  # a branch without rows speaks for its parent
    reason = reasons_now(tree, weight, impurity)
    reason[empty] = Reason.EMPTY
    return dataclasses.replace(
        tree,
        value=value,
        weight=weight,
        impurity=impurity,
        n_rows=n_at,
        reason=reason,
    )


def reasons_now(tree: Tree, weight: Floats, impurity: Floats) -> npt.NDArray[np.uint8]:
    """The reasons of the leaves, without those that other rows have made untrue."""
    reason = tree.reason.copy()
    is_leaf = tree.kind == NodeKind.LEAF
    reason[is_leaf & (reason == Reason.EMPTY) & (weight > 0)] = Reason.NONE
    reason[is_leaf & (reason == Reason.PURE) & (impurity > 0)] = Reason.NONE
    return reason


def rows_at(tree: Tree, parts: Parts) -> npt.NDArray[np.int64]:
    """How many rows each node has; a row counts once, however many parts it has."""
    n_parts = np.bincount(parts.row)
    divided = n_parts[parts.row] > 1
    whole = np.bincount(parts.node[~divided], minlength=tree.node_count)
    counts = sums_below(tree, whole[:, None].astype(np.float64))[:, 0].astype(np.int64)
    node, row = parts.node[divided].astype(np.int64), parts.row[divided]
    if len(row) == 0:
        return counts
    # a part for each leaf, less one where two neighbouring parts of a row meet
    order = np.lexsort(
        (left_to_right(tree, tree.subtree_sizes().astype(np.int64))[node], row)
    )
    node, row = node[order], row[order]
    same = row[1:] == row[:-1]
    meet = _meeting(tree, node[:-1][same], node[1:][same])
    each = np.bincount(node, minlength=tree.node_count)
    each -= np.bincount(meet, minlength=tree.node_count)
    total = each.astype(np.float64)
    for nodes, parents in levels_upwards(tree):
        np.add.at(total, parents, total[nodes])
    return counts + np.rint(total).astype(np.int64)


def _meeting(tree: Tree, left: Ints, right: Ints) -> Ints:
    """The lowest node above both of each pair of nodes."""
    depth, parent = tree.depths(), tree.parents()
    left, right = left.copy(), right.copy()
    apart = np.flatnonzero(left != right)
    while len(apart):
        a, b = left[apart], right[apart]
        left[apart] = np.where(depth[a] >= depth[b], parent[a], a)
        right[apart] = np.where(depth[b] >= depth[a], parent[b], b)
        apart = apart[left[apart] != right[apart]]
    return left
