"""A forest that was saved, and its training table read again."""

from __future__ import annotations

import dataclasses

from treewright.cli.encoding import encoded
from treewright.cli.model_file import load
from treewright.cli.roles import Wishes, find_roles
from treewright.cli.rows_for_model import read_for_model
from treewright.data.columns import Columns
from treewright.data.complaints import quoted
from treewright.data.readers.read_options import ReadOptions
from treewright.discretize import into_intervals, read_plan
from treewright.errors import DataError, SettingError
from treewright.learners.costs import with_costs
from treewright.learners.handling import growing_of
from treewright.tree.model import Model


def load_forest(path: str) -> Model:
    """Return a saved forest; refuse models of one tree and boosted ones."""
    model = load(path)
    if "n_estimators" not in model.settings or "voting" not in model.settings:
        what = "boosted trees, not a forest"
        if not model.voting.is_boosted:
            what = "no forest"
        raise SettingError(
            f"{path} is {what}; make one: treewright fit DATA --algorithm forest -o "
            "FOREST.tw"
        )
    return model


def columns_of_forest(
    model: Model,
    data: str,
    wishes: Wishes,
    how: ReadOptions,
    *,
    drop_missing_target: bool,
) -> Columns:
    """Read the training table of a forest as it was read then.

    The target and the nominal columns are the model's; columns that it does not know
    are left out.

    Raises
    ------
    DataError
        If the trees do not grow from this table.
    """
    schema = model.schema
    table = read_for_model(model, data, how)
    names = table.frame.columns
    absent = [
        each for each in (*schema.names, *schema.target.names) if each not in names
    ]
    if absent:
        raise DataError(
            f"{data} lacks {quoted(absent)}, and is not the table of the forest then; "
            "give the table that it was grown from"
        )
    used = {*schema.names, *schema.target.names, wishes.weights}
    found = {each.name: each.kind for each in table.report}
    nominal = [
        each.name
        for each in schema.features
        if each.kind == "nominal"
        and not each.intervals
        and found[each.name] != "nominal"
    ]
    wishes = dataclasses.replace(
        wishes,
        target=wishes.target or schema.target.names,
        nominal=(*wishes.nominal, *nominal),
        ignore=(*wishes.ignore, *(name for name in names if name not in used)),
    )
    columns = encoded(
        table,
        find_roles(wishes, table),
        task=schema.target.kind,
        drop_missing_target=drop_missing_target,
    )
    columns = with_costs(columns, model.settings.get("cost_matrix"))
    plan = read_plan(model.settings.get("discretize"))
    columns = into_intervals(columns, plan, unseen=model.unseen)
    growing_of(model, columns)
    return columns
