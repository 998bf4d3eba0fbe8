"""The different rows of a table, each once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.int32]


def distinct_rows(table: Floats) -> tuple[Places, Floats]:
    """Return for each row its place among the different rows, and these.

    Rows are equal if all their bits are.
    """
    table = np.ascontiguousarray(table, np.float64)
    if len(table) == 0:
        return np.zeros(0, np.int32), table
    marks = _marks(table.view(np.uint64))
    _, first, place = np.unique(marks, return_index=True, return_inverse=True)
    rows = table[first]
    # two different rows with one mark are as good as impossible, but must not be one
    if not np.array_equal(rows.view(np.uint64)[place], table.view(np.uint64)):
        return np.arange(len(table), dtype=np.int32), table
    return place.astype(np.int32), rows


def _marks(bits: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """A number of 64 bits for each row, which is as good as the row itself."""
    random = np.random.Generator(np.random.PCG64(1))
    marks = np.zeros(len(bits), np.uint64)
    for column in bits.T:
        # a bijection of the sum so far, so that no column is lost
        marks ^= column * np.uint64(0x9E3779B97F4A7C15)
        marks ^= marks >> np.uint64(29)
        marks *= np.uint64(random.integers(2**63)) * np.uint64(2) + np.uint64(1)
        marks ^= marks >> np.uint64(32)
    return marks
