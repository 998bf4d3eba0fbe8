"""Forests of weighted sums of features: answers, refusals, pictures."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import treewright as tw
from refusals import refused
from treewright.errors import DataError, SettingError
from treewright.render import to_dot, to_json, to_text
from treewright.tree.one_tree import one_tree
from treewright.tree.structure.combination import terms_of

RANDOM = np.random.default_rng(8)
TABLE = pd.DataFrame(
    RANDOM.normal(size=(200, 3)) * [1.0, 100.0, 0.01], columns=["len", "wid", "age"]
)
LABELS = np.where(TABLE["len"] + TABLE["wid"] / 100 > 0, "up", "down")


def forest(**settings):
    usual = {"n_estimators": 12, "combined_features": 2, "random_state": 5}
    return tw.RandomForestClassifier(**{**usual, **settings})


def oblique(n_rows, random):
    """Two classes beside a border that is not parallel to an axis."""
    y = random.integers(2, size=n_rows)
    X = random.multivariate_normal([0, 0], [[1, 0.9], [0.9, 1]], n_rows)
    return X + np.outer(2 * y - 1, [0.45, -0.45]), y


def test_error_beside_an_oblique_border_is_below_that_of_single_features():
    random = np.random.default_rng(0)
    X, y = oblique(500, random)
    new, answers = oblique(20_000, random)
    settings = {"n_estimators": 100, "max_features": 2, "random_state": 1}
    errors = [
        1
        - tw.RandomForestClassifier(combined_features=n, **settings)
        .fit(X, y)
        .score(new, answers)
        for n in (None, 2)
    ]
    assert errors[1] < 0.85 * errors[0]


def test_trees_do_not_depend_on_threads_or_on_other_trees():
    one = forest(n_jobs=1).fit(TABLE, LABELS)
    assert forest(n_jobs=3).fit(TABLE, LABELS).fingerprint() == one.fingerprint()
    fewer = forest(n_estimators=4).fit(TABLE, LABELS)
    assert fewer.add_trees(8).fingerprint() == one.fingerprint()
    assert forest(random_state=6).fit(TABLE, LABELS).fingerprint() != one.fingerprint()


def test_units_of_a_feature_do_not_matter():
    # powers of two: all products are rounded alike
    other = TABLE * [4.0, 1 / 1024, 2.0**40]
    found = [forest().fit(table, LABELS) for table in (TABLE, other)]
    np.testing.assert_array_equal(
        found[0].predict_proba(TABLE), found[1].predict_proba(other)
    )


def test_weights_are_uniform_over_standard_deviations():
    X = RANDOM.normal(size=(150, 6)) * 10.0 ** np.arange(6)
    y = RANDOM.integers(2, size=150)
    fitted = forest(
        n_estimators=150, combined_features=3, max_features=1, bootstrap=False
    ).fit(X, y)
    terms = [terms_of(tree) for tree in fitted.trees_]
    feature = np.concatenate([one.feature for one in terms])
    weight = np.concatenate([one.weight for one in terms]) * X.std(axis=0)[feature]
    assert len(weight) > 10_000
    assert np.abs(weight).max() <= 1 + 1e-9
    counts = np.histogram(weight, 20, (-1, 1))[0]
    expected = len(weight) / 20
    # 19 degrees of freedom, 43.8 at a level of 0.001
    assert ((counts - expected) ** 2 / expected).sum() < 43.8
    counts, expected = np.bincount(feature, minlength=6), len(feature) / 6
    # 5 degrees of freedom, 20.5 at a level of 0.001
    assert ((counts - expected) ** 2 / expected).sum() < 20.5
    for one in terms:
        pairs = np.stack([one.node, one.feature])
        assert np.unique(pairs, axis=1).shape == pairs.shape  # each once in a sum


def test_sums_have_no_more_features_than_there_are():
    fitted = forest(combined_features=900, max_features=30).fit(TABLE, LABELS)
    assert fitted.max_features_ == 30
    assert (np.bincount(terms_of(fitted.trees_[0]).node) <= 3).all()


def test_file_and_compact_forest_answer_alike(tmp_path):
    fitted = forest().fit(TABLE, LABELS)
    fitted.save(tmp_path / "sums.tw")
    expected = fitted.predict_proba(TABLE)
    again = tw.load(tmp_path / "sums.tw")
    np.testing.assert_array_equal(again.predict_proba(TABLE), expected)
    assert again.get_params()["combined_features"] == 2
    np.testing.assert_allclose(
        fitted.compact().predict_proba(TABLE), expected, atol=1e-12
    )


@pytest.mark.slow
def test_measures_are_those_of_permuted_tables():
    fitted = forest(n_estimators=30, oob_score=True).fit(TABLE, LABELS)
    fitted.measure()
    length, width, age = fitted.permutation_importances_
    assert min(length, width) > 10 * abs(age)
    np.testing.assert_allclose(fitted.feature_importances_.sum(), 1)
    assert fitted.feature_importances_[:2].min() > fitted.feature_importances_[2]
    distilled = fitted.distil(max_leaf_nodes=6)
    assert len(distilled.tree.model_.trees) == 1


def test_row_without_a_value_goes_down_the_heavier_branch():
    fitted = forest(n_estimators=1).fit(TABLE, LABELS)
    tree = fitted.trees_[0]
    end = fitted.apply(TABLE.iloc[:1] * np.nan).reshape(-1)[0]
    node = 0
    while tree.n_children[node]:
        node = max(tree.children(node), key=lambda one: tree.weight[one])
    assert end == node


@pytest.mark.parametrize(
    ("cells", "what"),
    [
        (["a", "b"] * 100, "nominal"),
        (TABLE["wid"].where(TABLE["wid"] > 0), "missing"),
        (np.inf, "infinite"),
        (2**60 + np.arange(200), "2^53"),
        (pd.date_range("2020", periods=200), "2^53"),
    ],
)
def test_features_that_cannot_be_added_up_are_refused(cells, what):
    with refused(DataError, "combined_features", "'wid'", what) as error:
        forest().fit(TABLE.assign(wid=cells), LABELS)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("settings", "names"),
    [
        ({"combined_features": 1}, ["combined_features", 1, None]),
        ({"combined_features": 2.5}, ["combined_features", 2.5]),
        ({"combined_features": True}, ["combined_features", True]),
        ({"combined_features": "3"}, ["combined_features", "'3'"]),
        ({"max_features": 1001}, ["max_features", 1001, 1000]),
        ({"missing": "surrogates"}, ["missing='surrogates'", "missing='error'"]),
        ({"dialect": "c45"}, ["missing='fractional'", "missing='error'"]),
    ],
)
def test_settings_that_do_not_fit_are_refused(settings, names):
    with refused(SettingError, *names):
        forest(**settings).fit(TABLE, LABELS)


def test_chalk_is_refused():
    fitted = forest().fit(TABLE, LABELS)
    with refused(SettingError, "chalk", "combined_features"):
        fitted.chalk(1)


@pytest.mark.slow
@pytest.mark.parametrize("scale", [1e-310, 1e-150, 1e150, 1e306])
def test_extreme_numbers_are_added_up(scale):
    fitted = forest(n_estimators=30).fit(TABLE[["len"]] * scale, LABELS)
    assert fitted.score(TABLE[["len"]] * scale, LABELS) > 0.9


def test_constant_features_and_rows_that_are_equal():
    still = TABLE.assign(age=4.0)
    for tree in forest().fit(still, LABELS).trees_:
        assert 2 not in terms_of(tree).feature
    same = forest().fit(np.ones((6, 2)), [0, 1, 0, 1, 0, 1])
    assert {tree.node_count for tree in same.trees_} == {1}


@pytest.mark.parametrize("dialect", ["c45", "j48"])
def test_other_dialects_of_trees(dialect):
    fitted = forest(dialect=dialect, missing="error", n_estimators=30)
    assert fitted.fit(TABLE, LABELS).score(TABLE, LABELS) > 0.9


def test_numbers_are_answered():
    y = TABLE["len"] - TABLE["wid"] / 50
    fitted = tw.RandomForestRegressor(
        30, combined_features=2, max_features=6, random_state=0
    )
    assert fitted.fit(TABLE, y).score(TABLE, y) > 0.95


def test_questions_are_named_by_their_terms():
    fitted = forest().fit(TABLE, LABELS)
    model = one_tree(fitted.model_, 1)
    terms = terms_of(model.trees[0])
    first, second = terms.feature[0], terms.feature[1]
    words = [
        f"{terms.weight[0]:.4g} {TABLE.columns[first]}",
        f"{abs(terms.weight[1]):.4g} {TABLE.columns[second]}",
    ]
    text = " - ".join(words) if terms.weight[1] < 0 else " + ".join(words)
    for listing in (to_text(model), to_dot(model)):
        assert text in listing
    (tree,) = json.loads(to_json(model))["trees"]
    own = zip(terms.feature[:2], terms.weight[:2], strict=True)
    assert tree["nodes"][0]["question"] == {
        "kind": "combination",
        "terms": [{"feature": TABLE.columns[one], "weight": by} for one, by in own],
        "threshold": model.trees[0].threshold[0],
    }
