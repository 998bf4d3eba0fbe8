"""Extra trees: what is drawn, and what comes of it."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor
from sklearn.model_selection import cross_val_score

import treewright as tw
from refusals import refused
from treewright.errors import SettingError
from treewright.tree.structure.tree import NodeKind


def stumps(X, y, n_trees):
    """Return the features and thresholds of trees with one split."""
    forest = tw.ExtraTreesClassifier(
        n_trees, max_depth=1, max_features=1, random_state=4
    ).fit(X, y)
    roots = [tree for tree in forest.trees_ if tree.node_count > 1]
    return (
        np.array([tree.feature[0] for tree in roots]),
        np.array([tree.threshold[0] for tree in roots]),
    )


def chi_square(counts):
    expected = np.sum(counts) / len(counts)
    return float(np.sum((counts - expected) ** 2) / expected)


def test_thresholds_are_uniform_between_the_least_and_the_largest_value():
    # nearly all rows lie below 1, and still every tenth of the range is as likely:
    # chi-square with 9 degrees of freedom, 27.9 at a level of 0.001
    X = np.append(np.linspace(0, 1, 99), 10.0)[:, None]
    y = np.arange(100) % 2
    _, threshold = stumps(X, y, 2000)
    assert len(threshold) == 2000
    assert (threshold >= 0).all() and (threshold < 10).all()
    assert len(np.unique(threshold)) == 2000
    assert chi_square(np.histogram(threshold, 10, (0, 10))[0]) < 27.9


def test_features_are_uniform_and_constant_ones_do_not_count():
    # 5 features of which one is constant: 3 degrees of freedom, 16.3 at 0.001
    random = np.random.default_rng(0)
    X = random.normal(size=(50, 5))
    X[:, 2] = 1.0
    feature, _ = stumps(X, random.integers(2, size=50), 2000)
    assert len(feature) == 2000
    counts = np.bincount(feature, minlength=5)
    assert counts[2] == 0
    assert chi_square(np.delete(counts, 2)) < 16.3


@pytest.mark.slow
def test_sets_of_values_are_uniform():
    # any set of 4 values that parts them, 14, with any of the two others, 4: 55 degrees
    # of freedom, 93.2 at 0.001
    letters = pl.Series("letter", list("abcd") * 5, pl.Enum(list("abcdef")))
    forest = tw.ExtraTreesClassifier(4000, max_depth=1, random_state=1)
    forest.fit(letters.to_frame(), [f"{row % 3}" for row in range(20)])
    assert {int(tree.kind[0]) for tree in forest.trees_} == {NodeKind.SUBSET}
    sets = [str(tree.set_codes.tolist()) for tree in forest.trees_]
    found, counts = np.unique(sets, return_counts=True)
    assert len(found) == 56
    assert chi_square(counts) < 93.2


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_trees_do_not_depend_on_threads_or_on_each_other(n_jobs):
    X, y = load_breast_cancer(return_X_y=True)
    one = tw.ExtraTreesClassifier(7, random_state=3, n_jobs=n_jobs).fit(X, y)
    other = tw.ExtraTreesClassifier(4, random_state=3).fit(X, y)
    for tree, same in zip(one.trees_, other.trees_, strict=False):
        np.testing.assert_array_equal(tree.threshold, same.threshold)
        np.testing.assert_array_equal(tree.feature, same.feature)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ours", "theirs", "data", "least"),
    [
        (tw.ExtraTreesClassifier, ExtraTreesClassifier, load_breast_cancer, 0.95),
        (tw.ExtraTreesRegressor, ExtraTreesRegressor, load_diabetes, 0.4),
    ],
)
def test_as_good_as_scikit_learn(ours, theirs, data, least):
    X, y = data(return_X_y=True)
    own = cross_val_score(ours(50, random_state=0), X, y).mean()
    other = cross_val_score(theirs(50, random_state=0), X, y).mean()
    assert own > least
    assert own == pytest.approx(other, abs=0.03)


def test_infinite_and_far_numbers_are_cut():
    X = np.array([[-np.inf], [-1e308], [0.0], [1e308], [np.inf]])
    forest = tw.ExtraTreesRegressor(30, random_state=0)
    forest.fit(X, [1.0, 2.0, 3.0, 4.0, 5.0])
    for tree in forest.trees_:
        assert np.isfinite(tree.threshold[tree.n_children > 0]).all()
    np.testing.assert_allclose(forest.predict(X), [1, 2, 3, 4, 5])


def test_large_integers_are_cut_exactly():
    X = np.array([[2**62], [2**62 + 1], [2**62 + 2], [2**62 + 3]])
    forest = tw.ExtraTreesClassifier(20, random_state=0).fit(X, list("abcd"))
    assert forest.predict(X).tolist() == list("abcd")


def test_a_saved_forest_comes_back(tmp_path):
    X, y = tw.datasets.cars()
    forest = tw.ExtraTreesClassifier(5, dialect="rpart", random_state=2).fit(X, y)
    forest.save(tmp_path / "extra.tw")
    again = tw.load(tmp_path / "extra.tw")
    assert isinstance(again, tw.ExtraTreesClassifier)
    assert again.get_params()["random_state"] == 2
    assert again.get_params()["bootstrap"] is False
    before = forest.predict_proba(X)
    np.testing.assert_array_equal(again.predict_proba(X), before)
    np.testing.assert_array_equal(again.fit(X, y).predict_proba(X), before)


@pytest.mark.parametrize("missing", ["most_common_in_node", "most_common_in_class"])
def test_rules_that_need_a_value_at_the_node_are_refused(missing):
    forest = tw.ExtraTreesClassifier(3, missing=missing)
    with refused(SettingError, f"missing={missing!r}", "'most_common'"):
        forest.fit([[1.0], [2.0]], ["a", "b"])


def test_out_of_bag_needs_rows_left_out():
    with refused(SettingError, "bootstrap=True", "max_samples"):
        tw.ExtraTreesClassifier(3, oob_score=True).fit([[1.0], [2.0]], ["a", "b"])
