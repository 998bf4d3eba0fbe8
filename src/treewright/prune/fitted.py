"""Pruning a fitted model: the tree becomes smaller, nothing is grown."""

from __future__ import annotations

import dataclasses
from typing import Any

from treewright.errors import DataError, SettingError
from treewright.grow.dialect import Dialect
from treewright.prune.labelled_rows import LabelledRows
from treewright.prune.pruned import (
    Pruning,
    pruned,
    refuse_costs,
    refuse_several_outputs,
)
from treewright.prune.pruning_record import PruningRecord
from treewright.tree.model import Model

# what a pruning before this one was told; `prune_model` starts from the defaults
OWN_SWITCHES = (
    "pruning",
    "validation_share",
    "random_state",
    "pruning_order",
    "give_back",
    "pool_small_branches",
    "global_pruning",
    "prune_gain",
    "ccp_alpha",
    "cp",
    "alpha_choice",
    "alpha_rule",
)


def prune_model(
    model: Model,
    how: str,
    table: Any = None,
    y: Any = None,
    *,
    sample_weight: Any = None,
    record: PruningRecord | None = None,
    **switches: Any,
) -> Model:
    """Return a model with a pruned tree; the model that was passed stays as it is.

    - `model`: one tree.
    - `how`: a value of the switch `pruning`, for example "pessimistic".
    - `table`, `y`: for "reduced_error" rows that the tree was not grown from; for
      "error_based" with `subtree_raising` those that it was grown from. The others need
      no rows.
    - `sample_weight`: a weight for each of these rows.
    - `record`: gets the tree before pruning, and every judgement about its nodes.
    - `**switches`: switches of the pruning, for example `prune_gain=0.01`.
    """
    if len(model.trees) != 1:
        raise SettingError(
            f"the model has {len(model.trees)} trees that vote; only a single tree can "
            "be pruned"
        )
    dialect = _dialect(model, how, switches)
    refuse_several_outputs(model.schema, dialect)
    refuse_costs(model.schema, dialect)
    rows = _rows(model, dialect, table, y, sample_weight)
    pruning = Pruning(
        model.schema,
        dialect,
        training=None if rows is None else lambda: _known(rows),
        held_out=rows if dialect.wants_validation else None,
        record=record,
    )
    tree, steps = pruned(model.trees[0], pruning)
    settings = {**model.settings, **dialect.settings()}
    return dataclasses.replace(
        model, trees=(tree,), settings=settings, pruning_table=steps
    )


def _dialect(model: Model, how: str, switches: dict[str, Any]) -> Dialect:
    """The switches that the model was grown with, but for its pruning."""
    if "validation_share" in switches:
        raise SettingError(
            "validation_share holds rows out of the training table, and a fitted model "
            "does not keep it; pass the rows to prune by as X and y"
        )
    is_classes = model.schema.target.kind == "classes"
    settings = {
        "criterion": "gini" if is_classes else "squared_error",
        "nominal_splits": "multiway",
        "numeric_splits": "midpoint",
        "reuse_features": True,
        "missing": model.missing,
        **model.settings,
    }
    fields = {field.name for field in dataclasses.fields(Dialect)} - {"name"}
    kept = {
        name: value
        for name, value in settings.items()
        if name in fields and name not in OWN_SWITCHES
    }
    usual = Dialect(name=model.learner, **kept)
    if how is None:
        raise SettingError("pruning is None; name one, for example 'pessimistic'")
    if switches.get("alpha_choice") == "cross_validation":
        raise SettingError(
            "alpha_choice='cross_validation' grows trees, and a fitted model is only "
            "pruned; set it on the estimator and call fit, or give ccp_alpha"
        )
    return usual.change(pruning=how, **switches)


def _rows(
    model: Model, dialect: Dialect, table: Any, y: Any, sample_weight: Any
) -> LabelledRows | None:
    """The rows that were passed, if the pruning reads any."""
    how = dialect.pruning
    raises = how == "error_based" and dialect.subtree_raising
    if (table is None) != (y is None):
        given, lacks = ("X", "y") if y is None else ("y", "X")
        raise SettingError(f"{given} is passed without {lacks}; pass both, or neither")
    if table is None and dialect.wants_validation:
        raise SettingError(
            f"pruning={how!r} needs rows here that the tree was not grown from; pass "
            f"them as X and y: prune({how!r}, X, y)"
        )
    if table is not None and not (raises or dialect.wants_validation):
        raise SettingError(f"pruning={how!r} reads no rows; leave X and y out")
    if table is None:
        return None
    return LabelledRows.of_table(model, table, y, sample_weight)


def _known(rows: LabelledRows) -> LabelledRows:
    """Training rows; their classes are all known, or they are other rows."""
    if (rows.target < 0).any():
        raise DataError(
            "y has classes that training never saw, so these are not the training "
            "rows; pass those that the tree was grown from"
        )
    return rows
