"""The colours of a picture, on light and on dark ground, and how they are used.

Neighbours among the class colours differ in lightness too, so that they can be told
apart in grey and by people who see few colours. `tests/render/test_picture_colours.py`
measures it.
"""

from __future__ import annotations

from dataclasses import dataclass

from treewright.data.schema import Target
from treewright.tree.structure.tree import NO_CLASS, Tree

# (on light ground, on dark ground)
CLASS_COLOURS = (
    ("#3f72b8", "#538ada"),  # blue
    ("#f0a63c", "#f5bd6b"),  # amber
    ("#2b9b83", "#3fb89e"),  # teal
    ("#e09ab8", "#eebcd1"),  # rose
    ("#5b3f94", "#7f62c2"),  # violet
    ("#ecd94d", "#eedd62"),  # yellow
    ("#b8492a", "#c2522d"),  # rust
    ("#8cc6e8", "#97cdeb"),  # sky
    ("#5d4a3c", "#826b59"),  # umber
    ("#b4d477", "#bcd985"),  # lime
)
OTHER = len(CLASS_COLOURS)  # the slot of classes without a colour of their own
_OTHER_COLOUR = ("#9aa1ab", "#8d95a1")
SLOT_COLOURS = (*CLASS_COLOURS, _OTHER_COLOUR)
NUMBER_SLOT = 0  # numbers have one colour, in many strengths

# Everything that is not a class.
GROUND = {
    "ground": ("#ffffff", "#15181d"),
    "panel": ("#ffffff", "#20242b"),
    "line": ("#b9c0ca", "#4d5561"),
    "track": ("#e4e8ed", "#343a44"),
    "ink": ("#1c2128", "#e8ebef"),
    "muted": ("#5c6570", "#a3abb6"),
}
LINK_STRENGTH = 0.42  # of a link's colour, the rest is the ground's
_ON_LIGHT, _ON_DARK = "#1c2128", "#ffffff"


@dataclass(frozen=True)
class Paint:
    """How a kind of shape is drawn.

    A colour is a key of `GROUND`, or "slot" for that of the shape's class; empty for
    none.
    """

    fill: str = ""
    stroke: str = ""
    fill_opacity: float = 1.0
    stroke_width: float = 1.0
    dash: tuple[float, float] | None = None
    bold: bool = False


PAINTS = {
    "ground": Paint(fill="ground"),
    "node": Paint(fill="panel", stroke="line"),
    "leaf": Paint(fill="slot", stroke="slot", fill_opacity=0.13, stroke_width=1.4),
    "sheet": Paint(fill="panel", stroke="line"),
    "empty": Paint(fill="panel", stroke="line", dash=(3, 3)),
    "bar": Paint(fill="slot"),
    "track": Paint(fill="track"),
    "axis": Paint(fill="line"),
    "mark": Paint(fill="ink"),
    "link": Paint(stroke="slot"),
    "bare": Paint(stroke="line", dash=(3, 3)),
    "pill": Paint(fill="ground", stroke="track"),
    "head": Paint(fill="ink", bold=True),
    "text": Paint(fill="ink"),
    "small": Paint(fill="muted"),
}


def text_colour_on(colour: str) -> str:
    """Return dark or white, whichever is easier to read on a colour."""
    level = luminance(colour)
    dark = (level + 0.05) / (luminance(_ON_LIGHT) + 0.05)
    white = 1.05 / (level + 0.05)
    return _ON_LIGHT if dark >= white else _ON_DARK


def link_colour(slot: int, strength: float | None, ground: int) -> str:
    """Return the colour of a link on light (0) or dark (1) ground.

    It is mixed with the ground beforehand: links that cross must not seem darker there.
    """
    share = LINK_STRENGTH if strength is None else strength
    mix = [
        round(share * one + (1 - share) * other)
        for one, other in zip(
            _parts(SLOT_COLOURS[slot][ground]),
            _parts(GROUND["ground"][ground]),
            strict=True,
        )
    ]
    return "#" + "".join(f"{part:02x}" for part in mix)


def _parts(colour: str) -> list[int]:
    """Red, green and blue of a colour "#rrggbb"."""
    return [int(colour[start : start + 2], 16) for start in (1, 3, 5)]


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour "#rrggbb", as in WCAG 2."""
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (part / 255 for part in _parts(colour))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def class_slots(target: Target, tree: Tree, top: int) -> list[list[int]]:
    """Return the colour slot of each class of each output.

    If there are more classes than colours, the heaviest at the top of the picture have
    one, and all the others share the slot OTHER.
    """
    out = []
    for labels, slot in zip(target.classes, target.slots, strict=True):
        slots = list(range(len(labels)))
        if len(labels) > OTHER:
            weights = tree.value[top, slot].tolist()
            order = sorted(slots, key=lambda code: (-weights[code], code))[: OTHER - 1]
            colour_of = {code: place for place, code in enumerate(sorted(order))}
            slots = [colour_of.get(code, OTHER) for code in slots]
        out.append(slots)
    return out


def answer_slot(slots: list[list[int]], tree: Tree, node: int) -> int:
    """Return the colour slot of a node's answer, that of the first output."""
    code = int(tree.label[node, 0])
    return OTHER if code == NO_CLASS else slots[0][code]
