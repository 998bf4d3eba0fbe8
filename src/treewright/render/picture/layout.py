"""Where the nodes of a picture go: a tidy tree, after Reingold and Tilford.

Glossary
--------
breadth   the direction in which siblings stand beside each other
level     the nodes of one depth
contour   how far a subtree reaches, level by level: its first and last breadth

A subtree is laid out once and then moved as a whole, so subtrees that are alike look
alike. Siblings are packed from the front and from the back, and each takes the middle
of its two places: what keeps two places apart keeps their mean apart, and small
subtrees spread evenly between large ones. Only levels that two siblings have in common
are looked at, which makes the work linear in the number of nodes (Reingold, Tilford:
Tidier drawings of trees, 1981). There is no recursion: chains may be very long.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass
class _Contour:
    """Reach of a subtree; the deepest level first, so that a parent is appended.

    Stored numbers are relative to a point `offset` before the subtree's own root.
    """

    first: list[float]
    last: list[float]
    offset: float = 0.0

    @property
    def n_levels(self) -> int:
        return len(self.first)


@dataclass(frozen=True)
class Gaps:
    """Least distance between two nodes of a level, with one parent or with two."""

    siblings: float
    cousins: float


def breadths(
    children: Sequence[Sequence[int]], sizes: Sequence[float], gaps: Gaps
) -> list[float]:
    """Return the middle of each node along the breadth; the least edge is at 0.

    `children`: children of each node, in order; a child's number is above its parent's.
    `sizes`: room that each node needs along the breadth. `gaps`: distances to keep.
    """
    shift = [0.0] * len(children)  # of a node, relative to its parent
    contours: dict[int, _Contour] = {}
    for node in range(len(children) - 1, -1, -1):
        half = sizes[node] / 2
        if not children[node]:
            contours[node] = _Contour([-half], [half])
            continue
        below = [contours.pop(child) for child in children[node]]
        places = _spread(below, gaps)
        middle = (places[0] + places[-1]) / 2
        for child, place in zip(children[node], places, strict=True):
            shift[child] = place - middle
        merged = _merged(below, [place - middle for place in places])
        merged.first.append(-half - merged.offset)
        merged.last.append(half - merged.offset)
        contours[node] = merged
    return _absolute(children, shift, contours[0])


def _absolute(
    children: Sequence[Sequence[int]], shift: list[float], contour: _Contour
) -> list[float]:
    """Places from the root down, with the least edge at 0."""
    place = [0.0] * len(children)
    place[0] = -(min(contour.first) + contour.offset)
    for node, below in enumerate(children):
        for child in below:
            place[child] = place[node] + shift[child]
    return place


def _spread(below: list[_Contour], gaps: Gaps) -> list[float]:
    """Places of siblings: the mean of packing them from the front and the back."""
    if len(below) == 1:
        return [0.0]
    front = _packed(below, gaps)
    mirrored = [
        _Contour(
            [-edge for edge in contour.last[-_common(below) :]],
            [-edge for edge in contour.first[-_common(below) :]],
            -contour.offset,
        )
        for contour in reversed(below)
    ]
    back = [-place for place in reversed(_packed(mirrored, gaps))]
    lead = front[-1] - back[-1]
    return [(a + b + lead) / 2 for a, b in zip(front, back, strict=True)]


def _common(below: list[_Contour]) -> int:
    """Levels that at least two siblings have."""
    return sorted(contour.n_levels for contour in below)[-2]


def _packed(below: list[_Contour], gaps: Gaps) -> list[float]:
    """Places of siblings, each as near to those before it as all levels allow."""
    reach: list[float] = []  # of those before; the top level first
    places: list[float] = []
    n_common = _common(below)
    for contour in below:
        n_levels = min(contour.n_levels, n_common)
        place = 0.0
        if places:
            place = places[-1]
            for level in range(min(n_levels, len(reach))):
                gap = gaps.cousins if level else gaps.siblings
                edge = contour.first[-1 - level] + contour.offset
                place = max(place, reach[level] + gap - edge)
        places.append(place)
        for level in range(n_levels):
            edge = contour.last[-1 - level] + contour.offset + place
            if level == len(reach):
                reach.append(edge)
            else:
                reach[level] = max(reach[level], edge)
    return places


def _merged(below: list[_Contour], places: list[float]) -> _Contour:
    """The contour of placed siblings, made of that of the tallest one."""
    tallest = max(range(len(below)), key=lambda sibling: below[sibling].n_levels)
    out = below[tallest]
    out.offset += places[tallest]
    for sibling, (contour, place) in enumerate(zip(below, places, strict=True)):
        if sibling == tallest:
            continue
        move = contour.offset + place - out.offset
        for level in range(1, contour.n_levels + 1):
            out.first[-level] = min(out.first[-level], contour.first[-level] + move)
            out.last[-level] = max(out.last[-level], contour.last[-level] + move)
    return out


def level_starts(
    depths: Sequence[int], sizes: Sequence[float], leads: Sequence[float]
) -> list[float]:
    """Return where each level begins, across the breadth.

    `depths`, `sizes`: depth of each node, and the room it needs across the breadth.
    `leads`: room before each node, for its link; the largest of a level counts.
    """
    n_levels = max(depths) + 1
    deepest, lead = [0.0] * n_levels, [0.0] * n_levels
    for depth, size, before in zip(depths, sizes, leads, strict=True):
        deepest[depth] = max(deepest[depth], size)
        lead[depth] = max(lead[depth], before)
    starts, end = [], 0.0
    for depth in range(n_levels):
        starts.append(end + (lead[depth] if depth else 0.0))
        end = starts[-1] + deepest[depth]
    return starts
