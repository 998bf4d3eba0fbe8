"""The rows that rules are counted on, as they are passed to `rules`."""

from __future__ import annotations

from typing import Any

from treewright.errors import SettingError
from treewright.prune.labelled_rows import LabelledRows


def rows_to_count(
    estimator: Any, X: Any, y: Any, sample_weight: Any
) -> LabelledRows | None:
    """Return the rows that rules are counted on; None: the training rows."""
    if X is None and y is None:
        return None
    refuse_one_of_two(X, y)
    model = estimator._model_for(X)
    return LabelledRows.of_table(model, X, y, sample_weight, use="to count")


def refuse_one_of_two(X: Any, y: Any) -> None:
    """Raise if a table comes without its answers, or these without it."""
    if (X is None) != (y is None):
        given, lacks = ("X", "y") if y is None else ("y", "X")
        raise SettingError(f"{given} is passed without {lacks}; pass both, or neither")
