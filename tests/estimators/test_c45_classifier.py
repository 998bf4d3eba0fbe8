"""C45Classifier: its dialects, its switches, and the figures of Quinlan's book."""

from __future__ import annotations

import dataclasses
import inspect
import pickle

import numpy as np
import pytest
from sklearn.base import clone

import treewright as tw
from refusals import refused
from treewright.errors import SettingError
from treewright.estimators.parts.settings import checked_dialect
from treewright.grow.dialect import Dialect
from treewright.learners.dialects.c45 import C45, J48, LECTURE

DIALECTS = {"c45": C45, "j48": J48, "lecture": LECTURE}

# Quinlan (1993), table 2-1
OUTLOOK = ["sunny"] * 5 + ["overcast"] * 4 + ["rain"] * 5
TEMPERATURE = [75, 80, 85, 72, 69, 72, 83, 64, 81, 71, 65, 75, 68, 70]
HUMIDITY = [70, 90, 85, 95, 70, 90, 78, 65, 75, 80, 70, 80, 80, 96]
WINDY = ["t", "t", "f", "f", "f", "t", "f", "t", "f", "t", "t", "f", "f", "f"]
GOLF = {
    "outlook": OUTLOOK,
    "temperature": TEMPERATURE,
    "humidity": HUMIDITY,
    "windy": WINDY,
}
PLAY = ["Play", *["Don't"] * 3, *["Play"] * 5, "Don't", "Don't", *["Play"] * 3]


@pytest.fixture(scope="module")
def noisy():
    """Return a table whose full tree has learned noise."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 4))
    y = np.where(x[:, 0] + rng.normal(size=200) > 0, "up", "down")
    return x, y


def test_gain_with_one_outlook_unknown():
    # 13/14 x (0.961 - 0.747) = 0.199; the unknown row is an outcome of its own
    outlook = [*OUTLOOK[:5], None, *OUTLOOK[6:]]
    assert tw.information_gain(PLAY, outlook) == pytest.approx(0.199, abs=5e-4)
    assert tw.intrinsic_value(outlook) == pytest.approx(1.809, abs=5e-4)
    assert tw.gain_ratio(PLAY, outlook) == pytest.approx(0.110, abs=5e-4)
    tree = tw.C45Classifier(pruning=None, collapse=None)
    assert tree.fit({"outlook": outlook}, PLAY).tree_.gain[0] == pytest.approx(
        0.199, abs=5e-4
    )


def test_weather_gains_and_ratios():
    X, y = tw.datasets.tennis()
    names = ["Outlook", "Humidity", "Wind", "Temperature"]
    gains = [tw.information_gain(y, X[name]) for name in names]
    ratios = [tw.gain_ratio(y, X[name]) for name in names]
    assert np.round(gains, 4).tolist() == [0.2467, 0.1518, 0.0481, 0.0292]
    assert np.round(np.mean(gains), 4) == 0.1190
    assert np.round(ratios, 4).tolist() == [0.1564, 0.1518, 0.0488, 0.0188]


@pytest.mark.parametrize(
    ("splits", "threshold"), [(None, 75.0), ("midpoint", 77.5), ("lower_value", 70.0)]
)
def test_threshold_of_the_sunny_days(splits, threshold):
    # humidity 70 70 | 85 90 95; 75 is the largest of all values below the midpoint
    tree = tw.C45Classifier(numeric_splits=splits).fit(GOLF, PLAY).tree_
    cuts = tree.threshold[~np.isnan(tree.threshold)]
    assert cuts.tolist() == [threshold]


def test_tree_of_the_book():
    assert tw.C45Classifier().fit(GOLF, PLAY).to_text("lecture").splitlines() == [
        "outlook overcast: Play (4)",
        "outlook rain",
        "| windy f: Play (3)",
        "| windy t: Don't (2)",
        "outlook sunny",
        "| humidity <= 75: Play (2)",
        "| humidity > 75: Don't (3)",
    ]


@pytest.mark.parametrize("name", DIALECTS)
def test_parameters_that_are_none_are_as_the_dialect_says(name):
    assert checked_dialect(tw.C45Classifier(dialect=name)) == DIALECTS[name]


def test_unknown_dialect_is_refused(noisy):
    with refused(SettingError, "dialect", "'c5'", "'lecture'"):
        tw.C45Classifier(dialect="c5").fit(*noisy)


def test_none_in_words_switches_off():
    tree = tw.C45Classifier(
        pruning=None, collapse=None, gain_guard=None, threshold_cost=None
    )
    dialect = checked_dialect(tree)
    assert dialect == C45.change(
        pruning=None, collapse=None, gain_guard=None, threshold_cost=None
    )


def test_guard_goes_with_the_ratio_only():
    assert checked_dialect(tw.C45Classifier(criterion="entropy")).gain_guard is None


def test_binary_splits_ask_for_one_value():
    tree = tw.C45Classifier(dialect="j48", binary_splits=True, pruning=None)
    text = tree.fit(GOLF, PLAY).to_text("lecture")
    assert text.splitlines()[0] == "outlook = overcast: Play (4)"
    assert set(tree.tree_.n_children.tolist()) == {0, 2}


def test_binary_splits_and_nominal_splits_must_agree():
    tree = tw.C45Classifier(binary_splits=True, nominal_splits="multiway")
    with refused(SettingError, "binary_splits=True", "nominal_splits", "'multiway'"):
        tree.fit(GOLF, PLAY)
    with refused(SettingError, "binary_splits", "'yes'", True):
        tw.C45Classifier(binary_splits="yes").fit(GOLF, PLAY)


def test_smaller_confidence_prunes_more(noisy):
    lecture = tw.C45Classifier(dialect="lecture")
    sizes = [lecture.fit(*noisy).get_n_leaves()]
    for level in (0.45, 0.25, 0.01):
        lecture.set_params(pruning="error_based", confidence=level)
        sizes.append(lecture.fit(*noisy).get_n_leaves())
    assert sizes[0] > sizes[1] >= sizes[2] > sizes[3]


@pytest.mark.parametrize("owner", [tw.TreeClassifier, tw.C45Classifier])
def test_switches_can_be_set_on_their_own(owner):
    switches = {field.name for field in dataclasses.fields(Dialect)} - {"name"}
    lacks = switches - set(inspect.signature(owner).parameters)
    of_cart = {"cp", "complexity_by", "weakest_links", "n_folds"}
    of_cart |= {"alpha_choice", "alpha_rule", "max_surrogates", "discount_missing"}
    of_cart |= {"surrogate_sets"}
    assert lacks == (of_cart if owner is tw.C45Classifier else set())


@pytest.mark.slow
@pytest.mark.parametrize("name", DIALECTS)
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"pruning": None, "collapse": None},
        {"confidence": 0.1, "subtree_raising": False, "min_samples_leaf": 5},
        {"probabilities": "m_estimate", "prior_weight": 4.0},
        {"cost_matrix": {"up": {"down": 3.0}}, "costs_in_growing": True},
    ],
)
def test_saved_model_comes_back(noisy, tmp_path, name, settings):
    X, y = noisy
    X = np.where(np.random.default_rng(1).random(X.shape) < 0.1, np.nan, X)
    tree = tw.C45Classifier(dialect=name, **settings).fit(X, y)
    tree.save(tmp_path / "tree.tw")
    back = tw.load(tmp_path / "tree.tw")
    assert type(back) is tw.C45Classifier
    assert checked_dialect(back) == checked_dialect(tree)
    assert np.array_equal(back.predict(X), tree.predict(X))
    assert np.array_equal(back.predict_proba(X), tree.predict_proba(X))
    assert back.fingerprint() == tree.fingerprint()
    assert clone(back).fit(X, y).fingerprint() == tree.fingerprint()
    assert pickle.loads(pickle.dumps(tree)).fingerprint() == tree.fingerprint()


def test_loaded_parameters_are_those_that_were_set(noisy, tmp_path):
    tree = tw.C45Classifier(dialect="j48", pruning=None, confidence=0.1)
    tree.fit(*noisy).save(tmp_path / "tree.tw")
    assert tw.load(tmp_path / "tree.tw").get_params() == tree.get_params()


def test_several_outputs_need_a_tree_that_is_not_pruned(noisy):
    X, y = noisy
    both = np.stack([y, y[::-1]], axis=1)
    with refused(SettingError, "pruning='error_based'", 2, "pruning='reduced_error'"):
        tw.C45Classifier().fit(X, both)
    assert tw.C45Classifier(dialect="lecture").fit(X, both).predict(X).shape == (200, 2)


def test_divided_row_is_explained_in_shares():
    tree = tw.C45Classifier().fit(GOLF, PLAY)
    row = {"outlook": None, "temperature": 70, "humidity": 90, "windy": "f"}
    lines = tree.explain(row).splitlines()
    assert lines[0] == "outlook is missing: goes down all branches, in shares"
    shares = [line.split(" %:")[0].strip() for line in lines[1:-1]]
    assert shares == ["28.6", "35.7", "35.7"]  # 4/14 overcast, 5/14 rain, 5/14 sunny
    assert lines[-1] == "→ target Play (the mean over the parts; 64.3 % of this class)"


@pytest.mark.parametrize(
    ("column", "nominal_splits"),
    [([1.0] * 8 + [None] * 8, "multiway"), (["u"] * 8 + [None] * 8, "subset")],
)
def test_whether_a_value_is_known_can_be_the_best_question(column, nominal_splits):
    tree = tw.TreeClassifier(
        criterion="gain_ratio", nominal_splits=nominal_splits, missing="own_branch"
    )
    tree.fit({"x": column}, ["a"] * 8 + ["b"] * 8)
    assert tree.get_n_leaves() == 2


def test_release_8_asks_about_a_feature_that_gains_nothing():
    # neither feature tells anything alone, both together tell all
    X = {"a": list("nnyynnyy"), "b": list("nynynyny")}
    y = list("pqqppqqp")
    whole = {"pruning": None, "collapse": None}
    assert tw.C45Classifier(**whole).fit(X, y).score(X, y) == 1.0
    for settings in ({"zero_gain": False}, {"dialect": "j48"}):
        alone = tw.C45Classifier(**whole, **settings).fit(X, y)
        assert alone.tree_.node_count == 1
