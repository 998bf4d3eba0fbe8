"""Costs of wrong classes: how they are said, and what they change.

    leaves     answer the class with the least expected cost (`grow/finish.py`)
    growing    if `costs_in_growing` is set, a row weighs what the mistakes about its
               class cost in all, also when the tree is pruned. For two classes that is
               the cost of the mistake; for more it is Breiman's altered priors. Then
               the tree counts the rows with their own weights again, so that its
               leaves show what was there.

References
----------
Breiman, L., Friedman, J., Olshen, R. and Stone, C. (1984). Classification and
Regression Trees, section 4.4.
"""

from __future__ import annotations

import dataclasses
import math
import numbers
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Columns
from treewright.data.complaints import did_you_mean, quoted, short
from treewright.data.labels import MISSING, CategoryTable, text
from treewright.data.schema import Label, Schema, Target
from treewright.errors import SettingError
from treewright.grow.dialect import Dialect
from treewright.grow.finish import class_labels, empty_answers
from treewright.sources.class_statistics import class_impurity
from treewright.tree.model import Model
from treewright.tree.structure.tree import Tree

Floats = npt.NDArray[np.float64]
Grow = Callable[[Columns, Dialect], Model]


def with_costs(columns: Columns, cost_matrix: Any) -> Columns:
    """Return the table with the costs of wrong classes in its schema.

    `columns`: a table with classes as its target. `cost_matrix`:
    `cost_matrix[actual][predicted]`. Of a mapping, pairs that are not named cost 1, and
    the right class 0; the rows and columns of an array are in class order.
    """
    if cost_matrix is None:
        return columns
    schema = columns.schema
    _refuse_target(schema.target)
    costs = read_costs(cost_matrix, schema.target.classes[0])
    rows = tuple(map(tuple, costs.tolist()))
    return dataclasses.replace(columns, schema=_with_target_costs(schema, rows))


def _refuse_target(target: Target) -> None:
    if target.kind == "numbers":
        raise SettingError(
            "cost_matrix is about wrong classes, and the target is numbers; leave it "
            "out, or predict classes"
        )
    if target.n_outputs > 1:
        raise SettingError(
            f"cost_matrix is for 1 output, and the target has {target.n_outputs}; "
            "leave it out, or grow a tree for each output"
        )


def read_costs(cost_matrix: Any, classes: tuple[Label, ...]) -> Floats:
    """Return the costs in class order, a row for each actual class."""
    if hasattr(cost_matrix, "index") and hasattr(cost_matrix, "to_dict"):
        cost_matrix = cost_matrix.to_dict("index")  # a pandas frame names its classes
    if isinstance(cost_matrix, Mapping):
        costs = _of_mapping(cost_matrix, classes)
    else:
        costs = _of_array(cost_matrix, classes)
    if not costs.any():
        raise SettingError(
            "cost_matrix has no cost above 0, so that every answer is as good as any; "
            "give a cost, or leave it out"
        )
    return costs


def _of_mapping(wanted: Mapping[Any, Any], classes: tuple[Label, ...]) -> Floats:
    costs = np.ones((len(classes), len(classes))) - np.eye(len(classes))
    table = CategoryTable(classes)
    for actual, row in wanted.items():
        if not isinstance(row, Mapping):
            raise SettingError(
                f"cost_matrix of {short(actual)} is {short(row)}; it must be a dict "
                "with the cost of each predicted class"
            )
        code = _code(actual, table, classes)
        for predicted, cost in row.items():
            other = _code(predicted, table, classes)
            costs[code, other] = _cost(actual, predicted, cost, right=code == other)
    return costs


def _code(label: Any, table: CategoryTable, classes: tuple[Label, ...]) -> int:
    code = table.code(label)
    if code == MISSING:
        hint = did_you_mean(text(label), map(text, classes))
        raise SettingError(
            f"cost_matrix names {short(label)}, which is no class of the target; {hint}"
        )
    return code


def _of_array(wanted: Any, classes: tuple[Label, ...]) -> Floats:
    n_classes = len(classes)
    try:
        given = np.asarray(wanted, dtype=object)
    except ValueError:  # rows of different lengths, in some NumPy
        given = np.zeros(0, object)
    if given.shape != (n_classes, n_classes):
        what = f"has shape {given.shape}" if given.ndim == 2 else f"is {short(wanted)}"
        raise SettingError(
            f"cost_matrix {what}; the target has {n_classes} classes "
            f"({quoted(classes)}), so it must be a dict of dicts, or have {n_classes} "
            f"rows (actual) of {n_classes} costs (predicted)"
        )
    return np.array(
        [
            [
                _cost(actual, predicted, given[row, column], right=row == column)
                for column, predicted in enumerate(classes)
            ]
            for row, actual in enumerate(classes)
        ]
    )


def _cost(actual: Any, predicted: Any, cost: Any, *, right: bool) -> float:
    """Return one cost, or refuse it."""
    where = f"cost_matrix of {short(actual)} predicted as {short(predicted)} is {cost}"
    is_number = isinstance(cost, numbers.Real) and not isinstance(cost, bool | np.bool_)
    if not is_number or not math.isfinite(cost) or cost < 0:
        raise SettingError(f"{where}; it must be a finite number from 0 up")
    if right and cost != 0:
        raise SettingError(
            f"{where}; the right class must cost 0: subtract what it costs from all "
            f"costs of {short(actual)}"
        )
    return float(cost)


def grow_with_costs(columns: Columns, dialect: Dialect, grow: Grow) -> Model:
    """Grow and prune by rows that weigh what mistakes about their class cost.

    `columns`: a table whose schema has costs. `dialect`: how the tree is grown. `grow`:
    grows a model from a table without costs.
    """
    factors = _factors(columns)
    own = 1.0 if columns.weights is None else columns.weights
    weights = own * factors[columns.target[:, 0]]
    plain = _with_target_costs(columns.schema, None)
    model = grow(
        dataclasses.replace(columns, schema=plain, weights=weights),
        dialect.change(costs_in_growing=False),
    )
    schema = _with_target_costs(model.schema, columns.schema.target.costs)
    whole = columns.weights is None and dialect.missing != "fractional"
    trees = tuple(
        _recounted(tree, tree.value / factors, schema, dialect, whole=whole)
        for tree in model.trees
    )
    return dataclasses.replace(
        model, schema=schema, trees=trees, settings=dialect.settings()
    )


def _factors(columns: Columns) -> Floats:
    """By how much costs multiply the weights of each class; the sum of all stays."""
    target = columns.schema.target
    if target.costs is None:
        raise SettingError(
            "costs_in_growing=True needs costs to weigh the rows by; set cost_matrix, "
            "or costs_in_growing=False"
        )
    costs = np.asarray(target.costs)
    factors = (costs / costs.max()).sum(axis=1)
    own = np.bincount(columns.target[:, 0], columns.weights, len(factors))
    free = np.flatnonzero((factors == 0) & (own > 0))
    if len(free):
        raise SettingError(
            f"the class {short(target.classes[0][free[0]])} costs nothing, whatever is "
            "predicted, so costs_in_growing=True would leave out its rows; give it a "
            "cost, or set costs_in_growing=False"
        )
    factors[factors == 0] = 1.0  # a class without rows
    return np.asarray(factors * (own.sum() / (own * factors).sum()))


def _with_target_costs(
    schema: Schema, costs: tuple[tuple[float, ...], ...] | None
) -> Schema:
    return dataclasses.replace(
        schema, target=dataclasses.replace(schema.target, costs=costs)
    )


def _recounted(
    tree: Tree, value: Floats, schema: Schema, dialect: Dialect, *, whole: bool
) -> Tree:
    """A tree that was grown from weighed rows with the rows' own class weights."""
    if whole:
        value = np.rint(value)
    parent = tree.parents()
    empty = np.flatnonzero(tree.n_rows == 0)
    value[empty] = value[parent[empty]]
    weight = np.where(tree.n_rows > 0, value.sum(axis=1), 0.0)
    impurity = class_impurity(dialect.criterion, value, schema.target.slots)
    label = class_labels(value, parent, schema, ties=dialect.label_ties)
    value, label = empty_answers(value, label, empty, schema, dialect)
    return dataclasses.replace(
        tree, label=label, value=value, weight=weight, impurity=impurity
    )
