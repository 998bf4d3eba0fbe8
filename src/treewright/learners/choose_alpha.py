"""Choosing alpha: how strongly a tree is pruned, by cross-validation.

    the tree of all rows gives the sequence and its alphas
    for each fold a tree is grown from the other rows and pruned with alphas inside the
    steps of the sequence; the losses of the fold's rows are added up
    the alpha with the least loss, or the largest within one standard error, is taken

References
----------
Breiman, L., Friedman, J., Olshen, R. and Stone, C. (1984). Classification and
Regression Trees, section 3.4.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Columns
from treewright.data.complaints import counted
from treewright.data.sparse.sparse_cells import MAX_DENSE_CELLS, cells_of_columns
from treewright.errors import DataError, SettingError
from treewright.grow.dialect import Dialect
from treewright.learners.watching import Watching
from treewright.prune.cost_complexity.by_complexity import (
    chosen_tree,
    path_of,
    table_of,
)
from treewright.prune.cost_complexity.held_out_risk import (
    HeldOutRisk,
    between,
    held_out_risk,
)
from treewright.prune.cost_complexity.nested_trees import PruningPath
from treewright.prune.labelled_rows import LabelledRows
from treewright.tree.model import Model

Ints = npt.NDArray[np.int64]
Grow = Callable[..., Model]  # of Columns and Dialect; see `grow_tree`


def cross_validated(
    columns: Columns, dialect: Dialect, path: PruningPath, folds: Ints, grow: Grow
) -> HeldOutRisk:
    """The cross-validated risk of each step of a path.

    `columns`: the table that the path's tree was grown from. `dialect`: how it was
    grown. `path`: the sequence. `folds` (int64, shape (n_rows,)): the fold of each row.
    `grow`: grows a model from a part of the table.
    """
    alphas = between(path.alphas)
    part_dialect = fixed(dialect).change(cp=None, ccp_alpha=float(path.alphas[0]))
    total = None
    for fold in np.unique(folds).tolist():
        is_held = folds == fold
        model = grow(columns.take(np.flatnonzero(~is_held)), part_dialect)
        rows = LabelledRows.of_columns(
            columns.take(np.flatnonzero(is_held)), model.schema
        )
        risk = held_out_risk(
            path_of(model.trees[0], model.schema, part_dialect),
            alphas,
            rows,
            model.schema.target,
            absolute=dialect.criterion == "absolute_error",
        )
        total = risk if total is None else total.plus(risk)
    assert total is not None
    return total


def fixed(dialect: Dialect) -> Dialect:
    """The same dialect without a choice of alpha: its least alpha is taken."""
    return dialect.change(
        alpha_choice="fixed", alpha_rule="minimum", validation_share=None
    )


def check_folds(folds: Any, dialect: Dialect) -> None:
    """Refuse folds that nothing needs."""
    if folds is not None and dialect.alpha_choice != "cross_validation":
        raise SettingError(
            "folds are for alpha_choice='cross_validation', and alpha_choice is "
            f"{dialect.alpha_choice!r}; set it, or leave folds out"
        )


def read_folds(folds: Any, columns: Columns, dialect: Dialect) -> Ints:
    """The fold of each row, given or made."""
    if folds is None:
        return stratified_folds(columns, dialect)
    given = np.asarray(folds)
    if given.shape != (columns.n_rows,) or given.dtype.kind not in "iub":
        raise SettingError(
            f"folds has shape {given.shape} and type {given.dtype}; it must have a "
            f"whole number for each of the {counted(columns.n_rows, 'row')}"
        )
    if len(np.unique(given)) < 2:
        raise SettingError(
            f"folds puts all rows into fold {given[0]}; there must be at least two"
        )
    return given.astype(np.int64)


def stratified_folds(columns: Columns, dialect: Dialect) -> Ints:
    """Folds with the classes (or large and small numbers) in equal proportions.

    Rows are put in order by target and then by their cells, and dealt out like cards;
    so the order of the table does not matter. `random_state` shuffles those of equal
    target first.
    """
    n_folds = dialect.n_folds
    if columns.n_rows < n_folds:
        raise DataError(
            f"n_folds={n_folds} folds cannot be made of "
            f"{counted(columns.n_rows, 'row')}; set n_folds to {columns.n_rows} or "
            "less, or give more rows"
        )
    target = columns.target.T[::-1]
    cells = _order_of_cells(columns)
    weights = [] if columns.weights is None else [columns.weights]
    order = np.lexsort((*weights, *cells, *target))
    if dialect.random_state is not None:
        generator = np.random.default_rng(dialect.random_state)
        order = generator.permutation(order)
        order = order[np.lexsort(columns.target[order].T[::-1])]
    folds = np.empty(columns.n_rows, np.int64)
    folds[order] = np.arange(columns.n_rows) % n_folds
    return folds


def _order_of_cells(columns: Columns) -> list[npt.NDArray[Any]]:
    """What rows of equal target are put in order by: their cells.

    Of large sparse tables one number of each row's, which is as good an order as any.
    """
    sparse = cells_of_columns(columns, columns.schema.features)
    if sparse is None or math.prod(sparse.shape) <= MAX_DENSE_CELLS:
        return [column.codes for column in reversed(columns.features)]
    mixed = np.sin(sparse.columns + 1.0) * sparse.values
    row = np.repeat(np.arange(len(sparse)), np.diff(sparse.starts))
    return [np.bincount(row, mixed, minlength=len(sparse))]


def grow_cross_validated(
    columns: Columns,
    dialect: Dialect,
    folds: Any,
    grow: Grow,
    watch: Watching | None = None,
) -> Model:
    """Grow from all rows, and prune with the alpha that cross-validation chooses.

    Only the tree of all rows is watched.
    """
    fold_of_row = read_folds(folds, columns, dialect)
    model = grow(columns, fixed(dialect), watch=watch)
    path = path_of(model.trees[0], model.schema, dialect)
    risk = cross_validated(columns, dialect, path, fold_of_row, grow)
    chosen = risk.best_step(dialect.alpha_rule)
    record = None if watch is None else watch.pruning
    return dataclasses.replace(
        model,
        trees=(chosen_tree(path, chosen, dialect, record),),
        settings=dialect.settings(),
        pruning_table=table_of(path, model.schema, chosen=chosen, risk=risk),
    )
