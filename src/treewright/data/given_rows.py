"""Where rows stand in the table that the user gave, if not all of it is used.

Rows of weight 0 and rows without a target are left out in reading, rows that weigh next
to nothing before growing. What is said of single rows goes back to the user's rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, eq=False)
class GivenRows:
    """Some rows of the user's table."""

    numbers: npt.NDArray[np.int64]  # the number of each row in that table, from 0
    n_rows: int  # how many rows that table has

    def take(self, rows: npt.NDArray[np.intp]) -> GivenRows:
        """Some of these rows."""
        return GivenRows(self.numbers[rows], self.n_rows)

    def numbers_of(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the user's numbers of some of these rows; -1, no row, stays -1."""
        return np.where(rows < 0, rows, self.numbers[rows])

    def spread(self, values: npt.NDArray[Any], nothing: float) -> npt.NDArray[Any]:
        """Return values by the user's rows; `nothing` for rows that were left out."""
        whole = np.full((self.n_rows, *values.shape[1:]), nothing, values.dtype)
        whole[self.numbers] = values
        return whole
