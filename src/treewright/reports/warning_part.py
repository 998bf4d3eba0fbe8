"""The part of a report about what to watch out for: in the data, and in the model."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from treewright.checks.check import MANY_NUMBERS
from treewright.checks.finding import Finding
from treewright.data.complaints import counted
from treewright.evaluation.errors.stability import LEAF, Place
from treewright.evaluation.errors.verdict import verdict, verdict_words
from treewright.render.document.blocks import (
    Block,
    BulletList,
    Code,
    Command,
    Line,
    Paragraph,
    Section,
    Strong,
    named,
)
from treewright.render.fitting.safe_text import clip, visible
from treewright.reports.figure_words import (
    error_figure,
    share_words,
)
from treewright.reports.subject import ReportSubject
from treewright.tree.model import Model
from treewright.tree.structure.branch_words import label_text

MOST_FINDINGS = 12
_MOST_OF_A_KIND = 3
_MOST_WORDS = 400  # signs of a line
_MOST_NOTES = 8
_SELDOM_FOUND = 0.5
_MOST_CLASSES = 3
_LEARNED_BY_HEART = 0.5  # training errors per held-out error


def warning_section(subject: ReportSubject) -> Section:
    """Return what to watch out for."""
    return Section("care", "What to watch out for", tuple(_blocks(subject)))


def n_warnings(subject: ReportSubject) -> int:
    """Return how many things there are to watch out for."""
    return len(subject.findings) + len(list(_model_lines(subject)))


def first_warning(subject: ReportSubject) -> Line:
    """Return the heaviest of them in a few words; empty if there are none."""
    for finding in subject.findings:
        what = clip(visible(finding.what.replace("\n", " ")), 160)
        return (Strong(finding.kind), f": {_sentence(what)}")
    for line in _model_lines(subject):
        return line
    return ()


def _blocks(subject: ReportSubject) -> Iterator[Block]:
    shown, n_more = _shown(subject)
    lines = [_finding_line(subject, finding) for finding in shown]
    if lines:
        yield Paragraph(("In the data, the heaviest first:",))
        yield BulletList(tuple(lines))
    else:
        yield Paragraph(("In the data: the checks found nothing to report.",))
    if n_more:
        yield Command((f"And {n_more:,} more; all of them:",), subject.making.findings)
    about_model = tuple(_model_lines(subject))
    if about_model:
        yield Paragraph((f"In the {subject.kind_words}:",))
        yield BulletList(about_model)
    yield Paragraph(
        (
            "Always: the figures hold for new rows that come about as these did, and "
            "what goes together is not what causes what.",
        )
    )


def _finding_line(subject: ReportSubject, finding: Finding) -> Line:
    words = f"{finding.what}; {finding.todo}"
    if finding.kind == "missing" and not subject.is_tree:
        words = finding.what  # the command tries ways for single trees only
    return (Strong(finding.kind), f": {_sentence(subject.making.wording(words))}")


def _shown(subject: ReportSubject) -> tuple[list[Finding], int]:
    """The heaviest findings, a few of each kind, and how many are not shown."""
    shown: list[Finding] = []
    for finding in subject.findings:
        alike = sum(other.kind == finding.kind for other in shown)
        if alike < _MOST_OF_A_KIND and len(shown) < MOST_FINDINGS:
            shown.append(finding)
    return shown, len(subject.findings) - len(shown)


def _model_lines(subject: ReportSubject) -> Iterator[Line]:
    found = subject.evaluation
    if verdict(found) != "better":
        yield (Strong("no clear gain"), f": {verdict_words(found)}")
    error, trained = found.error.value, found.training_error
    # many trees know their own rows by heart, and are none the worse for it
    is_many = isinstance(subject.model, Model) and not subject.is_tree
    is_close = is_many or trained >= _LEARNED_BY_HEART * error
    if error > 0 and not is_close:
        yield (Strong("learned by heart"), *_by_heart(subject, trained, error))
    yield from _few_numbers(subject)
    yield from _size_lines(subject)
    yield from _class_lines(subject)
    for place in found.places:
        if place.is_fragile:
            yield (Strong("fragile"), *_fragile(place))
    notes = [*found.notes, *subject.columns.notes, *subject.model.notes]
    different = list(dict.fromkeys(notes))
    for note in different[:_MOST_NOTES]:
        yield (Strong("note"), f": {_sentence(subject.making.wording(note))}")
    if len(different) > _MOST_NOTES:
        yield (f"and {counted(len(different) - _MOST_NOTES, 'more note')}",)


def _by_heart(subject: ReportSubject, trained: float, error: float) -> Line:
    """Say that the training rows are fitted much better than others."""
    figures = f"{share_words(trained)} of its own rows and {share_words(error)} of new"
    words = f": it is wrong on {figures} ones; only the second figure counts"
    if not subject.is_classes:
        words = ": it makes no error at all on its own rows, and does on new ones"
        if trained > 0:
            times = f"{error / trained:.1f} times"
            words = f": its error (RMSE) on new rows is {times} that on its own rows"
    return (f"{words}.",)


def _few_numbers(subject: ReportSubject) -> Iterator[Line]:
    """Yield that numbers look like names of classes, and what to do then."""
    if subject.is_classes:
        return
    values = np.unique(subject.columns.target[:, 0])
    if 1 < len(values) <= MANY_NUMBERS and bool((values == np.floor(values)).all()):
        yield (
            Strong("numbers or classes"),
            ": ",
            named(subject.target.names[0]),
            f" has {len(values)} different whole numbers. Where they are names of "
            "classes, predict these: ",
            Code(subject.making.as_classes),
        )


def _size_lines(subject: ReportSubject) -> Iterator[Line]:
    """Yield that a smaller tree would do better, and how to see it."""
    size, curve = subject.better_size, subject.leaf_curve
    if size is None or curve is None:
        return
    assert isinstance(subject.model, Model)
    found, n_leaves = subject.evaluation, subject.model.trees[0].n_leaves
    least = error_figure(found, float(curve.held_out[curve.best]))
    now = error_figure(found, found.error.value)
    yield (
        Strong("too large"),
        f": trees that are cut back to about {size:,} leaves have an error of {least} "
        f"on new rows; this one has {n_leaves:,} leaves and {now}. Try ",
        Code(subject.making.smaller(size)),
    )


def _class_lines(subject: ReportSubject) -> Iterator[Line]:
    """Yield the classes of which most rows are not found, the most common first."""
    missed = [
        one
        for one in sorted(subject.evaluation.classes, key=lambda one: -one.weight)
        if one.weight > 0 and one.recall < _SELDOM_FOUND
    ]
    for one in missed[:_MOST_CLASSES]:
        yield (
            Strong("seldom found"),
            ": of the rows that are ",
            named(label_text(one.label)),
            f", {share_words(one.recall)} are found.",
        )
    if len(missed) > _MOST_CLASSES:
        more = len(missed) - _MOST_CLASSES
        classes = f"{more:,} more class{'es' if more > 1 else ''}"
        yield (Strong("seldom found"), f": less than half of {classes}.")


def _fragile(place: Place) -> Line:
    """Say that other rows might have made another tree."""
    where: Line = (": at the root",)
    if place.path:
        where = (": below ", named(" and ".join(place.path), 80))
    asks: Line = (" there is a leaf",)
    if place.feature != LEAF:
        asks = (" it asks about ", named(place.feature))
    other = place.others[0][0] if place.others else place.runner_up
    agree = f" in {place.n_same} of {place.n_trees} trees of parts of the rows"
    if other is None:
        return (*where, *asks, f"{agree}.")
    if other == LEAF:
        return (*where, *asks, f"{agree}; others end there.")
    return (*where, *asks, f"{agree}; ", named(other), " is nearly as good.")


def _sentence(text: str) -> str:
    """Return a text with a full stop, cut where it is very long."""
    cut = clip(visible(text.replace("\n", " ")), _MOST_WORDS)
    return cut if cut.endswith((".", "…", ")", "?")) else f"{cut}."
