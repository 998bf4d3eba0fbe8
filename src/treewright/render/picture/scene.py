"""The picture of a tree: nodes, links and labels put in their places.

`fold.py` says what is drawn, `cards.py` what stands in a node, `layout.py` where it
goes; here links and labels are added. The writers (`svg.py`, `matplotlib_axes.py`) only
draw what comes out.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from treewright.errors import SettingError
from treewright.render.listing.outline import top_of
from treewright.render.listing.tree_text import tree_at
from treewright.render.picture.caption import (
    fold_words,
    footer,
    header,
)
from treewright.render.picture.cards import DENSE, ROOMY, Card, CardMeasures, card_of
from treewright.render.picture.colours import LINK_STRENGTH
from treewright.render.picture.fold import DrawnNodes, View, drawn_nodes, settled
from treewright.render.picture.layout import Gaps, breadths, level_starts
from treewright.render.picture.measure import text_width
from treewright.render.picture.picture_subject import (
    PictureSubject,
    branch_labels,
    colour_of,
    link_title,
    shown,
    strength_of,
    subject_of,
)
from treewright.render.picture.shapes import (
    Band,
    Box,
    Direction,
    PlacedWords,
    Scene,
    Shape,
)
from treewright.tree.model import Model

Way = Literal["auto", "down", "right"]
WAYS = ("auto", "down", "right")

_MARGIN = 20.0
_LEAST_WIDTH = 460.0
_FEW_NODES = 40  # up to here there is room for all measures
_WIDE = 1500.0  # a tree that is wider is turned to the right, if that helps
_CURVE = {"down": 26.0, "right": 40.0}  # room for a link that goes straight on
_SLOPE, _MOST_SLOPE = 0.09, 52.0  # more for one that goes aside, and at most
_GAPS = {
    ("down", True): Gaps(18, 30),
    ("down", False): Gaps(10, 18),
    ("right", True): Gaps(9, 18),
    ("right", False): Gaps(5, 10),
}
_PILL = 5.0  # beside the words of a label
_WIDEST_LINK = {True: 34.0, False: 20.0}
_THINNEST_LINK = 1.25
_THIN_LINK = 6.0


@dataclass(frozen=True)
class _Parts:
    """What is drawn, before it has a place."""

    subject: PictureSubject
    items: list[DrawnNodes]
    children: list[list[int]]
    cards: list[Card]
    labels: list[str]
    measures: CardMeasures

    @cached_property
    def levels(self) -> list[list[int]]:
        """The nodes of each depth, in order."""
        out: list[list[int]] = [[] for _ in range(1 + max(i.depth for i in self.items))]
        for place, item in enumerate(self.items):
            out[item.depth].append(place)
        return out

    @property
    def is_roomy(self) -> bool:
        return self.measures is ROOMY

    @property
    def label_height(self) -> float:
        return self.measures.label + 5

    def label_width(self, place: int) -> float:
        """Width of the label of a node's branch, with its ground."""
        text = self.labels[place]
        return text_width(text, self.measures.label) + 2 * _PILL if text else 0.0


@dataclass(frozen=True)
class _Placed:
    """Where the cards go: their upper left corners, and the size of it all."""

    direction: Direction
    corners: list[tuple[float, float]]
    width: float
    height: float


def scene_of(
    model: Model, *, view: View | None = None, direction: Way = "auto", tree: int = 0
) -> Scene:
    """Return the picture of a tree of a model.

    `view`: what part of the tree to show. `direction` ({"auto", "down", "right"}):
    where the branches go; "auto" chooses what gives the handier picture. `tree`: which
    tree, if there are several.
    """
    if direction not in WAYS:
        raise SettingError(
            f"direction must be one of {', '.join(WAYS)}, not {direction!r}"
        )
    the_tree = tree_at(model, tree)
    view = settled(the_tree, view or View())
    items = drawn_nodes(the_tree, view)
    subject = subject_of(model, the_tree, top_of(the_tree, view.focus))
    parts = _parts(subject, items)
    placed = _placed(parts, direction)
    width = max(placed.width, _LEAST_WIDTH)
    said = fold_words(the_tree, items, view)
    above, below = header(subject, width), footer(subject, said, width)
    left, top = _MARGIN + (width - placed.width) / 2, _MARGIN + above.height
    frames, drawn = _drawn(parts, placed, left, top)
    bottom = top + placed.height + 10
    total_width, total_height = width + 2 * _MARGIN, bottom + below.height + _MARGIN
    shapes: list[Shape] = [Box(0, 0, total_width, total_height, "ground")]
    shapes += [shape.moved(_MARGIN, _MARGIN) for shape in _still(above.shapes)]
    shapes += drawn
    shapes += [shape.moved(_MARGIN, bottom) for shape in _still(below.shapes)]
    names = ", ".join(shown(name, 60) for name in model.schema.target.names)
    name = f"Decision tree for {names}"
    return Scene(total_width, total_height, tuple(shapes), name, said, tuple(frames))


def _still(shapes: tuple[Shape, ...]) -> list[Box | PlacedWords]:
    """Shapes that can be moved; links are made in their place."""
    return [shape for shape in shapes if not isinstance(shape, Band)]


def _parts(subject: PictureSubject, items: list[DrawnNodes]) -> _Parts:
    """Make cards and labels of all that is drawn."""
    measures = ROOMY if len(items) <= _FEW_NODES else DENSE
    children: list[list[int]] = [[] for _ in items]
    for place, item in enumerate(items):
        if item.parent >= 0:
            children[item.parent].append(place)
    labels = [""] * len(items)
    for parent, below in enumerate(children):
        texts = branch_labels(
            subject, items[parent], [items[place] for place in below], measures.columns
        )
        for place, text in zip(below, texts, strict=True):
            labels[place] = text
    cards = [card_of(subject, item, measures) for item in items]
    return _Parts(subject, items, children, cards, labels, measures)


def _placed(parts: _Parts, way: Way) -> _Placed:
    """Place the cards; of two directions the one that gives the handier picture."""
    if way != "auto":
        return _place(parts, way)
    down = _place(parts, "down")
    if down.width <= _WIDE:
        return down
    right = _place(parts, "right")
    return min(down, right, key=lambda one: max(one.width / 1.5, one.height))


def _place(parts: _Parts, direction: Direction) -> _Placed:
    """Place the cards with the root at the top, or at the left."""
    boxes = [(card.width, card.height) for card in parts.cards]
    labels = [(parts.label_width(k), parts.label_height) for k in range(len(boxes))]
    # the axis along which siblings stand, and the one along which levels follow
    along, deep = (0, 1) if direction == "down" else (1, 0)
    sizes = [
        max(b[along], label[along]) for b, label in zip(boxes, labels, strict=True)
    ]
    middles = breadths(parts.children, sizes, _GAPS[direction, parts.is_roomy])
    curves = _curves(parts.items, middles, direction)
    leads = [curve + label[deep] for curve, label in zip(curves, labels, strict=True)]
    depths, rooms = [item.depth for item in parts.items], [box[deep] for box in boxes]
    starts = level_starts(depths, rooms, leads)
    levels = [starts[depth] for depth in depths]
    fronts = [m - box[along] / 2 for m, box in zip(middles, boxes, strict=True)]
    breadth = max(m + size / 2 for m, size in zip(middles, sizes, strict=True))
    depth = max(level + room for level, room in zip(levels, rooms, strict=True))
    if direction == "down":
        return _Placed(direction, [*zip(fronts, levels, strict=True)], breadth, depth)
    return _Placed(direction, [*zip(levels, fronts, strict=True)], depth, breadth)


def _curves(
    items: list[DrawnNodes], middles: list[float], direction: Direction
) -> list[float]:
    """Room for the curve of each link: more for those that go far aside."""
    return [
        _CURVE[direction]
        + min(_SLOPE * abs(middle - middles[max(item.parent, 0)]), _MOST_SLOPE)
        for item, middle in zip(items, middles, strict=True)
    ]


def _drawn(
    parts: _Parts, placed: _Placed, left: float, top: float
) -> tuple[list[Box], list[Shape]]:
    """Frames of the nodes, and all shapes: links first, then labels, then cards."""
    corners = [(x + left, y + top) for x, y in placed.corners]
    frames = [
        Box(x, y, card.width, card.height, "node")
        for (x, y), card in zip(corners, parts.cards, strict=True)
    ]
    links: list[Shape] = []
    for parent, below in enumerate(parts.children):
        if below:
            links += _links(parts, placed.direction, frames, parent)
    labels: list[Shape] = []
    for place in range(1, len(frames)):
        labels += _label(parts, placed.direction, frames[place], place)
    cards = [
        shape.moved(x, y)
        for (x, y), card in zip(corners, parts.cards, strict=True)
        for shape in _still(card.shapes)
    ]
    return frames, [*links, *labels, *cards]


def _links(
    parts: _Parts, direction: Direction, frames: list[Box], parent: int
) -> list[Shape]:
    """The links below a node, side by side at its edge, as wide as their rows."""
    tree, below = parts.subject.tree, parts.children[parent]
    whole = float(tree.weight[parts.subject.top])
    unit = _WIDEST_LINK[parts.is_roomy] / whole if whole > 0 else 0.0
    weights = [float(tree.weight[list(parts.items[k].nodes)].sum()) for k in below]
    widths = [max(weight * unit, _THINNEST_LINK) for weight in weights]
    frame = frames[parent]
    down = direction == "down"
    edge = frame.width if down else frame.height
    squeeze = min(1.0, 0.9 * edge / sum(widths))
    offset = (edge - squeeze * sum(widths)) / 2
    label_room = max(parts.label_width(k) for k in below) + 10
    clear = _clear_of(parts, direction, frames, parent)
    shapes: list[Shape] = []
    for place, weight, width in zip(below, weights, widths, strict=True):
        middle = offset + squeeze * width / 2
        offset += squeeze * width
        end = frames[place]
        if down:
            start = (frame.x + middle, frame.y + frame.height)
            leave = (start[0], clear)
            finish = (end.x + parts.cards[place].middle, end.y)
            bend = (finish[0], end.y - parts.label_height - 4)
        else:
            start = (frame.x + frame.width, frame.y + middle)
            leave = (clear, start[1])
            finish = (end.x, end.y + parts.cards[place].centre)
            bend = (end.x - label_room, finish[1])
        way = Band(start, leave, bend, finish, width, direction, "")
        shapes.append(_painted(parts, place, weight, way))
    return shapes


def _clear_of(
    parts: _Parts, direction: Direction, frames: list[Box], parent: int
) -> float:
    """Where links may turn aside: past the boxes beside a node that are in their way.

    Boxes of a level begin together and end where they like; those between the node and
    its outermost branches must be passed.
    """
    level = parts.levels[parts.items[parent].depth]
    first, last = parts.children[parent][0], parts.children[parent][-1]
    low, high = (_side(frames[place], direction)[0] for place in (first, last))
    at = bisect_left(level, parent)  # places grow along a level
    end = _far_edge(frames[parent], direction)
    for step in (-1, 1):
        place = at + step
        while 0 <= place < len(level):
            middle, half = _side(frames[level[place]], direction)
            if middle + half < low - 20 or middle - half > high + 20:
                break
            end = max(end, _far_edge(frames[level[place]], direction))
            place += step
    return end


def _side(frame: Box, direction: Direction) -> tuple[float, float]:
    """The middle of a box along the breadth, and half its size."""
    if direction == "down":
        return frame.x + frame.width / 2, frame.width / 2
    return frame.y + frame.height / 2, frame.height / 2


def _far_edge(frame: Box, direction: Direction) -> float:
    """Where a box ends, across the breadth."""
    return frame.y + frame.height if direction == "down" else frame.x + frame.width


def _painted(parts: _Parts, place: int, weight: float, band: Band) -> Band:
    """A link with its colour: that of the answer that it leads to."""
    item, subject = parts.items[place], parts.subject
    paint, slot, strength = "bare", None, None
    if weight > 0:
        paint, slot = "link", colour_of(subject, item.node)
        level = strength_of(subject, item.node)
        if level is not None:
            strength = round(0.2 + 0.5 * level, 2)
        elif band.width < _THIN_LINK:  # it must be darker to be seen
            strength = LINK_STRENGTH + 0.35 * (1 - band.width / _THIN_LINK)
            strength = round(20 * strength) / 20  # a few steps will do
    title = link_title(subject, parts.items[item.parent], item)
    return replace(band, paint=paint, slot=slot, strength=strength, title=title)


def _label(parts: _Parts, direction: Direction, frame: Box, place: int) -> list[Shape]:
    """The words on a link, just before the node that it leads to."""
    width, height = parts.label_width(place), parts.label_height
    card, size = parts.cards[place], parts.measures.label
    if direction == "down":
        x, y = frame.x + card.middle - width / 2, frame.y - height - 3
    else:
        x, y = frame.x - width - 5, frame.y + card.centre - height / 2
    base = y + height / 2 + 0.36 * size
    return [
        Box(x, y, width, height, "pill", radius=4),
        PlacedWords(x + width / 2, base, parts.labels[place], "text", size, "middle"),
    ]
