"""What the estimators of one tree share, besides `model_estimator.py`.

The named estimators are in `trees.py`.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix
from sklearn.base import clone

from treewright.estimators.chalking import Chalkable, kept
from treewright.estimators.complexity import complexity_path, complexity_table
from treewright.estimators.explain import explain_row
from treewright.estimators.exploring import Explorable
from treewright.estimators.pruning_calls import check_prune_call, pruning_sequence
from treewright.estimators.ruling import RuleMethods
from treewright.estimators.settings import (
    check_data_parameters,
    checked_dialect,
    kept_parameters,
)
from treewright.estimators.showing import ShowMethods
from treewright.prune.fitted import OWN_SWITCHES, prune_model
from treewright.prune.labelled_rows import Validation
from treewright.tree.importance import gained_shares
from treewright.tree.pruning_table import PruningTable
from treewright.tree.structure.tree import Tree


class TreeMethods(ShowMethods, RuleMethods):
    """What can be asked of a tree, however it came about."""

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
    def feature_importances_(self) -> npt.NDArray[np.float64]:
        """Share of each feature in what the splits gain; 0 for all in a single leaf."""
        return gained_shares(self.tree_, self.n_features_in_)


class TreeEstimator(TreeMethods, Chalkable, Explorable):
    """The base of the tree estimators; not to be used on its own."""

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
        columns = self._columns_of(X, y, sample_weight, dialect)
        more = {"validation": validation, "folds": folds}
        given = {name: value for name, value in more.items() if value is not None}
        model = self._plan(dialect).fit(columns, n_jobs=self.n_jobs, **given).model
        settings = {**model.settings, **kept_parameters(self)}
        self.model_ = dataclasses.replace(model, settings=settings)
        self._kept = kept(columns, validation, folds)
        return self

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
