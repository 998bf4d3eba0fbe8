"""Row weights: read and checked."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.complaints import counted, first_row
from treewright.errors import DataError, DataTypeError


def read_weights(
    sample_weight: Any, n_rows: int, *, may_be_zero: bool = False
) -> npt.NDArray[np.float64] | None:
    """Return the weights as finite float64 numbers; None stays.

    Not all of them are 0, unless that may be.
    """
    if sample_weight is None:
        return None
    try:
        given = np.asarray(sample_weight)
        weights = np.array(given.real, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataTypeError(
            "sample_weight holds values that are not numbers; give one number per row"
        ) from None
    if given.dtype.kind == "c":
        raise DataTypeError(
            "sample_weight holds complex numbers; give one real number per row"
        )
    if weights.ndim != 1:
        raise DataError(
            f"sample_weight has {counted(weights.ndim, 'dimension')}, shape "
            f"{weights.shape}; 1 is needed: give one number per row"
        )
    if len(weights) != n_rows:
        raise DataError(
            f"sample_weight has {counted(len(weights), 'value')} and the table has "
            f"{counted(n_rows, 'row')}; give one weight per row"
        )
    _refuse(np.isnan(weights), "missing")
    _refuse(np.isinf(weights), "infinite")
    _refuse(weights < 0, "negative")
    if not weights.any() and not may_be_zero:
        raise DataError(
            f"sample_weight is zero for all {counted(n_rows, 'row')}; "
            "at least 1 row needs a weight above 0"
        )
    return weights


def _refuse(wrong: npt.NDArray[np.bool_], what: str) -> None:
    if wrong.any():
        raise DataError(
            f"sample_weight has {counted(int(wrong.sum()), f'{what} value')}, first in "
            f"{first_row(wrong)}; give finite weights of 0 or more"
        )
