"""The table on the blackboard: what each feature would gain at the root.

    > Outlook      Overcast 0/4  Rain 2/3  Sunny 3/2     0.6935  0.2467  <- largest
      Humidity     High 4/3  Normal 1/6                  0.7885  0.1518

A branch shows the weights of its classes, in class order. The figures are those of
`grow/measures.py`: the functions a student works with, not the engine's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Column, Columns
from treewright.data.schema import Feature
from treewright.errors import SettingError
from treewright.grow.measures import (
    best_threshold,
    conditional_entropy,
    entropy,
    information_gain,
)
from treewright.render.words import clip, display_width, pad, visible, weight_text
from treewright.tree.condition import category_text, label_text, number_text

TIE_TOLERANCE = 1e-12  # relative, as where the engine chooses
_MAX_NAME = 20
_MIN_BRANCHES = 12
_MIN_FIGURES = 10  # what a line needs besides the name: a sign, gaps and the gain


@dataclass(frozen=True)
class FeatureGain:
    """What splitting the root on one feature would bring.

    Attributes
    ----------
    name : str
        The feature.
    branches : tuple of (str, tuple of float)
        Each branch in words, and the weight of each class in it.
    remainder, gain : float
        The mean entropy of the branches, and the information gain.
    """

    name: str
    branches: tuple[tuple[str, tuple[float, ...]], ...]
    remainder: float
    gain: float


def root_gains(columns: Columns) -> list[FeatureGain]:
    """Return what each feature would gain at the root, the largest gain first.

    Numeric features are cut at their best midpoint. Equal gains stay in column order,
    so the first is the one that is taken. A feature of a single value is left out.
    """
    target = columns.schema.target
    if target.kind != "classes" or target.n_outputs != 1:
        raise SettingError("gains are listed for one target of classes only")
    pairs = zip(columns.schema.features, columns.features, strict=True)
    gains = [
        _gain(columns, feature, column)
        for feature, column in pairs
        if len(np.unique(column.codes[column.codes < column.n_codes])) > 1
    ]
    return sorted(gains, key=lambda one: -round(one.gain, 12))


def gain_table(columns: Columns, *, width: int = 80, ascii: bool = False) -> str:
    """Return the gains at the root as text for the blackboard.

    Parameters
    ----------
    columns : Columns
        The encoded table, with one target of classes.
    width : int
        No line is longer.
    ascii : bool
        Whether to keep to ASCII.
    """
    gains = root_gains(columns)
    heading = visible(_heading(columns), ascii=ascii)
    lines = [clip(heading, width, ascii=ascii)]
    if gains:
        labels = map(label_text, columns.schema.target.classes[0])
        title = visible(f"branches ({'/'.join(labels)})", ascii=ascii)
        longest = min(_MAX_NAME, max(width - _MIN_FIGURES, 1))
        cells = _cells(gains, title, longest, ascii=ascii)
        lines += ["", *_table(cells, width, ascii=ascii)]
    return "\n".join(lines)


def _heading(columns: Columns) -> str:
    """Return the root in one line: rows, classes, entropy."""
    target = columns.schema.target
    counts = _class_weights(columns, np.zeros(columns.n_rows, np.intp), 1)[0]
    classes = "  ".join(
        f"{label_text(label)} {weight_text(count)}"
        for label, count in zip(target.classes[0], counts, strict=True)
    )
    bits = entropy(counts=counts)
    return f"root   {columns.n_rows:,} rows   {classes}   entropy {bits:.4f} bits"


def _gain(columns: Columns, feature: Feature, column: Column) -> FeatureGain:
    """Measure one feature; a numeric one at its best cut."""
    y, weights = columns.target[:, 0].tolist(), columns.weights
    missing = column.codes == column.n_codes
    if column.values is None:
        branch, names = column.codes.astype(np.intp), _category_names(feature)
    else:
        values = np.append(column.values.astype(np.float64), np.nan)[column.codes]
        cut = best_threshold(y, values, weights=weights).threshold
        branch = np.where(missing, 2, values > cut)
        names = [f"<= {number_text(cut)}", f"> {number_text(cut)}"]
    x = np.where(missing, np.nan, branch).tolist()
    counts = _class_weights(columns, branch, len(names) + 1)
    words = [*names, "missing"]
    return FeatureGain(
        feature.name,
        tuple(
            (word, tuple(count.tolist()))
            for word, count in zip(words, counts, strict=True)
            if count.any()
        ),
        conditional_entropy(y, x, weights=weights),
        information_gain(y, x, weights=weights),
    )


def _category_names(feature: Feature) -> list[str]:
    return [category_text(feature, code) for code in range(len(feature.categories))]


def _class_weights(
    columns: Columns, branch: npt.NDArray[np.intp], n_branches: int
) -> npt.NDArray[Any]:
    """Return the weight of each class in each branch."""
    weights = np.ones(columns.n_rows) if columns.weights is None else columns.weights
    counts = np.zeros((n_branches, len(columns.schema.target.classes[0])))
    np.add.at(counts, (branch, columns.target[:, 0]), weights)
    return counts


@dataclass(frozen=True)
class _Cells:
    """One line of the table in words, not yet cut to a width."""

    sign: str
    name: str
    branches: list[str]
    remainder: str
    gain: str
    mark: str


def _cells(
    gains: list[FeatureGain], title: str, longest: int, *, ascii: bool
) -> list[_Cells]:
    """Return the titles and a line per feature, its name cut at the longest."""
    lines = [_Cells("", "feature", [title], "remainder", "gain", "")]
    for one in gains:
        name = clip(visible(one.name, ascii=ascii), longest, ascii=ascii)
        branches = [visible(text, ascii=ascii) for text in _branch_texts(one)]
        sign = ">" if one is gains[0] else ""
        figures = f"{one.remainder:.4f}", f"{one.gain:.4f}"
        lines.append(_Cells(sign, name, branches, *figures, _mark(one, gains)))
    return lines


def _table(lines: list[_Cells], width: int, *, ascii: bool) -> Iterator[str]:
    """Yield the lines; branches that do not fit go on below, or are left out."""
    name_width = max(display_width(line.name) for line in lines)
    figures, room = _figures(lines, width - name_width - 2)
    longest = max(display_width("  ".join(line.branches)) for line in lines)
    room = min(room, longest) if room >= _MIN_BRANCHES else 0
    for line, tail in zip(lines, figures, strict=True):
        start = f"{line.sign:2}{pad(line.name, name_width)}"
        first, *more = _wrapped(line.branches, room, ascii=ascii) if room else [""]
        between = f"  {pad(first, room)}" if room else ""
        yield clip(f"{start}{between}{tail}", width, ascii=ascii)
        for text in more:
            yield " " * (name_width + 4) + text


def _figures(lines: list[_Cells], room: int) -> tuple[list[str], int]:
    """Return the right part of each line, and the room that it leaves for branches.

    With too little room the remarks go first, then the remainders.
    """
    gains = [f"  {line.gain:>6}" for line in lines]
    remainders = [f"  {line.remainder:>9}" for line in lines]
    both = [a + b for a, b in zip(remainders, gains, strict=True)]
    marked = [
        f"{text}  {line.mark}".rstrip() for text, line in zip(both, lines, strict=True)
    ]
    for texts in (marked, both, gains):
        left = room - 2 - max(map(display_width, texts))
        if left >= _MIN_BRANCHES:
            break
    return texts, left


def _branch_texts(one: FeatureGain) -> list[str]:
    return [
        f"{word} {'/'.join(weight_text(count) for count in counts)}"
        for word, counts in one.branches
    ]


def _wrapped(branches: list[str], room: int, *, ascii: bool) -> list[str]:
    """Return the branches in lines, as many in each as there is room for."""
    first, *rest = [clip(branch, room, ascii=ascii) for branch in branches]
    lines = [first]
    for branch in rest:
        together = f"{lines[-1]}  {branch}"
        if display_width(together) <= room:
            lines[-1] = together
        else:
            lines.append(branch)
    return lines


def _mark(one: FeatureGain, gains: list[FeatureGain]) -> str:
    """Return what is to be said behind a line."""
    best = gains[0]
    if one is best:
        return "<- largest"
    is_tie = abs(one.gain - best.gain) <= TIE_TOLERANCE * max(best.gain, 1.0)
    return f"tie with {best.name}" if is_tie else ""
