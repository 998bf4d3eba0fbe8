"""What rules did on all rows, in a sentence."""

from __future__ import annotations

from treewright.data.schema import Target
from treewright.render.rule_table import percent
from treewright.render.words import short_number, weight_text
from treewright.rules.ruleset import RuleSet
from treewright.rules.totals import Totals
from treewright.tree.predict.way import class_words


def answer_words(target: Target, answer: float) -> str:
    """Return an answer: the class's label, or a number."""
    if target.kind == "numbers":
        return short_number(answer)
    return class_words(target, [int(answer)])[0]


def grouped(weight: float) -> str:
    """Return a weight as `weight_text` does, with commas between thousands."""
    text = weight_text(weight)
    if "e" in text:
        return text
    whole, point, rest = text.partition(".")
    return f"{int(whole):,}{point}{rest}"


def totals_words(totals: Totals, rule_set: RuleSet) -> str:
    """Return "300 rows, 40 wrong (13.3 %); 75 rows met no rule and get 'no'"."""
    n_rows, weight = totals.n_rows, totals.weight
    said = f"{n_rows:,} {totals.of if n_rows != 1 else totals.of.removesuffix('s')}"
    by_weight = abs(weight - n_rows) > 1e-6 * n_rows  # divided rows are whole together
    if by_weight:
        said += f" of weight {grouped(weight)}"
    if totals.wrong is not None:
        said += f", {grouped(totals.wrong)} wrong"
        if totals.wrong > 0 and weight > 0:
            said += f" ({percent(totals.wrong / weight)} %)"
    if totals.error is not None:
        said += f"; root of the mean squared error {short_number(totals.error)}"
    if totals.uncovered <= 0 or not len(rule_set):
        return said
    target = rule_set.schema.target
    default = answer_words(target, rule_set.default)
    default = default if target.kind == "numbers" else f"'{default}'"
    if by_weight:
        unmet = f"rows of weight {grouped(totals.uncovered)}"
    else:
        unmet = f"{grouped(totals.uncovered)} row{'s' * (totals.uncovered != 1)}"
    get = "get" if unmet.startswith("rows") or unmet.endswith("s") else "gets"
    return f"{said}; {unmet} met no rule and {get} {default}"
