"""The rules of a rule set, with the figures of the training rows that they cover."""

from __future__ import annotations

import numpy as np

from treewright.data.complaints import counted
from treewright.render.rule_listing import RuleListing
from treewright.render.words import weight_text
from treewright.rules.figures import Figures
from treewright.rules.rule_model import RuleModel


def rule_set_listing(model: RuleModel, figures: Figures | None = None) -> RuleListing:
    """Return the rules in the order in which they are asked.

    Parameters
    ----------
    model : RuleModel
        The rule set.
    figures : Figures, optional
        What the rules did on other rows; if not given, the training rows that each
        covers, also where a rule before it answers.
    """
    n_rules, name = len(model.rule_set), model.schema.target.names[0]
    title = f"{counted(n_rules, 'rule')} for {name}; the first that a row meets answers"
    remarks = []
    if figures is None:
        figures = model.figures()
        by_weight = not np.array_equal(model.totals, np.rint(model.totals))
        # rules of a workbench have the figures of the rows that were on it
        rows = "training rows" if model.learner == "c45rules" else "rows"
        unit = "weight" if by_weight else rows
        left = weight_text(float(model.class_weights[-1].sum()))
        total = weight_text(float(model.totals.sum()))
        if left == total and n_rules:
            remarks.append(f"every {rows.removesuffix('s')} meets a rule")
        else:
            remarks.append(f"{left} of {total} {unit} meet no rule")
    return RuleListing.of(model.rule_set, figures, title, remarks)
