"""Intervals with equal shares of the rows: quartiles, or any number of quantiles.

The quantile of a share is the smallest value that, with all below it, has this share of
the weight; if it has exactly the share, half way to the next value. That is definition
2 of Hyndman and Fan, the median of textbooks. A row of weight 2 counts as two rows.

References
----------
Hyndman, R. and Fan, Y. (1996). Sample quantiles in statistical packages. The American
Statistician 50, 361-365.
"""

from __future__ import annotations

from math import isfinite
from typing import Any

import numpy as np

from treewright.discretize.tally import Tally

_TOLERANCE = 1e-12  # of the weight of all rows: shares that are closer are equal


def quantiles(tally: Tally, n_intervals: int) -> list[Any]:
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
