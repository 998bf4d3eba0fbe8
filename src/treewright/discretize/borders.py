"""Borders by counting alone: intervals of equal width, or of equal shares of rows.

A border of equal width is rounded by less than a thousandth of the width, and past none
of the values: 3.333 rather than 3.3333333333333335.

The quantile of a share is the smallest value that, with all below it, has this share of
the weight; if it has exactly the share, half way to the next value. That is definition
2 of Hyndman and Fan, the median of textbooks. A row of weight 2 counts as two rows.

References
----------
Hyndman, R. and Fan, Y. (1996). Sample quantiles in statistical packages. The American
Statistician 50, 361-365.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor, isfinite
from typing import Any

import numpy as np

from treewright.discretize.tally import ValueTally, readable

_TOLERANCE = 1e-12  # of the weight of all rows: shares that are closer are equal


def equal_width(tally: ValueTally, n_intervals: int) -> list[Any]:
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


def quantiles(tally: ValueTally, n_intervals: int) -> list[Any]:
    """Return the borders; fewer than asked for where many rows have the same value."""
    if len(tally.values) < 2:
        return []
    below = tally.up_to
    wanted = below[-1] * (np.arange(1, n_intervals) / n_intervals)
    slack = below[-1] * _TOLERANCE
    places = np.searchsorted(below, wanted - slack, side="left")
    inner = places < len(below) - 1  # a border at the largest value parts nothing
    borders: dict[int, Any] = {}
    for place, share in zip(places[inner].tolist(), wanted[inner], strict=True):
        value = tally.values[place].item()
        if abs(below[place] - share) <= slack or not isfinite(value):
            [borders[place]] = tally.midpoints_after(np.array([place]))
        else:
            # one border after a value: half way, if that is asked for as well
            borders.setdefault(place, value)
    return [borders[place] for place in sorted(borders)]
