"""Giving back: held-out rows are counted in the nodes of the tree that they pruned.

Pruning needs rows that the tree was not grown from; once it is done, they may say what
the leaves answer, too (Weka's REPTree calls it backfitting). The questions stay, and so
do the gains that they were chosen by.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from treewright.data.schema import Schema
from treewright.grow.dialect import Dialect
from treewright.grow.finish import class_labels, empty_answers
from treewright.prune.labelled_rows import LabelledRows
from treewright.prune.refill import reasons_now, rows_at
from treewright.prune.shape import subtree_sums
from treewright.sources.class_statistics import class_impurity
from treewright.tree.predict.place import Parts
from treewright.tree.structure.tree import Tree

Floats = npt.NDArray[np.float64]


def given_back(
    tree: Tree, rows: LabelledRows, schema: Schema, dialect: Dialect
) -> Tree:
    """The tree with the weights, answers and row counts of these rows added."""
    is_classes = schema.target.kind == "classes"
    if is_classes:  # a class that training never saw has no place to be counted in
        rows = rows.take(np.flatnonzero((rows.target >= 0).all(axis=1)))
    parts = rows.placed(tree)
    ended = np.bincount(parts.node, parts.weight, minlength=tree.node_count)
    added = subtree_sums(tree, ended.astype(np.float64)[:, None])[:, 0]
    if is_classes:
        value, impurity = _classes(tree, rows, parts, schema, dialect)
    else:
        value, impurity = _numbers(tree, rows, parts, added)
    weight = tree.weight + added
    parent = tree.parents()
    empty = np.flatnonzero(weight == 0)
    value[empty] = value[parent[empty]]  # a branch without rows speaks for its parent
    label = tree.label
    if is_classes:
        label = class_labels(value, parent, schema, ties=dialect.label_ties)
        value, label = empty_answers(value, label, empty, schema, dialect)
    return dataclasses.replace(
        tree,
        value=value,
        label=label,
        weight=weight,
        impurity=impurity,
        n_rows=tree.n_rows + rows_at(tree, parts),
        reason=reasons_now(tree, weight, impurity),
    )


def _classes(
    tree: Tree, rows: LabelledRows, parts: Parts, schema: Schema, dialect: Dialect
) -> tuple[Floats, Floats]:
    """Class weights and impurity of each node."""
    slots = schema.target.slots
    at = np.zeros_like(tree.value)
    for output, slot in enumerate(slots):
        codes = rows.target[parts.row, output] + slot.start
        np.add.at(at, (parts.node, codes), parts.weight)
    value = tree.class_weights() + subtree_sums(tree, at)
    return value, class_impurity(dialect.criterion, value, slots)


def _numbers(
    tree: Tree, rows: LabelledRows, parts: Parts, added: Floats
) -> tuple[Floats, Floats]:
    """Mean, and variance (the mean over the outputs), of each node."""
    n_outputs = tree.value.shape[1]
    centre = tree.value[0]
    y = rows.target[parts.row] - centre
    weight = parts.weight[:, None]
    at = np.zeros((tree.node_count, 2 * n_outputs))
    np.add.at(at, parts.node, np.hstack([weight * y, weight * y**2]))
    at = subtree_sums(tree, at)
    first, second = at[:, :n_outputs], at[:, n_outputs:]
    before = tree.weight[:, None]
    old = tree.value - centre
    total = np.maximum(before + added[:, None], 1e-300)
    mean = (before * old + first) / total
    squares = before * (old - mean) ** 2
    squares += second - 2 * mean * first + added[:, None] * mean**2
    spread = tree.weight * tree.impurity + np.maximum(squares, 0.0).mean(axis=1)
    return mean + centre, spread / total[:, 0]
