"""Out-of-bag rows: each tree is asked about the rows that it was not grown from.

About a third of the rows is in no bag of a given tree. A row's out-of-bag answer is the
mean over the trees that have not seen it, which makes an honest error without any rows
being held out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Column, Columns, DenseColumn
from treewright.data.encoding.encode_rows import UNSEEN
from treewright.data.machine import thread_count
from treewright.learners.forest.bags import Bagging, Keys
from treewright.learners.forest.grown_from import GrownFrom
from treewright.learners.forest.permutation import Progress, permuted_means
from treewright.learners.forest.strength import strengths_and_correlations
from treewright.prune.labelled_rows import LabelledRows
from treewright.tree.measured_forest import Measures
from treewright.tree.model import Model
from treewright.tree.predict.place import ends_of
from treewright.tree.predict.vote import (
    codes_of,
    normal,
    predicted_numbers,
    probabilities,
)

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class OutOfBag:
    """What the trees say about the rows that they have not seen."""

    # int64, shape (n_rows,): how many trees were asked about each row
    n_votes: npt.NDArray[np.int64]
    # per output the mean of their class shares, or numbers, of the rows that the forest
    # was grown from; NaN where no tree was asked
    answers: list[Floats]
    # classes: the share of wrong rows. Numbers: the mean squared error. Of the rows
    # that some tree was asked about, by the weight that they were given (class weights
    # do not count), the mean over the outputs.
    error: float
    # float64, shape (n_trees,): the error after 1, 2, ... trees; NaN while no row has
    # an answer
    curve: Floats
    # classes: the share of right rows. Numbers: R squared, the mean over the outputs;
    # NaN where all numbers are equal.
    score: float
    weight: float  # weight of the rows that some tree was asked about

    def by_given_rows(self, columns: Columns) -> OutOfBag:
        """Return the same by the rows as they were given; the others had no votes."""
        if columns.given_rows is None:
            return self
        return replace(
            self,
            n_votes=columns.given_rows.spread(self.n_votes, 0),
            answers=[columns.by_given_rows(shares) for shares in self.answers],
        )


def rows_as_new(columns: Columns, model: Model) -> LabelledRows:
    """Return the rows of a table as trees meet them that have not seen them.

    A category that one row alone has is a category that training without this row never
    saw. Trees that go on with it would send it with the heavier set of values, and the
    answers would be worse than those that new rows get.
    """
    unseen = np.nan if model.unseen == "missing" else UNSEEN
    features = tuple(
        _without_single_rows(column, unseen)
        if feature.kind == "nominal" and feature.intervals is None
        else column
        for feature, column in zip(model.schema.features, columns.features, strict=True)
    )
    weights = columns.weights
    if columns.given_weights is not None:
        weights = columns.given_weights
    return LabelledRows.of_columns(
        replace(columns, features=features, weights=weights), model.schema
    )


def _without_single_rows(column: Column, unseen: float) -> DenseColumn:
    """Return a nominal column whose values are its cells, those of one row unseen."""
    n_rows = np.bincount(column.codes, minlength=column.n_codes)[: column.n_codes]
    cells = np.where(n_rows == 1, unseen, np.arange(column.n_codes))
    return DenseColumn(column.codes, column.n_codes, cells, column.has_missing)


def ask_out_of_bag(
    model: Model, keys: Keys, bagging: Bagging, rows: LabelledRows
) -> OutOfBag:
    """Return the out-of-bag answers of a forest, and their error tree by tree."""
    schema, trees, voting = model.schema, model.trees, model.voting
    is_classes = schema.target.kind == "classes"
    n_outputs = schema.target.n_outputs
    widths = [len(labels) for labels in schema.target.classes] or [1] * n_outputs
    sums = [np.zeros((len(rows), width)) for width in widths]
    n_votes = np.zeros(len(rows), np.int64)
    wrong = np.zeros((len(rows), n_outputs))
    curve = np.full(len(trees), np.nan)
    for number, (tree, key) in enumerate(zip(trees, keys, strict=True)):
        out = np.flatnonzero(bagging.counts(key) == 0)
        if len(out):
            ends = ends_of((tree,), rows.cells[out])
            n_votes[out] += 1
            if is_classes:
                said = probabilities(
                    schema.target,
                    (tree,),
                    ends,
                    smoothing=model.smoothing,
                    voting=voting,
                )
            else:
                numbers = predicted_numbers((tree,), ends).reshape(len(out), -1)
                said = [numbers[:, k : k + 1] for k in range(n_outputs)]
            for output, answer in enumerate(said):
                sums[output][out] += answer
                mean = sums[output][out] / n_votes[out, None]
                actual = rows.target[out, output]
                if is_classes:
                    codes = codes_of(schema.target, [mean], voting)[:, 0]
                    wrong[out, output] = codes != actual
                else:
                    wrong[out, output] = (mean[:, 0] - actual) ** 2
        curve[number] = _error(wrong, n_votes, rows.weights)
    with np.errstate(invalid="ignore"):
        answers = [sum_ / n_votes[:, None] for sum_ in sums]
    if any(tree.gives_no_class().any() for tree in trees):
        answers = [normal(shares) for shares in answers]
    error = float(curve[-1])
    score = 1.0 - error if is_classes else _r_squared(wrong, rows, n_votes)
    weight = float(rows.weights[n_votes > 0].sum())
    return OutOfBag(n_votes, answers, error, curve, score, weight)


def mean_deviation(answers: OutOfBag, columns: Columns) -> float:
    """Return the mean absolute error of numbers, where a row has an answer."""
    asked = answers.n_votes > 0
    wrong = np.abs(np.column_stack(answers.answers) - columns.target)[asked]
    weights = None if columns.weights is None else columns.weights[asked]
    return float(np.average(wrong, axis=0, weights=weights).mean())


def _r_squared(
    wrong: Floats, rows: LabelledRows, n_votes: npt.NDArray[np.int64]
) -> float:
    """R squared of the rows that have an answer, the mean over the outputs."""
    asked = n_votes > 0
    if not asked.any():
        return float("nan")
    target, weights = rows.target[asked], rows.weights[asked]
    mean = np.average(target, axis=0, weights=weights)
    variance = np.average((target - mean) ** 2, axis=0, weights=weights)
    squared = np.average(wrong[asked], axis=0, weights=weights)
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = np.where(variance > 0, squared / variance, np.nan)
    return float(1.0 - shares.mean())


def _error(wrong: Floats, n_votes: npt.NDArray[np.int64], weights: Floats) -> float:
    asked = n_votes > 0
    total = float(weights[asked].sum())
    if total == 0:
        return float("nan")
    return float((weights[asked] @ wrong[asked]).sum() / total / wrong.shape[1])


# ---- All that out-of-bag rows say of a forest, in one call.


def measures_of(
    model: Model,
    grown: GrownFrom,
    *,
    error: float | None = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> Measures:
    """Return the importances, strength and correlation of a forest.

    `model`: the forest. `grown`: its training table and bags. `error`: the out-of-bag
    error, if it is known. `n_jobs`: threads; the figures are the same for any number.
    `progress`: is told how many trees are done, and of how many; may raise, to stop.
    """
    grown.bagging.check_leaves_rows("measuring a forest")
    target = model.schema.target
    rows = rows_as_new(grown.columns, model)
    means = permuted_means(
        model, grown, rows, n_threads=thread_count(n_jobs), progress=progress
    )
    if error is None:
        error = ask_out_of_bag(model, grown.keys, grown.bagging, rows).error
    importances, errors = means.means(), means.standard_errors()
    found = Measures(error, importances[:, 0].copy(), errors[:, 0].copy())
    if target.kind != "classes":
        return found
    edges = np.cumsum([1, *(len(labels) for labels in target.classes)])[:-1]
    strength, correlation = strengths_and_correlations(model, grown, rows)
    return replace(
        found,
        class_importances=tuple(np.split(importances, edges, axis=1)[1:]),
        class_standard_errors=tuple(np.split(errors, edges, axis=1)[1:]),
        strength=strength,
        correlation=correlation,
    )
