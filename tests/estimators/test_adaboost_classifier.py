"""AdaBoost as an estimator: answers, stages, keeping, refusing."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.model_selection import GridSearchCV, cross_val_score

import treewright as tw
from refusals import refused
from treewright.errors import DataError, SettingError


def test_stages_lead_to_the_answers():
    X, y = load_wine(return_X_y=True)
    model = tw.AdaBoostClassifier(12).fit(X, y)
    *_, labels = model.staged_predict(X)
    np.testing.assert_array_equal(labels, model.predict(X))
    *_, shares = model.staged_predict_proba(X)
    np.testing.assert_array_equal(shares, model.predict_proba(X))
    weights = np.arange(len(y)) + 1.0
    scores = list(model.staged_score(X, y, weights))
    assert len(scores) == len(model.trees_) == 12
    assert scores[-1] == model.score(X, y, weights)
    assert scores[-1] > scores[0]


def test_shares_are_shares_of_the_votes():
    X, y = load_iris(return_X_y=True)
    model = tw.AdaBoostClassifier(7).fit(X, y)
    nodes = model.apply(X)
    wanted = np.zeros((len(y), 3))
    for tree, weight, ends in zip(
        model.trees_, model.estimator_weights_, nodes.T, strict=True
    ):
        wanted += weight * np.eye(3)[tree.label[ends, 0]]
    wanted /= model.estimator_weights_.sum()
    np.testing.assert_allclose(model.predict_proba(X), wanted, atol=1e-12)


def mixed_table():
    """Return a date, a category and a number, with holes, and two classes."""
    random = np.random.default_rng(0)
    n_rows = 200
    day = random.integers(0, 900, n_rows)
    colour = random.choice(np.array(["red", "green", None], object), n_rows)
    size = random.normal(size=n_rows)
    y = np.where((day > 400) & (colour != "red") | (size > 1), "b", "a")
    size[::6] = np.nan
    return {"day": day, "colour": colour, "size": size}, y


@pytest.mark.slow
@pytest.mark.parametrize("dialect", ["cart", "c45", "j48", "rpart"])
def test_nominal_columns_missing_values_and_dates(dialect):
    table, y = mixed_table()
    depth = 2 if dialect == "cart" else None
    model = tw.AdaBoostClassifier(15, dialect=dialect, max_depth=depth).fit(table, y)
    assert len(model.trees_) > 1
    assert model.score(table, y) > 0.85
    # a date has a table of cuts, which the trees share; a number has none
    dated = {**table, "day": np.datetime64("2020-01-01") + table["day"]}
    other = tw.AdaBoostClassifier(15, dialect=dialect, max_depth=depth).fit(dated, y)
    np.testing.assert_allclose(other.estimator_errors_, model.estimator_errors_)
    np.testing.assert_array_equal(other.predict(dated), model.predict(table))


@pytest.mark.parametrize(
    "model",
    [
        tw.AdaBoostClassifier(5),
        tw.AdaBoostClassifier(5, boosting="m1", dialect="c45", learning_rate=0.5),
        tw.AdaBoostClassifier(4, by="resampling", random_state=3, max_depth=2),
        tw.AdaBoostClassifier(4, dialect="id3", max_depth=2),
    ],
)
def test_a_file_gives_the_model_back(tmp_path, model):
    X, y = tw.datasets.tennis()
    model.set_params(random_state=3).fit(X, y).save(tmp_path / "boosted.tw")
    again = tw.load(tmp_path / "boosted.tw")
    assert repr(again) == repr(model)
    assert again.fingerprint() == model.fingerprint()
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    np.testing.assert_array_equal(again.estimator_weights_, model.estimator_weights_)
    assert again.fit(X, y).fingerprint() == model.fingerprint()
    pickled = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(pickled.predict(X), model.predict(X))
    np.testing.assert_array_equal(pickled.estimator_errors_, model.estimator_errors_)


def test_errors_of_a_file_are_not_known(tmp_path):
    X, y = tw.datasets.tennis()
    tw.AdaBoostClassifier(3).fit(X, y).save(tmp_path / "boosted.tw")
    with refused(AttributeError, "estimator_errors_", "fit"):
        _ = tw.load(tmp_path / "boosted.tw").estimator_errors_


@pytest.mark.slow
def test_pruned_trees_are_grown_to_the_end_and_boosted():
    X, y = load_wine(return_X_y=True)
    single = cross_val_score(tw.C45Classifier(dialect="j48"), X, y).mean()
    model = tw.AdaBoostClassifier(15, dialect="j48")
    assert cross_val_score(model, X, y).mean() > single
    assert max(tree.depth for tree in model.fit(X, y).trees_) > 2


def test_importances_count_trees_as_they_vote():
    X, y = load_iris(return_X_y=True)
    model = tw.AdaBoostClassifier(10).fit(X, y)
    used = np.array([tree.feature[0] for tree in model.trees_])
    wanted = np.bincount(used, weights=model.estimator_weights_, minlength=4)
    wanted /= wanted.sum()
    np.testing.assert_allclose(model.feature_importances_, wanted)


def test_text_says_how_trees_vote():
    data = load_iris(as_frame=True)
    text = tw.AdaBoostClassifier(20).fit(data.data, data.target).to_text()
    assert text.startswith("20 trees of cart for target; the answer is the class with")
    assert "petal width (cm)" in text


@pytest.mark.slow
def test_it_works_in_searches():
    X, y = load_iris(return_X_y=True)
    search = GridSearchCV(
        tw.AdaBoostClassifier(10), {"max_depth": [1, 2], "learning_rate": [0.5, 1]}
    )
    assert search.fit(X, y).best_score_ > 0.9
    assert cross_val_score(tw.AdaBoostClassifier(20), X, y).mean() > 0.9


def test_a_row_of_weight_two_is_a_row_twice():
    X, y = load_iris(return_X_y=True)
    twice = np.arange(len(y)) % 4 == 0
    X[:, 0] += np.arange(len(y)) * 1e-3
    weighed = tw.AdaBoostClassifier(8).fit(X, y, 1.0 + twice)
    repeated = tw.AdaBoostClassifier(8).fit(
        np.vstack([X, X[twice]]), np.hstack([y, y[twice]])
    )
    np.testing.assert_allclose(
        weighed.estimator_errors_, repeated.estimator_errors_, rtol=1e-9
    )


@pytest.mark.parametrize(
    ("parameter", "value", "allowed"),
    [
        ("boosting", "samme.r", "'samme', 'm1', 'c50'"),
        ("by", "luck", "'weights', 'resampling'"),
        ("n_estimators", 0, 1),
        ("n_estimators", 2.5, 1),
        ("n_estimators", 10**7, "1,000,000"),
        ("learning_rate", 0, 1e-06),
        ("learning_rate", float("nan"), 1e-06),
        ("learning_rate", "fast", 1e-06),
        ("learning_rate", 1e308, 1e-06),
        ("learning_rate", 1e-320, 1e-06),
        ("random_state", -1, 0),
        ("dialect", "c6", "'c50'"),
    ],
)
def test_bad_parameters_are_one_clear_line(parameter, value, allowed):
    X, y = load_iris(return_X_y=True)
    with refused(SettingError, parameter, repr(value), allowed):
        tw.AdaBoostClassifier(**{parameter: value}).fit(X, y)


def test_targets_that_cannot_be_boosted_are_refused():
    X, y = load_iris(return_X_y=True)
    with refused(DataError, "target", "2 columns", "AdaBoost"):
        tw.AdaBoostClassifier().fit(X, np.column_stack([y, y]))
