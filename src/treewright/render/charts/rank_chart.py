"""Comparisons as SVG: errors with their intervals, and the critical-difference diagram.

The diagram is that of Demsar (2006): mean ranks on a line, 1 at the left; thick bars
join learners that cannot be told apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from treewright.render.charts.line_chart import round_steps
from treewright.render.fitting.safe_text import clip, short_number
from treewright.render.picture.svg import escaped, svg_file

_WIDTH, _LEFT, _RIGHT = 640, 170, 30
_ROW = 24
_MOST_NAME = 24
_STYLE = """
.tw-ranks text{font:12px system-ui,'Segoe UI',Roboto,Arial,sans-serif;fill:#222}
.tw-ranks .title{font-size:14px;font-weight:600}
.tw-ranks .ground{fill:#fff}
.tw-ranks path{stroke:#444;fill:none}
.tw-ranks .bar{stroke:#c2410c;stroke-width:4}
.tw-ranks .span{stroke:#0b6bcb;stroke-width:2}
.tw-ranks circle{fill:#0b6bcb}
.tw-ranks .usual{stroke:#666;stroke-dasharray:5 4}
@media (prefers-color-scheme:dark){
.tw-ranks text{fill:#eee}
.tw-ranks .ground{fill:#1b1b1b}
.tw-ranks path{stroke:#bbb}
.tw-ranks .bar{stroke:#fb923c}
.tw-ranks .span{stroke:#6db3f8}
.tw-ranks circle{fill:#6db3f8}
.tw-ranks .usual{stroke:#aaa}
}"""


@dataclass(frozen=True)
class Ranked:
    """A learner: its name, a figure, and the ends of an interval if it has one."""

    name: str
    value: float
    low: float = 0.0
    high: float = 0.0


def error_svg(
    learners: Sequence[Ranked], usual: float, *, title: str, percent: bool
) -> str:
    """Return errors with their intervals, a line for each learner.

    `learners`: from top to bottom. `usual`: the error of no model, a line from top to
    bottom. `title`: what is shown. `percent`: whether errors are shares.
    """
    top = 1.05 * max(usual, *(one.high for one in learners)) or 1.0
    span = _WIDTH - _LEFT - _RIGHT

    def across(value: float) -> float:
        return _LEFT + span * min(max(value / top, 0.0), 1.0)

    foot = 40 + _ROW * len(learners)
    lines = [
        f'<path class="usual" d="M{across(usual):.1f} 32V{foot}"/>',
        f'<text x="{across(usual):.1f}" y="{foot + 32}" text-anchor="middle">'
        "no model</text>",
        f'<path d="M{_LEFT} {foot}H{_WIDTH - _RIGHT}"/>',
    ]
    for value in round_steps(top):
        text = f"{100 * value:.3g} %" if percent else short_number(value)
        lines.append(
            f'<text x="{across(value):.1f}" y="{foot + 16}" text-anchor="middle">'
            f"{text}</text>"
        )
    for number, one in enumerate(learners):
        y = 46 + _ROW * number
        lines += [
            f'<text x="{_LEFT - 10}" y="{y + 4}" text-anchor="end">{_name(one)}</text>',
            f'<path class="span" d="M{across(one.low):.1f} {y}'
            f'H{across(one.high):.1f}"/>',
            f'<circle cx="{across(one.value):.1f}" cy="{y}" r="4"/>',
        ]
    return _page(lines, title, foot + 44)


def rank_svg(
    learners: Sequence[Ranked],
    groups: Sequence[Sequence[int]],
    critical_difference: float,
) -> str:
    """Return the critical-difference diagram.

    `learners`: with their mean ranks. `groups`: numbers of learners that cannot be told
    apart. `critical_difference`: how far apart mean ranks must be.
    """
    last = max(len(learners), 2)
    left = 60

    def across(rank: float) -> float:
        return left + (_WIDTH - 2 * left) * (rank - 1) / (last - 1)

    base = 84
    end = min(across(1 + critical_difference), _WIDTH - 10)
    lines = [
        f'<path d="M{across(1):.1f} 46v8v-4H{end:.1f}v-4v8"/>',
        f'<text x="{across(1):.1f}" y="40">critical difference '
        f"{critical_difference:.2f}</text>",
        f'<path d="M{across(1):.1f} {base}H{across(last):.1f}"/>',
    ]
    for rank in range(1, last + 1):
        lines.append(f'<path d="M{across(rank):.1f} {base}v-6"/>')
        lines.append(
            f'<text x="{across(rank):.1f}" y="{base - 10}" text-anchor="middle">'
            f"{rank}</text>"
        )
    bars = base + 12
    for number, group in enumerate(groups):
        ranks = [learners[place].value for place in group]
        y = bars + 9 * number
        start, stop = across(min(ranks)) - 4, across(max(ranks)) + 4
        lines.append(f'<path class="bar" d="M{start:.1f} {y}H{stop:.1f}"/>')
    y = bars + 9 * len(groups) + 16
    for one in sorted(learners, key=lambda each: each.value):
        x = across(one.value)
        is_left = x < _WIDTH / 2
        anchor, shift = ("start", 8) if is_left else ("end", -8)
        lines += [
            f'<path d="M{x:.1f} {base}V{y}h{shift / 2:.0f}"/>',
            f'<text x="{x + shift:.1f}" y="{y + 4}" text-anchor="{anchor}">'
            f"{_name(one)} ({one.value:.2f})</text>",
        ]
        y += _ROW - 4
    return _page(lines, "mean ranks, 1 is the best", y + 10)


def _name(one: Ranked) -> str:
    return escaped(clip(one.name, _MOST_NAME))


def _page(lines: Sequence[str], title: str, height: int) -> str:
    """Return the text of an SVG file."""
    head = [
        f'<rect class="ground" width="{_WIDTH}" height="{height}"/>',
        f'<text class="title" x="14" y="20">{escaped(title)}</text>',
    ]
    return svg_file("tw-ranks", title, (_WIDTH, height), _STYLE, [*head, *lines])
