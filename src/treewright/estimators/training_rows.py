"""The training rows of a fitted forest, as the user gives them again or as kept."""

from __future__ import annotations

from typing import Any

from treewright.data.columns import Columns
from treewright.errors import SettingError
from treewright.estimators.chalking import Kept
from treewright.estimators.inputs import are_passed
from treewright.estimators.model_estimator import ModelEstimator
from treewright.estimators.settings import checked_dialect
from treewright.learners.grown_from import GrownFrom, found_again


class TrainingRows(ModelEstimator):
    """What a forest knows of the rows that it was grown from."""

    _kept: Kept | None
    _grown_from: GrownFrom | None

    def _table(self, X: Any, y: Any, sample_weight: Any, who: str) -> Columns:
        """Return the training table, as given or as kept."""
        if are_passed(X, y):
            return self._columns_of(X, y, sample_weight)
        columns = self._kept_columns()
        if columns is None:
            raise _no_rows(who)
        return columns

    def _training_rows(
        self,
        who: str,
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        way_out: str = "",
    ) -> GrownFrom:
        """Return what the forest was grown from, as given or as kept."""
        model = self._fitted()
        if are_passed(X, y):
            columns = self._columns_of(X, y, sample_weight)
            self._grown_from = found_again(model, columns, checked_dialect(self))
        known: GrownFrom | None = self.__dict__.get("_grown_from")
        if known is None:
            raise _no_rows(who, way_out)
        return known

    def _kept_columns(self) -> Columns | None:
        known: Kept | None = self.__dict__.get("_kept")
        return None if known is None else known.columns


def _no_rows(who: str, way_out: str = "") -> SettingError:
    way_out = way_out or "pass X=..., y=... and sample_weight=..., those of fit"
    return SettingError(
        f"{who} needs the training table, and this forest does not have it (it was "
        f"loaded, or merged with one of another table); {way_out}"
    )
