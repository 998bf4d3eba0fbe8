"""Cross-validation: every row is answered by a tree that was not grown from it.

    for each fold a tree is grown from the other rows, and answers for those of the fold

All that is learned, intervals and pruning too, is learned from the other rows alone.
`evaluation/comparing/missing_ways.py` compares dialects by it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.coded_cells import cells_by_code, looked_up
from treewright.data.columns import Columns
from treewright.data.encoding.encode_rows import UNSEEN
from treewright.data.intervals import OUTSIDE
from treewright.data.schema import Feature, Label, Schema
from treewright.data.sparse.sparse_cells import cells_of_columns, refuse_dense
from treewright.errors import DataError
from treewright.rules.rule_model import RuleModel
from treewright.tree.model import Model
from treewright.tree.predict.vote import predicted_codes

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Grow = Callable[[Columns], Model]


@dataclass(frozen=True)
class Mean:
    """A weighted mean over rows and its standard error."""

    value: float
    standard_error: float

    @classmethod
    def of(cls, losses: Floats, weights: Floats) -> Mean:
        """Return the mean of the losses of rows."""
        total = float(weights.sum())
        value = float(losses @ weights) / total
        spread = float(weights @ (losses - value) ** 2)
        return cls(value, math.sqrt(spread) / total)

    def root(self) -> Mean:
        """Return the square root of the mean; to first order, for small errors."""
        value = math.sqrt(self.value)
        error = self.standard_error / (2 * value) if value > 0 else 0.0
        return Mean(value, error)


def weights_of(columns: Columns) -> Floats:
    """Return the weights of the rows; 1 each if they have none."""
    return np.ones(columns.n_rows) if columns.weights is None else columns.weights


def held_out_errors(columns: Columns, folds: Ints, grow: Grow) -> Floats:
    """Return how far each row's answer is from its target, over a column per output.

    `folds` (int64, shape (n_rows,)): the fold of each row. `grow`: grows a model from a
    part of the table. Returns float64, shape (n_rows, n_outputs): classes: 1 if wrong,
    else 0. Numbers: the absolute difference.
    """
    errors = np.zeros(columns.target.shape)
    for fold in np.unique(folds).tolist():
        held = np.flatnonzero(folds == fold)
        model = grow(columns.take(np.flatnonzero(folds != fold)))
        errors[held] = _errors(model, columns.take(held))
    return errors


def _errors(model: Model, held: Columns) -> Floats:
    """Return the errors of a model on rows that it was not grown from."""
    ends = model.ends(held_out_cells(held, model))
    target = model.schema.target
    if target.kind == "classes":
        codes = predicted_codes(target, model.trees, ends)
        return np.asarray(codes != held.target, np.float64)
    answers = model.predict_at(ends).reshape(held.target.shape)
    return np.asarray(np.abs(answers - held.target), np.float64)


def held_out_cells(held: Columns, model: Model | RuleModel) -> Floats:
    """Return encoded rows as the cells that the model's trees walk on.

    The model may have divided numbers into intervals, which the rows do not know, and
    have never seen some of their categories or words.
    """
    schema: Schema = model.schema
    held = held.only(schema.names)
    sparse = cells_of_columns(held, schema.features)
    if sparse is not None and schema.all_float:
        return sparse.unless_few()
    if sparse is not None:
        refuse_dense(*sparse.shape, "evaluating with columns that are not numbers")
    own = held.schema.features
    tables = []
    for index, (feature, column) in enumerate(
        zip(schema.features, held.features, strict=True)
    ):
        labels: Sequence[Label] = own[index].categories
        if feature.intervals is not None and column.values is not None:
            codes = feature.intervals.codes_of(column.values)
            tables.append(_known_cells(codes, codes == OUTSIDE, model.unseen))
            continue
        if feature.kind == "nominal" and column.values is not None:
            # whole numbers that the model takes as categories
            labels = column.values.tolist()
        elif column.values is not None or feature.categories == labels:
            tables.append(cells_by_code(feature, column))
            continue
        codes = np.array([feature.table.code(label) for label in labels], float)
        tables.append(_known_cells(codes, codes < 0, model.unseen))
    cells = looked_up(held, tables)
    if model.unseen == "error":
        _refuse_unseen(cells, schema.features)
    return cells


def _refuse_unseen(cells: Floats, features: Sequence[Feature]) -> None:
    for index, feature in enumerate(features):
        # among numbers it is one like any other
        if feature.kind != "numeric" and (cells[:, index] == UNSEEN).any():
            raise DataError(
                f"feature {feature.name!r} has a value in the held-out rows that the "
                "training rows do not have; set unseen='missing' or unseen='stop' to "
                "accept it"
            )


def _known_cells(
    codes: npt.NDArray[Any], is_new: npt.NDArray[np.bool_], unseen: str
) -> Floats:
    """Return the cell of each code of the rows, new ones as such, NaN for missing."""
    outside = float(np.nan if unseen == "missing" else UNSEEN)
    return np.append(np.where(is_new, outside, codes), np.nan)
