"""Hoeffding trees: estimators that learn from a stream, batch by batch or row by row.

`learners/streams/hoeffding.py` says how. The estimator holds a learner; its model, of
which listings, rules and pictures are, is made of the learner when it is asked for.
"""

from __future__ import annotations

import os
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from treewright.data.encoding.target import encode_target, read_target
from treewright.data.schema import Target
from treewright.errors import DataError, SettingError
from treewright.estimators.parts.inputs import (
    check_rows,
    check_training_table,
    warn_of_column_vector,
)
from treewright.estimators.parts.kept import with_parameters
from treewright.estimators.parts.parameters import (
    FeatureKinds,
    documented,
    keeps_arguments,
)
from treewright.estimators.parts.settings import checked_dialect
from treewright.estimators.parts.tasks import ClassTask, NumberTask
from treewright.estimators.parts.tree_estimator import TreeMethods
from treewright.learners.streams.checkpoint import (
    checkpoint_bytes,
    checkpoint_from_bytes,
    load_checkpoint,
    save_checkpoint,
)
from treewright.learners.streams.hoeffding import (
    HOEFFDING,
    HOEFFDING_NUMBERS,
    HoeffdingSettings,
)
from treewright.learners.streams.hoeffding_learner import HoeffdingLearner, Learned
from treewright.learners.streams.hoeffding_model import model_of
from treewright.tree.file.save import save
from treewright.tree.model import Model
from treewright.tree.predict.vote import labels_of


class StreamEstimator(TreeMethods):
    """The base of the two: learning, answering, keeping."""

    takes_codes = _takes_several = False
    strict = False
    n_jobs = None
    _learner: HoeffdingLearner | None = None
    _model: Model | None = None

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Forget what was learned, and learn from these rows.

        Parameters
        ----------
        X : data frame, array, dict of columns, or list of rows
            The features; the order of the rows matters.
        y : series, array or list
            The answers, one per row.
        sample_weight : array-like, optional
            A weight per row. A row of weight 0 is as if it were not there.

        Returns
        -------
        self
            The estimator, which `partial_fit` goes on with.
        """
        check_training_table(X, y, type(self).__name__)
        self._check_answers(y)
        learner = self._new_learner()
        learner.learn(X, y, sample_weight)
        self._learner, self._model = learner, None
        return self

    def prequential(
        self, X: Any, y: Any, sample_weight: Any = None
    ) -> npt.NDArray[Any]:
        """Answer for each row, then learn from it, before the next row is looked at.

        Parameters
        ----------
        X, y, sample_weight
            As for `partial_fit`.

        Returns
        -------
        ndarray
            What was predicted for each row, from the rows before it alone; nothing
            (None, NaN) for the first row of a stream.
        """
        is_first = self._learner is None
        learned = self._learned(X, y, sample_weight)
        assert self._learner is not None
        target = self._learner.target
        if target.kind == "numbers":
            return self._answers(learned.of_all_rows())
        if is_first or learned.kept is not None:  # there are rows without an answer
            codes = self._learner.in_class_order(learned.of_all_rows())
            return self._answers(codes)
        return np.asarray(self._learner.labels_by_code()[learned.answers])

    def _learned(
        self, X: Any, y: Any, sample_weight: Any, classes: Any = None
    ) -> Learned:
        """Learn from a batch, all or nothing."""
        learner = self._learner
        if learner is None:
            if self._model is not None:
                raise SettingError(
                    "this model was saved without what learning needs; load a "
                    "checkpoint (`save` of an estimator writes one), or call `fit`"
                )
            check_training_table(X, y, type(self).__name__)
            learner = self._new_learner()
            if classes is not None:
                outputs = read_target(classes, None)
                _, learner.target = learner.target.encode(outputs)
        elif isinstance(X, np.ndarray):
            self._check_rows(X)
        learned = learner.learn(X, y, sample_weight)
        self._learner, self._model = learner, None
        return learned

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the answer for each row, by `leaf_prediction`.

        Parameters
        ----------
        X : table
            Like the tables learned from. Columns are matched by name where both have
            names.
        """
        learner = self._learner
        if learner is None:
            return super().predict(X)
        self._check_rows(X)
        return self._answers(learner.answer(X)[0])

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a checkpoint; `treewright.load` reads it back and goes on learning.

        It is an ordinary model file, too: `treewright show` shows it.
        """
        model = self._fitted()
        if self._learner is None:
            save(model, path)
        else:
            save_checkpoint(self._learner, path, model)

    def go_on_from(self, path: str | os.PathLike[str]) -> None:
        """Take up learning where a checkpoint left it, if the file is one."""
        model, learner, _ = load_checkpoint(path)
        self._learner, self._model = learner, model

    def compact(self) -> Self:
        """Return a copy with the same answers that is small, and learns no more."""
        learner = self._learner
        if learner is not None and learner.dialect.leaf_prediction != "majority":
            raise SettingError(
                "a compact model has no sums for leaf_prediction="
                f"{learner.dialect.leaf_prediction!r}; use leaf_prediction='majority'"
            )
        return super().compact()

    @property
    def n_rows_(self) -> int:
        """How many rows were learned."""
        self._fitted()
        return 0 if self._learner is None else self._learner.n_rows

    @property
    def n_bytes_(self) -> int:
        """How large the tree is that learns, as `max_bytes` counts."""
        self._fitted()
        return 0 if self._learner is None else int(self._learner.core.bytes)

    @property
    def model_(self) -> Model:
        """The tree as it is now, as a model."""
        return self._fitted()

    @model_.setter
    def model_(self, model: Model) -> None:
        self._learner, self._model = None, model

    def _fitted(self) -> Model:
        if self._model is None and self._learner is not None:
            self._model = with_parameters(self, model_of(self._learner))
        if self._model is None:
            return super()._fitted()
        return self._model

    def __sklearn_is_fitted__(self) -> bool:
        return self._learner is not None or self._model is not None

    def __getstate__(self) -> dict[str, Any]:
        model = self._fitted() if self.__sklearn_is_fitted__() else None
        state: dict[str, Any] = dict(super().__getstate__())
        state.pop("_learner", None)
        state.pop("_model", None)
        if self._learner is not None:
            state["checkpoint"] = checkpoint_bytes(self._learner, model)
        elif model is not None:
            state["model"] = model
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        state = dict(state)
        checkpoint, model = state.pop("checkpoint", None), state.pop("model", None)
        super().__setstate__(state)
        if checkpoint is not None:
            self._model, self._learner, _ = checkpoint_from_bytes(checkpoint)
        elif model is not None:
            self._model = model

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        # a leaf is not split before it has seen a few hundred rows
        for of_task in filter(None, (tags.classifier_tags, tags.regressor_tags)):
            of_task.poor_score = True
        return tags

    def _new_learner(self) -> HoeffdingLearner:
        dialect = checked_dialect(self)
        assert isinstance(dialect, HoeffdingSettings)
        if not isinstance(self.drop_missing_target, bool | np.bool_):
            raise SettingError(
                f"drop_missing_target is {self.drop_missing_target!r}; it must be True "
                "or False"
            )
        return HoeffdingLearner(
            dialect,
            feature_kinds=self.feature_kinds,
            drop_missing_target=bool(self.drop_missing_target),
        )

    def _check_answers(self, y: Any) -> None:
        """Refuse answers that cannot be learned, all of them at once."""
        warn_of_column_vector(y)

    def _check_rows(self, X: Any) -> None:
        assert self._learner is not None
        assert self._learner.table is not None
        check_rows(X, len(self._learner.table.names), type(self).__name__)

    def _answers(self, codes: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return answers as users have them."""
        raise NotImplementedError


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

    def _check_answers(self, y: Any) -> None:
        super()._check_answers(y)
        encode_target(read_target(y, None), "classes")

    def _answers(self, codes: npt.NDArray[Any]) -> npt.NDArray[Any]:
        assert self._learner is not None
        return labels_of(self._learner.target.target(), codes[:, None])


@documented
class HoeffdingTreeRegressor(StreamEstimator, NumberTask):
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
