"""What a forest says of single rows is by the rows as they were given to it."""

import copy

import numpy as np
import pytest

import treewright as tw
from refusals import refused
from treewright.errors import TreewrightError


@pytest.fixture
def table():
    random = np.random.default_rng(0)
    X = random.normal(size=(90, 4))
    y = (X[:, 0] + 0.5 * random.normal(size=90) > 0).astype(float)
    return X, y


@pytest.fixture(params=["weight 0", "no target", "next to no weight"])
def pair(request, table):
    """A forest of some rows of a table, the forest of these rows alone, and which."""
    X, y = table
    used = np.arange(90) % 3 != 1
    light = 1e-300 if request.param == "next to no weight" else 0.0
    weight = np.where(used, 1.0, light) if request.param != "no target" else None
    target = np.where(used, y, np.nan) if request.param == "no target" else y
    made = tw.RandomForestClassifier(
        30, random_state=0, oob_score=True, drop_missing_target=True
    )
    alone = tw.RandomForestClassifier(30, random_state=0, oob_score=True)
    return made.fit(X, target, weight), alone.fit(X[used], y[used]), used


def test_out_of_bag_answers_are_by_the_rows_as_given(pair):
    forest, alone, used = pair
    answers = forest.oob_decision_function_
    assert answers.shape == (90, 2)
    assert np.isnan(answers[~used]).all()
    assert np.array_equal(answers[used], alone.oob_decision_function_, equal_nan=True)


def test_out_of_bag_numbers_are_by_the_rows_as_given(table):
    X, y = table
    weight = np.arange(90) % 2
    forest = tw.RandomForestRegressor(30, random_state=0, oob_score=True)
    said = forest.fit(X, y, weight).oob_prediction_
    alone = forest.fit(X[weight > 0], y[weight > 0]).oob_prediction_
    assert np.isnan(said[weight == 0]).all()
    assert np.array_equal(said[weight > 0], alone, equal_nan=True)


@pytest.mark.parametrize("out_of_bag", [False, True])
def test_proximities_are_by_the_rows_as_given(pair, out_of_bag):
    forest, alone, used = pair
    shares = forest.proximities(out_of_bag=out_of_bag)
    assert shares.shape == (90, 90)
    assert np.isnan(shares[~used]).all()
    assert np.isnan(shares[:, ~used]).all()
    others = alone.proximities(out_of_bag=out_of_bag)
    assert np.array_equal(shares[np.ix_(used, used)], others, equal_nan=True)


def test_neighbours_are_numbers_of_the_rows_as_given(pair):
    forest, alone, used = pair
    near, others = forest.proximities(neighbours=5), alone.proximities(neighbours=5)
    assert (near.rows[~used] == -1).all()
    assert (near.proximities[~used] == 0).all()
    numbers = np.append(np.flatnonzero(used), -1)  # the last for "no row"
    assert np.array_equal(near.rows[used], numbers[others.rows])
    assert np.array_equal(near.proximities[used], others.proximities)


def test_outliers_and_prototypes_are_of_the_rows_as_given(pair, table):
    forest, alone, used = pair
    measures = forest.outliers()
    assert np.isnan(measures[~used]).all()
    assert np.array_equal(measures[used], alone.outliers())
    numbers = np.flatnonzero(used)
    for one, other in zip(forest.prototypes(), alone.prototypes(), strict=True):
        assert one.row == numbers[other.row]
        assert np.array_equal(one.members, numbers[other.members])
        assert (table[1][one.members] == one.label).all()


def test_a_loaded_forest_says_what_to_do_and_that_works(table, tmp_path):
    X, y = table
    weight = np.arange(90) % 3
    forest = tw.ExtraTreesClassifier(10, random_state=0).fit(X, y, weight)
    forest.save(tmp_path / "forest.tw")
    for ask, names in [
        (lambda it: it.proximities(), ["proximities", "proximities(X)"]),
        (
            lambda it: it.proximities(out_of_bag=True),
            ["proximities", "ask_out_of_bag(X, y)"],
        ),
        (lambda it: it.outliers(), ["outliers", "X=..."]),
        (lambda it: it.prototypes(), ["prototypes", "X=..."]),
        (lambda it: it.measure(), ["measure", "measure(X, y)"]),
        (lambda it: it.add_trees(1), ["add_trees", "X=..."]),
    ]:
        with refused(TreewrightError, *names):
            ask(tw.load(tmp_path / "forest.tw"))
    loaded = tw.load(tmp_path / "forest.tw")
    found = loaded.outliers(X=X, y=y, sample_weight=weight)
    assert np.array_equal(found, forest.outliers(), equal_nan=True)
    [first, _] = tw.load(tmp_path / "forest.tw").prototypes(None, X, y, weight)
    assert first.row == forest.prototypes()[0].row


def test_class_weights_do_not_count_in_the_out_of_bag_error():
    random = np.random.default_rng(0)
    X = random.normal(size=(300, 3))
    y = (X[:, 0] + random.normal(size=300) > 1.5).astype(int)
    given = random.integers(1, 4, 300).astype(float)
    for weights in (None, given):
        forest = tw.RandomForestClassifier(
            30, random_state=0, oob_score=True, class_weight="balanced"
        ).fit(X, y, sample_weight=weights)
        wrong = forest.oob_decision_function_.argmax(axis=1) != y
        error = np.average(wrong, weights=weights)
        assert forest.oob_error_ == pytest.approx(error)
        assert forest.oob_score_ == pytest.approx(1 - error)
        assert forest.measure().error == pytest.approx(error)
        again = copy.deepcopy(forest).ask_out_of_bag(X, y, weights)
        assert again.oob_error_ == pytest.approx(error)


def test_rows_of_a_class_of_weight_0_are_left_out_of_the_answers():
    random = np.random.default_rng(1)
    X = random.normal(size=(90, 3))
    y = np.arange(90) % 3
    forest = tw.RandomForestClassifier(
        20, random_state=0, oob_score=True, class_weight={0: 1, 1: 2, 2: 0}
    ).fit(X, y)
    shares = forest.oob_decision_function_
    assert len(shares) == 90
    assert np.isnan(shares[y == 2]).all()
    assert np.isfinite(shares[y != 2]).all()
