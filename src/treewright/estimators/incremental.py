"""Trees to which rows are added, and from which they are taken away."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Self

from sklearn.exceptions import NotFittedError

from treewright.data.complaints import quoted, short
from treewright.errors import DataError, SettingError
from treewright.estimators.parts.inputs import (
    are_passed,
    check_rows,
    check_training_table,
    warn_of_column_vector,
)
from treewright.estimators.parts.kept import Kept, with_parameters
from treewright.estimators.parts.parameters import (
    FeatureKinds,
    documented,
    keeps_arguments,
)
from treewright.estimators.parts.settings import (
    check_data_parameters,
    checked_dialect,
)
from treewright.estimators.parts.tasks import ClassTask
from treewright.estimators.parts.tree_estimator import TreeEstimator
from treewright.learners.dialects.aima import AIMA
from treewright.learners.dialects.cart import CART
from treewright.learners.dialects.id3 import ID3
from treewright.learners.incremental.incremental_model import columns_from, model_from
from treewright.learners.incremental.updating import IncrementalLearner
from treewright.prune.labelled_rows import Validation
from treewright.tree.model import Model


@documented
class IncrementalTreeClassifier(ClassTask, TreeEstimator):
    """A tree that stays what a fresh fit would give while rows come and go.

    Parameters
    ----------
    {parameters}

    Notes
    -----
    After every `partial_fit` and `forget` the tree is exactly the one that
    `CARTClassifier` or `ID3Classifier` grows from the rows that are there: the same
    questions, numbers and `fingerprint()`. So the order of the rows does not matter,
    and nothing is lost by learning step by step. Classes, categories and values may
    come and go with the rows.

    The rows are kept, and a node of more than 32 rows keeps a table of the values of
    each feature; a row updates the nodes on its way, and what a changed question makes
    wrong is grown anew. The arrays of `tree_` are made when they, or an answer, are
    asked for.

    References
    ----------
    Utgoff, P. E. (1989). Incremental induction of decision trees. Machine Learning 4,
    161-186.
    Utgoff, P. E., Berkman, N. C. and Clouse, J. A. (1997). Decision tree induction
    based on efficient tree restructuring. Machine Learning 29, 5-44.

    Examples
    --------
    >>> import treewright as tw
    >>> X, y = tw.datasets.tennis()
    >>> tree = tw.IncrementalTreeClassifier(dialect="id3").fit(X[:2], y[:2])
    >>> for row, answer in zip(X[2:].to_dicts(), y[2:]):
    ...     tree = tree.partial_fit([row], [answer])
    >>> tree.fingerprint() == tw.ID3Classifier().fit(X, y).fingerprint()
    True
    >>> tree.forget(X[:4], y[:4]).get_n_leaves()
    5
    """

    family, task, learner = "incremental", "classes", "cart"
    _takes_several = False
    dialect = CART
    dialects = MappingProxyType({"cart": CART, "id3": ID3, "aima": AIMA})
    dialect_default = "cart"
    dialect_text = "Whose tree it is. ID3 and AIMA split nominal features only."
    class_weight = None
    strict = False
    n_jobs = None

    _learner: IncrementalLearner

    @keeps_arguments
    def __init__(
        self,
        *,
        dialect: str = "cart",
        unseen: str | None = None,
        feature_kinds: FeatureKinds = None,
        drop_missing_target: bool = False,
    ) -> None: ...

    def fit(self, X: Any, y: Any) -> Self:  # type: ignore[override]
        """Learn from these rows, and forget all others.

        Parameters
        ----------
        X : data frame, array, dict of columns, list of rows or sparse matrix
            The features, a row for each case: pandas, polars, Arrow, NumPy, SciPy.
        y : series, array or list
            The classes, one per row.

        Returns
        -------
        self
            The fitted estimator.
        """
        return self._added(self._new_learner(), X, y)

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Add rows.

        Parameters
        ----------
        X : table
            As for `fit`; later rows have the columns of the first ones, of the same
            kinds. A list of dicts is quickest for single rows: `[{"age": 39, ...}]`.
        y : series, array or list
            Their classes, one per row.
        classes : sequence, optional
            Accepted as scikit-learn's other learners do. The classes are those of the
            rows that are there; a class outside of this list is refused.

        Returns
        -------
        self
            The fitted estimator.
        """
        learner = self.__dict__.get("_learner")
        if learner is None:
            learner = self._new_learner()
        else:
            self._refuse_new_settings(learner)
        if classes is not None:
            _refuse_others(y, classes)
        return self._added(learner, X, y)

    def forget(self, X: Any, y: Any) -> Self:
        """Take rows away that were added, each once.

        Parameters
        ----------
        X, y : table and classes
            Rows like those that were added; if one of them is not there, that is an
            error, and nothing changes.

        Returns
        -------
        self
            The estimator; without rows it is not fitted, and can be added to.
        """
        learner = self.__dict__.get("_learner")
        if learner is None:
            self._fitted()
            raise SettingError(
                "this estimator does not have its training rows (it was loaded or "
                "pruned), so it cannot forget any; fit it to the rows first"
            )
        check_rows(X, len(learner.columns), type(self).__name__)
        check_training_table(X, y, type(self).__name__)
        learner.forget(X, y, drop_missing_target=self.drop_missing_target)
        return self

    def _new_learner(self) -> IncrementalLearner:
        dialect = checked_dialect(self)
        check_data_parameters(self)
        kinds = dict(self.feature_kinds or {})
        for name, kind in kinds.items():
            if isinstance(kind, Mapping):
                raise SettingError(
                    f"feature_kinds[{name!r}] is a dict; trees that are kept up to "
                    "date have no cells that are not applicable: give the kind alone"
                )
        return IncrementalLearner(dialect, kinds)

    def _refuse_new_settings(self, learner: IncrementalLearner) -> None:
        same = vars(self)["dialect"] == learner.dialect.name
        if not same or dict(self.feature_kinds or {}) != learner.kinds:
            raise SettingError(
                "dialect or feature_kinds are not those of the rows before; learn all "
                "rows anew with fit"
            )

    def _added(self, learner: IncrementalLearner, X: Any, y: Any) -> Self:
        """Add rows, and be what comes of it."""
        if learner.columns:
            check_rows(X, len(learner.columns), type(self).__name__)
        check_training_table(X, y, type(self).__name__)
        warn_of_column_vector(y)
        learner.add(X, y, drop_missing_target=self.drop_missing_target)
        self.__dict__.pop("_given", None)
        self._learner = learner
        return self

    @property
    def model_(self) -> Model:
        """The tree with its schema, made of the rows that are there."""
        learner = self.__dict__.get("_learner")
        given: Model | None = self.__dict__.get("_given")
        if learner is None and given is not None:
            return given
        if learner is None or learner.n_rows == 0:
            raise AttributeError("there are no rows yet")
        with learner.lock:
            model = learner.model or model_from(learner)
            learner.model = model
        shown: Model = with_parameters(self, model)
        return shown

    @model_.setter
    def model_(self, model: Model) -> None:
        self._given = model  # of an estimator without rows: pruned or compact

    def _fitted(self) -> Model:
        try:
            return self.model_
        except AttributeError:
            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet, or all of its "
                "rows were forgotten; call 'fit' or 'partial_fit' with some rows first"
            ) from None

    def _known(
        self, X: Any, y: Any, sample_weight: Any, validation: Validation, folds: Any
    ) -> Kept:
        learner = self.__dict__.get("_learner")
        if are_passed(X, y) or learner is None:
            return super()._known(X, y, sample_weight, validation, folds)
        return Kept(columns_from(learner))

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    def __getstate__(self) -> dict[str, Any]:
        state = super().__getstate__()
        learner = state.pop("_learner", None)
        if learner is not None:
            state["rows"] = learner.snapshot()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        state = dict(state)
        rows = state.pop("rows", None)
        super().__setstate__(state)
        if rows is not None:
            self._learner = IncrementalLearner.restored(rows)


def _refuse_others(y: Any, classes: Any) -> None:
    """Raise if a class is not among those that were listed."""
    known = set(classes)
    for label in y:
        if label not in known:
            raise DataError(
                f"the class {short(label)} is not among the listed classes "
                f"{quoted(sorted(known, key=str))}; add it to the list, or leave "
                "classes out"
            )
