"""What can be evaluated or tuned, and what is said of anything else."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import is_classifier, is_regressor

from treewright.data.schema import TargetKind
from treewright.data.tables.frames import read_column
from treewright.data.tables.raw import Numbers
from treewright.errors import DataError, SettingError


def check_level(level: float) -> None:
    """Refuse what is no confidence."""
    is_number = isinstance(level, float | int | np.floating)
    if not is_number or not 0 < level < 1:
        raise SettingError(f"level is {level!r}; it must be between 0 and 1, as 0.95")


def task_of(estimator: Any) -> TargetKind:
    """Return whether an estimator predicts classes or numbers."""
    if isinstance(estimator, type):
        raise SettingError(
            f"the estimator is the class {estimator.__name__}; pass an instance, as "
            f"{estimator.__name__}()"
        )
    # without tags, scikit-learn raises an error about inheritance
    if hasattr(estimator, "__sklearn_tags__"):
        if is_classifier(estimator):
            return "classes"
        if is_regressor(estimator):
            return "numbers"
    raise SettingError(
        f"the estimator is {type(estimator).__name__}, which is neither a classifier "
        "nor a regressor; pass one of these"
    )


def refuse_text(y: Any, estimator: Any, task: TargetKind) -> None:
    """Refuse a target that is no number, where numbers are predicted."""
    if task == "classes" or y is None or np.ndim(y) != 1:
        return
    if not isinstance(read_column("target", y), Numbers):
        name = type(estimator).__name__
        other = name.replace("Regressor", "Classifier")
        raise DataError(
            f"the target holds text, and {name} predicts numbers; use a classifier"
            + (f", as {other}" if other != name else "")
        )
