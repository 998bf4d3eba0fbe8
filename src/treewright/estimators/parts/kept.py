"""What a fitted estimator remembers of the rows that it was grown from.

Chalk, and most questions to a forest, need them; files and pickles do not have them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from treewright.data.columns import Columns
from treewright.prune.labelled_rows import Validation

MOST_KEPT = 200_000  # cells of a training table that an estimator keeps for chalk


@dataclass(frozen=True, eq=False)
class Kept:
    """What a tree was grown from."""

    columns: Columns
    validation: Validation = None
    folds: Any = None


def kept(columns: Columns, validation: Validation, folds: Any) -> Kept | None:
    """Return the training rows, unless there are too many to be kept."""
    n_cells = columns.n_rows * len(columns.features)
    return Kept(columns, validation, folds) if n_cells <= MOST_KEPT else None
