"""scikit-learn's own checks of estimators; one choice fails two of them on purpose."""

from __future__ import annotations

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from treewright import (
    AdaBoostClassifier,
    C45Classifier,
    C45RulesClassifier,
    CARTClassifier,
    CARTRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    HoeffdingTreeClassifier,
    HoeffdingTreeRegressor,
    ID3Classifier,
    RandomForestClassifier,
    RandomForestRegressor,
    TreeClassifier,
    TreeRegressor,
)

pytestmark = pytest.mark.slow


@parametrize_with_checks(
    [
        CARTClassifier(),
        CARTRegressor(),
        CARTRegressor(criterion="absolute_error"),
        C45Classifier(),
        C45Classifier(dialect="j48"),
        C45Classifier(dialect="lecture"),
        C45Classifier(binary_splits=True, pruning=None, probabilities="laplace"),
        C45RulesClassifier(),
        C45RulesClassifier(dialect="j48", fisher=True),
        TreeClassifier(),
        TreeClassifier(criterion="entropy", missing="own_branch", max_leaf_nodes=30),
        TreeRegressor(),
        TreeRegressor(discretize="quartiles"),
        ID3Classifier(discretize="equal_width"),
        ID3Classifier(discretize="quartiles"),
        ID3Classifier(discretize="mdl"),
        # they grow from all rows, so that weights are as good as copies
        ExtraTreesClassifier(8),
        ExtraTreesRegressor(8),
        ExtraTreesClassifier(8, dialect="j48", max_features=1),
    ]
)
def test_trees_keep_the_conventions(estimator, check):
    check(estimator)


@parametrize_with_checks(
    [
        HoeffdingTreeClassifier(leaf_prediction="majority"),
        HoeffdingTreeClassifier(leaf_prediction="naive_bayes", criterion="gini"),
        HoeffdingTreeRegressor(),
        HoeffdingTreeRegressor(reduction="deviation"),
    ]
)
def test_streams_keep_the_conventions(estimator, check):
    check(estimator)


# Of two equal rows the second is answered after the first was learned, so the two ways
# of answering are not counted as for one row of weight 2.
@parametrize_with_checks(
    [HoeffdingTreeClassifier()],
    expected_failed_checks=lambda _: {
        f"check_sample_weight_equivalence_on_{kind}_data": "leaves test one row once"
        for kind in ("dense", "sparse")
    },
)
def test_adaptive_streams_keep_the_conventions(estimator, check):
    check(estimator)


@parametrize_with_checks(
    [
        AdaBoostClassifier(8),
        AdaBoostClassifier(8, dialect="j48", boosting="m1"),
        AdaBoostClassifier(8, boosting="c50"),
    ]
)
def test_boosted_trees_keep_the_conventions(estimator, check):
    check(estimator)


# A bag draws rows: one of weight 2 is drawn once as often as one of weight 1, and two
# rows twice.
_DRAWS_ROWS = "bags draw rows, not weights"


@parametrize_with_checks(
    [
        RandomForestClassifier(8),
        RandomForestRegressor(8),
        RandomForestClassifier(8, dialect="c45", max_samples=0.8, bootstrap=False),
        AdaBoostClassifier(8, by="resampling"),
    ],
    expected_failed_checks=lambda _: {
        f"check_sample_weight_equivalence_on_{kind}_data": _DRAWS_ROWS
        for kind in ("dense", "sparse")
    },
)
def test_forests_keep_the_conventions(estimator, check):
    check(estimator)


@parametrize_with_checks(
    [RandomForestClassifier(8, combined_features=3, bootstrap=False)],
    expected_failed_checks=lambda _: {
        "check_estimators_nan_inf": "fit calls NaN missing, and predict takes it"
    },
)
def test_forests_of_combinations_keep_the_conventions(estimator, check):
    check(estimator)


# Cross-validation puts a row of weight 2 into one fold, and two rows into one or two.
_BY_ROWS = "cross-validation divides rows, not weights"


@parametrize_with_checks(
    [ID3Classifier(discretize="cv")],
    expected_failed_checks=lambda _: {
        f"check_sample_weight_equivalence_on_{kind}_data": _BY_ROWS
        for kind in ("dense", "sparse")
    },
)
def test_choice_by_cross_validation_keeps_the_conventions(estimator, check):
    check(estimator)


# Some checks pass fractions to estimators that say that they take categories.
@pytest.mark.filterwarnings("ignore:ID3Classifier takes the numbers of a table")
@parametrize_with_checks([ID3Classifier(), ID3Classifier(missing="majority")])
def test_id3_keeps_the_conventions(estimator, check):
    check(estimator)
