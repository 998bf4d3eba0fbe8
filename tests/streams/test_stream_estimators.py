"""The estimators of streams: what comes up on the way, and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest
from made_streams import made_rows
from sklearn.exceptions import NotFittedError

import treewright as tw
from refusals import refused
from treewright.errors import DataError, SettingError, TreewrightError
from treewright.learners.streams.checkpoint import checkpoint_bytes

SMALL = {"grace_period": 20, "delta": 0.1}


# ---- what comes up on the way ----


def test_a_category_that_comes_up_late_gets_a_branch_of_its_own():
    tree = tw.HoeffdingTreeClassifier(**SMALL, leaf_prediction="majority")
    rows = [{"f": "ab"[k % 2]} for k in range(100)]
    tree.partial_fit(rows, ["no yes".split()[k % 2] for k in range(100)])
    assert tree.get_n_leaves() == 2
    # unseen: the row stops at the question, whose rows are half and half
    assert tree.predict_proba([{"f": "c"}]).tolist() == [[0.5, 0.5]]
    tree.partial_fit([{"f": "c"}], ["yes"])
    assert tree.get_n_leaves() == 3
    assert tree.predict([{"f": "c"}]).tolist() == ["yes"]
    assert tree.tree_.n_rows.tolist() == [101, 40, 40, 1]


def test_a_class_may_come_up_at_any_row():
    tree = tw.HoeffdingTreeClassifier(leaf_prediction="majority")
    assert tree.prequential({"x": [1.0, 2.0]}, ["b", "b"]).tolist() == [None, "b"]
    tree.partial_fit({"x": [3.0, 3.0, 3.0]}, ["a", "a", "a"])
    assert tree.classes_.tolist() == ["a", "b"]
    assert tree.predict_proba({"x": [0.0]}).tolist() == [[0.6, 0.4]]


def test_a_kind_is_found_when_the_first_value_comes():
    tree = tw.HoeffdingTreeClassifier()
    tree.partial_fit([{"x": None, "f": None}], ["no"])
    assert "all values are missing so far" in tree.notes_[0]
    tree.partial_fit([{"x": 1.5, "f": "red"}], ["yes"])
    kinds = [feature.kind for feature in tree.model_.schema.features]
    assert kinds == ["numeric", "nominal"]


def test_more_categories_than_are_told_apart_count_as_missing():
    names = [f"id {k}" for k in range(50)]
    tree = tw.HoeffdingTreeClassifier(max_categories=10).fit({"f": names}, ["no"] * 50)
    assert len(tree.model_.schema.features[0].categories) == 10
    assert "10 categories are told apart" in tree.notes_[0]
    one_by_one = tw.HoeffdingTreeClassifier(max_categories=10)
    for name in names:
        one_by_one.partial_fit([{"f": name}], ["no"])
    assert checkpoint_bytes(one_by_one._learner) == checkpoint_bytes(tree._learner)


def test_classes_may_be_named_beforehand():
    tree = tw.HoeffdingTreeClassifier()
    tree.partial_fit([[1.0]], ["b"], classes=["a", "b", "c"])
    assert tree.classes_.tolist() == ["a", "b", "c"]
    with refused(DataError, "classes", "'d'"):
        tree.partial_fit([[1.0]], ["b"], classes=["a", "d"])


def test_a_row_of_weight_zero_is_as_if_it_were_not_there():
    rows, labels = made_rows(100, 2)
    some = np.random.default_rng(0).random(100) < 0.5
    weighed = tw.HoeffdingTreeClassifier(**SMALL)
    weighed.partial_fit(rows, labels, sample_weight=np.where(some, 1.0, 0.0))
    kept = [k for k in range(100) if some[k]]
    without = tw.HoeffdingTreeClassifier(**SMALL)
    without.partial_fit([rows[k] for k in kept], [labels[k] for k in kept])
    assert checkpoint_bytes(weighed._learner) == checkpoint_bytes(without._learner)


def test_rows_without_a_target_are_left_out_if_asked_for():
    tree = tw.HoeffdingTreeClassifier(drop_missing_target=True)
    said = tree.prequential({"x": [1.0, 2.0, 3.0]}, ["a", None, "a"])
    assert said.tolist() == [None, None, "a"]
    assert tree.n_rows_ == 2


def test_infinite_and_huge_numbers_are_compared_but_not_summed():
    x = [*np.arange(100.0), math.inf, -math.inf, 1e300]
    y = [*("no" if k < 50 else "yes" for k in range(100)), "yes", "no", "yes"]
    tree = tw.HoeffdingTreeClassifier(**SMALL).fit({"x": x}, y)
    assert tree.predict({"x": [math.inf, -math.inf, 1e300]}).tolist() == y[-3:]
    assert np.isfinite(tree.predict_proba({"x": x})).all()


# ---- what is refused, and leaves everything as it was ----

# the first name is that of the column
REFUSED = {
    "text for numbers": (
        {"x": ["a"], "f": ["red"]},
        ["'x'", "numbers", "'a'", "row 0", "feature_kinds={'x': 'nominal'}"],
    ),
    "numbers for text": ({"x": [1.0], "f": [3]}, ["'f'", "categories", 3, "row 0"]),
    "a column lacks": ({"x": [1.0]}, ["'f'", "lacks", "1 column"]),
    "a column is new": (
        {"x": [1.0], "f": ["red"], "g": [1]},
        ["'g'", "lacked", "1 column"],
    ),
    "another column": ({"x": [1.0], "g": ["red"]}, ["'f'", "lacks", "'g'", "lacked"]),
    "truth for text": ({"x": [1.0], "f": [True]}, ["'f'", "text", True, "row 0"]),
    "dates": (
        {"x": np.array(["2024-01-01"], "datetime64[D]"), "f": ["red"]},
        ["'x'", "datetime64[D]"],
    ),
    "huge whole numbers": (
        {"x": [2**60 + 1], "f": ["red"]},
        ["'x'", "2^53", "float64"],
    ),
    "an object": ({"x": [1.0], "f": [object()]}, ["'f'", "object", "row 0"]),
}


@pytest.mark.parametrize("fault", REFUSED)
@pytest.mark.parametrize("after", [False, True])
def test_a_bad_batch_leaves_the_model_exactly_as_it_was(fault, after):
    tree = tw.HoeffdingTreeClassifier()
    tree.partial_fit({"x": [1.0, 2.0], "f": ["red", "blue"]}, ["no", "yes"])
    before = checkpoint_bytes(tree._learner)
    bad, names = REFUSED[fault]
    labels = ["new"]
    if after and len(bad) == 2 and {*bad} == {"x", "f"}:
        # good rows, with a new category and class, before the bad one
        bad = {n: ["green" if n == "f" else 5.0, *c] for n, c in bad.items()}
        names = [names[0], "row 1"]
        labels = ["newer", "new"]
    with refused(TreewrightError, *names):
        tree.partial_fit(bad, labels)
    assert checkpoint_bytes(tree._learner) == before
    tree.partial_fit({"x": [3.0], "f": ["green"]}, ["no"])
    assert tree.n_rows_ == 3


def test_classes_of_another_kind_are_refused():
    tree = tw.HoeffdingTreeClassifier().fit({"x": [1.0, 2.0]}, ["no", "yes"])
    with refused(DataError, "'target'", "text", 1, "row 1"):
        tree.partial_fit({"x": [1.0, 2.0]}, np.array(["no", 1], object))
    assert tree.n_rows_ == 2


def test_a_first_batch_that_is_refused_leaves_nothing():
    tree = tw.HoeffdingTreeClassifier()
    with pytest.raises(DataError):
        tree.partial_fit({"x": [1.0, 2.0]}, ["no", None])
    with refused(NotFittedError, "HoeffdingTreeClassifier", "'fit'"):
        tree.predict({"x": [1.0]})


@pytest.mark.parametrize(
    ("switches", "names"),
    [
        ({"delta": 0.0}, ["delta", 0.0]),
        ({"tau": -1}, ["tau", -1]),
        ({"grace_period": 0}, ["grace_period", 0]),
        ({"leaf_prediction": "nb"}, ["leaf_prediction", "'nb'"]),
        ({"criterion": "squared_error"}, ["criterion", "'squared_error'"]),
        ({"max_bytes": 5}, ["max_bytes", 5]),
        ({"feature_kinds": {"x": "ordinal"}}, ["'x'", "'ordinal'", "'nominal'"]),
        ({"feature_kinds": {"z": "nominal"}}, ["feature_kinds", "'z'", "'x'"]),
    ],
)
def test_switches_out_of_range_are_refused(switches, names):
    with refused(SettingError, *names):
        tw.HoeffdingTreeClassifier(**switches).fit({"x": [1.0]}, ["no"])


def test_numbers_that_cannot_be_squared_are_refused():
    with refused(DataError, "'target'", 1e200, "row 0", "square"):
        tw.HoeffdingTreeRegressor().fit({"x": [1.0]}, [1e200])
