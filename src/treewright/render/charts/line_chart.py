"""Line charts as SVG, one or several in rows of two, and with matplotlib.

A chart is plain numbers; both writers draw the same lines. The SVG has no script and
fetches nothing; it has other colours for readers who like it dark.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from treewright.render.fitting.safe_text import short_number
from treewright.render.picture.matplotlib_axes import need_matplotlib
from treewright.render.picture.measure import text_width
from treewright.render.picture.svg import escaped, svg_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WIDTH, _HEIGHT = 420, 300  # of a panel
_LEFT, _RIGHT, _TOP, _BOTTOM = 62, 16, 56, 48
_TEXT, _GAP = 12.0, 6.0  # size of the text, gap between texts
_STYLE = """
.tw-chart text{font:12px system-ui,'Segoe UI',Roboto,Arial,sans-serif;fill:#222}
.tw-chart .title{font-size:14px;font-weight:600}
.tw-chart .ground{fill:#fff}
.tw-chart .axis{stroke:#444;stroke-width:1;fill:none}
.tw-chart .grid{stroke:#ddd;stroke-width:1}
.tw-chart .l0{stroke:#0b6bcb;fill:#0b6bcb}
.tw-chart .l1{stroke:#c2410c;fill:#c2410c}
.tw-chart .l2{stroke:#666;fill:#666}
.tw-chart .line.line{fill:none;stroke-width:2}
.tw-chart .band.band{stroke:none;opacity:.15}
.tw-chart .dashed{stroke-dasharray:5 4}
@media (prefers-color-scheme:dark){
.tw-chart text{fill:#eee}
.tw-chart .ground{fill:#1b1b1b}
.tw-chart .axis{stroke:#bbb}
.tw-chart .grid{stroke:#3a3a3a}
.tw-chart .l0{stroke:#6db3f8;fill:#6db3f8}
.tw-chart .l1{stroke:#fb923c;fill:#fb923c}
.tw-chart .l2{stroke:#aaa;fill:#aaa}
}"""


@dataclass(frozen=True)
class Line:
    """A line of a chart, with a band around it if there is one."""

    name: str
    y: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    dashed: bool = False
    marked: bool = True  # a dot at each place


@dataclass(frozen=True)
class Chart:
    """Lines over the same places."""

    # what it shows; what the axes are
    title: str
    across: str
    up: str
    x: tuple[float, ...]  # the places, rising
    lines: tuple[Line, ...]  # at most three
    percent: bool = False  # whether what goes up is a share
    logarithmic: bool = False  # whether equal steps across are equal ratios
    shares: bool = False  # whether what goes across is a share, from 0 to 1

    @property
    def ends(self) -> tuple[float, float]:
        """Where it begins and ends across."""
        return (0.0, 1.0) if self.shares else (self.x[0], self.x[-1])

    @property
    def top(self) -> float:
        """The largest number that is drawn, a little more."""
        highest = max(max((*line.y, *line.high)) for line in self.lines)
        return 1.05 * highest if highest > 0 else 1.0


def chart_svg(charts: Sequence[Chart]) -> str:
    """Return charts, two in a row, as the text of an SVG file."""
    n_down, n_across = _grid(charts)
    width, height = _WIDTH * n_across, _HEIGHT * n_down
    name = "; ".join(chart.title for chart in charts)
    lines = [f'<rect class="ground" width="{width}" height="{height}"/>']
    for number, chart in enumerate(charts):
        down, across = divmod(number, n_across)
        place = f"{_WIDTH * across},{_HEIGHT * down}"
        lines.append(f'<g transform="translate({place})">')
        lines += _panel(chart)
        lines.append("</g>")
    return svg_file("tw-chart", name, (width, height), _STYLE, lines)


def _grid(charts: Sequence[Chart]) -> tuple[int, int]:
    """How many rows of charts there are, and how many charts in each."""
    n_across = min(len(charts), 2)
    return -(-len(charts) // n_across), n_across


def _panel(chart: Chart) -> Iterator[str]:
    """Yield the elements of one chart."""
    place = _Plot(chart)
    yield f'<text class="title" x="{_LEFT}" y="20">{escaped(chart.title)}</text>'
    for value in round_steps(chart.top):
        y = place.up(value)
        text = _figure(value, percent=chart.percent)
        yield f'<path class="grid" d="M{_LEFT} {y:.1f}H{_WIDTH - _RIGHT}"/>'
        yield f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{text}</text>'
    foot = _HEIGHT - _BOTTOM
    yield f'<path class="axis" d="M{_LEFT} {_TOP}V{foot}H{_WIDTH - _RIGHT}"/>'
    for x, text, middle in _labels(chart, place):
        yield f'<path class="axis" d="M{x:.1f} {foot}v4"/>'
        yield (
            f'<text x="{middle:.1f}" y="{foot + 17}" text-anchor="middle">{text}</text>'
        )
    centre = (_LEFT + _WIDTH - _RIGHT) / 2
    yield (
        f'<text x="{centre:.0f}" y="{_HEIGHT - 10}" text-anchor="middle">'
        f"{escaped(chart.across)}</text>"
    )
    for number, line in enumerate(chart.lines):
        yield from _line(chart, place, line, number)


def _line(chart: Chart, place: _Plot, line: Line, number: int) -> Iterator[str]:
    """Yield a line, its band and its name above the chart."""
    if line.low and line.high:
        upper = [_point(place, x, y) for x, y in zip(chart.x, line.high, strict=True)]
        lower = [_point(place, x, y) for x, y in zip(chart.x, line.low, strict=True)]
        outline = " ".join([*upper, *reversed(lower)])
        yield f'<polygon class="band l{number}" points="{outline}"/>'
    points = " ".join(_point(place, x, y) for x, y in zip(chart.x, line.y, strict=True))
    dashed = " dashed" if line.dashed else ""
    yield f'<polyline class="line l{number}{dashed}" points="{points}"/>'
    if line.marked and not line.dashed:
        for point in points.split():
            x, y = point.split(",")
            yield f'<circle class="l{number}" cx="{x}" cy="{y}" r="2.5"/>'
    start = _LEFT + 118 * number
    yield f'<path class="line l{number}{dashed}" d="M{start} 38h18"/>'
    yield f'<text x="{start + 23}" y="42">{escaped(line.name)}</text>'


def _point(place: _Plot, x: float, y: float) -> str:
    return f"{place.across(x):.1f},{place.up(y):.1f}"


class _Plot:
    """Where numbers stand in a panel."""

    def __init__(self, chart: Chart) -> None:
        self.top = chart.top
        self.scale = math.log if chart.logarithmic else float
        self.first, self.last = map(self.scale, chart.ends)

    def across(self, x: float) -> float:
        """Return the place of a number from the left."""
        width = _WIDTH - _RIGHT - _LEFT
        span = self.last - self.first
        share = (self.scale(x) - self.first) / span if span else 0.5
        return _LEFT + share * width

    def up(self, y: float) -> float:
        """Return the place of a number from the top."""
        height = _HEIGHT - _BOTTOM - _TOP
        return _TOP + (1 - min(max(y / self.top, 0.0), 1.0)) * height


def round_steps(top: float) -> list[float]:
    """Return about five round numbers from 0 up to the top."""
    size = 10 ** math.floor(math.log10(top / 4))
    step = next(size * each for each in (1, 2, 5, 10) if size * each * 5 >= top)
    return [step * number for number in range(int(top / step) + 1)]


def _shown(chart: Chart) -> list[float]:
    """Return the places that are written below: about five."""
    if chart.shares:
        return round_steps(1.0)
    every = max(1, math.ceil((len(chart.x) - 1) / 5))
    shown = list(chart.x[::every])
    if chart.x[-1] not in shown:
        shown[-1:] = [chart.x[-1]] if len(shown) > 1 else [*shown, chart.x[-1]]
    return shown


def _labels(chart: Chart, place: _Plot) -> list[tuple[float, str, float]]:
    """Return what is written below: where it belongs, the text, and its middle.

    The ends are always there, the others where there is room for them.
    """
    found: list[tuple[float, str, float]] = []
    shown = _shown(chart)
    # the last one first, so that it is never the one without room
    for value in (shown[0], *shown[:0:-1]) if len(shown) > 1 else shown:
        text = _across_text(chart, value)
        half = text_width(text, _TEXT) / 2
        x = place.across(value)
        middle = min(x, _WIDTH - 4 - half)
        if all(
            abs(middle - other) > half + text_width(word, _TEXT) / 2 + _GAP
            for _, word, other in found
        ):
            found.append((x, text, middle))
    return sorted(found)


def _across_text(chart: Chart, value: float) -> str:
    if chart.shares:
        return _figure(value, percent=True)
    return f"{value:,.0f}" if value == int(value) else short_number(value)


def _figure(value: float, *, percent: bool) -> str:
    return f"{100 * value:.3g} %" if percent else short_number(value)


def plot_charts(charts: Sequence[Chart], axes: Any = None) -> Any:
    """Draw charts with matplotlib; return the axes, one for each.

    `charts`: what to draw. `axes`: where; a new figure if not given.
    """
    need_matplotlib()
    import numpy as np  # noqa: PLC0415 - only for this

    if axes is None:
        import matplotlib.pyplot as plt  # noqa: PLC0415 - an extra

        n_down, n_across = _grid(charts)
        size = (4.6 * n_across, 3.4 * n_down)
        _, axes = plt.subplots(
            n_down, n_across, figsize=size, squeeze=False, layout="constrained"
        )
        for spare in axes.ravel()[len(charts) :]:
            spare.remove()
        axes = axes.ravel()[: len(charts)]
    found = np.atleast_1d(np.asarray(axes, object)).ravel()
    for chart, ax in zip(charts, found, strict=True):
        _plot(chart, ax)
    return found[0] if len(charts) == 1 else found


def _plot(chart: Chart, ax: Axes) -> None:
    colours = ("#0b6bcb", "#c2410c", "#666666")
    for line, colour in zip(chart.lines, colours, strict=False):
        mark = "o" if line.marked and not line.dashed else ""
        style = "--" if line.dashed else "-"
        ax.plot(
            chart.x, line.y, style, marker=mark, ms=3, color=colour, label=line.name
        )
        if line.low and line.high:
            ax.fill_between(chart.x, line.low, line.high, color=colour, alpha=0.15)
    if chart.logarithmic:
        ax.set_xscale("log")
        ax.minorticks_off()
    shown = _shown(chart)
    ax.set_xticks(shown, [_across_text(chart, value) for value in shown])
    ax.set_ylim(0, chart.top)
    ax.set_title(chart.title)
    ax.set_xlabel(chart.across)
    ax.set_ylabel(chart.up)
    if chart.percent:
        ax.yaxis.set_major_formatter(lambda value, place: f"{100 * value:g} %")
    ax.legend()
