"""Prototypes as text: for each class what its rows look like."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from treewright.data.complaints import counted
from treewright.render.fitting.safe_text import (
    clip,
    display_width,
    pad,
    short_number,
    visible,
)

MOST_FEATURES = 20
_WIDEST_NAME, _WIDEST_VALUE = 38, 16


def prototype_lines(prototypes: Sequence[Any]) -> Iterator[str]:
    """Yield a block for each class: a line for each feature, at most 80 columns.

    `learners/forest/proximity.py` says what a prototype has.
    """
    for number, one in enumerate(prototypes):
        if number:
            yield ""
        label = clip(visible(str(one.label)), _WIDEST_NAME)
        rows = counted(len(one.members), "row")
        yield f"{label}: {rows} that stand together, around row {one.row}"
        yield from _feature_lines(one)


def _feature_lines(one: Any) -> Iterator[str]:
    shown = list(one.values)[:MOST_FEATURES]
    names = [clip(visible(name), _WIDEST_NAME) for name in shown]
    values = [_words(one.values[name]) for name in shown]
    wide = max(map(display_width, names), default=0)
    high = max(map(display_width, values), default=0)
    for name, label, value in zip(shown, names, values, strict=True):
        about = ""
        if name in one.quartiles:
            about = " to ".join(_words(edge) for edge in one.quartiles[name])
        elif name in one.shares:
            about = f"{100 * one.shares[name]:.0f} % of them"
        yield f"  {pad(label, wide)}  {pad(value, high)}  {about}".rstrip()
    if len(one.values) > len(shown):
        yield f"  and {len(one.values) - len(shown):,} more features"


def _words(value: Any) -> str:
    if value is None:
        return "missing"
    if isinstance(value, float):
        return short_number(value)
    return clip(visible(str(value)), _WIDEST_VALUE)
