"""What the estimators of forests share, besides `model_estimator.py`."""

from __future__ import annotations

import dataclasses
import numbers
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Columns
from treewright.data.complaints import counted
from treewright.estimators.chalking import Kept
from treewright.estimators.forest_proximities import ForestProximities
from treewright.estimators.forest_ruling import ForestRuleMethods
from treewright.estimators.many_trees import ManyTrees
from treewright.estimators.progress import told
from treewright.estimators.settings import (
    check_data_parameters,
    checked_dialect,
    kept_parameters,
)
from treewright.learners.forest import Forest, Progress
from treewright.learners.forest_settings import ForestSettings
from treewright.learners.out_of_bag import OutOfBag
from treewright.learners.registry import LEARNERS, Plan
from treewright.tree.importance import mean_gained_shares
from treewright.tree.model import FEATURES_PER_NODE


class ForestEstimator(ForestRuleMethods, ForestProximities, ManyTrees):
    """The base of the forests; not to be used on its own."""

    random_state: Any
    warm_start: bool = False

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        progress: bool | Progress = False,
    ) -> Self:
        """Grow the forest.

        Parameters
        ----------
        X : data frame, array, dict of columns, list of rows or sparse matrix
            The features, a row for each case: pandas, polars, Arrow, NumPy, SciPy.
        y : series, array or list
            The target, one value per row; several outputs as columns.
        sample_weight : array-like, optional
            A weight per row; rows are drawn regardless of it. A row of weight 0 is as
            if it were not there.
        progress : bool or function(done, total)
            True: a bar with the time left on stderr, where that is a terminal or a
            notebook. A function is told several times a second how many trees are
            grown; trees that are growing count as parts, so `done` is a float. If it
            returns False, growing stops, and the forest has the trees that are whole
            by then, at least one; what it raises goes through, and the estimator stays
            as it was.

        Returns
        -------
        self
            The fitted estimator.
        """
        dialect = checked_dialect(self)
        check_data_parameters(self)
        settings = self._settings()
        columns = self._columns_of(X, y, sample_weight, dialect)
        own = {
            **dataclasses.asdict(settings),
            "max_features": _plain(settings.max_features),
            "oob_score": bool(self.oob_score),
            "dialect": dialect.name,
        }
        given = {**dialect.settings(), **kept_parameters(self), **own}
        begun = self._begun(given)
        with told(progress, settings.n_estimators) as tell:
            if begun is not None:
                forest = self._gone_on(begun, columns, tell)
            else:
                plan = Plan(LEARNERS[self.learner], dialect, settings)
                fitted = plan.fit(
                    columns,
                    n_jobs=self.n_jobs,
                    out_of_bag=bool(self.oob_score),
                    progress=tell,
                )
                assert isinstance(fitted.made, Forest)
                forest = fitted.made
        model = forest.model
        settled = {**model.settings, **given, "n_estimators": len(model.trees)}
        notes = (*model.notes, *forest.notes(), *_left_out(columns))
        model = dataclasses.replace(model, settings=settled, notes=notes)
        self._keep(model, forest, Kept(columns))
        return self

    @property
    def feature_importances_(self) -> npt.NDArray[np.float64]:
        """Share of each feature in what the splits gain, the mean over the trees."""
        return mean_gained_shares(self.trees_, self.n_features_in_)

    @property
    def max_features_(self) -> int:
        """How many features a node looked at."""
        settings = self._fitted().settings
        if FEATURES_PER_NODE not in settings:
            raise AttributeError("max_features_ is not in this file; fit again")
        return int(settings[FEATURES_PER_NODE])

    @property
    def oob_error_(self) -> float:
        """The out-of-bag error: share of wrong rows, or mean squared error.

        Rows count by their `sample_weight`; `class_weight` does not matter here.
        """
        measures = self._fitted().measures
        if measures is not None:  # which a file keeps
            return measures.error
        return self._asked("oob_error_").error

    @property
    def oob_score_(self) -> float:
        """The out-of-bag accuracy; of numbers R squared.

        As scikit-learn has it, but rows count by their `sample_weight`.
        """
        return self._asked("oob_score_").score

    @property
    def oob_curve_(self) -> npt.NDArray[np.float64]:
        """The out-of-bag error after 1, 2, ... trees."""
        return self._asked("oob_curve_").curve

    @property
    def oob_decision_function_(self) -> Any:
        """Mean class shares of each training row from trees that have not seen it.

        NaN where all trees have, and for rows that were left out in fitting.
        """
        answers = self._asked("oob_decision_function_").answers
        return answers[0] if len(answers) == 1 else answers

    @property
    def oob_prediction_(self) -> npt.NDArray[np.float64]:
        """Mean answer for each training row from trees that have not seen it.

        NaN where all trees have, and for rows that were left out in fitting.
        """
        answers = np.column_stack(self._asked("oob_prediction_").answers)
        return answers[:, 0] if answers.shape[1] == 1 else answers

    def _settings(self) -> ForestSettings:
        settings: ForestSettings = super()._settings()
        model = self.__dict__.get("model_")
        if self.warm_start and model is not None and not _is_seed(self.random_state):
            settings = settings.change(random_state=model.settings["random_state"])
        return settings

    def _asked(self, name: str) -> OutOfBag:
        self._fitted()
        if "_out_of_bag" not in self.__dict__:
            raise AttributeError(
                f"{name} is known after fit only, and this file does not have it; "
                "ask_out_of_bag(X, y) finds it from the training table"
            )
        if self._out_of_bag is None:
            raise AttributeError(
                f"{name} is not known: it needs oob_score=True in the constructor, or "
                "ask_out_of_bag(X, y) with the training table"
            )
        return self._out_of_bag

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if getattr(self, "combined_features", None) is not None:
            tags.input_tags.allow_nan = False
        return tags


def _left_out(columns: Columns) -> tuple[str, ...]:
    """Return a note if fewer rows are learned from than were given."""
    if columns.given_rows is None:
        return ()
    n_left_out = columns.given_rows.n_rows - columns.n_rows
    return (
        f"{counted(n_left_out, 'row')} of weight 0 or without a target left out: "
        "out-of-bag answers, proximities and outliers have NaN there",
    )


def _is_seed(random_state: Any) -> bool:
    """Whether a parameter is the seed itself."""
    return isinstance(random_state, numbers.Integral)


def _plain(max_features: Any) -> Any:
    if isinstance(max_features, list | tuple | np.ndarray):
        # anything but numbers is refused later, by name
        return np.asarray(max_features).tolist()
    return max_features
