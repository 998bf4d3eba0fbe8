"""Data: what looks bad and is good enough to learn from."""

from __future__ import annotations

import datetime as dt
import json
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from treewright import CARTClassifier, CARTRegressor, ID3Classifier, load

X = [[1.0], [2.0], [3.0], [4.0]]
Y = ["a", "a", "b", "b"]
NEVER_USED = "feature 'n': all values are missing, so it is never used"

SINGLE_LEAF = {
    "row03-one-row": ([[1.0]], ["a"], "pure"),
    "row03-one-class": (X, ["a"] * 4, "pure"),
    "row03-one-value": ([[7]] * 4, Y, "no feature separates the rows"),
    "row07-two-zeros": ([[0.0], [-0.0]], [0, 1], "no feature separates the rows"),
    "row29-constant-column": ([[7]] * 4, Y, "no feature separates the rows"),
}


@pytest.mark.parametrize("case", SINGLE_LEAF)
def test_single_leaf_says_why(case):
    table, y, why = SINGLE_LEAF[case]
    tree = CARTClassifier().fit(table, y)
    assert tree.get_n_leaves() == 1
    assert tree.notes_ == (f"the tree is a single leaf: {why}",)
    assert tree.predict(table).tolist() == [min(y)] * len(y)


def test_row03_one_column():
    assert CARTClassifier().fit(X, Y).predict(X).tolist() == Y


@pytest.mark.parametrize(
    ("missing", "answer"), [("majority", "a"), ("own_branch", "b")]
)
def test_row04_missing_values_follow_the_rule(missing, answer):
    # x <= 1.5 parts 2 of the 3 known rows; the row without a value is a b
    table = [[1], [1], [2], [np.nan]]
    tree = CARTClassifier(missing=missing).fit(table, Y)
    assert tree.predict([[np.nan]]).tolist() == [answer]


@pytest.mark.parametrize("cells", [[None] * 4, [np.nan] * 4], ids=["none", "nan"])
@pytest.mark.parametrize("estimator", [CARTClassifier, ID3Classifier])
def test_row05_column_without_values_changes_nothing(estimator, cells):
    table = {"x": ["u", "u", "v", "w"]}
    kinds = {"n": "nominal"}
    tree = estimator(feature_kinds=kinds).fit({**table, "n": cells}, Y)
    assert NEVER_USED in tree.notes_
    assert tree.to_text() == estimator().fit(table, Y).to_text()
    assert tree.feature_importances_.tolist() == [1.0, 0.0]


PAIRS = {
    "row06-both-infinite": (-np.inf, np.inf),
    "row06-minus-infinity": (-np.inf, 1.0),
    "row06-infinity": (1.0, np.inf),
    "row06-largest": (np.finfo(float).max, np.inf),
    "row07-huge": (-1e300, 1e300),
    "row07-huge-sum": (1e308, 1.7e308),
    "row07-denormal": (5e-324, 1e-323),
    "row07-zero": (-0.0, 5e-324),
    "row08-neighbours": (1.0, np.nextafter(1.0, 2.0)),
    "row08-neighbours-below": (np.nextafter(0.1, 0.0), 0.1),
    "row08-negative-neighbours": (-1.0, np.nextafter(-1.0, 0.0)),
}


@pytest.mark.parametrize("case", PAIRS)
def test_cut_separates_two_values(case):
    low, high = PAIRS[case]
    for estimator in (CARTClassifier, CARTRegressor):
        tree = estimator().fit([[low], [high]], [0, 1])
        assert np.isfinite(tree.tree_.threshold[0])
        assert low <= tree.tree_.threshold[0] < high
        assert tree.predict([[low], [high]]).tolist() == [0, 1]


@pytest.mark.parametrize("dtype", [np.int64, np.uint64])
def test_row09_large_integers_are_told_apart(dtype, tmp_path):
    table = {"n": np.array([2**60, 2**60 + 1], dtype)}
    CARTClassifier().fit(table, [0, 1]).save(tmp_path / "t.tw")
    tree = load(tmp_path / "t.tw")
    assert tree.predict(table).tolist() == [0, 1]
    assert "≤ 1152921504606846976" in tree.to_text()


def mapped(X, folder):
    X.tofile(folder / "x")
    return np.memmap(folder / "x", X.dtype, "r", shape=X.shape)


def frozen(X, _):
    X = X.copy()
    X.flags.writeable = False
    return X


FORMS = {
    "row10-uint64": lambda X, _: X.astype(np.uint64),
    "row10-float16": lambda X, _: X.astype(np.float16),
    "row10-big-endian": lambda X, _: X.astype(">f8"),
    "row10-read-only": frozen,
    "row10-every-other-row": lambda X, _: np.repeat(X, 2, axis=0)[::2],
    "row10-memory-mapped": mapped,
    "row32-sparse": lambda X, _: sparse.csr_matrix(X),
}


@pytest.mark.parametrize("case", FORMS)
def test_form_of_the_array_does_not_count(case, tmp_path):
    random = np.random.default_rng(3)
    table = random.integers(0, 9, (60, 3)).astype(float)
    y = random.integers(0, 2, 60)
    other = FORMS[case](table, tmp_path)
    twin, tree = CARTClassifier().fit(other, y), CARTClassifier().fit(table, y)
    assert twin.fingerprint() == tree.fingerprint()
    assert (twin.predict(other) == tree.predict(table)).all()


def test_row10_truth_values_split_as_numbers():
    random = np.random.default_rng(4)
    table, y = random.random((60, 3)) > 0.5, random.integers(0, 2, 60)
    tree, twin = (CARTClassifier().fit(t, y) for t in (table, table.astype(float)))
    assert tree.tree_.node_count == twin.tree_.node_count
    assert (tree.predict_proba(table) == twin.predict_proba(table.astype(float))).all()


MOMENTS = [dt.datetime(2020, 1, 1), dt.datetime(2021, 1, 1)]
SPANS = [dt.timedelta(hours=1), dt.timedelta(hours=2)]
AMOUNTS = [Decimal("1.5"), Decimal("2.5")]
ORDERED = {
    "row12-pandas-dates": (
        pd.DataFrame({"d": MOMENTS}),
        "datetime64[us]",
        "2020-07-02",
    ),
    "row12-polars-dates": (
        pl.DataFrame({"d": MOMENTS}),
        "datetime64[us]",
        "2020-07-02",
    ),
    "row12-arrow-dates": (pa.table({"d": MOMENTS}), "datetime64[us]", "2020-07-02"),
    "row12-durations": (
        pl.DataFrame({"d": SPANS}),
        "timedelta64[us]",
        "5400000000 mic",
    ),
    "row12-decimals": (pl.DataFrame({"d": AMOUNTS}), "float64", "2"),
}


@pytest.mark.parametrize("case", ORDERED)
def test_dates_durations_and_decimals_are_cut(case):
    table, storage, cut = ORDERED[case]
    tree = CARTClassifier().fit(table, [0, 1])
    [feature] = json.loads(tree.to_json())["features"]
    assert (feature["kind"], feature["storage"]) == ("numeric", storage)
    assert f"≤ {cut}" in tree.to_text()
    assert tree.predict(table).tolist() == [0, 1]
    decimals = ("feature 'd': decimal numbers read as float64",)
    assert tree.notes_ == (decimals if storage == "float64" else ())


CELLS, ORDER = ["b", "a"], ["z", "b", "a"]
LABELS = {
    "row13-text": ({"c": CELLS}, "nominal", ["a", "b"]),
    "row13-pandas": (
        pd.DataFrame({"c": pd.Categorical(CELLS, ORDER)}),
        "nominal",
        ORDER,
    ),
    "row13-pandas-ordered": (
        pd.DataFrame({"c": pd.Categorical(CELLS, ORDER, ordered=True)}),
        "ordinal",
        ORDER,
    ),
    "row13-enum": (
        pl.DataFrame({"c": pl.Series(CELLS, dtype=pl.Enum(ORDER))}),
        "nominal",
        ORDER,
    ),
    "row13-categorical": (
        pl.DataFrame({"c": pl.Series(CELLS, dtype=pl.Categorical)}),
        "nominal",
        ["a", "b"],
    ),
    "row13-dictionary": (
        pa.table({"c": pa.DictionaryArray.from_arrays([1, 2], ORDER)}),
        "nominal",
        ORDER,
    ),
    "row16-negative": (
        pd.DataFrame({"c": pd.Categorical([-5, 2**40])}),
        "nominal",
        [-5, 2**40],
    ),
}


@pytest.mark.parametrize("case", LABELS)
def test_categories_and_their_order_are_kept(case):
    table, kind, categories = LABELS[case]
    tree = CARTClassifier().fit(table, [0, 1])
    [feature] = json.loads(tree.to_json())["features"]
    assert (feature["kind"], feature["categories"]) == (kind, categories)
    assert tree.predict(table).tolist() == [0, 1]


def test_row14_mixed_cells_are_text():
    tree = CARTClassifier().fit({"c": ["a", 1, None, "b"]}, Y)
    note = "feature 'c': mixes int, str; its cells are compared as text"
    assert tree.notes_ == (note,)
    assert tree.model_.schema.features[0].categories == ("1", "a", "b")


@pytest.mark.parametrize("codes", [[-1, 2**31], [-(2**62), 2**62]], ids=str)
def test_row16_codes_are_labels(codes):
    tree = CARTClassifier(feature_kinds={"c": "nominal"}).fit({"c": codes}, [0, 1])
    assert tree.model_.schema.features[0].categories == tuple(codes)
    assert tree.predict({"c": codes}).tolist() == [0, 1]


def test_row23_rows_without_a_target_are_left_out_if_asked():
    tree = CARTClassifier(drop_missing_target=True).fit(X, ["a", None, "b", "b"])
    assert tree.notes_ == ("1 row without a target left out",)
    assert tree.tree_.n_rows[0] == 3


def test_row27_weight_zero_is_no_row():
    tree = CARTClassifier().fit(X, ["a", "b", "a", "b"], [1, 0, 1, 1])
    twin = CARTClassifier().fit(X[:1] + X[2:], ["a", "a", "b"])
    assert tree.fingerprint() == twin.fingerprint()


def test_row28_weights_of_any_size():
    tree = CARTClassifier().fit(X, Y, [1e-300, 1.0, 1e300, 1e150])
    assert tree.notes_[0] == (
        "3 rows weigh next to nothing beside the heaviest and were left out"
    )
    weights = np.array([0.3, 1.7, 1e3, 1e-3])
    shapes = {
        CARTClassifier().fit(X, Y, weights * 2.0**power).tree_.threshold.tobytes()
        for power in (-900, 0, 900)
    }
    assert len(shapes) == 1


def test_row29_first_of_equal_columns():
    tree = CARTClassifier().fit({"b": [1, 2, 3, 4], "a": [1, 2, 3, 4]}, Y)
    assert tree.feature_importances_.tolist() == [1.0, 0.0]


def test_row29_ties_go_to_the_first_class():
    tree = CARTClassifier().fit([[1]] * 4, ["z", "b", "b", "z"])
    assert tree.predict([[1]]).tolist() == ["b"]
