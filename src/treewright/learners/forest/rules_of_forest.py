"""The rules of a forest, and how well they stand for it.

`rules/from_forest.py` chooses them. Here the rows are found by which they are chosen,
and the figures by which a reader can judge them: the agreement on these rows and on new
ones, made as for distilling, and the error where the classes are known.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.complaints import counted
from treewright.errors import SettingError
from treewright.learners.forest.distilling import drawn_sources
from treewright.prune.labelled_rows import LabelledRows
from treewright.render.fitting.safe_text import short_number
from treewright.render.rules.rule_listing import RuleListing
from treewright.rules.figures import figures_on, totals_on
from treewright.rules.from_forest import (
    Likeness,
    Progress,
    RuleChoice,
    agreement,
    choose_rules,
)
from treewright.rules.from_tree import refuse_several_outputs
from treewright.rules.ruleset import NO_RULE, RuleSet
from treewright.tree.model import Model

Floats = npt.NDArray[np.float64]

MOST_ROWS = 20_000  # that rules are chosen by
_MOST_ENDS = 10_000_000  # rows times trees, but some rows
_FEWEST_ROWS = 1_000
_N_MADE = 5_000
_REPLACED = 0.25


def refuse_boosted(model: Model) -> None:
    """Raise if trees were boosted."""
    if model.voting.is_boosted:
        raise SettingError(
            "the trees of AdaBoost correct each other, and no rule of one says what "
            "all do; fit one tree or a forest, whose rules stand for themselves"
        )


def check_choice(choice: RuleChoice) -> None:
    """Refuse what makes no rules."""
    n = choice.max_rules
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 1:
        raise SettingError(f"max_rules is {n!r}; it must be a whole number, at least 1")
    least = choice.min_agreement
    if (
        isinstance(least, bool)
        or not isinstance(least, float | int)
        or not 0 < least <= 1
    ):
        raise SettingError(
            f"min_agreement is {least!r}; it must be a number above 0, at most 1"
        )


def forest_rules(
    model: Model,
    rows: LabelledRows,
    choice: RuleChoice,
    *,
    of: str = "rows",
    out_of_bag: float | None = None,
    progress: Progress | None = None,
) -> RuleListing:
    """Return the few rules that say what a forest does, and how well they do.

    - `model`: the forest.
    - `rows`: the rows that rules are chosen by; of more than 20 000, some.
    - `choice`: how few rules, and how sure.
    - `of`: what the rows are called; "training rows" for those the forest has seen.
    - `out_of_bag`: the out-of-bag error (of numbers its mean square), if the model does
      not have it.
    - `progress`: told after each rule.
    """
    refuse_several_outputs(model)
    refuse_boosted(model)
    check_choice(choice)
    some = _some(rows, len(model.trees))
    rule_set = choose_rules(model, some.cells, some.weights, choice, progress)
    fired = rule_set.fires(rows.cells)
    likeness = _likeness(model, rule_set, rows, fired)
    target = rows.target[:, 0]
    figures = figures_on(rule_set, rows.cells, target, rows.weights)
    totals = totals_on(rule_set, fired, target, rows.weights, of)
    name = model.schema.target.names[0]
    n_trees = counted(len(model.trees), "tree")
    title = f"{counted(len(rule_set), 'rule')} for {name} that stand for {n_trees}"
    if out_of_bag is None and model.measures is not None:
        out_of_bag = model.measures.error
    remarks = [*_remarks(model, likeness, len(rows), of, out_of_bag)]
    if len(some) < len(rows):
        remarks.append(f"the rules were chosen by {len(some):,} of the {of}")
    listing = RuleListing.of(
        rule_set, figures, title, remarks, totals=totals, ordered=True
    )
    return replace(listing, likeness=likeness)


def _some(rows: LabelledRows, n_trees: int) -> LabelledRows:
    """At most so many of the rows, from all over the table."""
    most = min(MOST_ROWS, max(_MOST_ENDS // n_trees, _FEWEST_ROWS))
    if len(rows) <= most:
        return rows
    return rows.take(np.linspace(0, len(rows) - 1, most).astype(np.intp))


def _likeness(
    model: Model,
    rule_set: RuleSet,
    rows: LabelledRows,
    fired: npt.NDArray[np.int64],
) -> Likeness:
    is_classes = model.schema.target.kind == "classes"
    said, wanted = rule_set.answers_of(fired), model.answers(rows.cells)[:, 0]
    random = np.random.default_rng(0)
    _, sources = drawn_sources(len(rows), _N_MADE, _REPLACED, random)
    n_features = rows.cells.shape[1]
    columns = zip(rows.cells.T, islice(sources, n_features), strict=True)
    made = np.stack([column[source] for column, source in columns], axis=1)
    truth = rows.target[:, 0]
    return Likeness(
        agreement(said, wanted, rows.weights, is_classes=is_classes),
        agreement(
            rule_set.answers(made),
            model.answers(made)[:, 0],
            np.ones(_N_MADE),
            is_classes=is_classes,
        ),
        _error(said, truth, rows.weights, is_classes=is_classes),
        _error(wanted, truth, rows.weights, is_classes=is_classes),
        int((fired == NO_RULE).sum()),
    )


def _error(
    said: npt.NDArray[Any],
    truth: npt.NDArray[Any],
    weights: Floats,
    *,
    is_classes: bool,
) -> float:
    if is_classes:
        return float(np.average(said != truth, weights=weights))
    return math.sqrt(float(np.average((said - truth) ** 2, weights=weights)))


def _seen(of: str, out_of_bag: float | None, *, is_classes: bool) -> str:
    """What is to be known of the forest's error on rows that it may have seen."""
    words = ["it has seen them"] if of == "training rows" else []
    if out_of_bag is not None and not math.isnan(out_of_bag):
        error = f"{100 * out_of_bag:.1f} %"
        if not is_classes:
            error = short_number(math.sqrt(out_of_bag))
        words.append(f"{'' if words else 'in training '}out of bag {error}")
    return f" ({'; '.join(words)})" if words else ""


def _remarks(
    model: Model, likeness: Likeness, n_rows: int, of: str, out_of_bag: float | None
) -> Iterator[str]:
    count = f"{n_rows:,} {of if n_rows != 1 else of.removesuffix('s')}"
    made = f"{_N_MADE:,} new rows made from them"
    is_classes = model.schema.target.kind == "classes"
    seen = _seen(of, out_of_bag, is_classes=is_classes)
    if is_classes:
        yield (
            f"rules and forest agree on {100 * likeness.agreement:.1f} % of {count}, "
            f"and on {100 * likeness.agreement_new:.1f} % of {made}"
        )
        yield (
            f"wrong on the {of}: the rules {100 * likeness.error:.1f} %, the forest "
            f"{100 * likeness.forest_error:.1f} %{seen}"
        )
    else:
        yield (
            f"R squared of the rules' answers as those of the forest: "
            f"{likeness.agreement:.3f} on {count}, {likeness.agreement_new:.3f} on "
            f"{made}"
        )
        yield (
            f"root of the mean squared error on the {of}: the rules "
            f"{short_number(likeness.error)}, the forest "
            f"{short_number(likeness.forest_error)}{seen}"
        )
