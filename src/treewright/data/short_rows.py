"""Sums and maxima of many short rows, such as the class weights of nodes."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from treewright import _core

Number = TypeVar("Number", np.bool_, np.int64, np.float64)

# NumPy adds up this many and more in another order, which rounds differently
_FEW = 8


def row_sums(table: npt.NDArray[Number]) -> npt.NDArray[Any]:
    """Return `table.sum(axis=1)`, to the last bit."""
    kind = table.dtype
    if kind == np.int64 or (kind == np.float64 and table.shape[1] < _FEW):
        return _core.row_sums(np.ascontiguousarray(table))
    return np.asarray(table.sum(axis=1))


def row_maxima(table: npt.NDArray[Number]) -> npt.NDArray[Number]:
    """Return `table.max(axis=1)` of numbers, none of which is NaN."""
    if table.dtype.kind == "b":
        return np.asarray(table.any(axis=1))
    return _core.row_maxima(np.ascontiguousarray(table))
