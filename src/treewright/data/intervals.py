"""Intervals: a numeric column that is asked about like a nominal one.

The column stays numeric in the data. Its feature is nominal, with a category for each
interval, and keeps the borders, so that a number of a new row finds its category.
`treewright.discretize` makes them; `data/encoding/encode_rows.py` applies them at
prediction.

One rule holds for all of them: the borders divide the line into pieces, and piece k
holds `borders[k - 1] < x <= borders[k]`, as a tree's cut has `x <= threshold`. The
first and the last piece have no end. A piece that belongs to no interval has the code
`OUTSIDE`; its values count as never seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

OUTSIDE = -1


@dataclass(frozen=True)
class Intervals:
    """Where the intervals of a feature begin and end."""

    borders: tuple[float, ...]  # in ascending order, all different
    # for each piece the code of its category, or `OUTSIDE`; one more than borders
    codes: tuple[int, ...]
    # the type in which numbers are compared, as `Feature.storage`
    storage: str = "float64"
    zoned: bool = False  # dates: whether they have a time zone
    # whether the user named the intervals; otherwise they are called by their borders
    named: bool = False

    @cached_property
    def cuts(self) -> npt.NDArray[Any]:
        """The borders as an array in their storage."""
        if self.storage == "float64":
            return np.array(self.borders, np.float64)
        dtype = np.uint64 if self.storage == "uint64" else np.int64
        return np.array(self.borders, dtype)

    def codes_of(self, values: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """Return the category of each value, given in the storage and not missing."""
        return self.codes_at(np.searchsorted(self.cuts, values, side="left"))

    def codes_at(self, pieces: npt.NDArray[np.intp]) -> npt.NDArray[np.int64]:
        """Return the category of each piece, where a piece is the borders below it."""
        return np.array(self.codes, np.int64)[pieces]
