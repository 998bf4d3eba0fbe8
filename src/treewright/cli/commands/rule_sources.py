"""Where `treewright rules` gets its rules: forests, rule sets; saved or made now."""

from __future__ import annotations

import secrets
import shlex
from dataclasses import dataclass, replace
from typing import Any

from treewright.cli.model_file import is_model
from treewright.cli.options.algorithm import chosen_words
from treewright.cli.options.model_rows import known_rows
from treewright.cli.options.reading import reading_words
from treewright.cli.options.training import Again, read_training
from treewright.cli.program import program
from treewright.data.columns import Columns
from treewright.data.complaints import counted
from treewright.data.readers.read_options import ReadOptions
from treewright.errors import SettingError
from treewright.learners.forest.forest_settings import ForestSettings
from treewright.learners.forest.rules_of_forest import forest_rules, refuse_boosted
from treewright.learners.registry import RULES, VOTES, Plan
from treewright.prune.labelled_rows import LabelledRows
from treewright.render.rules.rule_listing import (
    RuleListing,
    rule_set_listing,
    tree_rules,
)
from treewright.render.sign_of_life import Sign, busy
from treewright.rules.from_forest import RuleChoice
from treewright.rules.rule_model import RuleModel
from treewright.tree.model import Model
from treewright.tree.one_tree import one_tree

MAX_RULES = RuleChoice.max_rules


@dataclass(frozen=True)
class Saved:
    """A file that may hold a model, and what was typed about its rules."""

    path: str
    rows: str | None  # the table that they are counted on
    how: ReadOptions
    # of a forest: most rules, or this tree alone
    max_rules: int | None
    tree: int | None

    @property
    def is_named(self) -> bool:
        """Whether the file is a model, or is called like one."""
        return is_model(self.path) or self.path.endswith(".tw")

    def words(self, command: str) -> str:
        """Return a command about the same model and rows."""
        rows = [] if self.rows is None else [self.rows]
        words = shlex.join([self.path, *rows, *reading_words(self.how)])
        return f"{program()} {command} {words}"

    def refuse_of_forests(self) -> None:
        """Refuse what is for forests, of a rule set."""
        for name in ("max_rules", "tree"):
            if getattr(self, name) is not None:
                raise SettingError(
                    f"--{name.replace('_', '-')} is for forests, and {self.path} is a "
                    "rule set; leave it out"
                )

    def alone(self, model: Model) -> Model:
        """Return the model, or the one tree that was asked for."""
        return model if self.tree is None else one_tree(model, self.tree)

    def chosen(self, model: Model, rows: LabelledRows | None) -> RuleListing:
        """Return the rules of a forest, chosen by rows."""
        refuse_boosted(model)
        if rows is None:
            raise SettingError(
                f"{self.path} has {len(model.trees):,} trees; their rules are chosen "
                "by what they answer for rows: give a table that has the target, too: "
                f"{program()} rules {shlex.quote(self.path)} DATA  (or one tree: "
                "--tree 1)"
            )
        with busy("choosing rules") as sign:
            most = self.max_rules or MAX_RULES
            return _rules_of_forest(model, rows, most, "rows", sign)

    def listing(self, model: Model | RuleModel) -> RuleListing:
        """Return the rules with figures of the training rows or of others."""
        if isinstance(model, RuleModel):
            self.refuse_of_forests()
        else:
            model = self.alone(model)
        read: Any = model  # a table is read for rules as for trees
        known = None if self.rows is None else known_rows(read, self.rows, self.how)
        if isinstance(model, RuleModel):
            return rule_set_listing(model, rows=known)
        if len(model.trees) > 1:
            return self.chosen(model, known)
        if self.max_rules is not None:
            raise SettingError(
                f"--max-rules is for forests, and {self.path} has one tree; use "
                "--min-cover"
            )
        return tree_rules(model, known)


def with_seed(again: Again) -> Again:
    """Return what was typed with a seed, so that it gives the same forest again."""
    seed = {"random_state": secrets.randbits(32)}
    return replace(again, settings={**seed, **again.settings})


def grown_listing(again: Again, cost_matrix: Any, max_rules: int | None) -> RuleListing:
    """Return the rules of a tree, a forest or a rule set that is learned now."""
    recipe = again.recipe()
    columns = read_training(again, recipe, cost_matrix=cost_matrix).divided()
    plan, why = recipe.plan(columns)
    if plan.learner.can(VOTES):
        return _grown_forest_listing(plan, columns, max_rules or MAX_RULES)
    makes_rules = plan.learner.can(RULES)
    if makes_rules:
        plan.check(columns)
    with busy("growing"):
        model: Any = plan.fit(columns).model
    if makes_rules:
        rows = LabelledRows.of_columns(columns, model.schema)
        return rule_set_listing(model, rows=rows, of="training rows")
    listing = tree_rules(model)
    if not why:
        return listing
    chosen = chosen_words(plan.learner.name, {}, why)
    return replace(listing, remarks=(*listing.remarks, chosen))


def _grown_forest_listing(plan: Plan, columns: Columns, max_rules: int) -> RuleListing:
    """Return the rules of a forest that is grown now, chosen by its training rows."""
    settings = plan.own
    assert isinstance(settings, ForestSettings)
    what = f"growing {counted(settings.n_estimators, 'tree')}"
    with busy(what) as sign:
        model: Model = plan.fit(
            columns, progress=lambda done, total: sign.bar(what, done, total, "trees")
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
