"""What forests say of themselves: figures, keeping them, and asking in vain."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.exceptions import NotFittedError

import treewright as tw
from refusals import refused
from treewright.errors import DataError, SettingError

HOUSING = Path(__file__).parents[3] / "shared" / "data" / "boston-housing.csv"


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True)


@pytest.fixture
def forest(iris):
    return tw.RandomForestClassifier(40, random_state=0).fit(*iris)


def test_importances_rank_the_features_of_iris_as_others_do(forest):
    """ranger 0.14.1 (500 trees, mtry 2, permutation, seed 1) has 0.031, 0.006, 0.312
    and 0.296: petals, then sepal length, then sepal width.
    """
    assert forest.permutation_importances_[2:].min() > 0.2
    assert 0.015 < forest.permutation_importances_[0] < 0.07
    assert forest.permutation_importances_[1] < 0.02
    assert forest.class_importances_.shape == (4, 3)


@pytest.mark.skipif(not HOUSING.exists(), reason="needs ../shared/data")
def test_importances_of_numbers_are_about_those_of_another_program():
    """scikit-learn 1.9.1: 300 trees, max_features 4, min_samples_split 6, seed 1.

    Each tree's error on its out-of-bag rows, one column shuffled. ranger 0.14.1 has the
    same but for indus (8.1): it gives equal splits to the first column.
    """
    theirs = {"lstat": 58.7, "rm": 33.9, "nox": 9.7, "crim": 8.7, "indus": 5.7}
    theirs |= {"dis": 7.7, "ptratio": 6.6, "tax": 3.9, "age": 4.0, "b": 1.8}
    theirs |= {"rad": 1.5, "zn": 0.9, "chas": 0.8}
    table = pd.read_csv(HOUSING)
    X, y = table.iloc[:, :-1], table.iloc[:, -1]
    forest = tw.RandomForestRegressor(
        150, max_features=4, min_samples_split=6, random_state=0
    ).fit(X, y)
    for name, ours in zip(X.columns, forest.permutation_importances_, strict=True):
        assert ours == pytest.approx(theirs[name], rel=0.3, abs=0.6)


def test_a_number_that_explains_nothing_is_within_its_interval():
    random = np.random.default_rng(0)
    X, y = load_diabetes(return_X_y=True)
    X = np.column_stack([X, random.normal(size=len(X))])
    forest = tw.RandomForestRegressor(100, max_features=1 / 3, random_state=0).fit(X, y)
    measures = forest.measure()
    assert measures.low[2] > 1000  # body mass
    assert measures.low[10] < 150  # noise; a mean squared error of about 3400
    with refused(AttributeError, "strength_", "classes", "numbers"):
        _ = forest.strength_


def test_several_outputs_give_a_list(iris):
    X, y = iris
    forest = tw.RandomForestClassifier(20, random_state=0).fit(X, np.c_[y, y == 1])
    assert len(forest.strength_) == len(forest.correlation_) == 2
    assert [table.shape for table in forest.class_importances_] == [(4, 3), (4, 2)]


def test_figures_stay_with_file_pickle_and_copy(forest, tmp_path):
    wanted = forest.permutation_importances_
    forest.save(tmp_path / "iris.tw")
    for kept in (
        tw.load(tmp_path / "iris.tw"),
        pickle.loads(pickle.dumps(forest)),
        copy.deepcopy(forest),
    ):
        np.testing.assert_array_equal(kept.permutation_importances_, wanted)
        assert kept.error_bound_ == forest.error_bound_
        assert "strength" in kept.to_text()


def test_a_copy_keeps_what_a_pickle_does_not(iris):
    forest = tw.RandomForestClassifier(9, oob_score=True, random_state=0).fit(*iris)
    copied = copy.deepcopy(forest)
    assert copied.oob_error_ == forest.oob_error_
    assert copied.max_features_ == 2
    assert copied.strength_ == forest.strength_
    copied.fit(*iris).n_estimators = 3
    assert forest.n_estimators == 9


def test_a_loaded_forest_is_measured_with_its_training_table(iris, forest, tmp_path):
    X, y = iris
    forest.save(tmp_path / "bare.tw")
    loaded = tw.load(tmp_path / "bare.tw")
    assert "share of what the splits gain" in loaded.to_text()
    with refused(AttributeError, "strength_", "measure(X, y)"):
        _ = loaded.strength_
    measures = loaded.measure(X, y)
    np.testing.assert_array_equal(measures.importances, forest.measure().importances)
    assert loaded.strength_ == forest.strength_
    assert "accuracy lost out of bag" in loaded.to_text()


@pytest.mark.parametrize("missing", ["majority", "most_common", "own_branch"])
def test_so_is_one_with_weights_and_missing_values(iris, missing, tmp_path):
    X, y = iris
    X = X.copy()
    X[::9, 2] = np.nan
    weights = np.linspace(0.5, 2, len(y))
    forest = tw.RandomForestClassifier(
        8, missing=missing, class_weight="balanced", random_state=3
    ).fit(X, y, weights)
    forest.save(tmp_path / "weighted.tw")
    loaded = tw.load(tmp_path / "weighted.tw")
    found = loaded.measure(X, y, weights)
    np.testing.assert_array_equal(found.importances, forest.measure().importances)


def test_another_table_is_not_taken_for_the_training_table(iris, forest, tmp_path):
    X, y = iris
    forest.save(tmp_path / "bare.tw")
    loaded = tw.load(tmp_path / "bare.tw")
    weights = np.linspace(1, 2, len(y))
    for names, other in (
        (["150 rows"], (X[::-1], y[::-1])),
        (["150 rows"], (X, np.roll(y, 1))),
        (["target", "classes"], (X[:100], y[:100])),
        (["149 rows"], (X[:149], y[:149])),
        (["150 rows"], (X, y, weights)),
        (["'x0'", "nominal"], ([[str(cell) for cell in row] for row in X], y)),
    ):
        with refused(DataError, "forest", "training", *names):
            loaded.measure(*other)
    numbers = tw.RandomForestRegressor(5, random_state=0).fit(X, y + X[:, 0])
    numbers.save(tmp_path / "numbers.tw")
    loaded = tw.load(tmp_path / "numbers.tw")
    with refused(DataError, "forest", "training", "150 rows"):
        loaded.measure(X, (y + X[:, 0])[::-1])
    loaded.measure(X, y + X[:, 0])


def test_asking_in_vain_is_one_clear_line(iris, forest):
    X, y = iris
    with refused(SettingError, "X", "without", "y"):
        forest.measure(X)
    with pytest.raises(NotFittedError):
        tw.RandomForestClassifier().measure()
    with pytest.raises(NotFittedError):
        _ = tw.RandomForestClassifier().strength_
    seen = tw.RandomForestClassifier(3, bootstrap=False, random_state=0).fit(X, y)
    with refused(SettingError, "bootstrap=True", "max_samples"):
        seen.measure()
    with refused(AttributeError, "permutation_importances_", "bootstrap=True"):
        _ = seen.permutation_importances_


def test_rows_that_are_in_every_bag_are_left_out():
    forest = tw.RandomForestClassifier(1, random_state=0).fit([[1], [2]], ["a", "b"])
    measures = forest.measure()
    assert measures.importances.shape == (1,)
    assert np.isnan(measures.standard_errors).all()
    assert "nan" not in forest.to_text()
