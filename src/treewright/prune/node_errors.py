"""What each node would get wrong as a leaf, and gets wrong as it is.

Glossary
--------
as leaf   error of all rows that come to a node, if it answered for them
ended     error of the rows that end at a node: all at a leaf; at an inner node those
          whose value cannot be followed there

Errors are sums of weights: of rows of another class, or times the squared difference;
added up over the outputs. A row that is divided among branches counts in parts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treewright.data.schema import Target
from treewright.prune.labelled_rows import LabelledRows
from treewright.prune.shape import subtree_sums
from treewright.tree.predict.place import Parts
from treewright.tree.structure.tree import NodeKind, Tree

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class NodeErrors:
    """Errors of each node, in multiples of `unit`; up to `slack` they are equal.

    `weight` is that of all rows.
    """

    as_leaf: Floats
    ended: Floats
    slack: float
    weight: float
    unit: float = 1.0

    def noted(self, tree: Tree) -> tuple[Floats, Floats]:
        """Errors as a leaf, and of rows that stop at inner nodes, as they are."""
        stopped = np.where(tree.n_children > 0, self.ended, 0.0)
        return self.as_leaf * self.unit, stopped * self.unit


def held_out_errors(tree: Tree, rows: LabelledRows, target: Target) -> NodeErrors:
    """Errors of each node on rows that the tree was not grown from."""
    parts = rows.placed(tree)
    if target.kind == "classes":
        return _wrong(tree, rows, target, parts)
    return _squares(tree, rows, parts)


def training_errors(tree: Tree, target: Target) -> NodeErrors:
    """Errors of each node on the rows that it was grown from."""
    n_outputs = target.n_outputs
    if target.kind == "numbers":
        as_leaf = tree.weight * tree.impurity * n_outputs
    else:
        weights = tree.class_weights()
        right = [
            np.take_along_axis(weights[:, slot], tree.label[:, [output]], axis=1)
            for output, slot in enumerate(target.slots)
        ]
        as_leaf = tree.weight * n_outputs - np.hstack(right).sum(axis=1)
    as_leaf = np.maximum(as_leaf, 0.0)
    ended = np.where(tree.kind == NodeKind.LEAF, as_leaf, 0.0)
    total = float(tree.weight[0])
    return NodeErrors(as_leaf, ended, 1e-12 * total, total)


def _wrong(tree: Tree, rows: LabelledRows, target: Target, parts: Parts) -> NodeErrors:
    """Weight of the rows of another class than the node's."""
    weight = np.bincount(parts.node, parts.weight, minlength=tree.node_count)
    ended = np.zeros(tree.node_count)
    as_leaf = np.zeros(tree.node_count)
    every = np.arange(tree.node_count)
    for output, slot in enumerate(target.slots):
        n_classes = slot.stop - slot.start
        # classes that training never saw share a column that no label names; the last
        # one stays empty, for leaves that give no class
        code = rows.target[parts.row, output]
        code = np.where(code < 0, n_classes, code)
        at = np.zeros((tree.node_count, n_classes + 2))
        np.add.at(at, (parts.node, code), parts.weight)
        label = tree.label[:, output]
        ended += weight - at[every, label]
        at = subtree_sums(tree, at)
        as_leaf += at.sum(axis=1) - at[every, label]
    total = float(weight.sum())
    as_leaf, ended = np.maximum(as_leaf, 0.0), np.maximum(ended, 0.0)
    return NodeErrors(as_leaf, ended, 1e-12 * total, total)


def _squares(tree: Tree, rows: LabelledRows, parts: Parts) -> NodeErrors:
    """Squared differences from the node's answers, from moments about the root's."""
    y = rows.target[parts.row] - tree.value[0]
    answer = tree.value - tree.value[0]
    # in units in which the largest difference is 1: its square can be out of range
    unit = max(float(np.abs(y).max(initial=0.0)), float(np.abs(answer).max())) or 1.0
    y, answer = y / unit, answer / unit
    weight = parts.weight[:, None]
    moments = np.hstack([weight, weight * y, weight * y**2])
    at = np.zeros((tree.node_count, moments.shape[1]))
    np.add.at(at, parts.node, moments)
    ended = _about(at, answer)
    as_leaf = _about(subtree_sums(tree, at), answer)
    total = float(weight.sum())
    return NodeErrors(as_leaf, ended, 1e-12 * total, total, unit * unit)


def _about(moments: Floats, answer: Floats) -> Floats:
    """Sum over the outputs of weight (y - answer)^2."""
    n_outputs = answer.shape[1]
    weight, first = moments[:, :1], moments[:, 1 : 1 + n_outputs]
    second = moments[:, 1 + n_outputs :]
    squares = second - 2 * answer * first + answer**2 * weight
    return np.asarray(np.maximum(squares, 0.0).sum(axis=1))
