"""Permutation importance: what trees lose when a feature's values are dealt anew.

    for each tree, each feature:
        permute the feature among the rows that the tree was not grown from
        lost = right rows before - right rows after   (numbers: the rise of the error)
    importance = mean of lost over the trees

The order of the values follows from the tree's key and the feature's number, so the
figures are the same for any number of threads. `core/permute.hpp` does the work; rows
that a tree divides among branches are asked about one feature at a time, here.

References
----------
Breiman, L. (2001). Random forests. Machine Learning 45, 5-32, section 10.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright import _core
from treewright.data.schema import Target
from treewright.learners.forest.grown_from import GrownFrom
from treewright.prune.labelled_rows import LabelledRows
from treewright.tree.model import Model
from treewright.tree.predict.place import ends_of
from treewright.tree.predict.vote import predicted_codes, predicted_numbers
from treewright.tree.predict.walk import tree_arrays
from treewright.tree.structure.tree import EVERY_BRANCH, Tree

Floats = npt.NDArray[np.float64]
Progress = Callable[[int, int], Any]

_MOST_AT_ONCE = 1 << 22  # figures of trees that are held at once
_MOST_TREES = 64


class TreeMeans:
    """Means over trees, and their standard errors, tree by tree (Welford 1962).

    A tree may have nothing to say about some columns.
    """

    def __init__(self, shape: tuple[int, int]) -> None:
        self.n_trees = np.zeros(shape[1], np.int64)
        self.mean = np.zeros(shape)
        self._squares = np.zeros(shape)

    def add(self, values: Floats, known: npt.NDArray[np.bool_]) -> None:
        """Take in the figures of one more tree, those of the known columns."""
        self.n_trees[known] += 1
        change = values[:, known] - self.mean[:, known]
        self.mean[:, known] += change / self.n_trees[known]
        self._squares[:, known] += change * (values[:, known] - self.mean[:, known])

    def means(self) -> Floats:
        """Return the mean over the trees; NaN where none had anything to say."""
        return np.where(self.n_trees > 0, self.mean, np.nan)

    def standard_errors(self) -> Floats:
        """Return how far these may be off; NaN where fewer than two trees spoke."""
        with np.errstate(divide="ignore", invalid="ignore"):
            variance = self._squares / (self.n_trees - 1)
            errors = np.sqrt(variance / self.n_trees)
        return np.where(self.n_trees > 1, errors, np.nan)


def permuted_means(
    model: Model,
    grown: GrownFrom,
    rows: LabelledRows,
    *,
    n_threads: int,
    progress: Progress | None = None,
) -> TreeMeans:
    """Return the permutation importances of a forest.

    The first column is of all rows, the mean over the outputs; then come the slots: the
    rows of each class, output after output, or for numbers each output.
    """
    target, n_features = model.schema.target, len(model.schema.features)
    is_classes = target.kind == "classes"
    slots = _Slots(target)
    known = _core.KnownRows(
        np.ascontiguousarray(rows.cells),
        np.ascontiguousarray(rows.target, np.float64),
        np.ascontiguousarray(rows.weights, np.float64),
        np.array(slots.first if is_classes else [], np.int64),
        slots.n_slots,
    )
    may_divide = np.asarray(np.isnan(rows.cells).any(axis=0))
    means = TreeMeans((n_features, 1 + slots.n_slots))
    step = max(1, min(_MOST_TREES, _MOST_AT_ONCE // max(n_features * slots.n_slots, 1)))
    for start in range(0, len(model.trees), step):
        trees = model.trees[start : start + step]
        keys = grown.keys[start : start + len(trees)]
        out = [grown.out_of_bag(start + number) for number in range(len(trees))]
        slow = [_divides(tree, may_divide) for tree in trees]
        losses = known.permuted_losses(
            [tree_arrays(tree) for tree in trees],
            [_answers(tree, target) for tree in trees],
            [
                rows[:0] if is_slow else rows
                for rows, is_slow in zip(out, slow, strict=True)
            ],
            np.ascontiguousarray(keys),
            n_threads,
        )
        for number, tree in enumerate(trees):
            if slow[number]:
                losses[number] = _losses_slowly(
                    model, tree, rows.take(out[number]), keys[number]
                )
            asked = out[number]
            means.add(
                *slots.shares(losses[number], rows.target[asked], rows.weights[asked])
            )
        if progress is not None:
            progress(start + len(trees), len(model.trees))
    return means


class _Slots:
    """The slots that losses are counted in: a class each, or an output each."""

    def __init__(self, target: Target) -> None:
        self._is_classes = target.kind == "classes"
        widths = [len(labels) for labels in target.classes]
        if not self._is_classes:
            widths = [1] * target.n_outputs
        self.first = np.cumsum([0, *widths[:-1]]).tolist()
        self.n_slots = sum(widths)

    def sums(self, actual: npt.NDArray[Any], of_rows: Floats) -> Floats:
        """Add up a figure per row and output; `actual` is the rows' target."""
        sums = np.zeros(self.n_slots)
        for output, first in enumerate(self.first):
            slot = np.full(len(actual), first)
            if self._is_classes:
                slot += actual[:, output]
            sums += np.bincount(slot, of_rows[:, output], self.n_slots)
        return sums

    def shares(
        self, losses: Floats, actual: npt.NDArray[Any], weights: Floats
    ) -> tuple[Floats, npt.NDArray[np.bool_]]:
        """Return losses per weight of the rows, and which of them are known."""
        n_outputs = len(self.first)
        each = np.repeat(weights[:, None], n_outputs, axis=1)
        divisor = np.append(weights.sum() * n_outputs, self.sums(actual, each))
        shares = np.column_stack([losses.sum(axis=1), losses])
        known = divisor > 0
        return shares / np.where(known, divisor, 1.0), known


def _answers(tree: Tree, target: Target) -> Floats:
    """What each node answers: the class, or the number, of each output."""
    answers = tree.label if target.kind == "classes" else tree.value
    return np.ascontiguousarray(answers, np.float64)


def _divides(tree: Tree, may_divide: npt.NDArray[np.bool_]) -> bool:
    """Whether rows with missing values, before or after, may be divided."""
    asks = tree.feature[tree.missing_branch == EVERY_BRANCH]
    return bool(may_divide[asks].any())


def _losses_slowly(
    model: Model, tree: Tree, rows: LabelledRows, key: np.uint64
) -> Floats:
    """What `KnownRows.permuted_losses` returns, for rows that may be divided."""
    slots = _Slots(model.schema.target)
    losses = np.zeros((len(model.schema.features), slots.n_slots))
    before = _faults(model, tree, rows, rows.cells)
    cells = rows.cells.copy()
    used = {*tree.feature.tolist(), *tree.surrogates.feature.tolist()} - {-1}
    for feature in sorted(used):
        order = _core.permutation(int(key), feature, len(rows))
        cells[:, feature] = rows.cells[order, feature]
        more = _faults(model, tree, rows, cells) - before
        losses[feature] = slots.sums(rows.target, more * rows.weights[:, None])
        cells[:, feature] = rows.cells[:, feature]
    return losses


def _faults(model: Model, tree: Tree, rows: LabelledRows, cells: Floats) -> Floats:
    """For each row and output: whether the class is wrong, or the squared error."""
    ends = ends_of((tree,), cells)
    if model.schema.target.kind == "classes":
        said = predicted_codes(model.schema.target, (tree,), ends)
        return np.asarray(said != rows.target, np.float64)
    numbers = predicted_numbers((tree,), ends).reshape(rows.target.shape)
    return np.asarray((numbers - rows.target) ** 2)
