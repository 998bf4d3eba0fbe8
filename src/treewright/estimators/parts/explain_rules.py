"""Which rule answers for one row, as sentences."""

from __future__ import annotations

from typing import Any

import numpy as np

from treewright.data.complaints import counted
from treewright.estimators.parts.explain import encoded_row
from treewright.render.fitting.safe_text import visible
from treewright.render.rules.rule_words import rule_words
from treewright.rules.rule_model import RuleModel
from treewright.tree.structure.branch_words import label_text

_MOST_OTHERS = 10


def explain_by_rules(model: RuleModel, row: Any) -> str:
    """Return the first rule that a row meets, and those that come too late.

    Parameters
    ----------
    model : RuleModel
        A rule set.
    row : mapping, series, sequence of cells, or table of one row
        Cells are matched by name where the row has names.
    """
    rule_set, schema = model.rule_set, model.schema
    reads: Any = model  # a row is read for rules as for trees
    met = np.flatnonzero(rule_set.covers(encoded_row(reads, row))[:, 0]).tolist()
    first = met[0] if met else -1
    weights = model.class_weights[first]
    answer = int(rule_set.rules[first].answer if met else rule_set.default)
    rows = counted(int(model.n_rows[first]), "training row")
    share = "none of this class"
    if weights[answer] > 0:
        share = f"{100 * weights[answer] / weights.sum():.3g} % of this class"
    said = f"{schema.target.names[0]} {label_text(schema.target.classes[0][answer])}"
    lines = [_told(model, first) if met else "no rule is met: the default"]
    lines.append(f"→ {said} ({rows}; {share})")
    others = met[1:]
    if others:
        lines.append("also met, but later:")
        for position in others[:_MOST_OTHERS]:
            label = schema.target.classes[0][int(rule_set.rules[position].answer)]
            lines.append(f"  {_told(model, position)} → {label_text(label)}")
        if len(others) > _MOST_OTHERS:
            lines.append(f"  and {len(others) - _MOST_OTHERS} more")
    return "\n".join(map(visible, lines))


def _told(model: RuleModel, position: int) -> str:
    words = rule_words(model.schema, model.rule_set.rules[position])
    return f"rule {position + 1}: {' and '.join(words)}"
