"""Borders that can be read: as few digits as do no harm.

A border may lie anywhere between two neighbouring values of the training rows. So it is
written with the fewest digits that keep it there and near where it should be, 3.35
rather than 3.3499999999999996; what a tree prints is then exactly what it does.
"""

from __future__ import annotations

from math import isfinite


def readable(exact: float, low: float, high: float, *, scale: float) -> float:
    """Return the shortest number x with low <= x < high, within scale/2000 of exact."""
    if not isfinite(scale):  # beside an infinite value nothing is near
        return exact
    for digits in range(1, 17):
        short = float(f"{exact:.{digits}g}")
        if low <= short < high and abs(short - exact) <= scale / 2000:
            return short
    return exact
