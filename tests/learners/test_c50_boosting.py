"""C5.0's boosting: what is published about it, and the figures of the program."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

import treewright as tw
from conformance import datasets
from refusals import refused
from treewright.errors import SettingError
from treewright.learners.boosting.c50_boosting import C50Boosting, _moved
from treewright.prune.cost_complexity.weakest_links import with_fewer_leaves

needs_data = pytest.mark.skipif(
    not (datasets.DATA / "datasets.json").is_file(),
    reason="the shared data sets are not there",
)


def test_wrong_weight_moves_half_way_to_one_half():
    weights = np.array([1.0, 2.0, 0.5, 1.5, 1.0])
    wrong = np.array([True, False, True, False, False])
    error = 1.5 / 6
    moved = _moved(weights, np.ones(5), wrong, error)
    assert moved.sum() == pytest.approx(5)  # of the rows that there are
    scaled = moved * 6 / 5
    assert scaled[wrong].sum() / 6 == pytest.approx((error + 0.5) / 2)
    gained = scaled[wrong] - weights[wrong]
    assert gained[0] == pytest.approx(gained[1])
    kept = scaled[~wrong] / weights[~wrong]
    assert kept == pytest.approx(kept[0])


def test_a_lost_row_weighs_nothing():
    first = np.array([1.0, 0.0, 1.0, 1.0])
    wrong = np.array([True, True, False, False])
    moved = _moved(np.ones(4), first, wrong, 0.5)
    assert moved[1] == 0
    assert moved.sum() == pytest.approx(3)


def test_a_row_is_lost_if_no_later_tree_can_win_it():
    class Rows:
        class columns:  # noqa: N801
            target = np.array([[0], [0], [1]])

    boosting = C50Boosting(Rows, 10)
    tally = np.array([[1.0, 3.5], [1.0, 2.9], [2.0, 1.0]])
    assert boosting._can_win(tally, 2).tolist() == [False, True, True]
    assert boosting._can_win(tally, 3).tolist() == [True, True, True]


def test_later_trees_have_no_more_than_a_tenth_more_leaves():
    X, y = load_breast_cancer(return_X_y=True)
    model = tw.AdaBoostClassifier(10, boosting="c50").fit(X, y)
    leaves = [tree.n_leaves for tree in model.trees_]
    assert len(leaves) == 10
    assert max(leaves) <= math.ceil(1.1 * leaves[0])
    assert model.to_text().splitlines()[0].endswith("surest votes")


def test_cutting_keeps_the_tree_it_was_cut_from():
    X, y = load_wine(return_X_y=True)
    tree = tw.CARTClassifier().fit(X, y).model_.trees[0]
    assert with_fewer_leaves(tree, tree.n_leaves) is tree
    before = tree.n_leaves
    for most in range(before - 1, 0, -1):
        cut = with_fewer_leaves(tree, most)
        assert 1 <= cut.n_leaves <= most
        assert cut.n_leaves <= before
        before = cut.n_leaves


def test_fewer_than_three_trees_are_one():
    X, y = [[1], [2], [3], [4]] * 4, [0, 0, 1, 1] * 4
    model = tw.AdaBoostClassifier(10, boosting="c50").fit(X, y)
    assert len(model.trees_) == 1
    assert "the first stands alone" in model.notes_[-1]
    assert model.score(X, y) == 1


def test_other_ways_do_not_go_with_it():
    X, y = load_iris(return_X_y=True)
    for name, value in {"by": "resampling", "learning_rate": 0.5}.items():
        with refused(SettingError, name, "boosting='c50'"):
            tw.AdaBoostClassifier(boosting="c50", **{name: value}).fit(X, y)


def test_a_file_gives_it_back(tmp_path):
    X, y = load_iris(return_X_y=True)
    model = tw.AdaBoostClassifier(6, boosting="c50", random_state=0).fit(X, y)
    model.save(tmp_path / "m.tw")
    again = tw.load(tmp_path / "m.tw")
    assert again.get_params()["boosting"] == "c50"
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert again.fit(X, y).fingerprint() == model.fingerprint()


def cross_validated_errors(name, **parameters):
    data = datasets.load(name)
    answers, n_wrong = data.target.cast(str).to_numpy(), 0
    for fold in range(10):
        train, test = (np.flatnonzero((data.folds == fold) == side) for side in (0, 1))
        model = tw.AdaBoostClassifier(10, **parameters)
        model.fit(data.inputs[train], data.target[train])
        n_wrong += int((model.predict(data.inputs[test]) != answers[test]).sum())
    return n_wrong


# what R's C50 and Weka count is in the collection: iris 11 and 10 of 150, ...
@pytest.mark.slow
@needs_data
@pytest.mark.parametrize("name", ["iris", "wine", "labor"])
def test_errors_are_near_those_of_the_programs(name):
    recorded = datasets.recorded_results()[name]
    ours = cross_validated_errors(name, boosting="c50")
    assert abs(ours - recorded["c50"]["boost10_cv_errors"]) <= 3
    ours = cross_validated_errors(name, boosting="m1", dialect="j48")
    assert abs(ours - recorded["adaboostm1_j48"]["cv_errors"]) <= 3
