"""C4.5 and J48: a signature over the dialects of `treewright.learners.dialects.c45`."""

from __future__ import annotations

import warnings
from types import MappingProxyType
from typing import Any, Self

from sklearn.exceptions import DataConversionWarning

from treewright.errors import SettingError
from treewright.estimators.parts.inputs import has_column_names
from treewright.estimators.parts.parameters import (
    ClassWeight,
    Discretize,
    FeatureKinds,
    documented,
    keeps_arguments,
)
from treewright.estimators.parts.settings import checked_dialect
from treewright.estimators.parts.tasks import ClassTask
from treewright.estimators.parts.tree_estimator import TreeEstimator
from treewright.learners.dialects.c45 import C45, J48, LECTURE
from treewright.prune.labelled_rows import Validation
from treewright.prune.pruned import ONE_OUTPUT


@documented
class C45Classifier(ClassTask, TreeEstimator):
    """C4.5: gain ratio, fractional rows for missing values, error-based pruning.

    A parameter that is None is as the dialect says. Where None is a value itself, as in
    `pruning=None`, the default is "dialect" instead.

    Parameters
    ----------
    {parameters}

    Notes
    -----
    A numeric feature is cut where that gains most, a nominal one has one branch per
    value, and among the features with at least the average gain the one with the
    largest gain ratio is asked. A row without a value goes down every branch, with a
    share of its weight: weights in leaves are fractions. Then the tree is pruned: a
    subtree becomes a leaf, or its largest branch, if no more errors are expected.

    The dialects: "c45" is Release 8 (thresholds are training values, naming a cut costs
    bits, the confidence limit comes from a table of nine points); "j48" is Weka's, with
    the exact normal quantile, comparisons up to 1e-6 and the parent's class weights at
    branches without rows; "lecture" is what courses mean: gain ratio alone, midpoints,
    no guard, no cost, not pruned. `binary_splits=True`, `subtree_raising=False`,
    `collapse=None`, `pruning=None`, `threshold_cost=None`,
    `numeric_splits="midpoint"` and `probabilities="laplace"` are J48's options -B, -S,
    -O, -U, -J, -doNotMakeSplitPointActualValue and -A. `gain_guard="c50"` and
    `threshold_cost="c50"` choose splits as C5.0 does; `min_branch_weight=0.05`,
    `pool_small_branches=True` and `global_pruning=True` are its ways with branches that
    hold little. `min_share=1e-6` is J48's.

    `grouping="c45"` is the option -s of C4.5, `grouping="c50"` that of C5.0.

    Differences from the originals: equal ratios take the first column; there is no
    windowing.

    References
    ----------
    Quinlan, J. R. (1993). C4.5: Programs for Machine Learning.
    Quinlan, J. R. (1996). Improved use of continuous attributes in C4.5. JAIR 4, 77-90.

    Examples
    --------
    >>> import treewright as tw
    >>> X, y = tw.datasets.tennis()
    >>> tree = tw.C45Classifier().fit(X, y)
    >>> print(tree.to_text("lecture"))
    Outlook Overcast: Yes (4)
    Outlook Rain
    | Wind Strong: No (2)
    | Wind Weak: Yes (3)
    Outlook Sunny
    | Humidity High: No (3)
    | Humidity Normal: Yes (2)

    A row without an outlook is 4/14 overcast, 5/14 rain and 5/14 sunny:

    >>> row = {"Outlook": None, "Humidity": "High", "Wind": "Weak", "Temperature": None}
    >>> tree.predict_proba({name: [cell] for name, cell in row.items()}).round(3)
    array([[0.357, 0.643]])
    """

    family, task, learner = "c45", "classes", "c45"
    dialect = C45
    dialects = MappingProxyType({"c45": C45, "j48": J48, "lecture": LECTURE})
    dialect_default = "c45"
    dialect_text = (
        "Whose tree it is: Quinlan's Release 8, Weka's, or what courses mean."
    )

    @keeps_arguments
    def __init__(
        self,
        *,
        dialect: str = "c45",
        criterion: str | None = None,
        nominal_splits: str | None = None,
        numeric_splits: str | None = None,
        reuse_features: bool | None = None,
        missing: str | None = None,
        grouping: str | None = None,
        unseen: str | None = None,
        gain_guard: str | None = "dialect",
        threshold_cost: str | None = "dialect",
        count_by: str | None = None,
        large_branches: str | None = None,
        cut_minimum: str | None = None,
        min_branch_weight: float | None = None,
        min_share: float | None = None,
        min_gap: float | None = None,
        single_precision: bool | None = None,
        zero_gain: bool | None = None,
        min_split_information: float | None = None,
        tolerance: float | None = None,
        empty_branch: str | None = None,
        costs_in_growing: bool | None = None,
        probabilities: str | None = None,
        prior_weight: float | None = None,
        label_ties: str | None = None,
        collapse: float | str | None = "dialect",
        pruning: str | None = "dialect",
        confidence: float | None = None,
        subtree_raising: bool | None = None,
        confidence_limit: str | None = None,
        mostly_wrong: str | None = None,
        pool_small_branches: bool | None = None,
        global_pruning: bool | None = None,
        ccp_alpha: float | None = None,
        validation_share: float | None = None,
        random_state: int | None = None,
        pruning_order: str | None = None,
        give_back: bool | None = None,
        prune_gain: float | None = None,
        prune_level: float | None = None,
        max_depth: int | None = None,
        min_samples_split: float | None = None,
        min_samples_leaf: float | None = None,
        min_weight_leaf: float | None = None,
        min_weight_fraction_leaf: float | None = None,
        min_impurity: float | None = None,
        min_gain: float | None = None,
        min_relative_gain: float | None = None,
        min_impurity_decrease: float | None = None,
        max_leaf_nodes: int | None = None,
        chi_square_level: float | None = None,
        binary_splits: bool | None = None,
        cost_matrix: Any = None,
        class_weight: ClassWeight = None,
        feature_kinds: FeatureKinds = None,
        discretize: Discretize = None,
        drop_missing_target: bool = False,
        strict: bool = False,
        n_jobs: int | None = None,
    ) -> None: ...

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        validation: Validation = None,
        folds: Any = None,
    ) -> Self:
        """Grow the tree; the parameters are those of `TreeClassifier.fit`."""
        if _is_column(y) and not self._takes_several:
            warnings.warn(
                "A column-vector y was passed when a 1d array was expected; pass "
                "y.ravel()",
                DataConversionWarning,
                stacklevel=2,
            )
        super().fit(X, y, sample_weight, validation, folds)
        return self

    @property
    def _takes_several(self) -> bool:
        """Whether no switch counts the errors of one output."""
        try:
            dialect = checked_dialect(self)
        except SettingError:  # `fit` will say so
            return False
        return dialect.collapse is None and dialect.pruning not in ONE_OUTPUT


def _is_column(y: Any) -> bool:
    """Whether an array, which says nothing about its columns, has a single one."""
    is_table = getattr(y, "ndim", 1) == 2
    return is_table and y.shape[1] == 1 and not has_column_names(y)
