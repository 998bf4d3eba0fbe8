"""What a fitted estimator remembers: of its parameters, and of its training rows.

The model says with what parameters it was made, in its file, too. Chalk, and most
questions to a forest, need the rows; files and pickles do not have them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from treewright.data.columns import Columns
from treewright.estimators.parts.settings import kept_parameters
from treewright.prune.labelled_rows import Validation

MOST_KEPT = 200_000  # cells of a training table that an estimator keeps for chalk


@dataclass(frozen=True, eq=False)
class Kept:
    """What a tree was grown from."""

    columns: Columns
    validation: Validation = None
    folds: Any = None


def with_parameters(estimator: Any, model: Any, **own: Any) -> Any:
    """Return a model that says what its estimator was made with."""
    settings = {**model.settings, **kept_parameters(estimator), **own}
    return replace(model, settings=settings)


def kept(
    columns: Columns, validation: Validation = None, folds: Any = None
) -> Kept | None:
    """Return the training rows, unless there are too many to be kept."""
    n_cells = columns.n_rows * len(columns.features)
    return Kept(columns, validation, folds) if n_cells <= MOST_KEPT else None
