"""What an explorer page says of rows: their counts, and cross-validated errors.

The errors are those of the pruning slider: for each fold a tree is grown as the model
was, from the other rows, and pruned along its own path. They are found only for the
rows that the tree was grown from, and where growing again is quick.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from treewright.data.encode import encode
from treewright.data.frames import read_frame
from treewright.data.schema import Feature
from treewright.errors import TreewrightError
from treewright.grow.dialect import Dialect
from treewright.learners.choose_alpha import cross_validated, stratified_folds
from treewright.learners.recipe import grow_tree
from treewright.prune.held_out_risk import HeldOutRisk
from treewright.render.explorer import BoundRows, PageParts
from treewright.render.explorer.pruning_steps import path_of_model
from treewright.tree.model import Model

MOST_CELLS = 500_000  # that are grown from again, ten times
MOST_NODES = 3_000
LEAST_ROWS = 20  # fewer give no error worth a curve


def page_parts(
    model: Model,
    table: Any,
    y: Any,
    *,
    embedded: int = 0,
    chalk: dict[str, Any] | None = None,
) -> PageParts:
    """Return what a page can say of a model and a table with its answers.

    Parameters
    ----------
    model : Model
        What the page shows.
    table, y : table and its answers
        The training rows, or others.
    embedded : int
        How many of the rows the page itself has.
    chalk : dict, optional
        The calculation of each node, as JSON data.
    """
    bound = BoundRows.of_table(model, table, y)
    risk = _cross_validation(model, bound, table, y)
    return PageParts(rows=bound, embedded=embedded, chalk=chalk, cross_validation=risk)


def _cross_validation(
    model: Model, rows: BoundRows, table: Any, y: Any
) -> HeldOutRisk | None:
    """The errors of the slider's steps; None where they are not to be had."""
    if len(model.trees) != 1 or len(rows.labelled) < LEAST_ROWS:
        return None
    if rows.labelled.cells.size > MOST_CELLS or not rows.are_training:
        return None
    if model.trees[0].node_count > MOST_NODES:
        return None
    path = path_of_model(model)
    dialect = _dialect(model)
    if len(path) < 2 or dialect is None:
        return None
    schema = model.schema
    here = read_frame(table).names
    try:
        columns = encode(
            table,
            y,
            task=schema.target.kind,
            feature_kinds={each.name: _kind(each) for each in schema.features},
            ignore=[name for name in here if name not in schema.names],
        )
        folds = stratified_folds(columns, dialect)
        return cross_validated(columns, dialect, path, folds, grow_tree)
    except TreewrightError:
        return None  # a page without the curve is still a page


def _dialect(model: Model) -> Dialect | None:
    """How the model was grown; None if other rows or costs had a say in it."""
    fields = {field.name for field in dataclasses.fields(Dialect)} - {"name"}
    switches = {name: value for name, value in model.settings.items() if name in fields}
    try:
        dialect = Dialect(name=model.learner, **switches)
    except (TreewrightError, TypeError):
        return None  # a model that another program wrote
    divided = any(feature.intervals for feature in model.schema.features)
    told = dialect.wants_validation or dialect.validation_share is not None
    return None if divided or told or dialect.costs_in_growing else dialect


def _kind(feature: Feature) -> Any:
    """How a feature was declared, or as if it had been."""
    kind = list(feature.categories) if feature.kind == "ordinal" else feature.kind
    if feature.not_applicable is None:
        return kind
    return {"kind": kind, "not_applicable": feature.not_applicable}
