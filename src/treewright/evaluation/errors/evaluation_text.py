"""An evaluation for people: the error first, then what it is made of."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from treewright.data.complaints import counted
from treewright.evaluation.errors.evaluation_charts import Curve
from treewright.evaluation.errors.stability import Place
from treewright.evaluation.errors.verdict import verdict, verdict_words
from treewright.render.fitting.safe_text import (
    clip,
    display_width,
    pad,
    short_number,
    visible,
    weight_text,
)
from treewright.render.fitting.wrapping import wrapped
from treewright.tree.structure.branch_words import label_text

if TYPE_CHECKING:
    from treewright.evaluation.errors.evaluation import Evaluation
    from treewright.evaluation.errors.held_out_answers import Floats


_MOST_LABEL = 16
_MOST_CONFUSED = 8  # classes whose confusions are shown
_MOST_CLASSES = 20
_MOST_PAIRS = 10  # of classes that are confused
_TOO_GOOD = "too good, for comparison"
_EXPECT = "<- expect this on new rows"
_MEAN = "always saying the mean"
# remarks where there is little room
_SHORT = {_TOO_GOOD: "too good", _EXPECT: "<- expect", "<- expect this": "<-"}
_BAR = 30  # signs
_MARGIN = "margin: of the best feature over the runner-up, in the tree of all rows"


def evaluation_lines(
    found: Evaluation, *, width: int = 80, ascii: bool = False
) -> Iterator[str]:
    """Return the report, part by part."""
    parts = [
        [found.how],
        [*error_lines(found, width), *_verdict_lines(found, width)],
        _class_lines(found),
        _confusion_lines(found, width),
        _honesty_lines(found),
        _tree_lines(found, width),
        *(curve_lines(curve) for curve in found.curves),
        [f"note: {note}" for note in found.notes],
    ]
    return report_lines(parts, width, ascii=ascii)


def report_lines(
    parts: Iterable[Iterable[str]], width: int, *, ascii: bool
) -> Iterator[str]:
    """Yield parts, an empty line between them; tables are cut, sentences wrapped."""
    written = (list(part) for part in parts)
    for number, part in enumerate(part for part in written if part):
        if number:
            yield ""
        for line in part:
            shown = visible(line, ascii=ascii)
            if line.startswith(" "):
                yield clip(shown, width, ascii=ascii)
            else:
                yield from wrapped(shown, width, indent=2)


def error_and_interval(found: Evaluation) -> tuple[str, str]:
    """Return the error, and the ends of its interval."""
    error = found.error
    if found.outcomes.is_classes:
        return percent(error.value), f"{100 * error.low:.1f} - {100 * error.high:.1f}"
    low, high = short_number(error.low), short_number(error.high)
    return short_number(error.value), f"{low} - {high}"


def percent(share: float) -> str:
    """Return a share in percent; a dash where there is none."""
    return "-" if np.isnan(share) else f"{100 * share:.1f} %"


def _verdict_lines(found: Evaluation, width: int) -> Iterator[str]:
    """Yield a word of warning where the model is not clearly better than none."""
    if verdict(found) != "better":
        yield from wrapped(f"  {verdict_words(found)}", width, indent=2)


def error_lines(found: Evaluation, width: int = 80) -> Iterator[str]:
    """Yield the error beside the training error and that of no model."""
    level = f"{100 * found.level:g} % interval"
    error, interval = error_and_interval(found)
    trained, rows = "on the training rows", "on held-out rows"
    if found.outcomes.is_classes:
        table = [
            ["", "error", level, ""],
            [trained, percent(found.training_error), "", _TOO_GOOD],
            [rows, error, interval, _EXPECT],
            [usual_class(found), percent(found.baseline), "", ""],
        ]
    else:
        absolute, usual = found.absolute_error, found.baseline_absolute_error
        assert absolute is not None
        assert usual is not None
        assert found.r_squared is not None
        mean = short_number(absolute.value)
        table = [
            ["", "RMSE", level, "MAE", "R2", ""],
            [trained, short_number(found.training_error), "", "", "", "too good"],
            [rows, error, interval, mean, f"{found.r_squared:.3f}", "<- expect this"],
            [_MEAN, short_number(found.baseline), "", short_number(usual), "", ""],
        ]
    last = len(table[0]) - 1
    lines = aligned(table, left={0, last})
    if max(map(display_width, lines)) > width:  # the figures matter, not the remarks
        table = [[*row[:-1], _SHORT.get(row[-1], row[-1])] for row in table]
    yield from fitted(table, width, left={0, last})


def usual_class(found: Evaluation) -> str:
    """Return whose error stands beside that of the model."""
    outcomes = found.outcomes
    said = np.unique(outcomes.usual)
    if len(said) > 1:
        return "always the most common class"
    label = label_text(outcomes.target.classes[0][int(said[0])])
    return f"always saying {clip(label, _MOST_LABEL)}"


def _class_lines(found: Evaluation) -> Iterator[str]:
    """Yield precision and recall of each class."""
    figures = found.classes
    if not figures:
        return
    most = sorted(figures, key=lambda one: -one.weight)[:_MOST_CLASSES]
    shown = [one for one in figures if one in most]
    table = [["class", "rows", "precision", "recall"]]
    table += [
        [
            clip(label_text(one.label), 2 * _MOST_LABEL),
            weight_text(one.weight),
            percent(one.precision),
            percent(one.recall),
        ]
        for one in shown
    ]
    yield from aligned(table, left={0})
    if len(shown) < len(figures):
        yield f"  and {len(figures) - len(shown):,} smaller classes"


def _confusion_lines(found: Evaluation, width: int) -> Iterator[str]:
    """Yield which class was taken for which: a table, or a list where it is wide."""
    table = found.confusion
    if table is None:
        return
    lines = []
    if len(table) <= _MOST_CONFUSED:
        lines = list(_confusion_table(found, table))
    if not lines or max(map(display_width, lines)) > width:
        lines = list(_confusion_list(found, table))
    yield from lines
    n_times = len(found.outcomes.rows) / found.outcomes.sampling.n_different
    if lines and n_times > 1:
        yield f"  rows are held out {short_number(n_times)} times and count once"


def _confusion_table(found: Evaluation, table: Floats) -> Iterator[str]:
    labels = [
        clip(label_text(label), _MOST_LABEL)
        for label in found.outcomes.target.classes[0]
    ]
    heads = [*labels, "(none)"]
    if not table[:, -1].any():
        table, heads = table[:, :-1], labels
    rows = [["was \\ said", *heads]]
    rows += [
        [label, *(_amount(each) for each in line)]
        for label, line in zip(labels, table.tolist(), strict=True)
    ]
    yield from aligned(rows, left={0})


def _confusion_list(found: Evaluation, table: Floats) -> Iterator[str]:
    """Yield the pairs of classes that are confused most."""
    labels = [label_text(label) for label in found.outcomes.target.classes[0]]
    wrong = np.array(table)
    np.fill_diagonal(wrong, 0.0)
    order = np.argsort(-wrong, axis=None, kind="stable")[:_MOST_PAIRS]
    pairs = [divmod(int(place), wrong.shape[1]) for place in order]
    rows = [["was", "said", "rows"]]
    rows += [
        [
            clip(labels[was], 2 * _MOST_LABEL),
            clip([*labels, "(none)"][said], 2 * _MOST_LABEL),
            _amount(float(wrong[was, said])),
        ]
        for was, said in pairs
        if wrong[was, said] > 0
    ]
    if len(rows) == 1:
        return
    n_more = int(np.count_nonzero(wrong)) - (len(rows) - 1)
    yield "  taken for another class most often"
    yield from aligned(rows, left={0, 1})
    if n_more > 0:
        yield f"  and {counted(n_more, 'pair')} of classes with fewer rows"


def _amount(weight: float) -> str:
    """Return a number of rows; of parts of rows one digit."""
    return weight_text(round(weight, 1)) if weight else "."


def _honesty_lines(found: Evaluation) -> Iterator[str]:
    """Yield how well rows are ranked, and what probabilities are worth."""
    if found.roc_area is not None:
        n_classes = len(found.outcomes.target.classes[0])
        each = "" if n_classes == 2 else " (each class against the others)"
        yield f"  ROC area {found.roc_area:.3f}{each}"
    if found.brier is None or found.baseline_brier is None:
        return
    yield (
        f"  Brier score {found.brier:.3f}; {found.baseline_brier:.3f} with the shares "
        "of the classes alone"
    )
    table = [["probability said", "on average", "right", "rows"]]
    table += [
        [
            f"{100 * one.low:.0f} - {100 * one.high:.0f} %",
            percent(one.said),
            percent(one.right),
            f"{one.n_rows:,}",
        ]
        for one in found.reliability
    ]
    yield from aligned(table, left={0})


def _tree_lines(found: Evaluation, width: int) -> Iterator[str]:
    """Yield the sizes of the trees, and whether they ask the same."""
    leaves, depths = found.n_leaves, found.depths
    if not len(leaves):
        return
    n_trees = sum(len(model.trees) for model in found.models)
    if n_trees == len(leaves):
        yield (
            f"  size of {counted(n_trees, 'tree')}: {_range(leaves)} leaves, mean "
            f"{leaves.mean():.1f}; depth {_range(depths)}"
        )
    else:
        yield from wrapped(
            f"  size of {counted(len(leaves), 'model')}: {n_trees:,} trees, "
            f"{_range(leaves)} leaves in all of a model; depth {_range(depths)}",
            width,
            indent=4,
        )
    if found.places:
        yield from _place_lines(found.places)


def _range(numbers: np.ndarray[tuple[int], np.dtype[np.int64]]) -> str:
    low, high = int(numbers.min()), int(numbers.max())
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _place_lines(places: Sequence[Place]) -> Iterator[str]:
    table = [["place", "asks about", "trees", "margin", ""]]
    table += [
        [
            clip(" / ".join(place.path) or "root", 26),
            clip(place.feature, 18),
            f"{place.n_same} of {place.n_trees}",
            "" if place.margin is None else f"{100 * place.margin:.0f} %",
            _remark(place),
        ]
        for place in places
    ]
    yield from aligned(table, left={0, 1, 4})
    if any(place.margin is not None for place in places):
        yield f"  {_MARGIN}"


def _remark(place: Place) -> str:
    """Return what a reader should know of a place."""
    if not place.is_fragile:
        return ""
    other = place.others[0][0] if place.others else place.runner_up
    return f"fragile: or {clip(str(other), 16)}" if other else "fragile"


def curve_lines(curve: Curve) -> Iterator[str]:
    """Yield a curve as a table, with bars for the held-out errors."""
    amount = percent if curve.measure == "error" else short_number
    best, highest = curve.best, float(curve.held_out.max()) or 1.0
    table = [[curve.across, "training", "held-out", ""]]
    for number, (x, training, held_out) in enumerate(
        zip(curve.x, curve.training, curve.held_out, strict=True)
    ):
        bar = "#" * round(_BAR * held_out / highest)
        mark = " < least" if number == best else ""
        errors = [amount(float(one)) for one in (training, held_out)]
        table.append([f"{x:,.0f}", *errors, bar + mark])
    yield f"  {curve.name}"
    yield from aligned(table, left={3})


def aligned(
    rows: Sequence[Sequence[str]], *, left: Collection[int] = (), indent: int = 2
) -> Iterator[str]:
    """Yield a line for each row; columns in `left` start at the left, others end right.

    Examples
    --------
    >>> list(aligned([["a", "12"], ["bc", "3"]], left={0}))
    ['  a   12', '  bc   3']
    """
    widths = [max(map(display_width, cells)) for cells in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            pad(cell, width, right=number not in left)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield (" " * indent + "  ".join(cells)).rstrip()


def fitted(
    rows: Sequence[Sequence[str]], width: int, *, left: Collection[int] = ()
) -> Iterator[str]:
    """Yield the same, or where that is too wide a paragraph for each row.

    The first row has the titles, the first column the names of the rows.

    Examples
    --------
    >>> list(fitted([["", "error"], ["training", "12 %"]], 16, left={0}))
    ['  training:', '    error 12 %']
    """
    lines = list(aligned(rows, left=left))
    if max(map(display_width, lines)) <= width:
        yield from lines
        return
    titles, *others = rows
    for name, *cells in others:
        pairs = zip(titles[1:], cells, strict=True)
        words = (f"{title} {cell}".strip() for title, cell in pairs if cell)
        yield from wrapped(f"  {name}:", width, indent=4)
        yield from wrapped(f"    {', '.join(words)}", width, indent=4)
