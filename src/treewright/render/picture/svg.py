"""A scene as SVG: text that every browser shows, with no script and nothing to fetch.

Colours are in one style sheet, with other ones for readers who like it dark. Every rule
begins with the class of the picture, so that several pictures, and other things, can
stand in one page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from treewright.render.fitting.safe_text import visible
from treewright.render.picture.colours import (
    GROUND,
    PAINTS,
    SLOT_COLOURS,
    Paint,
    link_colour,
    text_colour_on,
)
from treewright.render.picture.shapes import Band, Box, PlacedWords, Scene, Shape

_FONTS = (
    "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,'Noto Sans',"
    "'DejaVu Sans',sans-serif"
)
_ROOT = ".treewright"


def svg_text(scene: Scene) -> str:
    """Return a scene as the text of an SVG file."""
    used = _Used(scene)
    elements = [_element(shape, used) for shape in scene.shapes]
    style = "\n".join(_sheet(used))
    return svg_file(
        "treewright", scene.name, (scene.width, scene.height), style, elements
    )


def svg_file(
    kind: str, name: str, size: tuple[float, float], style: str, elements: Iterable[str]
) -> str:
    """Return elements as the text of an SVG file.

    `kind`: the class of the picture, with which the rules of its `style` begin. `name`:
    what it shows, in one line.
    """
    width, height = map(_number, size)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" role="img" '
        f'aria-label="{escaped(name)}" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}">',
        f"<title>{escaped(name)}</title>",
        f"<style>\n{style.strip()}\n</style>",
        *elements,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    """Return text for XML or HTML, between tags or in quotes.

    What XML may not contain at all, control characters and halves of pairs, is shown
    as an escape sequence; lines are kept.
    """
    lines = [visible(line) for line in text.split("\n")]
    text = "\n".join(lines).replace("&", "&amp;").replace("<", "&lt;")
    return text.replace(">", "&gt;").replace('"', "&quot;")


class _Used:
    """Which paints and colours the shapes of a scene have."""

    def __init__(self, scene: Scene) -> None:
        self.paints = sorted({shape.paint for shape in scene.shapes})
        slots = [
            (shape, shape.slot) for shape in scene.shapes if shape.slot is not None
        ]
        self.fills = sorted({slot for one, slot in slots if isinstance(one, Box)})
        self.texts = sorted(
            {slot for one, slot in slots if isinstance(one, PlacedWords)}
        )
        links = {_link_key(one) for one, _ in slots if isinstance(one, Band)}
        self.links = {key: f"l{place}" for place, key in enumerate(sorted(links))}


def _link_key(band: Band) -> tuple[int, float]:
    """The colour of a link: slot and strength; -1 for the usual one."""
    return band.slot or 0, -1.0 if band.strength is None else band.strength


def _sheet(used: _Used) -> Iterator[str]:
    """The style sheet, with the rules that the shapes need."""
    yield f"{_ROOT} text{{font-family:{_FONTS};pointer-events:none}}"
    yield f"{_ROOT} .middle{{text-anchor:middle}}"
    yield f"{_ROOT} .end{{text-anchor:end}}"
    yield from _colour_rules(used, 0)
    for name in used.paints:
        rule = ";".join(_fixed(PAINTS[name]))
        if rule:
            yield f"{_ROOT} .{name}{{{rule}}}"
    yield "@media (prefers-color-scheme:dark){"
    yield from _colour_rules(used, 1)
    yield "}"


def _colour_rules(used: _Used, ground: int) -> Iterator[str]:
    """The rules that depend on whether the ground is light (0) or dark (1)."""
    for name in used.paints:
        paint = PAINTS[name]
        rule = [
            f"{key}:{GROUND[colour][ground]}"
            for key, colour in (("fill", paint.fill), ("stroke", paint.stroke))
            if colour in GROUND
        ]
        if rule:
            yield f"{_ROOT} .{name}{{{';'.join(rule)}}}"
    for slot in used.fills:
        colour = SLOT_COLOURS[slot][ground]
        yield f"{_ROOT} .c{slot}{{fill:{colour};stroke:{colour}}}"
    for slot in used.texts:
        colour = text_colour_on(SLOT_COLOURS[slot][ground])
        yield f"{_ROOT} .on{slot}{{fill:{colour}}}"
    for (slot, strength), name in used.links.items():
        colour = link_colour(slot, None if strength < 0 else strength, ground)
        yield f"{_ROOT} .{name}{{stroke:{colour}}}"


def _fixed(paint: Paint) -> Iterator[str]:
    """What a paint says besides its colours."""
    if not paint.fill:
        yield "fill:none"
    elif paint.fill_opacity < 1:
        yield f"fill-opacity:{paint.fill_opacity}"
    if not paint.stroke:
        yield "stroke:none"
    if paint.stroke and paint.stroke_width != 1:
        yield f"stroke-width:{paint.stroke_width}"
    if paint.dash:
        yield f"stroke-dasharray:{paint.dash[0]} {paint.dash[1]}"
    if paint.bold:
        yield "font-weight:600"


def _element(shape: Shape, used: _Used) -> str:
    """One shape as an element."""
    if isinstance(shape, PlacedWords):
        return _text(shape)
    return _rectangle(shape) if isinstance(shape, Box) else _path(shape, used)


def _rectangle(box: Box) -> str:
    """A rectangle, with what is seen by pointing at it."""
    names = box.paint if box.slot is None else f"{box.paint} c{box.slot}"
    radius = f' rx="{_number(box.radius)}"' if box.radius else ""
    strength = "" if box.strength is None else f' style="fill-opacity:{box.strength}"'
    head = (
        f'<rect class="{names}" x="{_number(box.x)}" y="{_number(box.y)}" '
        f'width="{_number(box.width)}" height="{_number(box.height)}"{radius}{strength}'
    )
    return _closed(head, "rect", box.title)


def _path(band: Band, used: _Used) -> str:
    """A link: a thick line, so that it is as wide where it is steep."""
    names = band.paint
    if band.slot is not None:
        names += f" {used.links[_link_key(band)]}"
    first, second = band.controls
    points = " ".join(_point(point) for point in (first, second, band.bend))
    straight = "" if band.leave == band.start else f"L{_point(band.leave)} "
    head = (
        f'<path class="{names}" d="M{_point(band.start)} {straight}C{points} '
        f'L{_point(band.end)}" stroke-width="{_number(band.width)}"'
    )
    return _closed(head, "path", band.title)


def _text(words: PlacedWords) -> str:
    """A line of text."""
    names = words.paint if words.slot is None else f"on{words.slot}"
    if words.anchor != "start":
        names += f" {words.anchor}"
    # else several blanks in a name would become one
    kept = ' xml:space="preserve"' if "  " in words.text else ""
    return (
        f'<text class="{names}" x="{_number(words.x)}" y="{_number(words.y)}" '
        f'font-size="{_number(words.size)}"{kept}>{escaped(words.text)}</text>'
    )


def _closed(head: str, tag: str, title: str) -> str:
    """An element with a title, or without."""
    if not title:
        return f"{head}/>"
    return f"{head}><title>{escaped(title)}</title></{tag}>"


def _point(point: tuple[float, float]) -> str:
    return f"{_number(point[0])},{_number(point[1])}"


def _number(number: float) -> str:
    """A length with at most one decimal, which is enough for pixels."""
    text = f"{number:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text
