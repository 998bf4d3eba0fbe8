"""The card of a node: what stands in its box, laid out at the origin.

A card has a head (the question or the answer), a bar for each output (the classes as
shares, or a number in its range) and small print. Scenes with many nodes use the dense
measures: less text, thinner bars.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from treewright.render.fitting.safe_text import clip, weight_text
from treewright.render.picture.fold import DrawnNodes
from treewright.render.picture.measure import text_width
from treewright.render.picture.picture_subject import (
    PictureSubject,
    asks,
    colour_of,
    head_text,
    hidden_text,
    node_title,
    place_in,
    segments,
    small_text,
    strength_of,
)
from treewright.render.picture.shapes import Anchor, Box, PlacedWords, Shape

_SHEET = 4.0  # how far the sheets of a folded node stick out
_LEAST_SEGMENT = 1.5
_WEAKEST, _STRONGEST = 0.05, 0.5  # fill of the least and the largest number


@dataclass(frozen=True)
class CardMeasures:
    """Sizes in pixels; `columns` is the longest text in characters."""

    head: float
    small: float
    bar: float
    bar_gap: float
    pad_x: float
    pad_y: float
    least_width: float
    columns: int
    label: float
    count: float  # in the bars
    has_counts: bool
    in_line: bool  # whether small print stands beside the head


ROOMY = CardMeasures(
    head=13,
    small=10.5,
    bar=15,
    bar_gap=3,
    pad_x=10,
    pad_y=8,
    least_width=104,
    columns=24,
    label=11.5,
    count=10,
    has_counts=True,
    in_line=False,
)
DENSE = CardMeasures(
    head=11,
    small=9.5,
    bar=5,
    bar_gap=2,
    pad_x=7,
    pad_y=5,
    least_width=72,
    columns=20,
    label=10.5,
    count=0,
    has_counts=False,
    in_line=True,
)


@dataclass(frozen=True)
class Card:
    """A node's box at the origin, and the room that it takes.

    `middle` and `centre` are where the middle of the box itself is, without the sheets
    of a folded node.
    """

    width: float
    height: float
    middle: float
    centre: float
    shapes: tuple[Shape, ...]


def card_of(subject: PictureSubject, item: DrawnNodes, measures: CardMeasures) -> Card:
    """Return the card of a node, as wide as its words need."""
    head = clip(head_text(subject, item), measures.columns)
    lines = [small_text(subject, item)]
    if item.n_hidden:
        lines.append(hidden_text(item))
    if measures.in_line:
        lines = [" · ".join(lines)]
    head_width = text_width(head, measures.head, bold=True)
    small_width = max(text_width(line, measures.small) for line in lines)
    inner = max(head_width, small_width)
    if measures.in_line:
        inner = head_width + 10 + small_width
    inner = max(inner, measures.least_width - 2 * measures.pad_x)
    words, top = _words(head, lines, inner, measures)
    bars, bottom = _bars(subject, item, inner, top, measures)
    small, end = _small_print(lines, inner, bottom, measures)
    width, height = inner + 2 * measures.pad_x, end + measures.pad_y
    frame = _frame(subject, item, width, height)
    if subject.is_numbers and not asks(subject, item):
        # on the strong colour of a large number, grey would be hard to read
        words, small = _in_ink(words), _in_ink(small)
    middle, centre = width / 2, height / 2
    sheets: list[Shape] = []
    if item.n_hidden:
        sheets = [
            Box(step, step, width, height, "sheet", radius=5)
            for step in (_SHEET, _SHEET / 2)
        ]
        width, height = width + _SHEET, height + _SHEET
    shapes = (*sheets, *frame, *words, *bars, *small)
    return Card(width, height, middle, centre, shapes)


def _frame(
    subject: PictureSubject, item: DrawnNodes, width: float, height: float
) -> list[Shape]:
    """The box itself: plain for questions, in the answer's colour for leaves."""
    title = node_title(subject, item)
    if item.is_rest or asks(subject, item):
        return [Box(0, 0, width, height, "node", radius=5, title=title)]
    if subject.tree.n_rows[item.node] == 0:
        return [Box(0, 0, width, height, "empty", radius=9, title=title)]
    slot, strength = colour_of(subject, item.node), strength_of(subject, item.node)
    if strength is not None:
        strength = fill_strength(strength)
    radius = 5 if item.n_hidden else 9
    ground = Box(0, 0, width, height, "node", radius=radius)
    return [
        ground,
        Box(0, 0, width, height, "leaf", slot, radius, strength, title),
    ]


def fill_strength(place: float) -> float:
    """How strong the colour of a number is, from its place in the range."""
    return round(_WEAKEST + (_STRONGEST - _WEAKEST) * place, 3)


def _words(
    head: str, lines: list[str], inner: float, measures: CardMeasures
) -> tuple[list[Shape], float]:
    """The head, with the small print beside it if they share a line; and the end."""
    base = measures.pad_y + 0.78 * measures.head
    left = measures.pad_x
    if not measures.in_line:
        words: list[Shape] = [
            PlacedWords(left + inner / 2, base, head, "head", measures.head, "middle")
        ]
    else:
        words = [
            PlacedWords(left, base, head, "head", measures.head),
            PlacedWords(left + inner, base, lines[0], "small", measures.small, "end"),
        ]
    return words, measures.pad_y + measures.head


def _in_ink(shapes: list[Shape]) -> list[Shape]:
    """The same shapes, with small print in the colour of other text."""
    return [
        replace(shape, paint="text") if shape.paint == "small" else shape
        for shape in shapes
    ]


def _bars(
    subject: PictureSubject,
    item: DrawnNodes,
    inner: float,
    top: float,
    measures: CardMeasures,
) -> tuple[list[Shape], float]:
    """The bars of all outputs below the head, and where they end."""
    shapes: list[Shape] = []
    empty = all(subject.tree.n_rows[node] == 0 for node in item.nodes)
    for output in range(subject.model.schema.target.n_outputs):
        top += measures.bar_gap + (2 if output == 0 else 0)
        box = Box(measures.pad_x, top, inner, measures.bar, "track")
        if empty:
            shapes.append(box)
        elif subject.is_numbers:
            if not item.is_rest:
                shapes += _range_bar(subject, item.node, output, box)
        else:
            shapes += _class_bar(segments(subject, item, output), box, measures)
        top += measures.bar
    return shapes, top


def _class_bar(
    parts: list[tuple[int, float]], box: Box, measures: CardMeasures
) -> list[Shape]:
    """A bar of shares; where there is room, with their weights."""
    shapes: list[Shape] = []
    total = sum(weight for _, weight in parts)
    wide = [max(box.width * weight / total, _LEAST_SEGMENT) for _, weight in parts]
    wide = [width * box.width / sum(wide) for width in wide]
    x = box.x
    for (slot, weight), width in zip(parts, wide, strict=True):
        gap = 1.0 if x + width < box.x + box.width - 0.5 and width > 2 else 0.0
        shapes.append(Box(x, box.y, width - gap, box.height, "bar", slot))
        text = f"{weight:,.0f}" if weight >= 100 else weight_text(weight)
        if measures.has_counts and text_width(text, measures.count) + 3 <= width:
            base = box.y + box.height / 2 + 0.36 * measures.count
            middle = x + (width - gap) / 2
            anchor: Anchor = "middle"
            shapes.append(
                PlacedWords(middle, base, text, "text", measures.count, anchor, slot)
            )
        x += width
    return shapes


def _range_bar(
    subject: PictureSubject, node: int, output: int, box: Box
) -> list[Shape]:
    """Where a number stands in the range of all, with its spread to both sides."""
    low, high = subject.ranges[output]

    def place(number: float) -> float:
        inside = min(max(number, low), high)
        return box.x + box.width * place_in(inside, low, high)

    middle = box.y + box.height / 2
    value = float(subject.tree.value[node, output])
    spread = float(subject.spread[node])
    slot = colour_of(subject, node)
    shapes: list[Shape] = [Box(box.x, middle - 1, box.width, 2, "axis")]
    if spread > 0:
        left, right = place(value - spread), place(value + spread)
        inset = box.height / 6
        shapes.append(
            Box(left, box.y + inset, right - left, box.height - 2 * inset, "bar", slot)
        )
    mark = min(max(place(value) - 1.25, box.x), box.x + box.width - 2.5)
    shapes.append(Box(mark, box.y, 2.5, box.height, "mark"))
    return shapes


def _small_print(
    lines: list[str], inner: float, bottom: float, measures: CardMeasures
) -> tuple[list[Shape], float]:
    """The small print below the bars, unless it stands beside the head; its end."""
    if measures.in_line:
        return [], bottom
    shapes: list[Shape] = []
    middle = measures.pad_x + inner / 2
    for line in lines:
        base = bottom + 4 + 0.78 * measures.small
        shapes.append(
            PlacedWords(middle, base, line, "small", measures.small, "middle")
        )
        bottom = base + 0.12 * measures.small
    return shapes, bottom
