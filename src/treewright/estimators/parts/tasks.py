"""The two tasks: what models of classes, and of numbers, do besides the rest."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassifierMixin, RegressorMixin

from treewright.data.columns import Columns
from treewright.data.complaints import counted
from treewright.data.encoding.encode import refuse_other_length
from treewright.data.encoding.target import class_codes, read_target
from treewright.data.encoding.weights import read_weights
from treewright.data.schema import Target
from treewright.errors import DataError
from treewright.estimators.parts.class_weights import weigh_classes
from treewright.estimators.parts.model_estimator import ModelEstimator
from treewright.estimators.parts.parameters import ClassWeight
from treewright.learners.costs import with_costs
from treewright.tree.predict.vote import class_array
from treewright.tree.structure.tree import NO_CLASS

Floats = npt.NDArray[np.float64]


class ClassTask(ClassifierMixin, ModelEstimator):  # type: ignore[misc]
    """What all classifiers share."""

    class_weight: ClassWeight
    cost_matrix: Any = None

    def predict_proba(self, X: Any) -> Floats | list[Floats]:
        """Return the share of each class for each row; a list for several outputs."""
        return self._model_for(X).predict_proba(X)

    def predict_log_proba(self, X: Any) -> Floats | list[Floats]:
        """Return the logarithms of the shares; minus infinity for a share of 0."""
        shares = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            if isinstance(shares, list):
                return [np.log(share) for share in shares]
            return np.asarray(np.log(shares))

    def _codes_for(self, X: Any) -> tuple[npt.NDArray[Any], Target]:
        """Return what is predicted for each row, as codes, and the classes."""
        model = self._model_for(X)
        return model.predict_codes(X), model.schema.target

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of rows that are predicted right, in every output.

        Parameters
        ----------
        X : table
            Like the training table.
        y : series, array or list
            The classes of the rows; those that training never saw count as wrong, and
            so do rows that the tree leaves unclassified.
        sample_weight : array-like, optional
            A weight per row.
        """
        # by codes: scikit-learn's accuracy refuses dates and labels of several types
        predicted, target = self._codes_for(X)
        actual = known_codes(y, len(predicted), target)
        weights = read_weights(sample_weight, len(predicted))
        right = ((predicted == actual) & (predicted != NO_CLASS)).all(axis=1)
        return float(np.average(right, weights=weights))

    @property
    def classes_(self) -> Any:
        """The class labels in order; a list of arrays for several outputs."""
        classes = [class_array(labels) for labels in self._class_labels()]
        return classes[0] if len(classes) == 1 else classes

    @property
    def n_classes_(self) -> int | list[int]:
        """Number of classes; a list for several outputs."""
        counts = [len(labels) for labels in self._class_labels()]
        return counts[0] if len(counts) == 1 else counts

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = self._takes_several
        tags.classifier_tags.multi_label = self._takes_several
        return tags

    @property
    def _takes_several(self) -> bool:
        """Whether there may be several outputs."""
        return True

    def _class_labels(self) -> tuple[tuple[Any, ...], ...]:
        return self._fitted().schema.target.classes

    def _weighed(self, columns: Columns) -> Columns:
        weighed = weigh_classes(columns, self.class_weight)
        return with_costs(weighed, self.cost_matrix)


def known_codes(y: Any, n_rows: int, target: Target) -> npt.NDArray[np.int64]:
    """Return the codes of the answers to compare with, one for each row."""
    outputs = read_target(y, None)
    if len(outputs.columns) != target.n_outputs:
        raise DataError(
            f"the target has {counted(len(outputs.columns), 'column')} here and had "
            f"{target.n_outputs} in training; pass the same ones"
        )
    refuse_other_length(n_rows, outputs.n_rows)
    outputs.usable_rows(np.ones(n_rows, bool), drop_missing=False)
    return class_codes(outputs, target)


class NumberTask(RegressorMixin, ModelEstimator):  # type: ignore[misc]
    """What all regressors share."""
