"""The part of a report about features: which of them count."""

from __future__ import annotations

from collections.abc import Iterator

from treewright.data.complaints import counted
from treewright.render.charts.bar_chart import Bar, bars_svg
from treewright.render.document.blocks import (
    Block,
    DocumentTable,
    Line,
    Paragraph,
    Picture,
    Section,
    joined,
    listed,
    named,
    titled,
)
from treewright.reports.importances import Importances
from treewright.reports.subject import ReportSubject

MOST_BARS = 12
_MOST_ROWS = 30


def importance_section(subject: ReportSubject) -> Section:
    """Return which features count."""
    return Section("features", "What counts", tuple(_blocks(subject)))


def _blocks(subject: ReportSubject) -> Iterator[Block]:
    found = subject.importances
    names = subject.model.schema.names
    if not found.n_used:
        asks = "ask" if subject.is_boosted else "asks"
        why = f"the {subject.kind_words} {asks} nothing"
        if subject.kind_words == "forest":
            why = "without any one of them the answers are as good"
        yield Paragraph((f"No feature counts: {why}.",))
        return
    yield Paragraph((found.words,))
    order = found.order
    shown = [k for k in order if found.values[k] > 0][:MOST_BARS]
    yield Picture(
        "features",
        _bars(found, names, shown),
        (
            f"Bars: {found.measure}, the most important feature first. ",
            *top_features(subject),
            ".",
        ),
    )
    if len(shown) < len(order):
        yield from _rest(found, names, order, len(shown))


def _bars(found: Importances, names: tuple[str, ...], shown: list[int]) -> str:
    bars = [
        Bar(
            names[k],
            float(found.values[k]),
            found.texts[k],
            None if found.low is None else float(found.low[k]),
            None if found.high is None else float(found.high[k]),
        )
        for k in shown
    ]
    return bars_svg(f"What counts: {found.measure}", bars)


def _rest(
    found: Importances, names: tuple[str, ...], order: list[int], n_shown: int
) -> Iterator[Block]:
    """Yield the features that have no bar: a table, or how many they are."""
    rest = order[n_shown:]
    used = [k for k in rest if found.values[k] > 0]
    n_idle = len(rest) - len(used)
    if used:
        rows: list[tuple[Line, ...]] = [
            ((named(names[k]),), (found.texts[k],)) for k in used[:_MOST_ROWS]
        ]
        titles = titled(["feature"], [found.measure])
        yield DocumentTable(("The next features",), titles, tuple(rows))
    left = len(used) - _MOST_ROWS
    if left > 0:
        yield Paragraph((f"And {left:,} more that count less.",))
    if n_idle:
        idle = [names[k] for k in rest if found.values[k] <= 0]
        do = "do" if n_idle > 1 else "does"
        words = f"{counted(n_idle, 'feature')} that {do} not count: "
        yield Paragraph((words, *listed(idle), "."))


def top_features(subject: ReportSubject, most: int = 3) -> Line:
    """Return the most important features with their figures; empty if none counts."""
    found, names = subject.importances, subject.model.schema.names
    top = found.order[: min(most, found.n_used)]
    return joined([(named(names[k], 40), f" ({found.texts[k]})") for k in top])
