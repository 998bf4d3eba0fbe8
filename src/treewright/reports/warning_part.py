"""The part of a report about what to watch out for: in the data, and in the model."""

from __future__ import annotations

from collections.abc import Iterator

from treewright.checks.finding import MOST_OF_A_KIND
from treewright.data.complaints import counted
from treewright.evaluation.stability import LEAF, Place
from treewright.render.document import (
    Command,
    Items,
    Line,
    Paragraph,
    Section,
    Strong,
    named,
)
from treewright.render.document.blocks import Block
from treewright.render.words import clip, visible
from treewright.reports.subject import Subject
from treewright.reports.wording import share_words, verdict, verdict_words
from treewright.tree.condition import label_text

MOST_FINDINGS = 12
_MOST_OF_A_KIND = min(3, MOST_OF_A_KIND)
_MOST_WORDS = 400  # signs of a line
_MOST_NOTES = 8
_SELDOM_FOUND = 0.5
_MOST_CLASSES = 3
_LEARNED_BY_HEART = 0.5  # training errors per held-out error


def warning_section(subject: Subject) -> Section:
    """Return what to watch out for."""
    return Section("care", "What to watch out for", tuple(_blocks(subject)))


def n_warnings(subject: Subject) -> int:
    """Return how many things there are to watch out for."""
    return len(subject.findings) + len(list(_model_lines(subject)))


def first_warning(subject: Subject) -> Line:
    """Return the heaviest of them in a few words; empty if there are none."""
    for finding in subject.findings:
        return (f"{finding.kind}: ", named(_sentence(finding.what), 160))
    for line in _model_lines(subject):
        return line
    return ()


def _blocks(subject: Subject) -> Iterator[Block]:
    shown, n_more = _shown(subject)
    lines = [
        (
            Strong(finding.kind),
            f": {_sentence(subject.making.wording(f'{finding.what}; {finding.todo}'))}",
        )
        for finding in shown
    ]
    if lines:
        yield Paragraph(("In the data, the heaviest first:",))
        yield Items(tuple(lines))
    else:
        yield Paragraph(("In the data: the checks found nothing to report.",))
    if n_more:
        yield Command((f"And {n_more:,} more; all of them:",), subject.making.findings)
    about_model = tuple(_model_lines(subject))
    if about_model:
        yield Paragraph((f"In the {subject.kind_words}:",))
        yield Items(about_model)
    yield Paragraph(
        (
            "Always: the figures hold for new rows that come about as these did, and "
            "what goes together is not what causes what.",
        )
    )


def _shown(subject: Subject) -> tuple[list, int]:
    """The heaviest findings, a few of each kind, and how many are not shown."""
    shown: list = []
    for finding in subject.findings:
        alike = sum(other.kind == finding.kind for other in shown)
        if alike < _MOST_OF_A_KIND and len(shown) < MOST_FINDINGS:
            shown.append(finding)
    return shown, len(subject.findings) - len(shown)


def _model_lines(subject: Subject) -> Iterator[Line]:
    found = subject.evaluation
    if verdict(found) != "better":
        yield (Strong("no clear gain"), f": {verdict_words(found)}")
    error, trained = found.error.value, found.training_error
    if error > 0 and trained < _LEARNED_BY_HEART * error:
        yield (Strong("learned by heart"), *_by_heart(subject, trained, error))
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


def _by_heart(subject: Subject, trained: float, error: float) -> Line:
    """Say that the training rows are fitted much better than others."""
    figures = f"{share_words(trained)} of its own rows and {share_words(error)} of new"
    words = f": it is wrong on {figures} ones"
    if not subject.is_classes:
        times = "not at all" if trained == 0 else f"{error / trained:.1f} times less"
        words = f": on its own rows it is off {times} than on new ones"
    if subject.kind_words == "forest":
        return (f"{words}; for forests that is as it should be.",)
    return (f"{words}. Prune more, or allow fewer leaves; only the second figure counts.",)


def _class_lines(subject: Subject) -> Iterator[Line]:
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
