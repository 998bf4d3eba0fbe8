"""The training rows of a fitted forest, as the user gives them again or as kept."""

from __future__ import annotations

from typing import Any

from treewright.data.columns import Columns
from treewright.errors import SettingError
from treewright.estimators.chalking import Kept
from treewright.estimators.inputs import are_passed
from treewright.estimators.model_estimator import ModelEstimator
from treewright.estimators.settings import checked_dialect
from treewright.learners.forest import Forest
from treewright.learners.grown_from import GrownFrom, found_again
from treewright.learners.out_of_bag import OutOfBag
from treewright.tree.model import Model


class TrainingRows(ModelEstimator):
    """What a forest knows of the rows that it was grown from."""

    _kept: Kept | None
    _grown_from: GrownFrom | None  # never in a file
    _out_of_bag: OutOfBag | None  # by the rows as they were given

    def _keep(self, model: Model, forest: Forest, kept: Kept | None) -> None:
        """Remember a forest, what it was grown from, and its out-of-bag answers.

        All at once: who is interrupted has the forest before, or this one.
        """
        answers = forest.out_of_bag
        if answers is not None and forest.grown_from is not None:
            answers = answers.by_given_rows(forest.grown_from.columns)
        self.__dict__.update(
            model_=model,
            _grown_from=forest.grown_from,
            _out_of_bag=answers,
            _kept=kept,
        )

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
