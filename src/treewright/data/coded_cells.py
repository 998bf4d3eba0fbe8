"""From codes to cells: what a walk on a tree reads for each code of a column."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from treewright import _core
from treewright.data.columns import Column, Columns
from treewright.data.schema import Feature

Floats = npt.NDArray[np.float64]


def coded_cells(columns: Columns, features: Sequence[Feature]) -> Floats:
    """The rows of a table as cells; `features` may have cuts that the table has not."""
    pairs = zip(features, columns.features, strict=True)
    return looked_up(columns, [cells_by_code(one, column) for one, column in pairs])


def looked_up(columns: Columns, by_code: Sequence[Floats]) -> Floats:
    """The rows of a table as cells, from the cell of each code of each column."""
    codes = [np.ascontiguousarray(column.codes) for column in columns.features]
    return _core.cells_of_codes(codes, list(by_code), columns.n_rows)


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
