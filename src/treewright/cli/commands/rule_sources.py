"""Where `treewright rules` gets its rules: forests, rule sets; saved or made now."""

from __future__ import annotations

import secrets
import shlex
from dataclasses import replace
from typing import Any

from treewright.cli.options.algorithm import Recipe
from treewright.cli.options.training import (
    Again,
)
from treewright.cli.program import program
from treewright.cli.saved.model_rows import known_rows
from treewright.data.complaints import counted
from treewright.data.readers.read_options import ReadOptions
from treewright.errors import SettingError
from treewright.learners.forest.forest_settings import ForestSettings
from treewright.learners.forest.rules_of_forest import forest_rules, refuse_boosted
from treewright.prune.labelled_rows import LabelledRows
from treewright.render.rules.rule_listing import (
    RuleListing,
    rule_set_listing,
)
from treewright.render.sign_of_life import Sign, busy
from treewright.rules.from_forest import RuleChoice
from treewright.rules.rule_model import RuleModel
from treewright.tree.model import Model

MAX_RULES = RuleChoice.max_rules


def forest_listing(
    model: Model, path: str, rows: LabelledRows | None, max_rules: int
) -> RuleListing:
    """Return the rules of a saved forest, chosen by rows."""
    refuse_boosted(model)
    if rows is None:
        raise SettingError(
            f"{path} has {len(model.trees):,} trees; their rules are chosen by what "
            "they answer for rows: give a table that has the target, too: "
            f"{program()} rules {shlex.quote(path)} DATA  (or one tree: --tree 1)"
        )
    with busy("choosing rules") as sign:
        return _rules_of_forest(model, rows, max_rules, "rows", sign)


def with_seed(again: Again) -> Again:
    """Return what was typed with a seed, so that it gives the same forest again."""
    seed = {"random_state": secrets.randbits(32)}
    return replace(again, settings={**seed, **again.settings})


def grown_forest_listing(
    again: Again, cost_matrix: Any, max_rules: int, jobs: int | None
) -> RuleListing:
    """Return the rules of a forest that is grown now, chosen by its training rows."""
    recipe = Recipe(again.algorithm, again.settings)
    columns = again.read(recipe, cost_matrix).divided()
    plan, _ = recipe.plan(columns)
    settings = plan.own
    assert isinstance(settings, ForestSettings)
    what = f"growing {counted(settings.n_estimators, 'tree')}"
    with busy(what) as sign:
        model: Model = plan.fit(
            columns,
            n_jobs=jobs,
            progress=lambda done, total: sign.bar(what, done, total, "trees"),
        ).model
        rows = LabelledRows.of_columns(columns, model.schema)
        listing = _rules_of_forest(model, rows, max_rules, "training rows", sign)
    seed = f"another run gives these rules with random_state={settings.random_state}"
    return replace(listing, remarks=(*listing.remarks, seed))


def _rules_of_forest(
    model: Model, rows: LabelledRows, max_rules: int, of: str, sign: Sign
) -> RuleListing:
    what = "choosing rules"
    sign(what)
    return forest_rules(
        model,
        rows,
        RuleChoice(max_rules),
        of=of,
        progress=lambda done, total: sign.bar(what, done, total, "rules"),
    )


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
