"""Geometry of a scene, checked without knowing how it was made."""

from __future__ import annotations

import itertools

from treewright.render.picture.measure import text_width
from treewright.render.picture.shapes import Band, Box, PlacedWords, Scene

SLACK = 0.01


def edges(words: PlacedWords) -> tuple[float, float]:
    """Left and right end of a line of text."""
    width = text_width(words.text, words.size, bold=words.paint == "head")
    start = {"start": 0.0, "middle": 0.5, "end": 1.0}[words.anchor]
    return words.x - start * width, words.x + (1 - start) * width


def overlap(one: Box, other: Box) -> bool:
    """Whether two boxes have an area in common."""
    return (
        one.x + SLACK < other.x + other.width
        and other.x + SLACK < one.x + one.width
        and one.y + SLACK < other.y + other.height
        and other.y + SLACK < one.y + one.height
    )


def check_scene(scene: Scene) -> None:
    """No two nodes or labels overlap, and nothing leaves the picture or its box."""
    labels = [s for s in scene.shapes if isinstance(s, Box) and s.paint == "pill"]
    assert len(labels) == len(scene.frames) - 1
    for one, other in itertools.combinations([*scene.frames, *labels], 2):
        assert not overlap(one, other), (one, other)
    for shape in scene.shapes:
        _check_inside(shape, scene)
    _check_words(scene, labels)
    for shape in scene.shapes:
        if isinstance(shape, Band):
            _check_link(shape, scene.frames)


def _check_link(band: Band, frames: tuple[Box, ...]) -> None:
    """The middle of a link runs through no box: it only touches two of them."""
    for x, y in curve(band):
        for box in frames:
            assert not (
                box.x + 1 < x < box.x + box.width - 1
                and box.y + 1 < y < box.y + box.height - 1
            ), (band, box)


def curve(band: Band, n_steps: int = 25) -> list[tuple[float, float]]:
    """Points on the middle of a link (a cubic curve of Bezier, then a line)."""
    first, second = band.controls
    points = []
    for step in range(n_steps + 1):
        t = step / n_steps
        shares = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        corners = (band.leave, first, second, band.bend)
        x = sum(
            share * corner[0] for share, corner in zip(shares, corners, strict=True)
        )
        y = sum(
            share * corner[1] for share, corner in zip(shares, corners, strict=True)
        )
        points.append((x, y))
    return [band.start, *points, band.end]


def _check_inside(shape: Box | PlacedWords | Band, scene: Scene) -> None:
    if isinstance(shape, PlacedWords):
        left, right = edges(shape)
        top, bottom = shape.y - shape.size, shape.y + 0.3 * shape.size
    elif isinstance(shape, Box):
        left, right = shape.x, shape.x + shape.width
        top, bottom = shape.y, shape.y + shape.height
    else:
        xs, ys = zip(*curve(shape), strict=True)
        left, right, top, bottom = min(xs), max(xs), min(ys), max(ys)
    assert left >= -SLACK
    assert right <= scene.width + SLACK
    assert top >= -SLACK
    assert bottom <= scene.height + SLACK


def _check_words(scene: Scene, labels: list[Box]) -> None:
    """Every line that begins inside a box also ends inside it."""
    boxes = [*scene.frames, *labels]
    for words in scene.shapes:
        if not isinstance(words, PlacedWords):
            continue
        left, right = edges(words)
        middle = (left + right) / 2
        for box in boxes:
            if (
                box.x <= middle <= box.x + box.width
                and box.y <= words.y <= box.y + box.height
            ):
                assert left >= box.x - SLACK
                assert right <= box.x + box.width + SLACK
                break
