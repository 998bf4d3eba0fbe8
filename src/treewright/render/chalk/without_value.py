"""Where the rows without a value go, as a sentence."""

from __future__ import annotations

from treewright.grow.chalk.record import Step
from treewright.render.chalk.conditions import condition_line
from treewright.render.chalk.counts import Counts
from treewright.render.chalk.page import Line, listed, name
from treewright.render.chalk.words import Words

_MOST_SURROGATES = 3


def without_value_line(step: Step, counts: Counts, words: Words) -> Line:
    """Say what those rows do; the step has some, and is split."""
    what = step.without_value
    assert what is not None and step.best is not None
    feature = name(step.candidates[step.best].feature)
    who = words.fill("without_value", feature=feature)
    if what.rows is not None:
        rows = counts.amount(what.rows)
        who = words.fill("without_value_rows", feature=feature, rows=rows)
    key = f"without_value_{what.rule}"
    if what.rule == "surrogates" and not what.surrogates:
        key = "without_value_majority"
    shown = [condition_line(one, words) for one in what.surrogates[:_MOST_SURROGATES]]
    more = [("...",)] if len(what.surrogates) > _MOST_SURROGATES else []
    branch = condition_line(what.branch, words) if what.branch else ("?",)
    return words.fill(key, who=who, branch=branch, surrogates=listed([*shown, *more]))
