"""A picture as plain shapes, which every writer draws alike.

Coordinates are in pixels, x to the right and y down. A shape has a `paint`, a key of
`colours.PAINTS`, and where that asks for one the colour slot of a class.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

Anchor = Literal["start", "middle", "end"]
Direction = Literal["down", "right"]
_PULL = 0.7  # of the way; above 0.75 a curve would swing back


@dataclass(frozen=True)
class Box:
    """A rectangle; `title` is what a reader sees who points at it."""

    x: float
    y: float
    width: float
    height: float
    paint: str
    slot: int | None = None
    radius: float = 0.0
    strength: float | None = None  # instead of the paint's opacity
    title: str = ""

    def moved(self, dx: float, dy: float) -> Box:
        """Return the same box elsewhere."""
        return replace(self, x=self.x + dx, y=self.y + dy)


@dataclass(frozen=True)
class PlacedWords:
    """A line of text; `y` is its baseline. With a slot it stands on that colour."""

    x: float
    y: float
    text: str
    paint: str
    size: float
    anchor: Anchor = "start"
    slot: int | None = None

    def moved(self, dx: float, dy: float) -> PlacedWords:
        """Return the same words elsewhere."""
        return replace(self, x=self.x + dx, y=self.y + dy)


@dataclass(frozen=True)
class Band:
    """A link: straight from `start` to `leave`, a curve to `bend`, then to `end`."""

    start: tuple[float, float]
    leave: tuple[float, float]
    bend: tuple[float, float]
    end: tuple[float, float]
    width: float
    direction: Direction
    paint: str
    slot: int | None = None
    strength: float | None = None
    title: str = ""

    @property
    def controls(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """The two inner points of the curve.

        They lie far along the direction: a wide link needs round corners.
        """
        (x0, y0), (x1, y1) = self.leave, self.bend
        if self.direction == "down":
            pull = _PULL * (y1 - y0)
            return (x0, y0 + pull), (x1, y1 - pull)
        pull = _PULL * (x1 - x0)
        return (x0 + pull, y0), (x1 - pull, y1)


Shape = Box | PlacedWords | Band


@dataclass(frozen=True)
class Scene:
    """A whole picture."""

    # size in pixels
    width: float
    height: float
    shapes: tuple[Shape, ...]  # in the order of drawing
    name: str  # what the picture shows, in one line
    # what was folded, in sentences; empty if all of the tree is there
    said: tuple[str, ...] = ()
    # the outlines of the nodes, in the order of `drawn_nodes`
    frames: tuple[Box, ...] = field(default=(), repr=False)
