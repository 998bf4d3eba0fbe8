"""A forest in figures, and its prototypes: it is too large to be read tree by tree."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.complaints import counted
from treewright.data.schema import Target
from treewright.render.fitting.safe_text import (
    clip,
    display_width,
    pad,
    short_number,
    visible,
)
from treewright.tree.importance import mean_gained_shares
from treewright.tree.measured_forest import WIDTH_OF_INTERVAL, Measures
from treewright.tree.model import Model
from treewright.tree.structure.compact_tree import CompactTree

MOST_FEATURES = 20
_WIDEST_NAME = 46  # of features; the bars have the rest of the line
_WIDEST_LABEL, _WIDEST_VALUE = 38, 16  # of prototypes
_WIDTH = 80
_SMALL, _LARGE = 1e-4, 1e8  # of figures that are written out
_BAR = 25  # signs for the most important feature, if there is room

Floats = npt.NDArray[np.float64]


def forest_lines(model: Model, *, ascii: bool = False) -> Iterator[str]:
    """Yield the size of a forest's trees, and which features count in them."""
    trees = model.trees
    nodes = np.array([tree.node_count for tree in trees])
    leaves = np.array([tree.n_leaves for tree in trees])
    depths = np.array([tree.depth for tree in trees])
    whose = model.settings.get("dialect", model.learner)
    target = model.schema.target
    names = ", ".join(target.names)
    how = "their mean share" if target.kind == "classes" else "their mean"
    if model.voting.is_by_class:
        how = "the class with the most votes"
    if model.voting.kind == "confidence":
        how = "the class with the surest votes"
    count = f"{len(trees):,} tree{'s' if len(trees) > 1 else ''}"
    yield f"{count} of {whose} for {names}; the answer is {how}"
    yield f"  nodes   {_spread(nodes)}, {int(nodes.sum()):,} in all"
    yield f"  leaves  {_spread(leaves)}"
    yield f"  depth   {_spread(depths)}"
    if model.voting.weights is not None:
        yield f"  votes   {_votes(model.voting.weights)}"
    if model.measures is not None:
        yield from _error_lines(model.measures, target)
    yield ""
    yield from _importance_lines(model, ascii=ascii)


def _votes(weights: tuple[float, ...]) -> str:
    low, high = short_number(min(weights)), short_number(max(weights))
    return low if low == high else f"{low} to {high}"


def _spread(values: np.ndarray[tuple[int], np.dtype[np.int64]]) -> str:
    low, high = int(values.min()), int(values.max())
    if low == high:
        return f"{low:,}"
    return f"{low:,} to {high:,}, mean {float(values.mean()):,.1f}"


def _error_lines(measures: Measures, target: Target) -> Iterator[str]:
    """Yield how good the forest, and its trees, are on rows that they have not seen."""
    if math.isnan(measures.error):
        return  # every row is in every bag
    if target.kind != "classes":
        root = measures.error**0.5
        yield f"  error   {root:.6g} out of bag (root of the mean squared error)"
        return
    yield f"  error   {100 * measures.error:.2f} % out of bag"
    for output, (strength, correlation) in enumerate(
        zip(measures.strength, measures.correlation, strict=True)
    ):
        of = f" ({target.names[output]})" if target.n_outputs > 1 else ""
        # all of them may say the same of all rows
        alike = "" if math.isnan(correlation) else f", correlation {correlation:.3f}"
        yield f"  trees   strength {strength:.3f}{alike}{of}"


def _importance_lines(model: Model, *, ascii: bool) -> Iterator[str]:
    """Yield which features count: by permutation, if that was measured."""
    measures = model.measures
    if measures is None or np.isnan(measures.importances).any():
        if any(isinstance(tree, CompactTree) for tree in model.trees):
            yield "compact: which features count is not kept"
            return
        yield "share of what the splits gain (more for features with many values)"
        shares = gained_shares(model)
        texts = [f"{100 * share:5.1f} %" for share in shares]
        yield from _bars(model, shares, texts, ascii=ascii)
        return
    sign = "+-" if ascii else "±"
    is_classes = model.schema.target.kind == "classes"
    if is_classes:
        yield "importance: accuracy lost out of bag when a feature's values are"
        yield f"permuted, in points ({sign} 95 % interval over the trees)"
    else:
        yield "importance: rise of the squared error out of bag when a feature's values"
        yield f"are permuted ({sign} 95 % interval over the trees)"
    widths = WIDTH_OF_INTERVAL * measures.standard_errors
    if is_classes:
        texts = _figures(100 * measures.importances, 100 * widths, "z.1f", sign)
    else:
        form = _form(measures.importances)
        texts = _figures(measures.importances, widths, form, sign)
    yield from _bars(model, measures.importances, texts, ascii=ascii)


def gained_shares(model: Model) -> Floats:
    """Return the share of each feature in what the splits gain."""
    votes = model.voting.weights
    weights = None if votes is None else np.array(votes)
    return mean_gained_shares(model.trees, len(model.schema.features), weights)


def _form(values: Floats) -> str:
    """The format in which the largest of some figures has four digits."""
    top = float(np.abs(values).max(initial=0.0))
    if top > 0 and not _SMALL < top < _LARGE:
        return ".3e"
    decimals = 3 - math.floor(math.log10(top)) if top > 0 else 0
    return f"z.{max(decimals, 0)}f"


def _figures(values: Floats, widths: Floats, form: str, sign: str) -> list[str]:
    """Each figure with its interval, one below the other."""
    left = [format(value, form) for value in values.tolist()]
    right = [format(width, form) for width in widths.tolist()]
    most, most_right = max(map(len, left), default=0), max(map(len, right), default=0)
    return [
        f"{one:>{most}}" + ("" if other == "nan" else f" {sign} {other:>{most_right}}")
        for one, other in zip(left, right, strict=True)
    ]


def _bars(
    model: Model, values: Floats, texts: list[str], *, ascii: bool
) -> Iterator[str]:
    """Yield a line for each feature, the most important first."""
    order = np.argsort(-values, kind="stable")[:MOST_FEATURES].tolist()
    names = {
        index: clip(
            visible(model.schema.names[index], ascii=ascii), _WIDEST_NAME, ascii=ascii
        )
        for index in order
    }
    width = max(map(display_width, names.values()), default=0)
    sign = "#" if ascii else "█"
    top = float(values[order[0]]) if order else 0.0
    rest = _WIDTH - 6 - width - max(map(display_width, texts), default=0)
    longest = max(min(_BAR, rest), 1)
    for index in order:
        share = float(values[index]) / top if top > 0 else 0.0
        bar = sign * max(round(longest * share), 0)
        yield f"  {pad(names[index], width)}  {texts[index]}  {bar}".rstrip()
    if len(values) > len(order):
        yield f"  and {len(values) - len(order):,} more features"


def prototype_lines(prototypes: Sequence[Any]) -> Iterator[str]:
    """Yield a block for each class: a line for each feature, at most 80 columns.

    `learners/forest/proximity.py` says what a prototype has.
    """
    for number, one in enumerate(prototypes):
        if number:
            yield ""
        label = clip(visible(str(one.label)), _WIDEST_LABEL)
        rows = counted(len(one.members), "row")
        yield f"{label}: {rows} that stand together, around row {one.row}"
        yield from _feature_lines(one)


def _feature_lines(one: Any) -> Iterator[str]:
    shown = list(one.values)[:MOST_FEATURES]
    names = [clip(visible(name), _WIDEST_LABEL) for name in shown]
    values = [_words(one.values[name]) for name in shown]
    wide = max(map(display_width, names), default=0)
    high = max(map(display_width, values), default=0)
    for name, label, value in zip(shown, names, values, strict=True):
        about = ""
        if name in one.quartiles:
            about = " to ".join(_words(edge) for edge in one.quartiles[name])
        elif name in one.shares:
            about = f"{100 * one.shares[name]:.0f} % of them"
        yield f"  {pad(label, wide)}  {pad(value, high)}  {about}".rstrip()
    if len(one.values) > len(shown):
        yield f"  and {len(one.values) - len(shown):,} more features"


def _words(value: Any) -> str:
    if value is None:
        return "missing"
    if isinstance(value, float):
        return short_number(value)
    return clip(visible(str(value)), _WIDEST_VALUE)
