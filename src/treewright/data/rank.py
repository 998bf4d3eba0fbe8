"""Ranks: a numeric column as positions in the sorted list of its distinct values."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from treewright import _core

_NONE_MISSING: npt.NDArray[np.uint8] = np.zeros(0, np.uint8)


def rank(
    values: npt.NDArray[Any], missing: npt.NDArray[np.bool_] | None = None
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[Any], bool]:
    """Rank each value among the distinct values of its column.

    - `values` (float32, float64, int64 or uint64, shape (n_rows,)): NaN is missing.
    - `missing` (bool, shape (n_rows,)): which rows are missing besides NaN.
    - Returns `codes` (uint32, shape (n_rows,)): `distinct[code]` is the value; the code
      `len(distinct)` means missing.
    - Returns `distinct`: the values in ascending order, without NaN; 0.0 stands for
      -0.0 too.
    - Returns `has_missing`: whether any row is missing.
    """
    absent = _NONE_MISSING if missing is None else missing.astype(np.uint8)
    codes, distinct, has_missing = _core.rank(np.ascontiguousarray(values), absent)
    return codes, distinct, has_missing
