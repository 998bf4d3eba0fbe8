"""A scene on matplotlib's axes, and through them as PNG; matplotlib is an extra."""

from __future__ import annotations

import io
import warnings
from typing import TYPE_CHECKING, Any

from treewright.errors import SettingError
from treewright.render.picture.colours import (
    GROUND,
    PAINTS,
    SLOT_COLOURS,
    link_colour,
    text_colour_on,
)
from treewright.render.picture.shapes import Band, Box, PlacedWords, Scene

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_DOTS = 100.0  # pixels of a scene per inch
_MOST_PIXELS = 32_000  # of a side of a PNG; the drawing library ends at 65 535
_MOST_AREA = 250e6
_FACES = (  # where DejaVu Sans has no sign, the first of these that is there
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Source Han Sans SC",
    "WenQuanYi Zen Hei",
    "WenQuanYi Micro Hei",
    "Microsoft YaHei",
    "PingFang SC",
    "Hiragino Sans",
    "Arial Unicode MS",
)
_STEPS = 48  # of a curve


def png_bytes(scene: Scene, *, scale: float = 2.0) -> bytes:
    """Return a scene as a PNG file, `scale` dots to the pixel."""
    need_matplotlib()
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415
    from matplotlib.figure import Figure  # noqa: PLC0415

    if not 0 < scale <= 20:
        raise SettingError(f"scale must be above 0 and at most 20, not {scale}")
    wide, high = scene.width * scale, scene.height * scale
    if max(wide, high) > _MOST_PIXELS or wide * high > _MOST_AREA:
        raise SettingError(
            f"a PNG of {wide:.0f} x {high:.0f} pixels is too large; fold more of the "
            "tree (max depth, min share, max nodes), or write SVG"
        )
    figure = Figure(figsize=(scene.width / _DOTS, scene.height / _DOTS), dpi=_DOTS)
    FigureCanvasAgg(figure)
    draw(scene, figure.add_axes((0, 0, 1, 1)))
    out = io.BytesIO()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        figure.savefig(
            out, format="png", dpi=_DOTS * scale, metadata={"Software": None}
        )
    if any("Glyph" in str(one.message) for one in caught):
        warnings.warn(
            "no installed font has some signs of these names, which are drawn as "
            "boxes; write SVG or HTML, which use the reader's fonts",
            stacklevel=2,
        )
    return out.getvalue()


def plot(scene: Scene, ax: Axes | None = None) -> Axes:
    """Draw a scene on axes, new ones of its size if none are given."""
    need_matplotlib()
    if ax is None:
        from matplotlib import pyplot  # noqa: PLC0415

        size = (scene.width / _DOTS, scene.height / _DOTS)
        figure = pyplot.figure(figsize=size, dpi=_DOTS)
        ax = figure.add_axes((0, 0, 1, 1))
    draw(scene, ax)
    return ax


def need_matplotlib() -> None:
    """Say what to install if matplotlib is not there."""
    try:
        import matplotlib  # noqa: F401, PLC0415
    except ImportError:
        raise SettingError(
            "PNG and plot need matplotlib, which is not installed: pip install "
            "matplotlib; SVG and HTML need nothing"
        ) from None


def draw(scene: Scene, axes: Axes) -> None:
    """Add all shapes to axes, whose limits and aspect become those of the scene."""
    axes.set_xlim(0, scene.width)
    axes.set_ylim(scene.height, 0)
    axes.set_aspect("equal")
    axes.set_axis_off()
    box = axes.get_window_extent()
    fit = min(box.width / scene.width, box.height / scene.height)
    figure = axes.get_figure(root=True)
    assert figure is not None
    points = fit * 72 / figure.dpi  # of a pixel of the scene
    fonts = _fonts()
    for order, shape in enumerate(scene.shapes):
        if isinstance(shape, PlacedWords):
            _add_text(axes, shape, points, fonts, order)
        elif isinstance(shape, Box):
            _add_box(axes, shape, points, order)
        else:
            _add_band(axes, shape, points, order)


def _fonts() -> list[str]:
    """DejaVu Sans, and a font with the signs of East Asia if there is one."""
    from matplotlib.font_manager import fontManager  # noqa: PLC0415

    known = {font.name for font in fontManager.ttflist}
    return ["DejaVu Sans", *[face for face in _FACES if face in known][:1]]


def _colour(name: str, slot: int | None, opacity: float) -> Any:
    """A colour of a paint as matplotlib has it; "none" for none."""
    if not name:
        return "none"
    if name == "slot":
        return (SLOT_COLOURS[slot or 0][0], opacity)
    return (GROUND[name][0], opacity)


def _style(shape: Box | Band, points: float) -> dict[str, Any]:
    """Colours and lines of a shape."""
    paint = PAINTS[shape.paint]
    fill = paint.fill_opacity if shape.strength is None else shape.strength
    style: dict[str, Any] = {
        "facecolor": _colour(paint.fill, shape.slot, fill),
        "edgecolor": _colour(paint.stroke, shape.slot, 1.0),
        "linewidth": paint.stroke_width * points if paint.stroke else 0,
    }
    if paint.dash:
        style["linestyle"] = (0, paint.dash)
    return style


def _add_box(axes: Axes, box: Box, points: float, order: int) -> None:
    """A rectangle, with round corners if it has a radius."""
    from matplotlib.patches import FancyBboxPatch, Rectangle  # noqa: PLC0415

    style = _style(box, points) | {"zorder": order}
    if box.radius:
        radius = min(box.radius, box.width / 2, box.height / 2)
        shape = f"round,pad=0,rounding_size={radius}"
        corner = (box.x, box.y)
        axes.add_patch(
            FancyBboxPatch(corner, box.width, box.height, boxstyle=shape, **style)
        )
    else:
        axes.add_patch(Rectangle((box.x, box.y), box.width, box.height, **style))


def _add_band(axes: Axes, band: Band, points: float, order: int) -> None:
    """A link: a polygon around its curve, so that it keeps its width in any axes."""
    from matplotlib.patches import PathPatch, Polygon  # noqa: PLC0415
    from matplotlib.path import Path  # noqa: PLC0415

    paint = PAINTS[band.paint]
    first, second = band.controls
    if paint.dash:
        codes = [Path.MOVETO, Path.LINETO, *[Path.CURVE4] * 3, Path.LINETO]
        points_on = [band.start, band.leave, first, second, band.bend, band.end]
        path = Path(points_on, codes)
        axes.add_patch(PathPatch(path, **_style(band, points), zorder=order))
        return
    axes.add_patch(
        Polygon(
            _outline(band),
            closed=True,
            facecolor=link_colour(band.slot or 0, band.strength, 0),
            linewidth=0,
            zorder=order,
        )
    )


def _outline(band: Band) -> list[tuple[float, float]]:
    """The edges of a link: its curve moved by half its width to both sides."""
    first, second = band.controls
    line = [band.start]
    for step in range(_STEPS + 1):
        t = step / _STEPS
        shares = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
        corners = (band.leave, first, second, band.bend)
        line.append(
            (
                sum(share * x for share, (x, _) in zip(shares, corners, strict=True)),
                sum(share * y for share, (_, y) in zip(shares, corners, strict=True)),
            )
        )
    line.append(band.end)
    left, right = [], []
    for place, (x, y) in enumerate(line):
        before, after = line[max(place - 1, 0)], line[min(place + 1, len(line) - 1)]
        dx, dy = after[0] - before[0], after[1] - before[1]
        if place in (0, len(line) - 1):  # the ends lie flat on the boxes
            dx, dy = (0.0, 1.0) if band.direction == "down" else (1.0, 0.0)
        length = (dx * dx + dy * dy) ** 0.5 or 1.0
        side = (-dy / length * band.width / 2, dx / length * band.width / 2)
        left.append((x + side[0], y + side[1]))
        right.append((x - side[0], y - side[1]))
    return left + right[::-1]


def _add_text(
    axes: Axes, words: PlacedWords, points: float, fonts: list[str], order: int
) -> None:
    """A line of text, taken as it is: a dollar sign does not begin a formula."""
    paint = PAINTS[words.paint]
    colour = GROUND[paint.fill][0]
    if words.slot is not None:
        colour = text_colour_on(SLOT_COLOURS[words.slot][0])
    axes.text(
        words.x,
        words.y,
        words.text,
        fontsize=words.size * points,
        color=colour,
        family=fonts,
        weight="bold" if paint.bold else "normal",
        ha={"start": "left", "middle": "center", "end": "right"}[words.anchor],
        va="baseline",
        parse_math=False,
        zorder=order,
    )
