"""`treewright rules` of a rule set: saved, or made now with --algorithm c45rules."""

from __future__ import annotations

from typing import Any

from treewright.cli.algorithm import Recipe
from treewright.cli.known_rows import known_rows
from treewright.cli.training import Again
from treewright.data.readers.read_options import ReadOptions
from treewright.errors import SettingError
from treewright.prune.labelled_rows import LabelledRows
from treewright.render.rules.rule_listing import RuleListing, rule_set_listing
from treewright.render.sign_of_life import busy
from treewright.rules.rule_model import RuleModel


def saved_listing(
    model: RuleModel, path: str, rows: str | None, how: ReadOptions, **forest: Any
) -> RuleListing:
    """The rules of a saved rule set, with figures of its training rows or of others."""
    for name, value in forest.items():
        if value is not None:
            raise SettingError(
                f"--{name.replace('_', '-')} is for forests, and {path} is a rule set; "
                "leave it out"
            )
    if rows is None:
        return rule_set_listing(model)
    known: Any = model  # a table is read for rules as for trees
    return rule_set_listing(model, rows=known_rows(known, rows, how))


def made_listing(again: Again, cost_matrix: Any, jobs: int | None) -> RuleListing:
    """The rules that are made of a table now."""
    recipe = Recipe(again.algorithm, again.settings)
    columns = again.read(recipe, cost_matrix).divided()
    plan, _ = recipe.plan(columns)
    plan.check(columns)
    with busy("growing"):
        model: RuleModel = plan.fit(columns, n_jobs=jobs).model
    rows = LabelledRows.of_columns(columns, model.schema)
    return rule_set_listing(model, rows=rows, of="training rows")
