"""The part of a report about more rows and smaller trees: the two curves, in words."""

from __future__ import annotations

from collections.abc import Iterator

from treewright.evaluation.errors.evaluation import Evaluation
from treewright.evaluation.errors.evaluation_charts import Curve
from treewright.render.charts.line_chart import chart_svg
from treewright.render.document.blocks import (
    Block,
    DocumentTable,
    Line,
    Paragraph,
    Picture,
    Section,
    titled,
)
from treewright.reports.figure_words import error_figure
from treewright.reports.subject import ReportSubject
from treewright.tree.model import Model

_HALF = 0.55  # of the rows: the curve's later part begins there
_STILL = 0.05  # of the error: by so much it must fall to say that it falls


def curve_section(subject: ReportSubject) -> Section:
    """Return whether more rows, or fewer leaves, would help."""
    return Section("curves", "Would more rows help?", tuple(_blocks(subject)))


def _blocks(subject: ReportSubject) -> Iterator[Block]:
    found = subject.evaluation
    learning, *others = found.curves
    yield Paragraph((learning_words(found, learning),))
    yield _picture("learning", learning, found)
    yield _table(found, learning)
    for curve in others:
        yield Paragraph((_size_words(subject, curve),))
        yield _picture("size", curve, found)


def _picture(name: str, curve: Curve, found: Evaluation) -> Picture:
    first, last = (
        error_figure(found, float(curve.held_out[place])) for place in (0, -1)
    )
    ends = f"{curve.x[0]:,.0f} to {curve.x[-1]:,.0f} {curve.across}"
    alt = (
        f"Lines over {ends}: the {_measure(curve)} on held-out rows goes from {first} "
        f"to {last}; beside it that on training rows, and that of no model.",
    )
    return Picture(name, chart_svg([curve.chart(found.baseline)]), alt)


def _measure(curve: Curve) -> str:
    return "share of wrong answers" if curve.measure == "error" else curve.measure


def learning_words(found: Evaluation, curve: Curve) -> str:
    """Say whether the error still falls with more rows."""
    if len(curve.x) < 2:
        return "There are too few rows to leave some of them out."
    late = next(k for k, x in enumerate(curve.x) if x >= _HALF * curve.x[-1])
    late = min(late, len(curve.x) - 2)
    before, after = float(curve.held_out[late]), float(curve.held_out[-1])
    rows = f"from {curve.x[late]:,.0f} to {curve.x[-1]:,.0f} training rows"
    figures = f"{error_figure(found, before)} to {error_figure(found, after)} {rows}"
    if after < (1 - _STILL) * before:
        return (
            f"Probably. The error on new rows still falls: {figures}. More rows of the "
            "same kind should lower it further."
        )
    if after > (1 + _STILL) * before:
        return (
            f"Hard to tell: the error on new rows goes up and down ({figures}), by "
            "chance of which rows were learned from."
        )
    return (
        f"Hardly. The error on new rows has levelled off: {figures}. Other features, "
        "or cleaner data, would help more than more rows of the same kind."
    )


def _table(found: Evaluation, curve: Curve) -> DocumentTable:
    rows: list[tuple[Line, ...]] = [
        (
            (f"{x:,.0f}",),
            (error_figure(found, float(held_out)),),
            (error_figure(found, float(training)),),
        )
        for x, held_out, training in zip(
            curve.x, curve.held_out, curve.training, strict=True
        )
    ]
    titles = titled(figures=(curve.across, "on held-out rows", "on training rows"))
    measure = "Wrong answers" if curve.measure == "error" else "RMSE"
    return DocumentTable(
        (f"{measure} by the number of training rows",), titles, tuple(rows)
    )


def _size_words(subject: ReportSubject, curve: Curve) -> str:
    """Say which size of tree has the least error."""
    found, best = subject.evaluation, curve.best
    least = error_figure(found, float(curve.held_out[best]))
    leaves = f"{curve.x[best]:,.0f} {'leaf' if curve.x[best] == 1 else 'leaves'}"
    words = (
        "How large should the tree be? Cut back step by step, trees have the least "
        f"error on new rows with about {leaves} ({least})"
    )
    if isinstance(subject.model, Model):
        words += f"; the tree of this report has {subject.model.trees[0].n_leaves:,}"
    return f"{words}."
