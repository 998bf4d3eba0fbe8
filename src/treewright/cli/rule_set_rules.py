"""`treewright rules` of a rule set: saved, or made now with --algorithm c45rules."""

from __future__ import annotations

from typing import Any

from treewright.cli.c45rules_fit import c45rules_recipe, induced_rules
from treewright.cli.known_rows import known_rows
from treewright.cli.training import Again
from treewright.data.readers.read_options import ReadOptions
from treewright.errors import SettingError
from treewright.prune.labelled_rows import LabelledRows
from treewright.render.rules.rule_listing import RuleListing, rule_set_listing
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
    recipe, own = c45rules_recipe(again.settings)
    training = again.read(recipe, cost_matrix)
    induced, columns, _ = induced_rules(training, own, jobs)
    rows = LabelledRows.of_columns(columns, induced.model.schema)
    return rule_set_listing(induced.model, rows=rows, of="training rows")
