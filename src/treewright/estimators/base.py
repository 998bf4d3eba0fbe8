"""What all tree estimators share: fitting, asking, showing, keeping.

An estimator is its parameters and, once fitted, one `Model` in `model_`. All else is
read from the model, so a fit that is interrupted or overtaken by another one never
leaves a mixture behind. The named estimators are in `trees.py`.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, clone
from sklearn.exceptions import NotFittedError

from treewright.data.columns import Columns
from treewright.data.encode import encode
from treewright.data.threads import thread_count, thread_note
from treewright.discretize import into_intervals, read_plan
from treewright.estimators.chalking import Chalkable, kept
from treewright.estimators.complexity import complexity_path, complexity_table
from treewright.estimators.explain import explain_row
from treewright.estimators.exploring import Explorable
from treewright.estimators.inputs import (
    check_rows,
    check_training_table,
    has_column_names,
    nominal_kinds,
)
from treewright.estimators.parameters import FeatureKinds, refuse_unknown
from treewright.estimators.pruning_calls import check_prune_call, pruning_sequence
from treewright.estimators.settings import (
    check_data_parameters,
    checked_dialect,
    kept_parameters,
)
from treewright.estimators.showing import ShowMethods
from treewright.grow.dialect import Dialect
from treewright.learners.recipe import grow_tree
from treewright.prune.fitted import OWN_SWITCHES, prune_model
from treewright.prune.validation import Validation
from treewright.tree.model import Model
from treewright.tree.pruning_table import PruningTable
from treewright.tree.save import from_bytes, to_bytes
from treewright.tree.tree import Tree


class TreeEstimator(ShowMethods, Chalkable, Explorable, BaseEstimator):  # type: ignore[misc]
    """The base of the tree estimators; not to be used on its own."""

    dialect: ClassVar[Dialect]
    dialects: ClassVar[Mapping[str, Dialect]] = MappingProxyType({})
    arrays_are_nominal: ClassVar[bool] = False

    model_: Model
    feature_kinds: FeatureKinds
    drop_missing_target: bool
    strict: bool
    n_jobs: int | None

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        validation: Validation = None,
        folds: Any = None,
    ) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X : data frame, array, dict of columns, list of rows or sparse matrix
            The features, a row for each case: pandas, polars, Arrow, NumPy, SciPy.
        y : series, array or list
            The target, one value per row; several outputs as columns.
        sample_weight : array-like, optional
            A weight per row. A row of weight 0 is as if it were not there.
        validation : (X, y) or (X, y, sample_weight), optional
            Rows to prune by that the tree is not grown from, for
            `pruning="reduced_error"`. `class_weight` does not change their weights.
        folds : array-like of int, optional
            The fold of each row, for `alpha_choice="cross_validation"`; if not given,
            `n_folds` are made, with the classes in proportion.

        Returns
        -------
        self
            The fitted estimator.
        """
        dialect = checked_dialect(self)
        check_data_parameters(self)
        columns = self._columns_of(X, y, sample_weight)
        model = grow_tree(
            columns, dialect, n_jobs=self.n_jobs, validation=validation, folds=folds
        )
        settings = {**model.settings, **kept_parameters(self)}
        self.model_ = dataclasses.replace(model, settings=settings)
        self._kept = kept(columns, validation, folds)
        return self

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the answer for each row, one column per output if there are several.

        Parameters
        ----------
        X : table
            Like the training table. Columns are matched by name where both have names.
        """
        return self._model_for(X).predict(X)

    def prune(
        self,
        pruning: str,
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        **switches: Any,
    ) -> Self:
        """Return a copy of this estimator with a smaller tree; nothing is grown anew.

        Parameters
        ----------
        pruning : str
            As the switch of that name: "pessimistic", "reduced_error",
            "minimum_gain", "chi_square", "error_based", "cost_complexity".
        X, y : table and its answers, optional
            For "reduced_error", and `alpha_choice="validation"` of "cost_complexity",
            rows that the tree was not grown from; for "error_based"
            those that it was grown from, unless `subtree_raising=False`. The others
            need no rows.
        sample_weight : array-like, optional
            A weight for each of these rows.
        **switches
            Switches of the pruning, for example `prune_gain=0.01`.

        Examples
        --------
        >>> import treewright as tw
        >>> X, y = tw.datasets.tennis()
        >>> tree = tw.ID3Classifier().fit(X, y)
        >>> tree.prune("chi_square", prune_level=0.01).get_n_leaves()
        1
        """
        check_prune_call(pruning, switches)
        model = self._fitted() if X is None else self._model_for(X)
        model = prune_model(
            model, pruning, X, y, sample_weight=sample_weight, **switches
        )
        parameters = self.get_params(deep=False)
        for name in {*OWN_SWITCHES, *switches} & parameters.keys():
            parameters[name] = model.settings[name]
        smaller = type(self)(**parameters)
        smaller.model_ = model
        return smaller

    def apply(self, X: Any) -> npt.NDArray[np.int32]:
        """Return the number of the node where each row ends."""
        return self._model_for(X).apply(X)

    def decision_path(self, X: Any) -> Any:
        """Return a sparse matrix that has 1 for each row and each node on its way."""
        model = self._model_for(X)
        indptr, indices = model.decision_path(X)
        shape = (len(indptr) - 1, model.trees[0].node_count)
        return csr_matrix((np.ones(len(indices), np.int64), indices, indptr), shape)

    def explain(self, row: Any) -> str:
        """Return the questions that one row is asked on its way, and the answer.

        Parameters
        ----------
        row : mapping, series, sequence of cells, or table of one row
            For example `X.iloc[0]`, `X[0]` or `{"Outlook": "Sunny", ...}`.
        """
        return explain_row(self._fitted(), row)

    def notes_on(self, X: Any) -> tuple[str, ...]:
        """Return what a reader should know of these rows: values never seen, say."""
        return self._model_for(X).encode(X)[1]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted estimator to a file; `treewright.load` reads it back."""
        self._fitted().save(path)

    def fingerprint(self) -> str:
        """Return a hash of what the tree asks and answers.

        It does not depend on the order of rows, columns and categories, nor on threads.
        """
        return self._fitted().fingerprint()

    def get_depth(self) -> int:
        """Return the length of the longest path; 0 for a single leaf."""
        return self.tree_.depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves."""
        return self.tree_.n_leaves

    @property
    def tree_(self) -> Tree:
        """The tree, as arrays with an entry per node."""
        return self._fitted().trees[0]

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
    def feature_importances_(self) -> npt.NDArray[np.float64]:
        """Share of each feature in what the splits gain; 0 for all in a single leaf."""
        tree = self.tree_
        inner = tree.feature >= 0
        gained = np.bincount(
            tree.feature[inner],
            weights=(tree.gain * tree.weight)[inner],
            minlength=self.n_features_in_,
        )
        total = gained.sum()
        return np.asarray(gained / total if total > 0 else gained)

    def cost_complexity_pruning_path(
        self, X: Any, y: Any, sample_weight: Any = None
    ) -> Any:
        """Return the pruning path of the unpruned tree of a table, as scikit-learn.

        Parameters
        ----------
        X, y, sample_weight
            As for `fit`. This estimator stays as it is.

        Returns
        -------
        Bunch
            `ccp_alphas`, ascending, and the `impurities` and `n_leaves` of the trees
            that they give; equal alphas stand once, with the smallest tree. With
            `complexity_by="misclassification"` the impurity is the share of wrong rows.
        """
        whole = {
            "pruning": None,
            "ccp_alpha": 0.0,
            "cp": 0.0 if getattr(self, "dialect", None) == "rpart" else None,
            "alpha_choice": "fixed",
            "alpha_rule": "minimum",
            "validation_share": None,
        }
        grown = clone(self)
        known = self.get_params(deep=False)
        grown.set_params(**{name: whole[name] for name in whole if name in known})
        model = grown.fit(X, y, sample_weight=sample_weight)._fitted()
        return complexity_path(model, model.settings["complexity_by"])

    @property
    def complexity_table_(self) -> npt.NDArray[np.float64]:
        """The trees of cost-complexity pruning as rpart lists them, the smallest first.

        A row has CP (alpha as a share of the root's risk), the number of splits and the
        error as a share of the root's; if alpha was chosen by held-out rows also their
        error and its standard error.
        """
        return complexity_table(self._fitted())

    @property
    def pruning_path_(self) -> PruningTable:
        """The trees that pruning went through: leaves, errors, and which was chosen.

        There are such trees after pruning="cost_complexity" (or ccp_alpha above 0), and
        after pruning="reduced_error" with pruning_order="best_first".
        """
        return pruning_sequence(self._fitted())

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

    def _columns_of(self, X: Any, y: Any, sample_weight: Any) -> Columns:
        """Return a training table as it is learned from."""
        name = type(self).__name__
        dialect = checked_dialect(self)
        check_training_table(X, y, name)
        plan = read_plan(getattr(self, "discretize", None))
        kinds = dict(self.feature_kinds or {})
        if self.arrays_are_nominal and plan.others is None and not has_column_names(X):
            kinds = nominal_kinds(X, kinds, name, numeric=plan.columns)
        columns = encode(
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
        return into_intervals(self._weighed(columns), plan, unseen=dialect.unseen)

    def _weighed(self, columns: Columns) -> Columns:
        """Return the table as it is learned from."""
        return columns
