"""The rules of a tree, with the figures of its leaves or of rows that are given."""

from __future__ import annotations

import numpy as np

from treewright.data.complaints import counted
from treewright.errors import SettingError
from treewright.prune.labelled_rows import LabelledRows
from treewright.render.rule_listing import RuleListing
from treewright.render.words import short_number
from treewright.rules.figures import Figures, figures_of_leaves, figures_on
from treewright.rules.from_tree import fires_of_tree, rule_set_of_tree
from treewright.rules.totals import Totals, totals_on
from treewright.tree.compact_model import is_compact
from treewright.tree.model import DISTILLED_FROM, Model
from treewright.tree.structure.tree import Tree


def tree_rules(model: Model, rows: LabelledRows | None = None) -> RuleListing:
    """Return one rule for each leaf of a model of one tree.

    Parameters
    ----------
    model : Model
        The model.
    rows : LabelledRows, optional
        Count these rows; if not given, the figures are those of the leaves in training.
    """
    if len(model.trees) > 1:
        raise SettingError(
            f"this model has {len(model.trees):,} trees that vote, and rules are of "
            "one; choose a tree, or ask a random forest, whose rules are chosen by its "
            "answers"
        )
    if rows is None and is_compact(model):
        raise SettingError(
            "this model is compact and does not know the training rows of its leaves; "
            "pass rows to count (X and y), or use the model that it was made from"
        )
    rule_set, leaves = rule_set_of_tree(model)
    name = model.schema.target.names[0]
    title = f"{counted(len(rule_set), 'rule')} for {name}, one for each leaf"
    if len(leaves) < model.trees[0].n_leaves:
        title += " that a row can reach"
    if rows is None:
        tree = model.trees[0]
        figures = figures_of_leaves(model, tree, rule_set, leaves)
        totals, spread = _training_totals(model, tree, figures)
        return RuleListing.of(rule_set, figures, title, spread, totals=totals)
    fired = fires_of_tree(model, rule_set, leaves, rows.cells)
    target = rows.target[:, 0]
    figures = figures_on(rule_set, rows.cells, target, rows.weights, fired=fired)
    totals = totals_on(rule_set, fired, target, rows.weights)
    return RuleListing.of(rule_set, figures, title, totals=totals)


def _training_totals(
    model: Model, tree: Tree, figures: Figures
) -> tuple[Totals, list[str]]:
    """What the leaves know of all rows; of numbers, the spread within them, too."""
    of = "made rows" if DISTILLED_FROM in model.settings else "training rows"
    n_rows, weight = int(tree.n_rows[0]), float(figures.weight.sum())
    if len(figures.total):
        return Totals(n_rows, weight, float(figures.wrong.sum()), 0.0, None, of), []
    totals = Totals(n_rows, weight, None, 0.0, None, of)
    has_rows = figures.weight > 0
    if not has_rows.any():
        return totals, []
    # which mean of the spreads is that of all rows
    power = 1 if model.settings.get("criterion") == "absolute_error" else 2
    spreads = figures.spread[has_rows] ** power
    inside = float(np.average(spreads, weights=figures.weight[has_rows])) ** (1 / power)
    return totals, [f"spread within the rules {short_number(inside)}"]
