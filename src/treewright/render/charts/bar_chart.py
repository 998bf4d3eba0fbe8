"""Bars side by side as SVG: how much each of several things counts.

As in the line charts of `line_chart.py` there is no script, nothing is fetched, and
there are other colours for readers who like it dark.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from treewright.render.fitting.safe_text import clip, visible
from treewright.render.picture.measure import text_width
from treewright.render.picture.svg import escaped, svg_file

_SIZE = 13.0  # of the text
_ROW, _BAR, _GAP = 26, 16, 10
_LONGEST = 300.0  # bar
_WIDEST_NAME = 30  # signs
_STYLE = """
.tw-bars text{font:13px system-ui,'Segoe UI',Roboto,Arial,sans-serif;fill:#222}
.tw-bars .bar{fill:#0b6bcb}
.tw-bars .reach{stroke:#222;stroke-width:1.5;fill:none}
.tw-bars .ground{fill:#fff}
.tw-bars .zero{stroke:#888;stroke-width:1}
@media (prefers-color-scheme:dark){
.tw-bars text{fill:#eee}
.tw-bars .bar{fill:#6db3f8}
.tw-bars .reach{stroke:#eee}
.tw-bars .ground{fill:#1b1b1b}
.tw-bars .zero{stroke:#999}
}"""


@dataclass(frozen=True)
class Bar:
    """A bar: what it is of, how long it is, what is written at its end.

    `low` and `high` are the ends of its interval, if it has one.
    """

    name: str
    value: float
    text: str
    low: float | None = None
    high: float | None = None


def bars_svg(title: str, bars: Sequence[Bar]) -> str:
    """Return bars, one below the other, as the text of an SVG file."""
    names = [clip(visible(bar.name[:200]), _WIDEST_NAME) for bar in bars]
    left = 8 + max((text_width(name, _SIZE) for name in names), default=0) + _GAP
    right = _GAP + max((text_width(bar.text, _SIZE) for bar in bars), default=0) + 8
    lowest = min([0.0, *(_ends(bar)[0] for bar in bars)])
    highest = max([0.0, *(_ends(bar)[1] for bar in bars)])
    scale = _LONGEST / (highest - lowest) if highest > lowest else 0.0
    zero = left - lowest * scale
    width, height = math.ceil(left + _LONGEST + right), _ROW * len(bars) + 16
    lines = [f'<rect class="ground" width="{width}" height="{height}"/>']
    for number, (name, bar) in enumerate(zip(names, bars, strict=True)):
        lines += _row(bar, name, 8 + _ROW * number, zero, scale)
    lines.append(f'<path class="zero" d="M{zero:.1f} 4V{height - 4}"/>')
    return svg_file("tw-bars", title, (width, height), _STYLE, lines)


def _row(bar: Bar, name: str, top: float, zero: float, scale: float) -> list[str]:
    """The name at the left, the bar, its interval, and the figure at its end."""
    middle = top + _ROW / 2
    start = zero + min(bar.value, 0.0) * scale
    lines = [
        f'<text x="8" y="{middle + 4.5:.1f}">{escaped(name)}</text>',
        f'<rect class="bar" x="{start:.1f}" y="{middle - _BAR / 2:.1f}" '
        f'width="{abs(bar.value) * scale:.1f}" height="{_BAR}" rx="2"/>',
    ]
    if bar.low is not None and bar.high is not None and bar.high > bar.low:
        first, last = zero + bar.low * scale, zero + bar.high * scale
        lines.append(
            f'<path class="reach" d="M{first:.1f} {middle:.1f}H{last:.1f}'
            f'M{first:.1f} {middle - 4:.1f}v8M{last:.1f} {middle - 4:.1f}v8"/>'
        )
    end = zero + max(_ends(bar)[1], 0.0) * scale + _GAP
    lines.append(
        f'<text x="{end:.1f}" y="{middle + 4.5:.1f}">{escaped(bar.text)}</text>'
    )
    return lines


def _ends(bar: Bar) -> tuple[float, float]:
    """How far a bar and its interval reach."""
    return min(bar.value, bar.low or 0.0), max(bar.value, bar.high or 0.0)
