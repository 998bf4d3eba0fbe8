"""Hoeffding trees: estimators that learn from a stream, batch by batch or row by row.

`learners/hoeffding.py` says how; `stream_base.py` has what the two share.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import RegressorMixin

from treewright.data.encoding.target import encode_target, read_target
from treewright.data.schema import Target
from treewright.errors import DataError
from treewright.estimators.parameters import FeatureKinds, documented, keeps_arguments
from treewright.estimators.stream_base import StreamEstimator
from treewright.estimators.tasks import ClassTask
from treewright.learners.hoeffding import HOEFFDING, HOEFFDING_NUMBERS
from treewright.tree.predict.vote import labels_of

Floats = npt.NDArray[np.float64]


@documented
class HoeffdingTreeClassifier(StreamEstimator, ClassTask):
    """A Hoeffding tree for classes: learns from a stream, one row after the other.

    Parameters
    ----------
    {parameters}

    Notes
    -----
    Every row is looked at once, and added to the sums of the leaf where it falls. After
    every `grace_period` rows a leaf's splits are compared. If the best gains more than
    the second best, and than no split, by the Hoeffding bound, it is the best one for
    the whole stream with probability 1 - `delta`, and is made. How rows are cut into
    batches changes nothing. Classes and categories may come up at any row; a category
    that is new where a question about it was made before gets a branch of its own.
    Memory does not grow with the rows: see `max_bytes`. `predict` answers by
    `leaf_prediction`; the model that is shown, and made rules of, answers the majority
    of each leaf.

    References
    ----------
    Domingos, P. and Hulten, G. (2000). Mining high-speed data streams. KDD.

    Examples
    --------
    >>> import treewright as tw
    >>> X, y = tw.datasets.sea(2000, random_state=0)
    >>> tree = tw.HoeffdingTreeClassifier()
    >>> said = tree.prequential(X[:1000], y[:1000])
    >>> round(float((said != y[:1000].to_numpy()).mean()), 2)
    0.18
    >>> tree.partial_fit(X[1000:], y[1000:]).n_rows_
    2000
    """

    family, task, learner = "hoeffding", "classes", "hoeffding"
    dialect = HOEFFDING
    class_weight = None

    @keeps_arguments
    def __init__(
        self,
        *,
        criterion: str = "entropy",
        delta: float = 1e-07,
        tau: float = 0.05,
        grace_period: int = 200,
        leaf_prediction: str = "adaptive",
        min_branch_share: float = 0.01,
        n_cuts: int = 10,
        max_depth: int | None = None,
        max_categories: int = 1000,
        max_bytes: int | None = 100000000,
        feature_kinds: FeatureKinds = None,
        drop_missing_target: bool = False,
    ) -> None: ...

    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> Self:
        """Learn from more rows, all of them or, after an error, none.

        Parameters
        ----------
        X : data frame, array, dict of columns, or list of rows
            The features, with the same columns in every call.
        y : series, array or list
            The classes; new ones may come up.
        classes : array-like, optional
            Classes that are to be known from the start; not needed here.
        sample_weight : array-like, optional
            A weight per row. A row of weight 0 is as if it were not there.

        Returns
        -------
        self
            The estimator.
        """
        if classes is not None and self._learner is not None:
            self._check_classes(classes)
        self._learned(X, y, sample_weight, classes)
        return self

    def predict_proba(self, X: Any) -> Floats:
        """Return the share of each class for each row, by `leaf_prediction`."""
        if self._learner is None:
            shares = super().predict_proba(X)
            assert not isinstance(shares, list)
            return shares
        self._check_rows(X)
        return self._learner.answer(X, shares=True)[1]

    def _codes_for(self, X: Any) -> tuple[npt.NDArray[Any], Target]:
        if self._learner is None:
            return super()._codes_for(X)
        self._check_rows(X)
        return self._learner.answer(X)[0][:, None], self._learner.target.target()

    def _check_classes(self, classes: Any) -> None:
        """Refuse classes that an earlier call did not name."""
        assert self._learner is not None
        known = self._learner.target.codes
        new = [one for one in np.asarray(classes).tolist() if one not in known]
        if new:
            raise DataError(
                f"classes names {new[0]!r}, which the first call did not; pass the "
                "same classes, or none"
            )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = False
        # a leaf is not split before it has seen a few hundred rows
        tags.classifier_tags.poor_score = True
        return tags

    def _check_answers(self, y: Any) -> None:
        super()._check_answers(y)
        encode_target(read_target(y, None), "classes")

    def _answers(self, codes: npt.NDArray[Any]) -> npt.NDArray[Any]:
        assert self._learner is not None
        return labels_of(self._learner.target.target(), codes[:, None])


@documented
class HoeffdingTreeRegressor(RegressorMixin, StreamEstimator):  # type: ignore[misc]
    """A Hoeffding tree for numbers: learns from a stream, one row after the other.

    Parameters
    ----------
    {parameters}

    Notes
    -----
    As `HoeffdingTreeClassifier`, with splits that lower the variance (or the standard
    deviation) of the target. The ratio of the two best gains is compared with the
    Hoeffding bound. Leaves answer the mean of their rows. A numeric feature is summed
    up in up to 64 bins of equal width.

    References
    ----------
    Ikonomovska, E., Gama, J. and Dzeroski, S. (2011). Learning model trees from
    evolving data streams. Data Mining and Knowledge Discovery 23.

    Examples
    --------
    >>> import numpy as np, treewright as tw
    >>> x = np.random.default_rng(0).random((2000, 1))
    >>> tree = tw.HoeffdingTreeRegressor().fit(x, np.where(x[:, 0] > 0.5, 3.0, 1.0))
    >>> tree.predict([[0.2], [0.9]]).round(1).tolist()
    [1.0, 3.0]
    """

    family, task, learner = "hoeffding", "numbers", "hoeffding"
    dialect = HOEFFDING_NUMBERS

    @keeps_arguments
    def __init__(
        self,
        *,
        reduction: str = "variance",
        delta: float = 1e-07,
        tau: float = 0.05,
        grace_period: int = 200,
        min_branch_share: float = 0.01,
        max_depth: int | None = None,
        max_categories: int = 1000,
        max_bytes: int | None = 100000000,
        feature_kinds: FeatureKinds = None,
        drop_missing_target: bool = False,
    ) -> None: ...

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from more rows, all of them or, after an error, none.

        Parameters
        ----------
        X : data frame, array, dict of columns, or list of rows
            The features, with the same columns in every call.
        y : series, array or list
            The numbers to predict.
        sample_weight : array-like, optional
            A weight per row. A row of weight 0 is as if it were not there.

        Returns
        -------
        self
            The estimator.
        """
        self._learned(X, y, sample_weight)
        return self

    def _answers(self, codes: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return codes

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # a leaf is not split before it has seen a few hundred rows
        tags.regressor_tags.poor_score = True
        return tags
