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
    if column.values is None:
        cells = np.arange(column.n_codes + 1, dtype=np.float64)
    else:
        cells = np.empty(len(column.values) + 1)
        cells[:-1] = column.values
        if feature.cuts is not None:  # a wide number is the number of cuts below it
            cells[:-1] = np.searchsorted(feature.cuts, column.values)
    cells[-1] = np.nan
    return cells
