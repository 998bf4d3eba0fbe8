"""From codes to cells: what a walk on a tree reads for each code of a column."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Column
from treewright.data.schema import Feature


def cells_by_code(feature: Feature, column: Column) -> npt.NDArray[np.float64]:
    """The cell of each code; the last one, for missing, is NaN."""
    known: npt.NDArray[np.float64]
    if column.values is None:
        known = np.arange(column.n_codes, dtype=np.float64)
    elif feature.cuts is not None:  # a wide number is the number of cuts below it
        known = np.searchsorted(feature.cuts, column.values).astype(np.float64)
    else:
        known = column.values.astype(np.float64)
    return np.append(known, np.nan)
