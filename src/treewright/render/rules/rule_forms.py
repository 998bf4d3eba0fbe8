"""Rules as Markdown, as a data frame and as JSON."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from treewright.data.schema import Schema
from treewright.render.fitting.markdown_signs import escaped, table_row
from treewright.render.fitting.safe_text import short_number, visible
from treewright.render.json_text import compared_with, dumps, plain
from treewright.render.rules.rule_table import FigureColumn, figure, grouped, percent
from treewright.render.rules.rule_words import condition_words, rule_words
from treewright.rules.condition import Asks, Condition
from treewright.tree.structure.tree import NO_CLASS

if TYPE_CHECKING:
    import polars as pl

    from treewright.render.rules.rule_listing import RuleListing

VERSION = "1.0"
_FOR_CLASSES = ("right", "wrong", "confidence", "pessimistic", "lift")
_FOR_NUMBERS = ("share", "mean", "spread")


def rules_markdown(listing: RuleListing) -> str:
    """Return rules as a Markdown table, ending in a newline."""
    schema, columns = listing.rule_set.schema, _columns(listing)
    titles = ["#", "if", "then", *(column.title for column in columns)]
    lines = [f"{escaped(visible(listing.heading))}", "", table_row(titles)]
    lines.append(table_row(["--:", "---", "---", *["--:"] * len(columns)]))
    for k in listing.shown:
        rule = listing.rule_set.rules[k]
        words = " and ".join(escaped(visible(one)) for one in rule_words(schema, rule))
        answer = escaped(visible(listing.answer_words(rule.answer)))
        figures = (column.texts[k] for column in columns)
        lines.append(table_row([str(k + 1), words, answer, *figures]))
    default = escaped(visible(listing.answer_words(listing.rule_set.default)))
    lines += ["", f"Otherwise {default}."]
    for remark in listing.remarks:
        lines += ["", escaped(visible(remark))]
    return "\n".join(lines) + "\n"


def _columns(listing: RuleListing) -> list[FigureColumn]:
    """The figures of all rules."""
    figures = listing.figures

    def column(
        title: str, numbers: npt.NDArray[np.float64], text: Callable[[float], str]
    ) -> FigureColumn:
        return FigureColumn(title, [*map(text, numbers.tolist())])

    def number(one: float) -> str:
        return "-" if math.isnan(one) else short_number(one)

    rows = column("weight" if listing.by_weight else "rows", figures.weight, grouped)
    if listing.rule_set.schema.target.kind == "numbers":
        return [
            rows,
            column("mean", figures.mean, number),
            column("%", figures.share, percent),
            column("spread", figures.spread, number),
        ]
    new = column("new %", figures.pessimistic, percent)
    return [
        rows,
        column("right", figures.right, grouped),
        column("wrong", figures.wrong, grouped),
        column("seen %", figures.confidence, percent),
        *([new] if listing.expects_of_new_rows else []),
        column("lift", figures.lift, figure),
    ]


def rules_frame(listing: RuleListing) -> pl.DataFrame:
    """Return rules as a polars data frame, one row for each."""
    import polars as pl  # noqa: PLC0415 - the package loads without polars

    rule_set, figures = listing.rule_set, listing.figures
    is_classes = rule_set.schema.target.kind == "classes"
    rules = [rule_set.rules[k] for k in listing.shown]
    chosen = figures.taking(listing.shown)
    answer = [rule.answer for rule in rules]
    words: list[Any] = answer
    if is_classes:
        words = [
            None if one == NO_CLASS else listing.answer_words(one) for one in answer
        ]
    data = {
        "rule": pl.Series([k + 1 for k in listing.shown], dtype=pl.Int64),
        "conditions": pl.Series(
            [" and ".join(rule_words(rule_set.schema, rule)) for rule in rules],
            dtype=pl.String,
        ),
        "n_conditions": pl.Series([len(rule) for rule in rules], dtype=pl.Int64),
        "answer": pl.Series(words, dtype=pl.String if is_classes else pl.Float64),
        "rows": pl.Series(chosen.n_rows, dtype=pl.Int64),
        "weight": pl.Series(chosen.weight, dtype=pl.Float64),
    }
    for name in _names(is_classes):
        column = pl.Series(getattr(chosen, name), dtype=pl.Float64)
        data[name] = column.fill_nan(None)
    return pl.DataFrame(data)


def rules_json(listing: RuleListing) -> str:
    """Return rules as strict JSON text, one rule on a line."""
    rule_set = listing.rule_set
    target = rule_set.schema.target
    is_classes = target.kind == "classes"
    head: dict[str, Any] = {
        "format": "treewright-rules",
        "version": VERSION,
        "title": listing.heading,
        "target": {"name": target.names[0], "kind": target.kind},
        "answer": "first match" if listing.ordered else "only match",
        "otherwise": _answer(listing, rule_set.default),
        "remarks": list(listing.remarks),
    }
    if is_classes:
        head["target"]["classes"] = [plain(label) for label in target.classes[0]]
    if listing.totals is not None:
        totals = listing.totals
        head |= {"rows": totals.of, "n_rows": totals.n_rows, "wrong": totals.wrong}
        head |= {"uncovered": totals.uncovered, "error": totals.error}
    head["total_weight"] = listing.figures.total_weight
    lines = ",\n".join(f"    {dumps(one)}" for one in _rule_data(listing))
    start = dumps(head, indent=2).removesuffix("\n}")
    return f'{start},\n  "rules": [\n{lines}\n  ]\n}}'


def _rule_data(listing: RuleListing) -> Iterator[dict[str, Any]]:
    schema, figures = listing.rule_set.schema, listing.figures
    is_classes = schema.target.kind == "classes"
    columns = {name: getattr(figures, name) for name in _names(is_classes)}
    for k in listing.shown:
        rule = listing.rule_set.rules[k]
        data: dict[str, Any] = {
            "rule": k + 1,
            "if": [_condition(schema, one) for one in rule.conditions],
            "then": _answer(listing, rule.answer),
            "rows": int(figures.n_rows[k]),
            "weight": float(figures.weight[k]),
        }
        for name, column in columns.items():
            data[name] = _number(float(column[k]))
        if is_classes:
            weights = figures.class_weights[k].tolist()
            pairs = zip(schema.target.classes[0], weights, strict=True)
            data["class_weights"] = [[plain(label), weight] for label, weight in pairs]
        yield data


def _condition(schema: Schema, condition: Condition) -> dict[str, Any]:
    """A condition in parts and in words."""
    feature = schema.features[condition.feature]
    data: dict[str, Any] = {"feature": feature.name}
    if condition.terms:
        data = {
            "terms": [
                {"feature": schema.features[number].name, "weight": weight}
                for number, weight in condition.terms
            ]
        }
    if condition.asks in (Asks.KNOWN, Asks.MISSING):
        data["is"] = condition.asks.name.lower()
    elif condition.asks == Asks.CODES:
        data["in"] = [plain(feature.categories[code]) for code in condition.codes]
    else:
        is_sum = bool(condition.terms)
        end_of = float if is_sum else functools.partial(compared_with, feature)
        lowest = -1.0 if feature.categories and not is_sum else -math.inf
        if condition.low > lowest:
            data["above"] = end_of(condition.low)
        if condition.high < math.inf:
            data["at_most"] = end_of(condition.high)
    data["text"] = condition_words(schema, condition).spoken()
    return data


def _answer(listing: RuleListing, answer: float) -> Any:
    target = listing.rule_set.schema.target
    if target.kind == "numbers":
        return _number(answer)
    return None if answer == NO_CLASS else plain(target.classes[0][int(answer)])


def _number(number: float) -> float | None:
    return number if math.isfinite(number) else None


def _names(is_classes: bool) -> tuple[str, ...]:
    return _FOR_CLASSES if is_classes else _FOR_NUMBERS
