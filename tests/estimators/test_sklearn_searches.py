"""scikit-learn's searches find with our estimators what a loop finds."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.feature_selection import SelectKBest
from sklearn.model_selection import (
    GridSearchCV,
    HalvingGridSearchCV,
    ParameterGrid,
    cross_val_score,
)
from sklearn.pipeline import make_pipeline

import treewright as tw

pytestmark = pytest.mark.slow

IRIS = load_iris(return_X_y=True, as_frame=True)
DIABETES = load_diabetes(return_X_y=True)
CASES = [
    (
        tw.CARTClassifier(),
        IRIS,
        {"criterion": ["gini", "entropy"], "max_depth": [1, 2, None]},
    ),
    (tw.C45Classifier(), IRIS, {"confidence": [0.01, 0.25], "min_samples_leaf": [2]}),
    (tw.ID3Classifier(), IRIS, {"discretize": ["mdl", "quartiles"]}),
    (tw.CARTRegressor(), DIABETES, {"max_depth": [2, 5], "ccp_alpha": [0.0, 60.0]}),
    (
        tw.RandomForestClassifier(n_estimators=5, random_state=0),
        IRIS,
        {"max_features": [1, 4], "min_samples_leaf": [1, 20]},
    ),
    (
        tw.RandomForestRegressor(n_estimators=5, random_state=0),
        DIABETES,
        {"max_features": [0.3, 1.0], "min_samples_leaf": [1, 20]},
    ),
    (tw.AdaBoostClassifier(n_estimators=4), IRIS, {"max_depth": [1, 3]}),
    (
        make_pipeline(SelectKBest(), tw.CARTClassifier()),
        IRIS,
        {"selectkbest__k": [1, 3], "cartclassifier__max_depth": [1, None]},
    ),
]


def name_of(case):
    estimator = case[0]
    return type(getattr(estimator, "steps", [(0, estimator)])[-1][1]).__name__


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_grid_search_is_a_loop_over_cross_val_score(case):
    estimator, (X, y), grid = case
    search = GridSearchCV(estimator, grid, cv=3).fit(X, y)
    scores = [
        cross_val_score(clone(estimator).set_params(**one), X, y, cv=3).mean()
        for one in ParameterGrid(grid)
    ]
    np.testing.assert_allclose(search.cv_results_["mean_test_score"], scores)
    best = list(ParameterGrid(grid))[int(np.argmax(scores))]
    assert search.best_params_ == best
    fitted = clone(estimator).set_params(**best).fit(X, y)
    np.testing.assert_array_equal(search.predict(X), fitted.predict(X))


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_halving_search_ends_with_a_setting_of_the_grid(case):
    estimator, (X, y), grid = case
    search = HalvingGridSearchCV(
        estimator, grid, cv=3, min_resources=75, factor=2, random_state=0
    ).fit(X, y)
    assert search.best_params_ in list(ParameterGrid(grid))
    fitted = clone(estimator).set_params(**search.best_params_).fit(X, y)
    np.testing.assert_array_equal(search.predict(X), fitted.predict(X))


def test_halving_search_can_spend_trees():
    search = HalvingGridSearchCV(
        tw.RandomForestClassifier(random_state=0),
        {"max_features": [1, 2, 4], "min_samples_leaf": [1, 30]},
        resource="n_estimators",
        min_resources=3,
        max_resources=27,
        cv=3,
    ).fit(*IRIS)
    assert search.n_resources_ == [3, 9]
    assert len(search.best_estimator_.trees_) == 9


def test_search_with_several_threads_finds_the_same():
    grid = {"max_depth": [1, 2, None]}
    one, two = (
        GridSearchCV(tw.CARTClassifier(n_jobs=1), grid, cv=3, n_jobs=n).fit(*IRIS)
        for n in (1, 2)
    )
    np.testing.assert_array_equal(
        one.cv_results_["mean_test_score"], two.cv_results_["mean_test_score"]
    )
