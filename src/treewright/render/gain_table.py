"""The table on the blackboard: what each feature would gain at the root.

    > Outlook      Overcast 0/4  Rain 2/3  Sunny 3/2     0.6935  0.2467  <- largest
      Humidity     High 4/3  Normal 1/6                  0.7885  0.1518

A branch shows the weights of its classes, in class order. The figures are those of
`grow/measures.py`: the functions a student works with, not the engine's.
"""

from __future__ import annotations

import textwrap
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
from treewright.tree.condition import label_text, number_text

TIE_TOLERANCE = 1e-12  # relative, as where the engine chooses
_MAX_NAME = 20
_MIN_BRANCHES = 12
_TITLES = ("feature", "branches", "remainder", "gain")


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
        No line is longer, unless the figures alone are.
    ascii : bool
        Whether to keep to ASCII.
    """
    gains = root_gains(columns)
    lines = [_heading(columns), ""]
    labels = [label_text(label) for label in columns.schema.target.classes[0]]
    counts = "/".join(labels)
    titles = (_TITLES[0], f"{_TITLES[1]} ({counts})", *_TITLES[2:])
    lines += _table(gains, titles, width, ascii=ascii)
    return "\n".join(visible(line, ascii=ascii) for line in lines)


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
    return [label_text(label) for label in feature.categories]


def _class_weights(
    columns: Columns, branch: npt.NDArray[np.intp], n_branches: int
) -> npt.NDArray[Any]:
    """Return the weight of each class in each branch."""
    weights = np.ones(columns.n_rows) if columns.weights is None else columns.weights
    counts = np.zeros((n_branches, len(columns.schema.target.classes[0])))
    np.add.at(counts, (branch, columns.target[:, 0]), weights)
    return counts


def _table(
    gains: list[FeatureGain], titles: tuple[str, ...], width: int, *, ascii: bool
) -> Iterator[str]:
    """Yield the lines of the table; long lists of branches go on below themselves."""
    names = [clip(visible(one.name, ascii=ascii), _MAX_NAME) for one in gains]
    name_width = max(map(display_width, [titles[0], *names]))
    marks = [_mark(one, gains) for one in gains]
    figures = f"  {titles[2]}  {titles[3]:>6}"
    mark_width = max(map(display_width, ["", *marks]))
    room = width - 2 - name_width - 2 - len(figures) - mark_width
    texts = [_branch_texts(one) for one in gains]
    longest = max(map(len, [titles[1], *map("  ".join, texts)]))
    room = max(min(room, longest), _MIN_BRANCHES)
    head = pad(clip(titles[1], room, ascii=ascii), room)
    yield f"  {pad(titles[0], name_width)}  {head}{figures}"
    for one, name, mark, text in zip(gains, names, marks, texts, strict=True):
        first, *more = _wrapped(text, room)
        sign = ">" if one is gains[0] else " "
        numbers = f"  {one.remainder:{len(titles[2])}.4f}  {one.gain:6.4f}{mark}"
        yield f"{sign} {pad(name, name_width)}  {pad(first, room)}{numbers}"
        for line in more:
            yield " " * (name_width + 4) + line


def _branch_texts(one: FeatureGain) -> list[str]:
    return [
        f"{word} {'/'.join(weight_text(count) for count in counts)}"
        for word, counts in one.branches
    ]


def _wrapped(branches: list[str], room: int) -> list[str]:
    """Return the branches in lines, never parting a branch that fits in one."""
    glued = "  ".join(branch.replace(" ", "\0") for branch in branches)
    lines = textwrap.wrap(glued, room, break_on_hyphens=False)
    return [line.replace("\0", " ") for line in lines]


def _mark(one: FeatureGain, gains: list[FeatureGain]) -> str:
    """Return what is to be said behind a line."""
    best = gains[0]
    if one is best:
        return "  <- largest"
    is_tie = abs(one.gain - best.gain) <= TIE_TOLERANCE * max(best.gain, 1.0)
    return f"  tie with {best.name}" if is_tie else ""
