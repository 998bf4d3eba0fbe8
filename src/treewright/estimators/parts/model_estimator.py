"""What all estimators share: asking, showing what was read, keeping.

An estimator is its parameters and, once fitted, one `Model` in `model_`. All else is
read from the model, so a fit that is interrupted or overtaken by another one never
leaves a mixture behind. Trees go on in `tree_estimator.py`, forests in `forest.py`.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError

from treewright.data.columns import Columns
from treewright.data.encoding.encode import encode
from treewright.data.machine import thread_count, thread_note
from treewright.discretize import into_intervals, read_plan
from treewright.estimators.parts.inputs import (
    check_rows,
    check_training_table,
    has_column_names,
    nominal_kinds,
)
from treewright.estimators.parts.parameters import FeatureKinds, refuse_unknown
from treewright.estimators.parts.settings import (
    check_data_parameters,
    checked_dialect,
    own_settings,
)
from treewright.grow.dialect import TreeSettings
from treewright.learners.registry import LEARNERS, Plan
from treewright.settings.row import Settings
from treewright.tree.compact_model import compact_model
from treewright.tree.file.save import from_bytes, save, to_bytes
from treewright.tree.model import Model


class ModelEstimator(BaseEstimator):  # type: ignore[misc]
    """The base of the estimators; not to be used on its own."""

    # whose parameters these are: a family of rows, and the task
    family: ClassVar[str]
    task: ClassVar[str]
    # the registry's name; a dialect that was chosen has its own
    learner: ClassVar[str]
    # the settings of the trees, by dialect where one can choose
    dialect: ClassVar[TreeSettings]
    dialects: ClassVar[Mapping[str, TreeSettings]] = MappingProxyType({})
    dialect_default: ClassVar[str | None] = None
    dialect_text: ClassVar[str] = ""
    # what is set besides the trees, and where this estimator begins otherwise
    own: ClassVar[Settings | None] = None
    defaults: ClassVar[Mapping[str, Any]] = MappingProxyType({})
    arrays_are_nominal: ClassVar[bool] = False
    # whether it learns from a table as codes; others are asked as scikit-learn's are
    takes_codes: ClassVar[bool] = True

    model_: Model
    feature_kinds: FeatureKinds
    drop_missing_target: bool
    strict: bool
    n_jobs: int | None

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the answer for each row, one column per output if there are several.

        Parameters
        ----------
        X : table
            Like the training table. Columns are matched by name where both have names.
        """
        return self._model_for(X).predict(X)

    def apply(self, X: Any) -> npt.NDArray[np.int32]:
        """Return the number of the node where each row ends."""
        return self._model_for(X).apply(X)

    def notes_on(self, X: Any) -> tuple[str, ...]:
        """Return what a reader should know of these rows: values never seen, say."""
        return self._model_for(X).encode(X)[1]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted estimator to a file; `treewright.load` reads it back."""
        save(self._fitted(), path)

    def compact(self) -> Self:
        """Return a copy with the same answers, bit for bit, that is much smaller.

        It has no training statistics: listings of trees, pictures, pruning, chalk and
        importances that were not measured before need the model that it was made from.
        `save` makes a small file of it.
        """
        copy = type(self)(**self.get_params(deep=False))
        copy.model_ = compact_model(self._fitted())
        return copy

    def fingerprint(self) -> str:
        """Return a hash of what the tree asks and answers.

        It does not depend on the order of rows, columns and categories, nor on threads.
        """
        return self._fitted().fingerprint()

    @property
    def n_features_in_(self) -> int:
        """Number of columns of the training table."""
        return len(self._fitted().schema.features)

    @property
    def feature_names_in_(self) -> npt.NDArray[np.object_]:
        """Names of the columns of the training table, if it had names."""
        model = self._fitted()
        if not model.schema.has_names:
            raise AttributeError("the training table had no column names")
        return np.array(model.schema.names, object)

    @property
    def n_outputs_(self) -> int:
        """Number of outputs."""
        return self._fitted().schema.target.n_outputs

    @property
    def notes_(self) -> tuple[str, ...]:
        """What a reader should know of how the table was read and the tree grown."""
        return (*self._fitted().notes, *thread_note(self.n_jobs))

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name; a name that does not exist is refused."""
        known = self._get_param_names()
        refuse_unknown(type(self), (name.partition("__")[0] for name in params), known)
        super().set_params(**params)
        return self

    def __getstate__(self) -> dict[str, Any]:
        # the model as the bytes of its file: a pickle is checked like one
        state: dict[str, Any] = dict(super().__getstate__())
        state.pop("_kept", None)
        if "model_" in state:
            state["pruning_table"] = state["model_"].pruning_table
            state["model_"] = to_bytes(state["model_"])
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        if "model_" in state:
            state = dict(state)
            table = state.pop("pruning_table", None)
            model = from_bytes(state["model_"])
            state["model_"] = dataclasses.replace(model, pruning_table=table)
        super().__setstate__(state)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = getattr(self, "missing", None) != "error"
        tags.input_tags.sparse = True
        tags.input_tags.string = True
        # scikit-learn's checks take this for "codes of categories and nothing else"
        divides = getattr(self, "discretize", None) is not None
        tags.input_tags.categorical = self.arrays_are_nominal and not divides
        tags.target_tags.multi_output = True
        return tags

    def _fitted(self) -> Model:
        """Return the model, or raise scikit-learn's error that there is none."""
        model: Model | None = self.__dict__.get("model_")
        if model is None:
            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet; call 'fit' "
                "with the training table first"
            )
        return model

    def _model_for(self, X: Any) -> Model:
        """Return the model if the table can be its input."""
        model = self._fitted()
        check_rows(X, len(model.schema.features), type(self).__name__)
        return model

    def _columns_of(
        self, X: Any, y: Any, sample_weight: Any, trees: Any = None
    ) -> Columns:
        """Return a training table as it is learned from.

        `trees` is what `checked_dialect` says, if that is known already.
        """
        trees = checked_dialect(self) if trees is None else trees
        return self._prepared(self._encoded(X, y, sample_weight, trees), trees)

    def _encoded(
        self, X: Any, y: Any, sample_weight: Any, trees: Any = None
    ) -> Columns:
        """Return a table as codes, before anything is learned from it."""
        name = type(self).__name__
        dialect = checked_dialect(self) if trees is None else trees
        check_data_parameters(self)  # those of a file, too
        check_training_table(X, y, name)
        plan = read_plan(getattr(self, "discretize", None))
        kinds = dict(self.feature_kinds or {})
        if self.arrays_are_nominal and plan.others is None and not has_column_names(X):
            kinds = nominal_kinds(X, kinds, name, numeric=plan.columns)
        return encode(
            X,
            y,
            task="classes" if dialect.task == "classes" else "numbers",
            sample_weight=sample_weight,
            feature_kinds=kinds,
            drop_missing_target=self.drop_missing_target,
            strict=self.strict,
            refuse_missing=dialect.missing == "error",
            n_threads=thread_count(self.n_jobs),
        )

    def _prepared(self, columns: Columns, trees: Any = None) -> Columns:
        """Return training rows with class weights, costs and intervals."""
        columns = self._weighed(columns)
        discretize = getattr(self, "discretize", None)
        if discretize is None:
            return columns
        unseen = (checked_dialect(self) if trees is None else trees).unseen
        return into_intervals(columns, read_plan(discretize), unseen=unseen)

    def _plan(self, trees: Any = None) -> Plan:
        """Return who learns, with the parameters as settings, checked."""
        trees = checked_dialect(self) if trees is None else trees
        learner = LEARNERS.get(trees.name if self.own is None else self.learner)
        return Plan(learner or LEARNERS[self.learner], trees, self._settings())

    def _settings(self) -> Any:
        """Return what is set besides the trees, checked."""
        return own_settings(self)

    def _grown(self, columns: Columns, n_jobs: int | None) -> Any:
        """Return what is learned from such a table; the estimator stays as it is."""
        return self._plan().fit(columns, n_jobs=n_jobs).model

    def _weighed(self, columns: Columns) -> Columns:
        """Return the table as it is learned from."""
        return columns


def takes_codes(estimator: Any) -> bool:
    """Tell whether an estimator is ours, and learns from a table as codes."""
    return isinstance(estimator, ModelEstimator) and estimator.takes_codes
