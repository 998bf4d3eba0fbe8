"""The part of a report about the data: the target, and each feature in a line."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from treewright.checks.table import Checked, CheckedTable
from treewright.data.complaints import counted
from treewright.render.document.blocks import (
    Block,
    DocumentColumn,
    DocumentTable,
    Line,
    Paragraph,
    Section,
    Span,
    listed,
    named,
    titled,
)
from treewright.render.fitting.safe_text import short_number
from treewright.render.rules.rule_table import grouped
from treewright.reports.figure_words import share_words
from treewright.reports.subject import ReportSubject
from treewright.tree.structure.branch_words import label_text

MOST_FEATURES = 40
MOST_CLASSES = 20
_MOST_VALUES = 3
_QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)


def data_section(subject: ReportSubject) -> Section:
    """Return what the table is."""
    return Section("data", "The data", tuple(_blocks(subject)))


def _blocks(subject: ReportSubject) -> Iterator[Block]:
    making, target = subject.making, subject.target.names[0]
    rows, features = subject.size_words
    line: Line = (named(subject.table), f" has {rows} and {features}. ")
    yield Paragraph((*line, "To be predicted is ", named(target), "."))
    yield _class_table(subject) if subject.is_classes else _number_table(subject)
    yield _feature_table(subject)
    if making.weights is not None:
        yield Paragraph(("Rows count by the column ", named(making.weights), "."))
    if making.left_out:
        yield Paragraph(("Left out: ", *listed(making.left_out), "."))


def _class_table(subject: ReportSubject) -> DocumentTable:
    """How common each class is, the most common first."""
    codes, labels = subject.columns.target[:, 0], subject.target.classes[0]
    own = subject.columns.weights
    weights = np.bincount(codes, weights=own, minlength=len(labels))
    order = np.argsort(-weights, kind="stable").tolist()
    shown, others = order[:MOST_CLASSES], order[MOST_CLASSES:]
    total = float(weights.sum())
    rows: list[tuple[Line, ...]] = [
        (
            (named(label_text(labels[code])),),
            (grouped(float(weights[code])),),
            (share_words(float(weights[code]) / total),),
        )
        for code in shown
    ]
    if others:
        rest = float(weights[others].sum())
        rows.append(
            (
                (f"{len(others):,} other classes",),
                (grouped(rest),),
                (share_words(rest / total),),
            )
        )
    titles = titled(["class"], [subject.unit, "share"])
    return DocumentTable(("How common each class is",), titles, tuple(rows))


def _number_table(subject: ReportSubject) -> DocumentTable:
    """Where the numbers of the target lie."""
    numbers = subject.columns.target[:, 0]
    weights = subject.columns.weights
    mean = float(np.average(numbers, weights=weights))
    names = ("least", "a quarter is below", "half is below", "three quarters are below")
    figures = [*np.quantile(numbers, _QUARTERS).tolist(), mean]
    rows = tuple(
        ((name,), (short_number(figure),))
        for name, figure in zip((*names, "greatest", "mean"), figures, strict=True)
    )
    titles = titled(["figure"], [named(subject.target.names[0])])
    return DocumentTable(("Where its numbers lie",), titles, rows)


def _feature_table(subject: ReportSubject) -> DocumentTable:
    """A line for each feature; of many those that count most."""
    features = CheckedTable.of(subject.columns).features
    caption = "The features"
    shown = list(range(len(features)))
    if len(features) > MOST_FEATURES:
        shown = sorted(subject.importances.order[:MOST_FEATURES])
        caption += f": the {MOST_FEATURES} of {len(features):,} that count most"
    asked = subject.model.schema.features
    rows = []
    for number in shown:
        one, intervals = features[number], asked[number].intervals
        kind: str = one.feature.kind
        if intervals is not None:
            kind += f", in {counted(len(asked[number].categories), 'interval')}"
        missing = f"{one.n_missing:,}"
        if one.n_missing:
            missing += f" ({share_words(one.n_missing / len(one.column.codes))})"
        rows.append(
            (
                (named(one.name),),
                (kind,),
                (f"{one.n_seen:,}",),
                (missing,),
                tuple(_usual_values(one)),
            )
        )
    titles = (
        *titled(["feature", "kind"], ["different values", "missing"]),
        DocumentColumn(("what it holds",), right=False, long=True),
    )
    return DocumentTable((caption,), titles, tuple(rows))


def _usual_values(one: Checked) -> Iterator[Span]:
    """Yield the range of a number and its middle; else the most common values."""
    counts = one.counts[:-1]
    seen = np.flatnonzero(counts)
    if not len(seen):
        yield "nothing"
        return
    if not one.is_nominal:
        middle = int(np.searchsorted(np.cumsum(counts), one.n_known / 2))
        yield named(one.label(int(seen[0])))
        if len(seen) > 1:
            yield " to "
            yield named(one.label(int(seen[-1])))
            yield ", middle "
            yield named(one.label(middle))
        return
    order = seen[np.argsort(-counts[seen], kind="stable")].tolist()
    for place, code in enumerate(order[:_MOST_VALUES]):
        yield ", " if place else ""
        yield named(one.label(code), 24)
        yield f" {_whole_percent(int(counts[code]) / one.n_known)}"
    if len(order) > _MOST_VALUES:
        yield ", ..."


def _whole_percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share >= 0.01 else "<1 %"
