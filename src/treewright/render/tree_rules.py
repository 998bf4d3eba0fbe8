"""The rules of a tree, with the figures of its leaves or of rows that are given."""

from __future__ import annotations

import numpy as np

from treewright.data.complaints import counted
from treewright.errors import SettingError
from treewright.prune.labelled_rows import LabelledRows
from treewright.render.rule_listing import RuleListing
from treewright.render.words import short_number, weight_text
from treewright.rules.figures import Figures, figures_of_leaves, figures_on
from treewright.rules.from_tree import fires_of_tree, rule_set_of_tree
from treewright.rules.ruleset import NO_RULE
from treewright.tree.compact import is_compact
from treewright.tree.model import Model


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
        is_absolute = model.settings.get("criterion") == "absolute_error"
        said = _summary(
            figures, "training rows", int(tree.n_rows[0]), 1 if is_absolute else 2
        )
        return RuleListing.of(rule_set, figures, title, [said])
    fired = fires_of_tree(model, rule_set, leaves, rows.cells)
    target = rows.target[:, 0]
    figures = figures_on(rule_set, rows.cells, target, rows.weights, fired=fired)
    remarks = [_summary(figures, "rows", int((fired != NO_RULE).sum()))]
    n_unmet = int((fired == NO_RULE).sum())
    if n_unmet:
        remarks.append(f"{counted(n_unmet, 'row')} met no rule")
    return RuleListing.of(rule_set, figures, title, remarks)


def _summary(figures: Figures, rows: str, n_rows: int, power: int = 2) -> str:
    """Return how many rows the rules cover, and how many of these are wrong.

    `power` says which mean of the spreads is that of all rows.
    """
    total = float(figures.weight.sum())
    start = f"weight {weight_text(total)} of {rows}"
    if abs(total - n_rows) < 1e-6 * n_rows:  # divided rows add up to whole ones
        start = f"{n_rows} {rows if n_rows != 1 else rows.removesuffix('s')}"
    if len(figures.total):
        return f"{start}, {weight_text(float(figures.wrong.sum()))} wrong"
    has_rows = figures.weight > 0
    if not has_rows.any():
        return start
    weight, spread = figures.weight[has_rows], figures.spread[has_rows]
    inside = float(np.average(spread**power, weights=weight)) ** (1 / power)
    return f"{start}; spread within the rules {short_number(inside)}"
