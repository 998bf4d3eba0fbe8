"""What a fitted forest measures: which features count, how good its trees are."""

from __future__ import annotations

import copy
import dataclasses
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.errors import SettingError
from treewright.estimators.training_rows import TrainingRows
from treewright.learners.measured import measures_of
from treewright.tree.measured_forest import Measures

Floats = npt.NDArray[np.float64]

# known after fit alone; neither files nor pickles keep it
UNKEPT = "_grown_from"


class ForestMeasures(TrainingRows):
    """What a forest can be asked about itself and its training rows."""

    def measure(
        self, X: Any = None, y: Any = None, sample_weight: Any = None
    ) -> Measures:
        """Return what the out-of-bag rows say of the features and of the trees.

        The figures stay with the model: `save` keeps them, and `to_text` and
        `treewright show` print the importances.

        Parameters
        ----------
        X, y, sample_weight : optional
            What the forest was fitted with. Not needed after `fit`; needed for a forest
            that was loaded, if its file has no figures. The bags are drawn again from
            the seed, so the rows must stand in the same order.

        Returns
        -------
        Measures
            `importances`, by permutation, with `standard_errors`, `low`, `high` and
            `class_importances`; `strength`, `correlation`, `error_bounds`; `error`.

        Examples
        --------
        >>> import treewright as tw
        >>> X, y = tw.datasets.tennis()
        >>> forest = tw.RandomForestClassifier(50, random_state=0).fit(X, y)
        >>> forest.measure().importances.argmax()  # Outlook
        np.int64(0)
        """
        model = self._fitted()
        if model.measures is not None and X is None and y is None:
            return model.measures
        way_out = "call measure(X, y) with those of fit, and its weights if it had some"
        grown = self._training_rows("measure", X, y, sample_weight, way_out)
        asked = self.__dict__.get("_out_of_bag")
        measures = measures_of(
            model, grown, error=asked.error if asked else None, n_jobs=self.n_jobs
        )
        self.model_ = dataclasses.replace(model, measures=measures)
        return measures

    @property
    def permutation_importances_(self) -> Floats:
        """What trees lose on out-of-bag rows when a feature's values are permuted.

        As all of these figures it is found when it is first asked for; see `measure`.
        """
        return self._measured("permutation_importances_").importances

    @property
    def permutation_standard_errors_(self) -> Floats:
        """Standard errors, over the trees, of the permutation importances."""
        return self._measured("permutation_standard_errors_").standard_errors

    @property
    def class_importances_(self) -> Floats | list[Floats]:
        """Permutation importances of the rows of each class, (n_features, n_classes).

        A list for several outputs.
        """
        tables = self._of_classes("class_importances_").class_importances
        return tables[0] if len(tables) == 1 else list(tables)

    @property
    def strength_(self) -> float | list[float]:
        """Breiman's strength of the trees, from out-of-bag rows; a list for several."""
        return _one_or_all(self._of_classes("strength_").strength)

    @property
    def correlation_(self) -> float | list[float]:
        """Breiman's mean correlation of the trees; a list for several outputs."""
        return _one_or_all(self._of_classes("correlation_").correlation)

    @property
    def error_bound_(self) -> float | list[float]:
        """Breiman's bound of the error, correlation (1 - s^2) / s^2 with strength s."""
        return _one_or_all(self._of_classes("error_bound_").error_bounds)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        # a copy in this process keeps what a file does not; it is never changed
        copied = type(self).__new__(type(self))
        memo[id(self)] = copied
        state = dict(vars(self))
        kept = {UNKEPT: state.pop(UNKEPT)} if UNKEPT in state else {}
        copied.__dict__.update(copy.deepcopy(state, memo), **kept)
        return copied

    def __getstate__(self) -> dict[str, Any]:
        state = super().__getstate__()
        state.pop(UNKEPT, None)
        return state

    def _measured(self, name: str) -> Measures:
        self._fitted()
        try:
            return self.measure()
        except SettingError as error:
            raise AttributeError(f"{name}: {error}") from None

    def _of_classes(self, name: str) -> Measures:
        if self._fitted().schema.target.kind != "classes":
            raise AttributeError(f"{name} is of classes, and this forest is of numbers")
        return self._measured(name)


def _one_or_all(figures: tuple[float, ...]) -> float | list[float]:
    return figures[0] if len(figures) == 1 else list(figures)
