"""Trees over intervals: growing, reading, keeping, asking."""

from __future__ import annotations

import json
import math
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score

import treewright as tw
from refusals import refused
from treewright import ID3Classifier, TreeClassifier
from treewright.data.encoding.encode import encode
from treewright.data.encoding.encode_rows import encode_rows
from treewright.discretize import into_intervals, read_plan
from treewright.errors import DataError

RANGES = {"infant": (0, 2), "toddler": (3, 5), "child": (6, 12)}
AGES = {"AGE": [0, 1, 2, 3, 4, 5, 6, 9, 12, 1, 4, 7]}
Y = ["a", "a", "a", "b", "b", "b", "c", "c", "c", "a", "b", "c"]


def named_tree(**parameters):
    return ID3Classifier(discretize={"AGE": RANGES}, **parameters).fit(AGES, Y)


def test_given_names_are_in_the_tree():
    assert named_tree().to_text("lecture") == (
        "AGE infant: a (4)\nAGE toddler: b (4)\nAGE child: c (4)"
    )


def test_learned_intervals_are_called_by_their_borders():
    tree = ID3Classifier(discretize="mdl").fit(AGES, Y)
    assert tree.to_text("lecture") == (
        "AGE <= 2.5: a (4)\nAGE in (2.5, 5.5]: b (4)\nAGE > 5.5: c (4)"
    )
    assert tree.explain({"AGE": 4}).startswith("AGE in (2.5, 5.5]\n")
    assert tree.explain({"AGE": 90}).startswith("AGE > 5.5\n")
    dot = tree.to_dot()
    assert "(2.5, 5.5]" in dot


def test_json_has_the_borders():
    [feature] = json.loads(ID3Classifier(discretize="mdl").fit(AGES, Y).to_json())[
        "features"
    ]
    assert feature["categories"] == ["<= 2.5", "(2.5, 5.5]", "> 5.5"]
    assert feature["intervals"] == {
        "borders": [2.5, 5.5],
        "codes": [0, 1, 2],
        "storage": "float64",
    }


def test_a_border_belongs_to_the_interval_below():
    tree = ID3Classifier(discretize={"AGE": [2, 5]}).fit(AGES, Y)
    asked = {"AGE": [2, math.nextafter(2, 3), 5, 5.0001, -1e300, 1e300]}
    assert tree.predict(asked).tolist() == ["a", "b", "b", "c", "a", "c"]


def test_a_range_takes_both_ends_and_the_lower_one_a_common_end():
    tree = ID3Classifier(discretize={"AGE": {"low": (0, 3), "high": (3, 12)}})
    tree.fit(AGES, ["l" if age <= 3 else "h" for age in AGES["AGE"]])
    assert tree.predict({"AGE": [0, 3, 3.1, 12]}).tolist() == ["l", "l", "h", "h"]


def test_value_in_no_range_is_unseen():
    tree = named_tree()
    asked = {"AGE": [1, 2.5, 13, -1, None]}
    assert tree.predict(asked).tolist() == ["a", "a", "a", "a", "a"]
    # 2.5, 13 and -1 stop at the root, where the three classes are equally frequent
    assert tree.apply(asked).tolist()[1:4] == [0, 0, 0]
    assert tree.notes_on(asked) == (
        "feature 'AGE': 3 rows in none of its intervals 'infant', 'toddler', 'child': "
        "-1.0, 2.5, 13.0",
    )
    assert "has a value that training never saw" in tree.explain({"AGE": 13})


def test_unseen_error_refuses_a_value_in_no_range():
    intervals, remedy = "'infant', 'toddler', 'child'", "unseen='missing'"
    with refused(DataError, "'AGE'", intervals, 13, "row 1", remedy):
        named_tree(unseen="error").predict({"AGE": [1, 13]})


def test_missing_stays_missing():
    table = {"AGE": [1, 2, None, None, 8, 9]}
    tree = ID3Classifier(discretize={"AGE": [5]}).fit(table, [0, 0, 1, 1, 2, 2])
    assert tree.to_text("lecture").splitlines()[-1] == "AGE is missing: 1 (2)"
    assert tree.predict({"AGE": [math.nan, 5, 5.5]}).tolist() == [1, 0, 2]
    with refused(DataError, "'x'", "row 1", "missing='error'"):
        ID3Classifier(discretize="mdl", missing="error").fit({"x": [1, None]}, [0, 1])


numbers = st.floats(allow_nan=False) | st.integers(-20, 20).map(float)
cells = st.one_of(numbers, st.none())
RULES = ["equal_width", "quartiles", "quantiles:3", "mdl", "cv", [-1.5, 0, 7]]


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES, ids=str)
@given(
    rows=st.lists(st.tuples(cells, st.integers(0, 2)), min_size=1, max_size=30),
    weighted=st.booleans(),
)
def test_training_rows_are_placed_alike_in_training_and_prediction(
    rule, rows, weighted
):
    x, y = (list(column) for column in zip(*rows, strict=True))
    table = {"x": np.array(x, float)}
    weights = np.arange(1, len(x) + 1) / 7 if weighted else None
    columns = encode(table, y, task="classes", sample_weight=weights)
    divided = into_intervals(columns, read_plan({"x": rule}))
    column = divided.features[0]
    codes = np.where(column.codes == column.n_codes, np.nan, column.codes)
    matrix, notes = encode_rows(table, divided.schema, unseen="error", missing="any")
    assert np.array_equal(matrix[:, 0], codes, equal_nan=True)
    assert notes == []
    assert len(set(divided.schema.features[0].categories)) == column.n_codes


@pytest.mark.parametrize(
    "values",
    [
        np.array([1, 5, 9, 30], np.int8),
        np.array([0.1, 0.5, 0.7, 3], np.float32),
        np.array([2**62, 2**62 + 1, 2**62 + 2, 2**62 + 9]),
        np.array([0, 1, 2**63, 2**64 - 1], np.uint64),
        pd.to_datetime(["2026-01-01", "2026-01-03", "2026-02-01", "2027-01-01"]),
        pd.to_timedelta([1, 5, 9, 90], unit="s"),
    ],
    ids=lambda values: str(values.dtype),
)
@pytest.mark.parametrize("rule", ["equal_width:3", "quantiles:3", "mdl"])
def test_all_storages_are_placed_alike_after_a_round_trip(values, rule, tmp_path):
    frame = pd.DataFrame({"x": values})
    tree = ID3Classifier(discretize=rule).fit(frame, [0, 0, 1, 1])
    tree.save(tmp_path / "x.tw")
    loaded = tw.load(tmp_path / "x.tw")
    assert loaded.fingerprint() == tree.fingerprint()
    own = tree.model_.schema.features[0]
    assert loaded.model_.schema.features[0].intervals == own.intervals
    assert own.intervals.storage == tree.model_.schema.features[0].as_numeric.storage
    assert loaded.apply(frame).tolist() == tree.apply(frame).tolist()
    counts = np.bincount(tree.apply(frame), minlength=tree.tree_.node_count)
    is_leaf = tree.tree_.feature < 0
    assert (counts == tree.tree_.n_rows)[is_leaf].all()


@pytest.mark.parametrize(
    "discretize",
    ["cv", {"AGE": RANGES}, {"AGE": [2, 5], None: "mdl"}, {"AGE": [("a", None, 99)]}],
    ids=str,
)
def test_parameter_is_kept_with_the_model(discretize, tmp_path):
    tree = ID3Classifier(discretize=discretize).fit(AGES, Y)
    tree.save(tmp_path / "x.tw")
    loaded = tw.load(tmp_path / "x.tw")
    again = clone(loaded).fit(AGES, Y)
    assert again.fingerprint() == tree.fingerprint()
    assert pickle.loads(pickle.dumps(tree)).fingerprint() == tree.fingerprint()
    assert clone(tree).get_params() == tree.get_params()


def test_fingerprint_tells_borders_apart():
    trees = [
        ID3Classifier(discretize={"AGE": {"low": (0, 2), "high": (high, 12)}})
        for high in (2.5, 3)
    ]
    y = ["l" if age <= 2 else "h" for age in AGES["AGE"]]
    one, other = (tree.fit(AGES, y) for tree in trees)
    assert one.to_text() == other.to_text()
    assert one.fingerprint() != other.fingerprint()


def test_columns_of_an_array_that_are_named_are_numbers():
    table = np.array([[0.5, 3], [1.5, 1], [2.5, 3], [3.5, 1]])
    tree = ID3Classifier(discretize={"x0": [2]}).fit(table, [0, 0, 1, 1])
    features = tree.model_.schema.features
    assert [feature.holds_numbers for feature in features] == [True, False]
    assert tree.predict(np.array([[9.0, 7]])).tolist() == [1]
    whole = ID3Classifier(discretize="mdl").fit(table, [0, 0, 1, 1])
    assert all(f.intervals is not None for f in whole.model_.schema.features)


def test_cart_divides_intervals_into_two_sets():
    x, y = list(range(60)), [0] * 20 + [1] * 20 + [0] * 20
    tree = TreeClassifier(discretize="mdl").fit({"x": x}, y)
    assert tree.score({"x": x}, y) == 1.0
    assert tree.explain({"x": 25}).startswith("x in {(19.5, 39.5]}\n")


def test_class_weights_count_in_the_entropy():
    # 1 of 12 is too rare for a cut; twelve times as heavy it is not
    x, y = list(range(12)), [0] * 11 + [1]
    plain = ID3Classifier(discretize="mdl").fit({"x": x}, y)
    heavy = ID3Classifier(discretize="mdl", class_weight={1: 12}).fit({"x": x}, y)
    assert plain.get_n_leaves() == 1
    assert heavy.get_n_leaves() == 2


def test_borders_are_learned_from_rows_that_count():
    x = [0, 1, 2, 3, 1000]
    weights = [1, 1, 1, 1, 0]
    tree = ID3Classifier(discretize="equal_width:3")
    tree.fit({"x": x}, [0, 0, 1, 1, 0], sample_weight=weights)
    assert tree.model_.schema.features[0].intervals.borders == (1, 2)


def test_order_of_the_rows_does_not_matter():
    rng = np.random.default_rng(5)
    x, y = rng.normal(size=200), rng.integers(0, 3, 200)
    w, order = rng.random(200), rng.permutation(200)
    for rule in ("equal_width", "quartiles", "mdl", "cv"):
        tree = ID3Classifier(discretize=rule)
        first = tree.fit({"x": x}, y, w).fingerprint()
        assert tree.fit({"x": x[order]}, y[order], w[order]).fingerprint() == first


def test_several_outputs_are_taken_together():
    x = {"x": list(range(24))}
    y = np.column_stack([[0] * 8 + [1] * 16, [0] * 16 + [1] * 8])
    tree = ID3Classifier(discretize="mdl").fit(x, y)
    assert tree.model_.schema.features[0].intervals.borders == (7.5, 15.5)
    assert (tree.predict(x) == y).all()


@pytest.mark.slow
def test_search_and_cross_validation_work():
    X, y = tw.datasets.cars()
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.normal(size=60), "b": rng.normal(size=60)})
    target = (frame["a"] > 0.3).to_numpy()
    grid = {"discretize": ["quartiles", "mdl", "cv", {"a": [0.3], "b": "equal_width"}]}
    search = GridSearchCV(ID3Classifier(), grid, cv=3).fit(frame, target)
    assert search.best_score_ == 1.0
    assert cross_val_score(ID3Classifier(discretize="mdl"), frame, target).mean() > 0.8
    assert ID3Classifier(discretize="mdl").fit(X, y).n_features_in_ == X.shape[1]
