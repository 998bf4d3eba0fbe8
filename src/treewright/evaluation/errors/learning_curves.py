"""Two curves that show under- and overfitting, on the same splits as the error.

    learning curve      the error against the number of rows that are learned from
    leaf curve          the error against the number of leaves: of the tree as grown,
                        without pruning, and of those that cost-complexity pruning
                        makes of it one after the other

Training rows say how well a tree fits, held-out rows how well it knows.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Columns
from treewright.evaluation.cross_validation import held_out_cells, weights_of
from treewright.evaluation.errors.evaluation import Evaluation
from treewright.evaluation.errors.evaluation_charts import Curve
from treewright.evaluation.errors.held_out_answers import (
    Ask,
    Floats,
    Learn,
    Split,
    codes_in,
    outcomes_of,
)
from treewright.evaluation.table_part import part_of
from treewright.prune.cost_complexity.by_complexity import table_of
from treewright.prune.cost_complexity.held_out_risk import held_out_risk
from treewright.prune.cost_complexity.nested_trees import pruning_path
from treewright.prune.labelled_rows import LabelledRows
from treewright.tree.model import Model
from treewright.tree.pruning_table import PruningTable

SHARES = (0.1, 0.2, 0.4, 0.6, 0.8, 1.0)
_LEAST_ROWS = 5
_MOST_SPLITS = 10


def learning_curve(
    columns: Columns,
    splits: Sequence[Split],
    ask: Ask,
    *,
    seed: int = 0,
    level: float = 0.95,
    n_threads: int = 1,
) -> Curve:
    """Return the error against the number of training rows.

    - `splits`: the first ten are used.
    - `ask`: learns and answers; see `outcomes.asking`.
    - `seed`: which rows come first; a larger number of rows has those of a smaller one.
    - `level`: confidence of the intervals.
    - `n_threads`: how many splits are looked at at the same time.
    """
    splits = splits[:_MOST_SPLITS]
    draw = np.random.default_rng(seed)
    orders = [draw.permutation(split.train) for split in splits]
    found: list[list[float]] = []
    for share in SHARES:
        smaller = [
            Split(np.sort(order[: _size(share, len(order))]), split.test)
            for order, split in zip(orders, splits, strict=True)
        ]
        n_trained = float(np.mean([len(split.train) for split in smaller]))
        if found and found[-1][0] == n_trained:
            continue  # a small table: the same rows as before
        try:
            part = outcomes_of(columns, smaller, ask, n_threads=n_threads)
        except ValueError:
            if share == SHARES[-1]:
                raise
            continue  # few rows may be of one class, which some learners refuse
        one = Evaluation("", "", part, level)
        error = one.error
        found.append(
            [n_trained, one.training_error, error.value, error.low, error.high]
        )
    x, training, held_out, low, high = np.array(found, np.float64).T
    measure = "error" if columns.schema.target.kind == "classes" else "RMSE"
    return Curve(
        "learning curve", "training rows", measure, x, training, held_out, low, high
    )


def _size(share: float, n_rows: int) -> int:
    """Return how many rows a share of them is; some, however few there are."""
    return max(round(share * n_rows), min(_LEAST_ROWS, n_rows))


def leaf_curve(columns: Columns, splits: Sequence[Split], grow: Learn) -> Curve | None:
    """Return the error against the number of leaves; None if no tree has two.

    Nor is there one for trees of medians, whose errors are not squared.

    `splits`: the first ten are used. `grow`: grows a tree of a part of the table,
    without pruning it.
    """
    tables = []
    for split in splits[:_MOST_SPLITS]:
        model = grow(part_of(columns, split.train))
        if model.settings.get("criterion") == "absolute_error":
            return None
        tables.append(_sequence(columns, split, model))
    most = max(int(table.n_leaves.max()) for table in tables)
    if most < 2:
        return None
    # closer together for small numbers
    x = np.unique(np.round(np.geomspace(1, most, 24)).astype(np.int64))
    # every held-out row counts the same, as in the error
    each = weights_of(columns)
    weights = [each[split.test].sum() for split in splits[:_MOST_SPLITS]]
    trained = [_at(table, table.training_error, x) for table in tables]
    asked = [_at(table, table.validation_error, x) for table in tables]
    training = np.mean(trained, axis=0)
    held_out = np.average(asked, axis=0, weights=weights)
    is_classes = columns.schema.target.kind == "classes"
    if not is_classes:
        training, held_out = np.sqrt(training), np.sqrt(held_out)
    measure = "error" if is_classes else "RMSE"
    leaves = x.astype(np.float64)
    return Curve("error and size", "leaves", measure, leaves, training, held_out)


def _sequence(columns: Columns, split: Split, model: Model) -> PruningTable:
    """Return the trees of a split, from the grown one to the root."""
    schema = model.schema
    path = pruning_path(model.trees[0], schema.target)
    held = columns.take(split.test)
    target = held.target
    if schema.target.kind == "classes":
        labels = columns.schema.target.classes[0]
        known = codes_in(schema.target.classes[0], labels)
        code_of = np.full(len(labels), -2, np.int64)  # a class that was never learned
        code_of[known] = np.arange(len(known))
        target = code_of[target]
    rows = LabelledRows(held_out_cells(held, model), target, weights_of(held))
    risk = held_out_risk(path, path.alphas, rows, schema.target)
    return table_of(path, schema, chosen=0, risk=risk)


def _at(table: PruningTable, errors: Floats | None, x: npt.NDArray[np.int64]) -> Floats:
    """Return the errors of the largest trees with so many leaves at most."""
    assert errors is not None
    rising = table.n_leaves[::-1]
    places = np.searchsorted(rising, x, "right") - 1
    return np.asarray(errors[::-1][np.maximum(places, 0)])
