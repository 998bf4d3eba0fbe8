"""Refilling: the nodes of a pruned tree count the rows that stand at its leaves.

After a branch was raised its nodes hold other rows than those it was grown from.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from treewright.data.coded_cells import coded_cells
from treewright.data.columns import Columns
from treewright.data.schema import Schema
from treewright.data.short_rows import row_sums
from treewright.data.sparse.sparse_cells import cells_of_columns
from treewright.prune.rows_at_leaves import Standing
from treewright.prune.shape import left_to_right, subtree_sums, sums_below
from treewright.sources.class_statistics import class_impurity
from treewright.tree.predict.place import Parts
from treewright.tree.structure.tree import NodeKind, Reason, Tree

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def training_cells(columns: Columns, schema: Schema) -> Floats:
    """The rows of an encoded table as the cells that trees walk on."""
    sparse = cells_of_columns(columns, schema.features)
    if sparse is not None:
        return sparse.unless_few()
    return coded_cells(columns, schema.features)


def refilled(tree: Tree, standing: Standing, criterion: str) -> Tree:
    """The tree with the class weights and counts of the rows that stand at its leaves.

    `criterion` names the impurity that the nodes show.
    """
    # sums of integers do not depend on the order of the rows
    value = sums_below(tree, standing.weights) / standing.scale
    weight = row_sums(value)
    impurity = class_impurity(criterion, value, [slice(0, value.shape[1])])
    n_at = _rows_below(tree, standing.n_whole, standing.node, standing.row)
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


def rows_at(tree: Tree, parts: Parts) -> Ints:
    """How many rows each node has; a row counts once, however many parts it has."""
    n_parts = np.bincount(parts.row)
    divided = n_parts[parts.row] > 1
    whole = np.bincount(parts.node[~divided], minlength=tree.node_count)
    node = parts.node[divided].astype(np.int64)
    return _rows_below(tree, whole, node, parts.row[divided])


def _rows_below(tree: Tree, n_whole: Ints, node: Ints, row: Ints) -> Ints:
    """The same, of numbers of whole rows at each node and parts of other rows."""
    counts = sums_below(tree, n_whole.astype(np.int64)[:, None])[:, 0]
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
    return counts + subtree_sums(tree, each.astype(np.int64)[:, None])[:, 0]


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
