"""The forests as estimators: answers, keeping, showing."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.model_selection import cross_val_score

import treewright as tw
from refusals import refused
from treewright.errors import SettingError
from treewright.tree.predict import vote


def test_answers_are_the_mean_over_the_trees():
    X, y = load_iris(return_X_y=True)
    X[::7, 2] = np.nan
    forest = tw.RandomForestClassifier(9, random_state=0, probabilities="laplace")
    model = forest.fit(X, y).model_
    one_by_one = vote.probabilities(
        model.schema.target, model.trees, model.ends(X), smoothing=model.smoothing
    )[0]
    np.testing.assert_allclose(forest.predict_proba(X), one_by_one, rtol=0)
    assert list(forest.predict(X)) == list(forest.classes_[one_by_one.argmax(axis=1)])


def test_rows_that_trees_divide_get_the_same_answer_as_from_the_trees():
    X, y = load_iris(return_X_y=True)
    X[::5, 3] = np.nan
    model = tw.RandomForestClassifier(6, dialect="c45", random_state=1).fit(X, y).model_
    one_by_one = vote.probabilities(model.schema.target, model.trees, model.ends(X))[0]
    np.testing.assert_allclose(model.predict_proba(X), one_by_one, rtol=0)


def test_numbers_are_the_mean_over_the_trees():
    X, y = load_diabetes(return_X_y=True)
    forest = tw.RandomForestRegressor(9, random_state=0).fit(X, y)
    model = forest.model_
    wanted = vote.predicted_numbers(model.trees, model.ends(X))
    np.testing.assert_allclose(forest.predict(X), wanted, rtol=0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ours", "theirs", "data"),
    [
        (tw.RandomForestClassifier, RandomForestClassifier, load_breast_cancer),
        (tw.RandomForestRegressor, RandomForestRegressor, load_diabetes),
    ],
)
def test_as_good_as_another_implementation(ours, theirs, data):
    X, y = data(return_X_y=True)
    kwargs = {"max_features": 1 / 3} if theirs is RandomForestRegressor else {}
    score = cross_val_score(ours(60, random_state=0), X, y, cv=5).mean()
    wanted = cross_val_score(theirs(60, random_state=0, **kwargs), X, y, cv=5).mean()
    assert abs(score - wanted) < 0.03


@pytest.mark.slow
@pytest.mark.parametrize(
    "forest",
    [
        tw.RandomForestClassifier(5, random_state=3),
        tw.RandomForestClassifier(
            5, dialect="id3", max_features=[1, 2], random_state=3, max_depth=2
        ),
        tw.RandomForestClassifier(
            4, dialect="rpart", max_features=None, bootstrap=False, random_state=0
        ),
        tw.RandomForestClassifier(3, stratified=True, max_samples=0.7, random_state=1),
    ],
)
def test_a_file_gives_the_forest_back(tmp_path, forest):
    X, y = tw.datasets.tennis()
    forest.fit(X, y).save(tmp_path / "forest.tw")
    again = tw.load(tmp_path / "forest.tw")
    assert repr(again) == repr(forest)
    assert again.fingerprint() == forest.fingerprint()
    np.testing.assert_array_equal(again.predict_proba(X), forest.predict_proba(X))
    assert again.fit(X, y).fingerprint() == forest.fingerprint()
    pickled = pickle.loads(pickle.dumps(forest))
    np.testing.assert_array_equal(pickled.predict(X), forest.predict(X))


def test_a_seed_of_its_own_is_kept_with_the_model():
    X, y = load_iris(return_X_y=True)
    forest = tw.RandomForestClassifier(3).fit(X, y)
    seed = forest.model_.settings["random_state"]
    again = tw.RandomForestClassifier(3, random_state=seed).fit(X, y)
    assert again.fingerprint() == forest.fingerprint()
    other = tw.RandomForestClassifier(3).fit(X, y)
    assert other.fingerprint() != forest.fingerprint()


def test_out_of_bag_figures_say_when_they_are_not_there(tmp_path):
    X, y = load_iris(return_X_y=True)
    forest = tw.RandomForestClassifier(3).fit(X, y)
    with refused(AttributeError, "oob_error_", "oob_score=True"):
        _ = forest.oob_error_
    with refused(AttributeError, "oob_error_", "oob_score=True"):
        _ = pickle.loads(pickle.dumps(forest)).oob_error_
    forest.save(tmp_path / "forest.tw")
    with refused(AttributeError, "oob_error_", "file", "ask_out_of_bag(X, y)"):
        _ = tw.load(tmp_path / "forest.tw").oob_error_


def test_a_forest_is_shown_in_figures():
    data = load_iris(as_frame=True)
    forest = tw.RandomForestClassifier(20, random_state=0).fit(data.data, data.target)
    text = forest.to_text()
    assert text.startswith(
        "20 trees of cart for target; the answer is their mean share"
    )
    assert "petal width (cm)" in text
    assert forest.feature_importances_.sum() == pytest.approx(1)
    assert forest.feature_importances_[2:].sum() > 0.7


def test_the_seed_may_come_from_a_generator():
    X, y = load_iris(return_X_y=True)
    for seed in (np.random.RandomState(0), np.random.default_rng(0), np.int64(3)):
        forest = tw.RandomForestClassifier(2, random_state=seed).fit(X, y)
        assert forest.model_.settings["random_state"] >= 0
    with refused(SettingError, "oob_score", "'yes'"):
        tw.RandomForestClassifier(2, oob_score="yes").fit(X, y)
