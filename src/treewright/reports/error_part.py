"""The part of a report about errors: how many, beside no model, and which."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from treewright.evaluation.errors.evaluation import Evaluation
from treewright.evaluation.errors.verdict import usual_answer, verdict_words
from treewright.render.document.blocks import (
    Block,
    Cell,
    DocumentColumn,
    DocumentTable,
    Line,
    Paragraph,
    Section,
    named,
    titled,
)
from treewright.render.fitting.safe_text import short_number
from treewright.render.rules.rule_table import grouped
from treewright.reports.figure_words import (
    error_words,
    share_words,
)
from treewright.reports.subject import ReportSubject
from treewright.tree.structure.branch_words import label_text

MOST_CONFUSED = 10  # classes whose confusions fit in a table
_MOST_CLASSES = 20
_MOST_PAIRS = 15
_MOST_BINS = 6
_LEAST_TONE = 0.01  # of a class


def error_section(subject: ReportSubject) -> Section:
    """Return how good the model is."""
    return Section("error", "How good it is", tuple(_blocks(subject)))


def _blocks(subject: ReportSubject) -> Iterator[Block]:
    found = subject.evaluation
    yield Paragraph((error_words(found), " ", verdict_words(found)))
    yield Paragraph(
        (
            f"This was measured on rows that the {subject.kind_words} had not seen: "
            f"{found.how}. All that is learned was learned without the rows that were "
            f"asked about. The {subject.kind_words} of this report came from all rows, "
            "in the same way.",
        )
    )
    yield _class_errors(found) if subject.is_classes else _number_errors(found)
    if subject.is_classes:
        yield from _probability_blocks(found)
        yield _class_table(subject)


def confusion_section(subject: ReportSubject) -> Section:
    """Return which answers are wrong."""
    title = "What it confuses" if subject.is_classes else "Where it is wrong"
    blocks = _confusion(subject) if subject.is_classes else _bins(subject.evaluation)
    return Section("confusion", title, tuple(blocks))


_HELD_OUT = "rows it has not seen: expect this"
_SEEN = "the rows it learned from: too good"
_ASKED_ABOUT = DocumentColumn(("asked about",), right=False, long=True)


def _class_errors(found: Evaluation) -> DocumentTable:
    error = found.error
    interval = f"{100 * error.low:.1f} to {100 * error.high:.1f} %"
    rows: tuple[tuple[Line, ...], ...] = (
        ((_HELD_OUT,), (share_words(error.value),), (interval,)),
        ((f"no model: {usual_answer(found)}",), (share_words(found.baseline),), ("",)),
        ((_SEEN,), (share_words(found.training_error),), ("",)),
    )
    figures = ("wrong answers", f"{100 * found.level:g} % interval")
    titles = (_ASKED_ABOUT, *titled(figures=figures))
    return DocumentTable(("Wrong answers, beside no model at all",), titles, rows, (0,))


def _number_errors(found: Evaluation) -> DocumentTable:
    error, absolute = found.error, found.absolute_error
    usual, explained = found.baseline_absolute_error, found.r_squared
    assert absolute is not None
    assert usual is not None
    assert explained is not None
    interval = f"{short_number(error.low)} to {short_number(error.high)}"
    r_squared = "-" if np.isnan(explained) else f"{explained:.3f}"
    rows: tuple[tuple[Line, ...], ...] = (
        (
            (_HELD_OUT,),
            (short_number(absolute.value),),
            (short_number(error.value),),
            (interval,),
            (r_squared,),
        ),
        (
            ("no model: always saying the mean",),
            (short_number(usual),),
            (short_number(found.baseline),),
            ("",),
            ("0",),
        ),
        ((_SEEN,), ("",), (short_number(found.training_error),), ("",), ("",)),
    )
    sure = f"its {100 * found.level:g} % interval"
    figures = ("mean error (MAE)", "RMSE", sure, "R²")
    titles = (_ASKED_ABOUT, *titled(figures=figures))
    caption = "Errors, beside no model at all (RMSE: large errors count more)"
    return DocumentTable((caption,), titles, rows, (0,))


def _probability_blocks(found: Evaluation) -> Iterator[Block]:
    """Yield what the probabilities are worth, in a sentence."""
    if found.brier is None or found.baseline_brier is None or not found.reliability:
        return
    rows = sum(one.n_rows for one in found.reliability)
    said = sum(one.said * one.n_rows for one in found.reliability) / rows
    right = sum(one.right * one.n_rows for one in found.reliability) / rows
    words = f"Its answers come with a probability of {share_words(said)} on average"
    words += f", and {share_words(right)} of them are right"
    if said - right > 0.05:
        words += ": it is surer than it should be, so do not take these as chances"
    elif right - said > 0.05:
        words += ": it is less sure than it could be"
    area = f" ROC area {found.roc_area:.3f}." if found.roc_area is not None else ""
    yield Paragraph(
        (
            f"{words}. Brier score {found.brier:.3f}; {found.baseline_brier:.3f} "
            f"with the shares of the classes alone.{area}",
        )
    )


def _class_table(subject: ReportSubject) -> DocumentTable:
    """How well each class is found, the most common ones."""
    figures = subject.evaluation.classes
    most = sorted(figures, key=lambda one: -one.weight)[:_MOST_CLASSES]
    shown = [one for one in figures if one in most]
    caption = "Class by class"
    if len(shown) < len(figures):
        caption += f": the {len(shown)} most common of {len(figures):,}"
    rows = tuple(
        (
            (named(label_text(one.label)),),
            (grouped(round(one.weight, 1)),),
            (share_words(one.recall),),
            (share_words(one.precision),),
        )
        for one in shown
    )
    found_and_right = ("of these found (recall)", "right when it is said (precision)")
    titles = titled(["class"], [subject.unit, *found_and_right])
    return DocumentTable((caption,), titles, rows)


def _confusion(subject: ReportSubject) -> Iterator[Block]:
    found = subject.evaluation
    table = found.confusion
    assert table is not None
    labels = [label_text(label) for label in subject.target.classes[0]]
    heads = [*labels, "no answer"]
    if not table[:, -1].any():
        table, heads = table[:, :-1], labels
    right = float(np.trace(table))
    if right >= table.sum() - 1e-9:
        yield Paragraph(("No row was taken for one of another class.",))
        if len(labels) > MOST_CONFUSED:
            return
    pairs = _worst_pairs(table)
    if pairs:
        (was, said), share = (
            pairs[0],
            table[pairs[0]] / max(table.sum() - right, 1e-300),
        )
        yield Paragraph(
            (
                "The most common mistake: rows that are ",
                named(labels[was]),
                *_taken_for(heads, said, len(labels)),
                f" ({_rows(float(table[was, said]), subject)}, "
                f"{100 * share:.0f} % of all mistakes).",
            )
        )
    if len(labels) <= MOST_CONFUSED:
        yield _confusion_table(table, labels, heads)
    elif pairs:
        yield _pair_table(table, labels, heads, pairs, subject)


def _taken_for(heads: list[str], said: int, n_classes: int) -> Line:
    if said >= n_classes:
        return (" and got no answer",)
    return (" and are taken for ", named(heads[said]))


def _rows(weight: float, subject: ReportSubject) -> str:
    text = grouped(round(weight, 1))
    if subject.by_weight:
        return f"rows of weight {text}"
    return f"{text} row{'' if text == '1' else 's'}"


def _worst_pairs(table: np.ndarray) -> list[tuple[int, int]]:
    """The most common mistakes, the worst first."""
    wrong = np.array(table)
    np.fill_diagonal(wrong, 0)
    order = np.argsort(-wrong, axis=None, kind="stable")[:_MOST_PAIRS]
    places = zip(*np.unravel_index(order, wrong.shape), strict=True)
    return [(int(was), int(said)) for was, said in places if wrong[was, said] > 0]


def _confusion_table(
    table: np.ndarray, labels: list[str], heads: list[str]
) -> DocumentTable:
    """Rows of each class (down) by what was said (across), with tones."""
    rows = []
    for was, label in enumerate(labels):
        total = float(table[was].sum())
        cells: list[Line | Cell] = [(named(label, 30),)]
        for said, weight in enumerate(table[was].tolist()):
            text = grouped(round(weight, 1)) if weight else "·"
            tone = _tone(weight / total if total else 0.0, right=was == said)
            cells.append(Cell((text,), tone))
        rows.append(tuple(cells))
    titles = titled(["it is … \\ it says …"], [named(head, 24) for head in heads])
    caption = "Down: what rows are. Across: what is said of them. Bold: right answers."
    return DocumentTable((caption,), titles, tuple(rows))


def _tone(share: float, *, right: bool) -> str:
    """How much of a row's class is here: a colour, lighter for less."""
    if share < _LEAST_TONE:
        return "good1" if right else ""
    level = min(1 + int(4 * share), 4)
    return f"{'good' if right else 'bad'}{level}"


def _pair_table(
    table: np.ndarray,
    labels: list[str],
    heads: list[str],
    pairs: list[tuple[int, int]],
    subject: ReportSubject,
) -> DocumentTable:
    """The most common mistakes, one below the other."""
    rows = tuple(
        (
            (named(labels[was], 40),),
            (named(heads[said], 40),),
            (grouped(round(float(table[was, said]), 1)),),
            (share_words(float(table[was, said] / table[was].sum())),),
        )
        for was, said in pairs
    )
    titles = titled(["it is", "it says"], [subject.unit, "of this class"])
    return DocumentTable(("The most common mistakes",), titles, rows)


def _bins(found: Evaluation) -> Iterator[Block]:
    """Yield how far answers are off, from the low ones to the high ones."""
    outcomes = found.outcomes
    said, actual = outcomes.predicted, outcomes.actual
    weights = outcomes.sampling.weights
    edges = np.unique(np.quantile(said, np.linspace(0, 1, _MOST_BINS + 1)[1:-1]))
    place = np.searchsorted(edges, said)
    rows: list[tuple[Line, ...]] = []
    for number in np.unique(place).tolist():
        here = place == number
        own = weights[here]
        low, high = short_number(said[here].min()), short_number(said[here].max())
        rows.append(
            (
                (low if low == high else f"{low} to {high}",),
                (f"{int(here.sum()):,}",),
                (_mean(said[here], own),),
                (_mean(actual[here], own),),
                (_mean(np.abs(said[here] - actual[here]), own),),
            )
        )
    titles = titled(
        ["it says"], ["rows", "said on average", "was on average", "off by (MAE)"]
    )
    yield Paragraph(
        ("Held-out rows by what was said of them, from the lowest to the highest.",)
    )
    yield DocumentTable(("What was said, and what was true",), titles, tuple(rows))


def _mean(numbers: np.ndarray, weights: np.ndarray) -> str:
    return short_number(float(f"{np.average(numbers, weights=weights):.4g}"))
