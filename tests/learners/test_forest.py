"""Forests: the same for any number of threads, honest out-of-bag figures, bad input."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from sklearn.metrics import r2_score

import treewright as tw
from refusals import refused
from treewright.data.encoding.encode import encode
from treewright.errors import SettingError
from treewright.learners.dialects.c45 import C45
from treewright.learners.dialects.cart import CART, CART_NUMBERS
from treewright.learners.dialects.unpruned import UNPRUNED
from treewright.learners.forest.bags import Bagging, tree_keys
from treewright.learners.forest.forest import grow_forest
from treewright.learners.forest.forest_settings import ForestSettings

FEW = ForestSettings(n_estimators=7, random_state=5)


def table(n_rows: int = 300, *, missing: bool = False, numbers: bool = False):
    random = np.random.default_rng(3)
    X = random.normal(size=(n_rows, 5)).round(1)
    signal = X[:, 0] + X[:, 1] * X[:, 2] + random.normal(size=n_rows) / 2
    if missing:
        X[random.random(X.shape) < 0.1] = np.nan
    y = signal.round(2) if numbers else (signal > 0).astype(int)
    return encode(X, y, task="numbers" if numbers else "classes")


@pytest.mark.parametrize("numbers", [False, True])
def test_threads_and_crews_cannot_be_seen(monkeypatch, numbers):
    columns = table(numbers=numbers)
    dialect = CART_NUMBERS if numbers else CART
    wanted = grow_forest(columns, dialect, FEW, n_jobs=1).model
    for n_jobs, crew in [(2, 32), (3, 2), (1, 1)]:
        monkeypatch.setattr("treewright.learners.forest.forest.CREW_TREES", crew)
        found = grow_forest(columns, dialect, FEW, n_jobs=n_jobs).model
        assert found.fingerprint() == wanted.fingerprint()
        for one, other in zip(found.trees, wanted.trees, strict=True):
            for field in dataclasses.fields(one):
                if field.name != "surrogates":
                    np.testing.assert_array_equal(
                        getattr(one, field.name), getattr(other, field.name)
                    )


def test_a_smaller_forest_is_the_start_of_a_larger_one():
    columns = table()
    small = grow_forest(columns, CART, dataclasses.replace(FEW, n_estimators=3)).model
    large = grow_forest(columns, CART, FEW).model
    for one, other in zip(small.trees, large.trees[:3], strict=True):
        np.testing.assert_array_equal(one.threshold, other.threshold)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("missing", "dialect"),
    [
        ("majority", CART),
        ("own_branch", CART),
        ("most_common", CART),
        ("learned", CART),
        ("surrogates", CART),
        ("fractional", C45.change(**UNPRUNED)),
    ],
)
def test_out_of_bag_is_a_loop_over_the_trees_that_have_not_seen_a_row(missing, dialect):
    columns = table(80, missing=True)
    forest = grow_forest(columns, dialect.change(missing=missing), FEW, out_of_bag=True)
    assert forest.out_of_bag is not None
    bagging = FEW.bagging(columns)
    keys = tree_keys(FEW.random_state, range(FEW.n_estimators))
    bags = [bagging.counts(key) for key in keys]
    X = np.column_stack(
        [
            np.append(column.values.astype(float), np.nan)[column.codes]
            for column in columns.features
        ]
    )
    wrong, n_asked = 0, 0
    for row in range(columns.n_rows):
        said = [
            dataclasses.replace(forest.model, trees=(tree,)).predict_proba(
                X[row : row + 1]
            )[0]
            for tree, bag in zip(forest.model.trees, bags, strict=True)
            if bag[row] == 0
        ]
        assert len(said) == forest.out_of_bag.n_votes[row]
        if said:
            mean = np.mean(said, axis=0)
            np.testing.assert_allclose(forest.out_of_bag.answers[0][row], mean)
            n_asked += 1
            wrong += int(mean.argmax()) != columns.target[row, 0]
    assert forest.out_of_bag.error == pytest.approx(wrong / n_asked)
    assert forest.out_of_bag.curve[-1] == forest.out_of_bag.error


def test_out_of_bag_error_is_near_the_error_on_new_rows():
    random = np.random.default_rng(0)
    X = random.normal(size=(4000, 5))
    y = (X[:, 0] + X[:, 1] * X[:, 2] + random.normal(size=4000) / 2 > 0).astype(int)
    forest = tw.RandomForestClassifier(60, oob_score=True, random_state=0)
    forest.fit(X[:2000], y[:2000])
    # two standard errors of a difference of two shares near 0.15 of 2000 rows
    assert abs(1 - forest.score(X[2000:], y[2000:]) - forest.oob_error_) < 0.025
    assert forest.oob_curve_[0] > forest.oob_error_
    assert forest.oob_score_ == 1 - forest.oob_error_


def test_out_of_bag_of_numbers_is_r_squared():
    random = np.random.default_rng(1)
    X = random.normal(size=(600, 4))
    y = X[:, 0] * 3 + X[:, 1]
    forest = tw.RandomForestRegressor(40, oob_score=True, random_state=0).fit(X, y)
    said = forest.oob_prediction_
    known = ~np.isnan(said)
    residual = ((said - y)[known] ** 2).mean()
    assert forest.oob_error_ == pytest.approx(residual)
    assert forest.oob_score_ == pytest.approx(1 - residual / y[known].var())
    assert forest.oob_score_ > 0.8


def test_the_number_of_features_with_the_smaller_out_of_bag_error_is_kept():
    columns = table()
    settings = dataclasses.replace(FEW, max_features="oob", n_estimators=20)
    forest = grow_forest(columns, CART, settings)
    assert forest.tried.keys() == {1, 3}  # int(log2(5) + 1) = 3
    assert forest.n_features == min(forest.tried, key=forest.tried.__getitem__)
    alone = dataclasses.replace(settings, max_features=forest.n_features)
    same = grow_forest(columns, CART, alone, out_of_bag=True)
    assert same.model.fingerprint() == forest.model.fingerprint()
    assert same.out_of_bag.error == forest.tried[forest.n_features]


def test_features_are_chosen_by_rows_that_were_not_drawn():
    drawn = {"bootstrap": False, "max_samples": 0.5, "max_features": np.array([1, 2])}
    forest = grow_forest(table(), CART, dataclasses.replace(FEW, **drawn))
    assert forest.tried.keys() == {1, 2}


def test_limits_that_are_shares_are_shares_of_a_bag():
    small = dataclasses.replace(FEW, max_samples=0.1)
    for switch, value in [("min_weight_fraction_leaf", 0.2), ("min_samples_leaf", 0.2)]:
        model = grow_forest(table(), CART.change(**{switch: value}), small).model
        # 30 draws, at least 6 in a leaf
        assert max(tree.node_count for tree in model.trees) > 1
        for tree in model.trees:
            leaves = tree.kind == 0
            assert tree.weight[leaves].min() >= 6 or switch == "min_samples_leaf"


def test_answers_do_not_depend_on_the_rows_beside():
    random = np.random.default_rng(0)
    X = random.normal(size=(60, 4))
    X[::3, 0] = np.nan
    y = random.normal(size=60)
    for missing in ("majority", "fractional", "own_branch"):
        forest = tw.RandomForestRegressor(50, random_state=0, missing=missing).fit(X, y)
        together = forest.predict(X)
        alone = [forest.predict(X[row : row + 1])[0] for row in range(60)]
        np.testing.assert_array_equal(together, alone)


def test_out_of_bag_of_a_constant_target_and_of_one_row():
    same = tw.RandomForestRegressor(5, oob_score=True, random_state=0)
    same.fit(np.arange(30.0)[:, None], np.ones(30))
    assert same.oob_error_ == 0
    assert np.isnan(same.oob_score_)
    one = tw.RandomForestClassifier(3, oob_score=True).fit([[1.0]], ["a"])
    assert np.isnan(one.oob_error_)
    assert list(one.predict([[2.0]])) == ["a"]


def test_out_of_bag_r_squared_is_the_mean_over_the_outputs():
    random = np.random.default_rng(2)
    X = random.normal(size=(200, 3))
    y = np.column_stack([X[:, 0], 1000 * random.normal(size=200)])
    forest = tw.RandomForestRegressor(30, oob_score=True, random_state=0).fit(X, y)
    known = ~np.isnan(forest.oob_prediction_[:, 0])
    wanted = r2_score(y[known], forest.oob_prediction_[known])
    assert forest.oob_score_ == pytest.approx(wanted)


def test_bags_are_what_their_settings_say():
    key = tree_keys(0, range(1))[0]
    assert Bagging(10, 10, replace=True).counts(key).sum() == 10
    without = Bagging(10, 4, replace=False).counts(key)
    assert sorted(without) == [0] * 6 + [1] * 4
    classes = np.array([0] * 90 + [1] * 9 + [2])
    for replace in (True, False):
        drawn = Bagging(100, 50, replace=replace, classes=classes).counts(key)
        assert [int(drawn[classes == one].sum()) for one in range(3)] == [45, 5, 1]


def test_rows_are_drawn_evenly():
    bagging = Bagging(20, 20, replace=True)
    keys = tree_keys(9, range(2000))
    drawn = np.sum([bagging.counts(key) for key in keys], axis=0)
    # 40 000 draws of 20 rows: chi-square with 19 degrees of freedom, 43.8 at 0.001
    assert ((drawn - 2000.0) ** 2 / 2000).sum() < 43.8


@pytest.mark.parametrize(
    ("change", "names"),
    [
        ({"n_estimators": 0}, ["n_estimators", 0, 1]),
        ({"n_estimators": 2.5}, ["n_estimators", 2.5, 1]),
        ({"max_features": 6}, ["max_features", 6, None, 5]),
        ({"max_features": 0}, ["max_features", 0, 5]),
        ({"max_features": 1.5}, ["max_features", 1.5, 5]),
        ({"max_features": "half"}, ["max_features", "'half'", 5]),
        ({"max_features": [1, 9]}, ["max_features", [1, 9], 5]),
        ({"max_features": []}, ["max_features", [], 5]),
        (
            {"max_features": "oob", "bootstrap": False},
            ["max_features", "'oob'", "bootstrap=True"],
        ),
        ({"random_state": -1}, ["random_state", -1, 0]),
        ({"random_state": 1.5}, ["random_state", 1.5, 0]),
        ({"n_estimators": 10**12}, ["n_estimators", 10**12, "1,000,000"]),
        ({"max_samples": 0}, ["max_samples", 0, 300]),
        ({"max_samples": 301}, ["max_samples", 301, 300]),
        ({"max_samples": 1.2}, ["max_samples", 1.2, 300]),
        ({"max_samples": "all"}, ["max_samples", "'all'", 300]),
        (
            {"stratified": True, "max_samples": 1},
            ["stratified=True", "2 classes", "max_samples"],
        ),
        ({"bootstrap": 2}, ["bootstrap", 2, True, False]),
    ],
)
def test_bad_settings_are_refused_with_the_remedy(change, names):
    with refused(SettingError, *names):
        grow_forest(table(), CART, dataclasses.replace(FEW, **change))


def test_out_of_bag_needs_rows_out_of_the_bag():
    settings = dataclasses.replace(FEW, bootstrap=False)
    with refused(SettingError, "answer", "bootstrap=True", "max_samples"):
        grow_forest(table(), CART, settings, out_of_bag=True)


def test_stratified_numbers_are_refused():
    settings = dataclasses.replace(FEW, stratified=True)
    with refused(SettingError, "stratified=True", "target", "classes"):
        grow_forest(table(numbers=True), CART_NUMBERS, settings)
