"""What a report is about: the table, what was found in it, the model, how it was made.

The command line and the Python face fill it in; the parts of the page read it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from treewright.checks.finding import Report
from treewright.data.columns import Columns
from treewright.data.complaints import counted
from treewright.data.schema import Target
from treewright.errors import TreewrightError
from treewright.evaluation.errors.evaluation import Evaluation
from treewright.evaluation.errors.evaluation_charts import Curve
from treewright.learners.forest.rules_of_forest import forest_rules, refuse_boosted
from treewright.prune.labelled_rows import LabelledRows
from treewright.render.rules.rule_listing import (
    RuleListing,
    rule_set_listing,
    tree_rules,
)
from treewright.reports.importances import Importances, importances_of
from treewright.rules.from_forest import RuleChoice
from treewright.rules.rule_model import RuleModel
from treewright.tree.model import Model

MANY_ROWS = 100_000  # above which the usual folds become one hold-out
USUAL_SHARE = 0.3
MUCH_SMALLER = 3  # times fewer leaves


@dataclass(frozen=True)
class Making:
    """How a report was made, so that it can be made again."""

    # the algorithm, and why this one; empty if somebody chose it
    algorithm: str
    why: str
    settings: Mapping[str, Any]  # the switches that were set
    seed: int  # of the folds, and of draws
    version: str  # of treewright
    command: str  # what to type for the same report
    # what to type for all rules, for the whole tree, for all findings
    rules: str
    tree: str
    findings: str
    # gives what to type for the report on a tree of so many leaves
    smaller: Callable[[int], str]
    as_classes: str  # what to do to predict classes where numbers are predicted
    left_out: tuple[str, ...] = ()  # columns that are neither feature nor target
    # the column with the weights of the rows, if it has a name
    weights: str | None = None
    # makes of a note what a reader of this report would type
    wording: Callable[[str], str] = field(default=str)


@dataclass(frozen=True, eq=False)
class ReportSubject:
    """All that a report tells."""

    table: str  # what the table is called
    columns: Columns  # its rows, as they were read
    model: Model | RuleModel  # what was learned from all rows
    # how good that is on rows that it has not seen, with its curves
    evaluation: Evaluation
    findings: Report  # what the checks of the table say
    rules: RuleListing | str  # the model as rules, or why there are none
    making: Making  # how all that came about

    @property
    def target(self) -> Target:
        """What is predicted."""
        return self.columns.schema.target

    @property
    def is_classes(self) -> bool:
        """Whether classes are predicted."""
        return self.target.kind == "classes"

    @property
    def is_tree(self) -> bool:
        """Whether the model is one tree."""
        return isinstance(self.model, Model) and len(self.model.trees) == 1

    @property
    def is_boosted(self) -> bool:
        """Whether the model is trees that were grown one after the other."""
        return isinstance(self.model, Model) and self.model.voting.is_boosted

    @property
    def by_weight(self) -> bool:
        """Whether rows count by their weights."""
        return self.columns.weights is not None

    @property
    def unit(self) -> str:
        """What sums over rows are: rows, or weight."""
        return "weight" if self.by_weight else "rows"

    @cached_property
    def importances(self) -> Importances:
        """How much each feature counts."""
        return importances_of(self.model)

    @property
    def leaf_curve(self) -> Curve | None:
        """The error against the number of leaves, if there is one."""
        return next((one for one in self.evaluation.curves[1:]), None)

    @property
    def better_size(self) -> int | None:
        """A number of leaves that would clearly do better, or as well with much fewer.

        None if the tree is as it should be. Better is by more than a standard error, a
        quarter of the 95 % interval.
        """
        curve, error = self.leaf_curve, self.evaluation.error.value
        if curve is None or not isinstance(self.model, Model):
            return None
        n_leaves = max(int(curve.x[curve.best]), 2)
        now, least = self.model.trees[0].n_leaves, float(curve.held_out[curve.best])
        spread = (self.evaluation.error.high - self.evaluation.error.low) / 4
        is_better = least < error - spread and n_leaves < now
        is_as_good = least <= error and MUCH_SMALLER * n_leaves <= now
        if least >= self.evaluation.baseline:
            return None  # no size helps
        return n_leaves if is_better or is_as_good else None

    @property
    def size_words(self) -> tuple[str, str]:
        """How many rows and features the table has."""
        n_features = len(self.columns.features)
        return counted(self.columns.n_rows, "row"), counted(n_features, "feature")

    @property
    def kind_words(self) -> str:
        """What the model is, in words."""
        if isinstance(self.model, RuleModel):
            return "rule set"
        if self.is_tree:
            return "tree"
        return "boosted trees" if self.is_boosted else "forest"


def usual_division(n_rows: int) -> dict[str, Any]:
    """Return how rows are divided unless somebody says: folds, or of many one share."""
    return {"hold_out": USUAL_SHARE} if n_rows > MANY_ROWS else {}


def rules_of(
    model: Model | RuleModel,
    columns: Columns,
    progress: Callable[[int, int], Any] = lambda done, total: None,
) -> RuleListing | str:
    """Return a model as rules with figures of its training rows, or why there are none.

    `model`: what was learned. `columns`: what it was learned from. `progress`: is told
    how many rules of a forest are chosen, and of how many.
    """
    try:
        if isinstance(model, Model) and len(model.trees) == 1:
            return tree_rules(model)
        rows = LabelledRows.of_columns(columns, model.schema)
        if isinstance(model, RuleModel):
            return rule_set_listing(model, rows=rows, of="training rows")
        refuse_boosted(model)
        return forest_rules(
            model, rows, RuleChoice(), of="training rows", progress=progress
        )
    except TreewrightError as error:
        return str(error)
