"""What stands above and below the tree: target, classes, path, summary, what is folded.

A caption is laid out for a given width; lines that are longer are wrapped.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from treewright.render.fitting.safe_text import short_number, visible
from treewright.render.listing.box import summary_text
from treewright.render.listing.outline import focus_words
from treewright.render.listing.remarks import SURROGATE_WORDS, remarks
from treewright.render.picture.colours import NUMBER_SLOT, OTHER
from treewright.render.picture.fold import DrawnNodes, View
from treewright.render.picture.measure import text_width, wrapped_words
from treewright.render.picture.picture_subject import PictureSubject, shown
from treewright.render.picture.shapes import Box, PlacedWords, Shape
from treewright.tree.structure.tree import Tree

_TITLE, _TEXT = 16.0, 11.5
_LINE = 17.0
_SWATCH = 11.0
_COLUMNS = 28  # of a name
# the listing says it under each node; a picture does when a node is pointed at
_SURROGATES = "missing values: other features decide; point at a node to see which"


@dataclass(frozen=True)
class Caption:
    """Shapes from the top left corner, and the height that they take."""

    shapes: tuple[Shape, ...]
    height: float


def header(subject: PictureSubject, width: float) -> Caption:
    """Return the title, the path to the node in focus, and the key to the colours."""
    names = [shown(name, _COLUMNS) for name in subject.model.schema.target.names]
    shapes: list[Shape] = []
    y = 0.0
    for line in wrapped_words(", ".join(names), width, _TITLE, bold=True):
        y += 1.25 * _TITLE
        shapes.append(PlacedWords(0, y, line, "head", _TITLE))
    y += 4
    if subject.top:
        path = focus_words(subject.model.schema, subject.tree, subject.top)
        y = _lines([path], y, width, shapes)
    y = _key_of_numbers(subject, y, width, shapes)
    y = _key_of_classes(subject, y, width, shapes)
    return Caption(tuple(shapes), y + 8)


def footer(subject: PictureSubject, said: tuple[str, ...], width: float) -> Caption:
    """Return the summary, what is folded, and the remarks on the tree."""
    summary = summary_text(subject.model, subject.tree)
    sentences = [f"the whole tree: {summary}" if subject.top else summary, *said]
    sentences += [
        _SURROGATES if sentence == SURROGATE_WORDS else sentence
        for sentence in remarks(subject.model, subject.tree)
    ]
    shapes: list[Shape] = []
    y = _lines([visible(line) for line in sentences], 4.0, width, shapes)
    return Caption(tuple(shapes), y + 4)


def fold_words(tree: Tree, items: list[DrawnNodes], view: View) -> tuple[str, ...]:
    """Say how many nodes are not drawn, why, and what shows them; else nothing."""
    n_hidden = sum(item.n_hidden for item in items)
    if not n_hidden:
        return ()
    causes = sorted({_cause(tree, item, view) for item in items if item.n_hidden})
    below = "" if view.focus is None else f" below node {view.focus}"
    n_nodes = n_hidden + sum(not item.is_rest for item in items)
    why = ", ".join(cause for _, cause in causes)
    return (
        f"{n_hidden:,} of {n_nodes:,} nodes{below} are folded ({why}); to see more, "
        "change that, or focus on the number after a #",
    )


def _cause(tree: Tree, item: DrawnNodes, view: View) -> tuple[int, str]:
    """Which limit folded something away; the number orders them."""
    share = view.min_share or 0.0
    least = share * float(tree.weight[0])
    if not item.is_rest and item.depth == view.max_depth:
        return 0, f"max depth {view.max_depth}"
    inside = np.asarray(item.nodes)
    if not item.is_rest and tree.weight[item.node] >= least:
        inside = np.asarray(tree.children(item.node))
    if bool((tree.weight[inside] < least).all()):
        return 1, f"min share {short_number(share)}"
    return 2, f"max nodes {view.max_nodes}"


def _lines(
    sentences: list[str],
    y: float,
    width: float,
    shapes: list[Shape],
    left: float = 0,
) -> float:
    """Add sentences as small print; return where they end."""
    for sentence in sentences:
        for line in wrapped_words(sentence, width, _TEXT):
            y += _LINE
            shapes.append(PlacedWords(left, y - 4, line, "small", _TEXT))
    return y


def _key_of_numbers(
    subject: PictureSubject, y: float, width: float, shapes: list[Shape]
) -> float:
    """Say what the bars of numbers mean, and the range that they stand in."""
    if not subject.is_numbers:
        return y
    target = subject.model.schema.target
    kind = "median" if subject.is_absolute else "mean"
    sentences = []
    for name, (low, high) in zip(target.names, subject.ranges, strict=True):
        ends = f"{_rough(low)} to {_rough(high)}"
        about = f"{shown(name, _COLUMNS)}: " if target.n_outputs > 1 else ""
        sentences.append(f"{about}{kind} on a scale from {ends}")
    if target.n_outputs == 1:
        spread = "mean absolute" if subject.is_absolute else "standard"
        sentences[0] += f", with the {spread} deviation to both sides"
        line = y + _LINE
        shapes += [
            Box(0, line - 9, 44, 2, "axis"),
            Box(10, line - 12, 24, 8, "bar", NUMBER_SLOT),
            Box(21, line - 14, 2.5, 12, "mark"),
        ]
        return _lines(sentences, y, width - 54, shapes, left=54)
    return _lines(sentences, y, width, shapes)


def _key_of_classes(
    subject: PictureSubject, y: float, width: float, shapes: list[Shape]
) -> float:
    """Add the colours of the classes of each output; return where they end."""
    target = subject.model.schema.target
    for output in range(len(subject.slots)):
        x = 0.0
        y += _LINE + 2
        if target.n_outputs > 1:
            name = f"{shown(target.names[output], _COLUMNS)}:"
            shapes.append(PlacedWords(0, y - 4, name, "small", _TEXT))
            x = text_width(name, _TEXT) + 12
        for slot, text in _classes(subject, output):
            needed = _SWATCH + 6 + text_width(text, _TEXT)
            if x > 0 and x + needed > width:
                x, y = 0.0, y + _LINE + 1
            shapes.append(Box(x, y - 13.5, _SWATCH, _SWATCH, "bar", slot, radius=2))
            shapes.append(PlacedWords(x + _SWATCH + 6, y - 4, text, "text", _TEXT))
            x += needed + 18
    return y


def _classes(subject: PictureSubject, output: int) -> Iterator[tuple[int, str]]:
    """Slots and names of the classes of an output; those without colour as one."""
    labels = subject.model.schema.target.classes[output]
    n_others = 0
    for slot, label in zip(subject.slots[output], labels, strict=True):
        if slot == OTHER:
            n_others += 1
        else:
            yield slot, shown(label, _COLUMNS)
    if n_others:
        yield OTHER, f"{n_others} other classes"


def _rough(number: float) -> str:
    """The end of a scale: four digits will do."""
    return short_number(float(f"{number:.4g}"))
