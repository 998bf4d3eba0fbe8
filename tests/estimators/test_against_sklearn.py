"""CART beside scikit-learn's trees: the same to the last bit where no tie decides."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import datasets
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn_twin import Score, compare

from treewright import CARTClassifier, CARTRegressor

VARIANTS = [
    {},
    {"min_samples_leaf": 5},
    {"min_samples_leaf": 0.05},
    {"max_depth": 4},
    {"min_samples_split": 20},
    {"max_leaf_nodes": 8},
    {"min_impurity_decrease": 0.01},
    {"min_weight_fraction_leaf": 0.02},
]
CLASS_TABLES = ["iris", "wine", "breast_cancer", "digits"]


def table(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return a table of scikit-learn's, in the float32 that its trees work with."""
    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    return X.astype(np.float32), y


def row_weights(n_rows: int) -> np.ndarray:
    """Return weights that are binary fractions: no sum of them is rounded."""
    return np.random.default_rng(0).integers(256, 1024, n_rows) / 512


def assert_twins(ours, theirs, X, y, w=None, rows=None):
    """Fit both and compare; `rows` are the weights of the comparison if not w."""
    ours.fit(X, y, sample_weight=w)
    theirs.fit(X, y, sample_weight=w)
    found = compare(ours, theirs, X, y, w if rows is None else rows)
    assert found.same > 0
    if not found.forks:
        assert ours.tree_.node_count == theirs.tree_.node_count
        assert ours.get_depth() == theirs.get_depth()
    return found


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("name", CLASS_TABLES)
def test_classifier_grows_the_same_tree(name, criterion, variant):
    X, y = table(name)
    options = {"criterion": criterion, **variant}
    theirs = DecisionTreeClassifier(random_state=0, **options)
    assert_twins(CARTClassifier(**options), theirs, X, y)


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("name", CLASS_TABLES)
def test_classifier_with_row_weights_grows_the_same_tree(name, criterion, variant):
    """Weights that are all different leave no ties between different rows."""
    X, y = table(name)
    options = {"criterion": criterion, **variant}
    theirs = DecisionTreeClassifier(random_state=0, **options)
    w = row_weights(len(X))
    assert assert_twins(CARTClassifier(**options), theirs, X, y, w).forks == 0


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
def test_regressor_grows_the_same_tree(criterion, variant, weighted):
    X, y = table("diabetes")
    options = {"criterion": criterion, **variant}
    theirs = DecisionTreeRegressor(random_state=0, **options)
    w = row_weights(len(X)) if weighted else None
    assert_twins(CARTRegressor(**options), theirs, X, y, w)


def test_class_weights_grow_the_same_tree():
    X, y = table("breast_cancer")
    options = {"class_weight": {0: 2.0, 1: 0.5}, "min_samples_leaf": 4}
    theirs = DecisionTreeClassifier(random_state=0, **options)
    w = row_weights(len(X))
    rows = w * np.array([2.0, 0.5])[y]
    assert_twins(CARTClassifier(**options), theirs, X, y, w, rows=rows)


def test_balanced_class_weights_predict_the_same():
    """Not the same tree: scikit-learn's sums are rounded, so pure nodes look impure."""
    X, y = table("breast_cancer")
    options = {"class_weight": "balanced", "min_samples_leaf": 4}
    theirs = DecisionTreeClassifier(random_state=0, **options)
    ours, w = CARTClassifier(**options), row_weights(len(X))
    np.testing.assert_allclose(
        ours.fit(X, y, w).predict_proba(X), theirs.fit(X, y, w).predict_proba(X)
    )


@pytest.mark.parametrize("variant", VARIANTS[:4], ids=str)
def test_several_class_outputs_grow_the_same_tree(variant):
    X, y = table("wine")
    both = np.column_stack([y, X[:, 0] > 13])
    ours, theirs = CARTClassifier(**variant), DecisionTreeClassifier(**variant)
    w = row_weights(len(X))
    assert_twins(ours, theirs.set_params(random_state=0), X, both, w)
    for mine, other in zip(ours.predict_proba(X), theirs.predict_proba(X), strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-12)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


@pytest.mark.parametrize("variant", VARIANTS[1:4], ids=str)
def test_several_number_outputs_grow_the_same_tree(variant):
    X, y = table("diabetes")
    both = np.column_stack([y, X[:, 2] * 1000])
    ours, theirs = CARTRegressor(**variant), DecisionTreeRegressor(**variant)
    assert_twins(ours, theirs.set_params(random_state=0), X, both, row_weights(len(X)))
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("name", ["iris", "wine"])
def test_no_other_cut_gains_more(name, criterion):
    """What the comparison leaves open where it forks: every split is the best one."""
    X, y = table(name)
    tree = CARTClassifier(criterion=criterion).fit(X, y).tree_
    score = Score(y[:, None], np.ones(len(X)), criterion)
    stack = [(0, np.arange(len(X)))]
    while stack:
        node, rows = stack.pop()
        if tree.feature[node] < 0:
            continue
        gains = [
            score.gain(rows, column <= value)
            for column in X[rows].T
            for value in np.unique(column)[:-1]
        ]
        assert tree.gain[node] == pytest.approx(max(gains), abs=1e-9)
        left = X[rows, tree.feature[node]] <= tree.threshold[node]
        stack += list(zip(tree.children(node), [rows[left], rows[~left]], strict=True))


def test_methods_answer_as_scikit_learn_s():
    X, y = table("breast_cancer")
    w = row_weights(len(X))
    ours = CARTClassifier(min_samples_leaf=5).fit(X, y, w)
    theirs = DecisionTreeClassifier(min_samples_leaf=5, random_state=0).fit(X, y, w)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X))
    np.testing.assert_allclose(
        ours.feature_importances_, theirs.feature_importances_, rtol=1e-9
    )
    assert ours.score(X, y) == theirs.score(X, y)
    assert ours.get_n_leaves() == theirs.get_n_leaves()
    path, twin_path = ours.decision_path(X), theirs.decision_path(X)
    assert path.shape == twin_path.shape
    np.testing.assert_array_equal(path.sum(axis=1), twin_path.sum(axis=1))
    np.testing.assert_array_equal(
        path[np.arange(len(X)), ours.apply(X)], np.ones((1, len(X)))
    )
