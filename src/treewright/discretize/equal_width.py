"""Intervals of equal width between the smallest and the largest value.

A border is rounded by less than a thousandth of the width, and past none of the values:
3.333 rather than 3.3333333333333335 (`readable.py`).
"""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import Any

import numpy as np

from treewright.discretize.readable import readable
from treewright.discretize.tally import Tally


def equal_width(tally: Tally, n_intervals: int) -> list[Any]:
    """Return the borders of intervals of equal width; infinite values do not count."""
    values = tally.values if tally.is_wide else tally.values[np.isfinite(tally.values)]
    if len(values) < 2:
        return []
    # as fractions: exact, and the width of [-1e308, 1e308] is no overflow
    low, high = Fraction(values[0].item()), Fraction(values[-1].item())
    width = (high - low) / n_intervals
    borders: list[Any] = []
    for number in range(1, n_intervals):
        exact = low + number * width
        if tally.is_wide:
            borders.append(floor(exact))
            continue
        place = int(np.searchsorted(values, float(exact), side="right"))
        if place < len(values):  # rounding may reach the largest value
            low_value, high_value = float(values[place - 1]), float(values[place])
            borders.append(
                readable(float(exact), low_value, high_value, scale=float(width))
            )
    return sorted(set(borders))
