"""scikit-learn's own checks of estimators, with no expected failures."""

from __future__ import annotations

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from treewright import (
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    TreeClassifier,
    TreeRegressor,
)


@parametrize_with_checks(
    [
        CARTClassifier(),
        CARTRegressor(),
        CARTRegressor(criterion="absolute_error"),
        TreeClassifier(),
        TreeClassifier(criterion="entropy", missing="own_branch", max_leaf_nodes=30),
        TreeRegressor(),
    ]
)
def test_trees_keep_the_conventions(estimator, check):
    check(estimator)


# Some checks pass fractions to estimators that say that they take categories.
@pytest.mark.filterwarnings("ignore:ID3Classifier takes the numbers of a table")
@parametrize_with_checks([ID3Classifier(), ID3Classifier(missing="majority")])
def test_id3_keeps_the_conventions(estimator, check):
    check(estimator)
