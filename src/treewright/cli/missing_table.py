"""The table of `treewright missing`: a line for each way, the best first."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from treewright.cli.console import Console
from treewright.cli.missing_words import MISSING_WORDS
from treewright.cli.training_error import amount
from treewright.cli.wording import on_the_command_line
from treewright.data.columns import Columns
from treewright.data.schema import TargetKind
from treewright.evaluation.comparing.missing_ways import NOISE, MissingWay
from treewright.render.fitting.safe_text import short_number
from treewright.render.fitting.wrapping import wrapped

_GAP = "  "
_MIN_ROOM = 20


def table_lines(
    ways: list[MissingWay], columns: Columns, console: Console, n_folds: int
) -> Iterator[str]:
    """Yield titles, the ways, the refused ones with their reasons, and remarks."""
    done = [way for way in ways if not way.refused]
    kind = columns.schema.target.kind
    rows = [_titles(columns), *(_cells(way, kind) for way in done)]
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    names = max(widths[0], *(len(way.missing) for way in ways))
    for number, (first, *others) in enumerate(rows):
        mark = "> " if number == 1 else _GAP
        numbers = (
            f"{text:>{width}}" for text, width in zip(others, widths[1:], strict=True)
        )
        yield console.cut(mark + _GAP.join([f"{first:{names}}", *numbers]).rstrip())
    for way in ways:
        if way.refused:
            reason = on_the_command_line(way.refused)
            start, room = f"  {way.missing:{names}}", console.width - names - 4
            for line in wrapped(f"refused: {reason}", max(room, _MIN_ROOM)):
                yield console.cut(f"{start}  {line}")
                start = " " * (names + 2)
    yield ""
    for remark in _remarks(done, columns, n_folds):
        yield from console.wrap(remark, indent=2)


def _titles(columns: Columns) -> list[str]:
    start, end = ["missing", "nodes", "leaves"], ["seconds"]
    if columns.schema.target.kind == "numbers":
        return [*start, "RMSE", "+-", "MAE", "+-", *end]
    total = columns.n_rows if columns.weights is None else columns.weights.sum()
    return [*start, f"wrong of {amount(float(total))}", "error", "+-", *end]


def _cells(way: MissingWay, kind: TargetKind) -> list[str]:
    start = [way.missing, f"{way.n_nodes:,}", f"{way.n_leaves:,}"]
    end = [f"{way.seconds:.2f}"]
    if kind == "numbers":
        means = (way.error, way.absolute)
        pairs = ((mean.value, mean.standard_error) for mean in means)
        return [*start, *(short_number(each) for pair in pairs for each in pair), *end]
    error = way.error
    shares = [f"{100 * error.value:.1f} %", f"{100 * error.standard_error:.1f}"]
    return [*start, amount(way.wrong), *shares, *end]


def _without_a_tree(columns: Columns) -> str:
    """Return the error of always giving the same answer."""
    weights = np.ones(columns.n_rows) if columns.weights is None else columns.weights
    target, total = columns.target, float(weights.sum())
    if columns.schema.target.kind == "numbers":
        off = target - np.average(target, axis=0, weights=weights)
        return f"RMSE {short_number(np.sqrt(weights @ (off**2).mean(axis=1) / total))}"
    heaviest = [np.bincount(codes, weights).max() for codes in target.T]
    return f"error {100 * (1 - float(np.mean(heaviest)) / total):.1f} %"


def _remarks(done: list[MissingWay], columns: Columns, n_folds: int) -> Iterator[str]:
    """Yield what the numbers are, and how far they can be trusted."""
    yield f"> {MISSING_WORDS.get(done[0].missing, done[0].missing)}"
    what = "RMSE and MAE" if columns.schema.target.kind == "numbers" else "errors"
    yield (
        f"{what}: {n_folds}-fold cross-validation, the same folds for all; +- is one "
        "standard error, and the least of several is a little too good; nodes, leaves "
        "and seconds: the tree of all rows; always giving the same answer: "
        f"{_without_a_tree(columns)}"
    )
    best, others = done[0], done[1:]
    alike = [way.missing for way in others if way.is_noise]
    if not alike:
        return
    limit = f"{NOISE:g} standard errors of the difference, row by row"
    who = "all others" if len(alike) == len(others) else ", ".join(alike)
    yield (
        f"note: the difference between {best.missing} and {who} is within noise "
        f"({limit}): choose among them by size, or by what is easiest to explain"
    )
