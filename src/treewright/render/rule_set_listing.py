"""The rules of a rule set, with the figures of training rows or of others."""

from __future__ import annotations

import numpy as np

from treewright.data.complaints import counted
from treewright.prune.labelled_rows import LabelledRows
from treewright.render.rule_listing import RuleListing
from treewright.rules.figures import figures_on
from treewright.rules.rule_model import RuleModel
from treewright.rules.totals import Totals, totals_on


def rule_set_listing(
    model: RuleModel,
    *,
    rows: LabelledRows | None = None,
    of: str = "rows",
) -> RuleListing:
    """Return the rules in the order in which they are asked.

    Parameters
    ----------
    model : RuleModel
        The rule set.
    rows : LabelledRows, optional
        Rows to count; if not given, the figures are those of the training rows that
        each rule covers, also where a rule before it answers.
    of : str
        What these rows are called.
    """
    rule_set = model.rule_set
    remarks, totals = [], None
    title = f"{counted(len(rule_set), 'rule')} for {model.schema.target.names[0]}"
    if rows is not None:
        target = rows.target[:, 0]
        figures = figures_on(rule_set, rows.cells, target, rows.weights)
        fired = rule_set.fires(rows.cells)
        totals = totals_on(rule_set, fired, target, rows.weights, of)
    else:
        figures, totals = model.figures(), _training_totals(model)
        if not totals.uncovered:
            remarks.append(f"every {totals.of.removesuffix('s')} meets a rule")
    return RuleListing.of(
        rule_set, figures, title, remarks, totals=totals, ordered=True
    )


def _training_totals(model: RuleModel) -> Totals:
    """What a model knows of all its rows: not which of them are wrong."""
    weight, left = float(model.totals.sum()), float(model.class_weights[-1].sum())
    # the default of rules that every row meets has the classes of all rows
    is_all = np.array_equal(model.class_weights[-1], model.totals)
    uncovered = 0.0 if is_all and len(model.rule_set) else left
    # rules of a workbench have the figures of the rows that were on it
    of = "training rows" if model.learner == "c45rules" else "rows"
    return Totals(round(weight), weight, None, uncovered, None, of)
