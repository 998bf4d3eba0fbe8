"""The tree estimators: CART, and the general ones with every switch.

Each is a signature over a dialect of `treewright.learners`; `tree_estimator.py` and
`tasks.py` do the work.
"""

from __future__ import annotations

import dataclasses
from types import MappingProxyType
from typing import Any

from treewright.estimators.parts.parameters import (
    ClassWeight,
    Discretize,
    FeatureKinds,
    documented,
    keeps_arguments,
)
from treewright.estimators.parts.tasks import ClassTask, NumberTask
from treewright.estimators.parts.tree_estimator import TreeEstimator
from treewright.learners.dialects.cart import CART, CART_NUMBERS
from treewright.learners.dialects.rpart import RPART, RPART_NUMBERS

_DIALECT = (
    'Whose tree it is: "cart" (as None), or "rpart", which splits nodes of 20 rows '
    "or more into branches of 7 or more, down to depth 30, and prunes with "
    "cp=0.01. A parameter that is None is as the dialect says."
)


@documented
class TreeClassifier(ClassTask, TreeEstimator):
    """A decision tree for classes, with every switch in the user's hand.

    Parameters
    ----------
    {parameters}

    Notes
    -----
    From the root on, each node is split by the question that gains most, until its rows
    agree or a stopping rule holds. Equal gains: the first column, then the lowest cut.
    With the switches as they are, this is CART; `nominal_splits="multiway"`,
    `reuse_features=False` and `criterion="entropy"` make it ID3 with cuts for numbers.

    See Also
    --------
    CARTClassifier, ID3Classifier : The same engine with the switches of a textbook.

    Examples
    --------
    >>> import treewright as tw
    >>> X, y = tw.datasets.cars()
    >>> tree = tw.TreeClassifier(nominal_splits="multiway").fit(X, y)
    >>> tree.get_n_leaves()
    3
    """

    family, task, learner = "tree", "classes", "cart"
    dialect = dataclasses.replace(CART, name="tree")

    @keeps_arguments
    def __init__(
        self,
        *,
        criterion: str = "gini",
        nominal_splits: str = "subset",
        numeric_splits: str = "midpoint",
        reuse_features: bool = True,
        missing: str = "majority",
        grouping: str | None = None,
        max_surrogates: int = 5,
        surrogate_sets: str = "two_each_way",
        discount_missing: bool = True,
        unseen: str = "stop",
        gain_guard: str | None = None,
        threshold_cost: str | None = None,
        count_by: str = "rows",
        large_branches: str = "each",
        cut_minimum: str = "min_samples_leaf",
        min_branch_weight: float = 0.0,
        min_share: float = 0.0,
        min_gap: float = 0.0,
        single_precision: bool = False,
        zero_gain: bool = False,
        min_split_information: float = 0.0,
        tolerance: float = 0.0,
        empty_branch: str = "parent_distribution",
        costs_in_growing: bool = False,
        probabilities: str = "raw",
        prior_weight: float = 2.0,
        label_ties: str = "ancestor",
        collapse: float | None = None,
        pruning: str | None = None,
        confidence: float = 0.25,
        subtree_raising: bool = True,
        confidence_limit: str = "normal",
        mostly_wrong: str = "rest",
        pool_small_branches: bool = False,
        global_pruning: bool = False,
        ccp_alpha: float = 0.0,
        cp: float | None = None,
        complexity_by: str = "impurity",
        weakest_links: str = "exact",
        alpha_choice: str = "fixed",
        alpha_rule: str = "minimum",
        n_folds: int = 10,
        validation_share: float | None = None,
        random_state: int | None = None,
        pruning_order: str = "bottom_up",
        give_back: bool = False,
        prune_gain: float | None = None,
        prune_level: float = 0.05,
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_leaf: float = 0.0,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity: float = 0.0,
        min_gain: float = 0.0,
        min_relative_gain: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        chi_square_level: float | None = None,
        cost_matrix: Any = None,
        class_weight: ClassWeight = None,
        feature_kinds: FeatureKinds = None,
        discretize: Discretize = None,
        drop_missing_target: bool = False,
        strict: bool = False,
        n_jobs: int | None = None,
    ) -> None: ...


@documented
class TreeRegressor(NumberTask, TreeEstimator):
    """A decision tree for numbers, with every switch in the user's hand.

    Parameters
    ----------
    {parameters}

    Notes
    -----
    As `TreeClassifier`; a leaf predicts the mean of its rows, or their median if the
    criterion is "absolute_error".

    See Also
    --------
    CARTRegressor : The same engine with the switches of the textbook.

    Examples
    --------
    >>> import treewright as tw
    >>> tree = tw.TreeRegressor(min_samples_leaf=2)
    >>> tree.fit([[1], [2], [3], [4]], [1.0, 2.0, 7.0, 9.0]).predict([[1.5], [3.5]])
    array([1.5, 8. ])
    """

    family, task, learner = "tree", "numbers", "cart"
    dialect = dataclasses.replace(CART_NUMBERS, name="tree")

    @keeps_arguments
    def __init__(
        self,
        *,
        criterion: str = "squared_error",
        nominal_splits: str = "subset",
        numeric_splits: str = "midpoint",
        reuse_features: bool = True,
        missing: str = "majority",
        max_surrogates: int = 5,
        surrogate_sets: str = "two_each_way",
        discount_missing: bool = True,
        unseen: str = "stop",
        count_by: str = "rows",
        large_branches: str = "each",
        min_branch_weight: float = 0.0,
        min_share: float = 0.0,
        min_gap: float = 0.0,
        single_precision: bool = False,
        tolerance: float = 0.0,
        pruning: str | None = None,
        ccp_alpha: float = 0.0,
        cp: float | None = None,
        complexity_by: str = "impurity",
        weakest_links: str = "exact",
        alpha_choice: str = "fixed",
        alpha_rule: str = "minimum",
        n_folds: int = 10,
        validation_share: float | None = None,
        random_state: int | None = None,
        pruning_order: str = "bottom_up",
        give_back: bool = False,
        prune_gain: float | None = None,
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_leaf: float = 0.0,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity: float = 0.0,
        min_gain: float = 0.0,
        min_relative_gain: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        feature_kinds: FeatureKinds = None,
        discretize: Discretize = None,
        drop_missing_target: bool = False,
        strict: bool = False,
        n_jobs: int | None = None,
    ) -> None: ...


@documented
class CARTClassifier(ClassTask, TreeEstimator):
    """CART for classes: binary splits, the gini index, numeric and nominal columns.

    Parameters
    ----------
    {parameters}

    Notes
    -----
    Every split has two branches. A numeric feature is cut half way between two
    neighbouring values, an ordinal one between two neighbouring categories, a nominal
    one into the two sets of values that separate best. That division is exact for two
    classes and for up to ten values at a node, and a heuristic beyond. A feature may be
    asked about again and again.

    Differences from the original: a missing value follows the heavier branch, unless
    missing="surrogates"; the tree is pruned only if that is asked for. On numeric
    columns without missing values it is the tree of scikit-learn's
    `DecisionTreeClassifier`, pruned with `ccp_alpha` or not, where no tie decides and
    float32 holds the values. `dialect="rpart"` gives the trees of R's rpart.

    References
    ----------
    Breiman, L., Friedman, J., Olshen, R. and Stone, C. (1984). Classification and
    Regression Trees.

    Examples
    --------
    >>> import treewright as tw
    >>> X, y = tw.datasets.cars()
    >>> tree = tw.CARTClassifier(max_depth=2).fit(X, y)
    >>> tree.score(X, y)
    1.0
    """

    family, task, learner = "cart", "classes", "cart"
    dialect = CART
    dialects = MappingProxyType({"cart": CART, "rpart": RPART})
    dialect_text = _DIALECT

    @keeps_arguments
    def __init__(
        self,
        *,
        dialect: str | None = None,
        criterion: str = "gini",
        missing: str | None = None,
        max_surrogates: int | None = None,
        unseen: str = "stop",
        costs_in_growing: bool | None = None,
        probabilities: str | None = None,
        prior_weight: float | None = None,
        pruning: str | None = None,
        ccp_alpha: float = 0.0,
        cp: float | None = None,
        complexity_by: str | None = None,
        alpha_choice: str = "fixed",
        alpha_rule: str = "minimum",
        n_folds: int = 10,
        validation_share: float | None = None,
        random_state: int | None = None,
        max_depth: int | None = None,
        min_samples_split: float | None = None,
        min_samples_leaf: float | None = None,
        min_weight_leaf: float = 0.0,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity: float = 0.0,
        min_gain: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        cost_matrix: Any = None,
        class_weight: ClassWeight = None,
        feature_kinds: FeatureKinds = None,
        drop_missing_target: bool = False,
        strict: bool = False,
        n_jobs: int | None = None,
    ) -> None: ...


@documented
class CARTRegressor(NumberTask, TreeEstimator):
    """CART for numbers: binary splits that reduce the squared error most.

    Parameters
    ----------
    {parameters}

    Notes
    -----
    As `CARTClassifier`, with the variance (or the mean absolute deviation from the
    median) as the impurity of a node, and the mean (or median) as its answer. Dividing
    the values of a nominal feature is exact for the squared error.

    Differences from the original: a missing value follows the heavier branch, unless
    missing="surrogates"; the tree is pruned only if that is asked for.

    References
    ----------
    Breiman, L., Friedman, J., Olshen, R. and Stone, C. (1984). Classification and
    Regression Trees.

    Examples
    --------
    >>> import treewright as tw
    >>> tree = tw.CARTRegressor(max_depth=1)
    >>> tree.fit([[1], [2], [3], [4]], [1.0, 2.0, 7.0, 9.0]).predict([[1.5], [3.5]])
    array([1.5, 8. ])
    """

    family, task, learner = "cart", "numbers", "cart"
    dialect = CART_NUMBERS
    dialects = MappingProxyType({"cart": CART_NUMBERS, "rpart": RPART_NUMBERS})
    dialect_text = _DIALECT

    @keeps_arguments
    def __init__(
        self,
        *,
        dialect: str | None = None,
        criterion: str = "squared_error",
        missing: str | None = None,
        max_surrogates: int | None = None,
        unseen: str = "stop",
        pruning: str | None = None,
        ccp_alpha: float = 0.0,
        cp: float | None = None,
        alpha_choice: str = "fixed",
        alpha_rule: str = "minimum",
        n_folds: int = 10,
        validation_share: float | None = None,
        random_state: int | None = None,
        max_depth: int | None = None,
        min_samples_split: float | None = None,
        min_samples_leaf: float | None = None,
        min_weight_leaf: float = 0.0,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity: float = 0.0,
        min_gain: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        feature_kinds: FeatureKinds = None,
        drop_missing_target: bool = False,
        strict: bool = False,
        n_jobs: int | None = None,
    ) -> None: ...
