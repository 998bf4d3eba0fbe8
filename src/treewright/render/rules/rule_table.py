"""Rules as a table of text: conditions at the left, figures in columns at the right.

Conditions that do not fit in one line go on in the next; nothing of them is left out
but the ends of long sets and of very long names. In a narrow line columns go first.
"""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

import numpy as np
import numpy.typing as npt

from treewright.data.schema import Target
from treewright.render.fitting.safe_text import (
    display_width,
    pad,
    short_number,
    weight_text,
)
from treewright.render.fitting.wrapping import wrapped
from treewright.render.listing.outline import ListingLook
from treewright.rules.figures import Totals
from treewright.rules.ruleset import RuleSet
from treewright.tree.way import class_words

_GAP = "  "
_LEAST_LEFT = 30  # columns for the conditions, before figures are given up
_WIDEST_ANSWER = 24  # unless there is room
_MOST_LINES = 6  # of an answer


@dataclass(frozen=True)
class FigureColumn:
    """A column of figures."""

    title: str  # its title
    texts: list[str]  # a figure for each rule
    # what stands above the titles of neighbouring columns; empty for nothing
    group: str = ""
    rank: int = 0  # in a narrow line the columns with the largest go first

    @functools.cached_property
    def width(self) -> int:
        """Columns of the terminal that it takes."""
        return max(map(display_width, [self.title, *self.texts]))


@dataclass(frozen=True)
class RuleLine:
    """A rule: its number, its conditions in words, and its answer."""

    number: int
    conditions: list[str]
    answer: str


def rule_table_lines(
    rules: Sequence[RuleLine],
    columns: list[FigureColumn],
    look: ListingLook,
) -> Iterator[str]:
    """Yield the lines of the table, titles first; texts must be visible already.

    `rules`: the rules, in order. `columns`: their figures.
    """
    width, ascii = look.width, look.ascii
    arrow = "->" if ascii else "→"
    number_width = max(len(str(one.number)) for one in rules)
    fixed = number_width + len(_GAP) + len(arrow) + 2
    whole = max(display_width(", ".join(one.conditions)) for one in rules)
    answer_width = max(display_width(one.answer) for one in rules)
    if width is not None:
        usual = min(_WIDEST_ANSWER, max(width // 4, 4))
        free = width - fixed - whole - _total(columns)
        answer_width = min(answer_width, max(usual, free))
    fixed += answer_width
    if width is not None:
        longest = max(display_width(part) for one in rules for part in one.conditions)
        columns = _fitting(columns, width - fixed, min(whole, longest + 1))
        whole = min(whole, max(width - fixed - _total(columns), 8))
    yield from _title_lines(columns, fixed + whole)
    for place, rule in enumerate(rules):
        left = _condition_lines(rule.conditions, whole, cut=width is not None)
        right = _answer_lines(rule.answer, answer_width, ascii=ascii)
        cells = [
            pad(column.texts[place], column.width, right=True) for column in columns
        ]
        start = f"{rule.number:>{number_width}}{_GAP}{pad(left[0], whole)}"
        said = f"{start} {arrow} {pad(right[0], answer_width)}"
        yield _GAP.join([said, *cells]).rstrip()
        gap = " " * (len(arrow) + 2)
        for line, rest in zip_longest(left[1:], right[1:], fillvalue=""):
            more = f"{pad(line, whole)}{gap}{rest}".rstrip()
            yield f"{'':{number_width}}{_GAP}{more}"


def _answer_lines(answer: str, width: int, *, ascii: bool) -> list[str]:
    """An answer in lines that fit; of a very long one the start and the end."""
    if len(answer) > _MOST_LINES * width:
        ellipsis = "..." if ascii else "…"
        half = _MOST_LINES * width // 2 - width
        answer = f"{answer[: half - len(ellipsis)]}{ellipsis}{answer[-half:]}"
    return [*wrapped(answer, width)] if display_width(answer) > width else [answer]


def _fitting(columns: list[FigureColumn], room: int, least: int) -> list[FigureColumn]:
    """The columns for which there is room beside the conditions."""
    shown = list(columns)
    while shown and room - _total(_named(shown)) < min(least, _LEAST_LEFT):
        last = max(range(len(shown)), key=lambda k: (shown[k].rank, k))
        del shown[last]
    return _named(shown)


def _named(columns: list[FigureColumn]) -> list[FigureColumn]:
    """The columns, where the only one of a group has the group's title."""
    groups = Counter(column.group for column in columns)
    return [
        replace(column, title=column.group, group="")
        if column.group and groups[column.group] == 1
        else column
        for column in columns
    ]


def _total(columns: list[FigureColumn]) -> int:
    return sum(len(_GAP) + column.width for column in columns)


def _title_lines(columns: list[FigureColumn], left: int) -> Iterator[str]:
    """Yield the titles, with those of groups above them."""
    if not columns:
        return
    if any(column.group for column in columns):
        cells = [" " * left]
        for column, after in zip_longest(columns, columns[1:]):
            is_last = after is None or after.group != column.group
            text = column.group if is_last else ""
            cells.append(pad(text, column.width, right=True))
        yield _GAP.join(cells).rstrip()
    titles = (pad(column.title, column.width, right=True) for column in columns)
    yield _GAP.join([" " * left, *titles])


def _condition_lines(conditions: list[str], width: int, *, cut: bool) -> list[str]:
    """Conditions in lines that fit, broken between them where that is possible."""
    parts = [f"{one}," for one in conditions[:-1]] + conditions[-1:]
    if not cut:
        return [" ".join(parts)]
    lines = [""]
    for part in parts:
        together = f"{lines[-1]} {part}" if lines[-1] else part
        if display_width(together) <= width:
            lines[-1] = together
        else:
            pieces = list(wrapped(part, width, indent=min(2, width - 1)))
            lines = [*(lines if lines[-1] else lines[:-1]), *pieces]
    return lines


def percent(share: float) -> str:
    """Return a share in percent with one decimal; 100 and 0 only if they are exact."""
    if math.isnan(share):
        return "-"
    shown = f"{100 * share:.1f}"
    if shown == "100.0" and share < 1:
        return "99.9"
    if shown == "0.0" and share > 0:
        return "0.1"
    return shown.removesuffix(".0") if share in (0.0, 1.0) else shown


def figure(number: float) -> str:
    """Return a ratio with two decimals, or a dash where there is none."""
    return "-" if math.isnan(number) else f"{number:.2f}"


def number_cells(numbers: npt.NDArray[np.float64]) -> list[str]:
    """Return numbers as texts with their points below each other, a dash for NaN."""
    texts = ["-" if math.isnan(one) else short_number(one) for one in numbers.tolist()]
    # the blanks take the place of decimals that are not there
    tails = [len(text) - len(text.partition(".")[0]) for text in texts]
    most = max(tails, default=0)
    return [text + " " * (most - n) for text, n in zip(texts, tails, strict=True)]


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
