"""Cost complexity beside scikit-learn: the same path, and the same trees."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import (
    load_breast_cancer,
    load_diabetes,
    load_iris,
    load_wine,
)
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import treewright as tw

TABLES = {
    "iris": load_iris,
    "wine": load_wine,
    "breast cancer": load_breast_cancer,
    "diabetes": load_diabetes,
}


def both(name: str, **settings: object) -> tuple[object, object]:
    if name == "diabetes":
        return tw.CARTRegressor(**settings), DecisionTreeRegressor(
            random_state=0, **settings
        )
    return tw.CARTClassifier(**settings), DecisionTreeClassifier(
        random_state=0, **settings
    )


def merged(path: object) -> tuple[np.ndarray, np.ndarray]:
    """scikit-learn's path with equal alphas once: the last, the smallest tree."""
    alphas, impurities = path.ccp_alphas, path.impurities
    slack = 1e-12 * alphas[1:] + 1e-15 * impurities[-1]
    is_last = np.append(np.diff(alphas) > slack, True)
    return alphas[is_last], impurities[is_last]


def leaf_impurity(tree: object, weight: np.ndarray | None = None) -> float:
    """What scikit-learn's cost complexity adds up: weight times impurity of leaves."""
    weight = tree.weight if weight is None else weight
    return float((weight * tree.impurity)[tree.feature < 0].sum())


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("setting", [{}, {"min_samples_leaf": 5}, {"max_depth": 4}])
def test_path_is_that_of_scikit_learn(name, setting):
    X, y = TABLES[name](return_X_y=True)
    ours, theirs = both(name, **setting)
    path = ours.cost_complexity_pruning_path(X, y)
    alphas, impurities = merged(theirs.cost_complexity_pruning_path(X, y))
    np.testing.assert_allclose(path.ccp_alphas, alphas, rtol=1e-9, atol=1e-13)
    np.testing.assert_allclose(path.impurities, impurities, rtol=1e-9, atol=1e-13)


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_ccp_alpha_gives_the_tree_of_scikit_learn(name):
    X, y = TABLES[name](return_X_y=True)
    path = both(name, min_samples_leaf=5)[0].cost_complexity_pruning_path(X, y)
    alphas = (path.ccp_alphas[1:] + path.ccp_alphas[:-1]) / 2
    for alpha in alphas[:: max(1, len(alphas) // 8)]:
        ours, theirs = (
            tree.fit(X, y)
            for tree in both(name, min_samples_leaf=5, ccp_alpha=float(alpha))
        )
        assert ours.get_n_leaves() == theirs.get_n_leaves()
        assert leaf_impurity(ours.tree_) == pytest.approx(
            leaf_impurity(theirs.tree_, theirs.tree_.weighted_n_node_samples)
        )


@pytest.mark.slow
@given(st.integers(0, 2**32 - 1), st.sampled_from(["gini", "entropy", "squared_error"]))
@settings(max_examples=40, deadline=None)
def test_path_of_random_tables_is_that_of_scikit_learn(seed, criterion):
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(60, 3)).astype(np.float32)
    weights = draw.integers(1, 4, 60).astype(float)
    name = "diabetes" if criterion == "squared_error" else "iris"
    y = draw.normal(size=60) if name == "diabetes" else draw.integers(0, 3, 60)
    # with 5 rows in a leaf ties between splits, where the trees may differ, are rare
    ours, theirs = both(name, criterion=criterion, min_samples_leaf=5)
    grown = ours.fit(X, y, weights).get_n_leaves()
    if grown != theirs.fit(X, y, weights).get_n_leaves():
        return
    path = ours.cost_complexity_pruning_path(X, y, weights)
    alphas, impurities = merged(theirs.cost_complexity_pruning_path(X, y, weights))
    np.testing.assert_allclose(path.ccp_alphas, alphas, rtol=1e-8, atol=1e-12)
    np.testing.assert_allclose(path.impurities, impurities, rtol=1e-8, atol=1e-12)


def test_fitting_a_path_leaves_the_estimator_alone():
    X, y = load_iris(return_X_y=True)
    tree = tw.CARTClassifier(ccp_alpha=0.1).fit(X, y)
    before = tree.fingerprint()
    tree.cost_complexity_pruning_path(X, y)
    assert tree.fingerprint() == before
    assert tree.ccp_alpha == 0.1
