"""Incremental trees: what they take, refuse and keep."""

from __future__ import annotations

import copy
import pickle
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import parametrize_with_checks

import treewright as tw
from refusals import refused
from treewright.errors import DataError, SettingError
from treewright.learners.incremental.updating import IncrementalLearner

ADULT = Path(__file__).parents[3] / "shared" / "data" / "adult.csv.gz"
PAGE = Path(__file__).parents[2] / "docs" / "incremental.md"


@parametrize_with_checks([tw.IncrementalTreeClassifier()])
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


@pytest.fixture
def tennis():
    X, y = tw.datasets.tennis()
    return X, y


def added_one_by_one(X, y, **settings):
    tree = tw.IncrementalTreeClassifier(**settings)
    for k in range(len(y)):
        tree.partial_fit(X[k : k + 1], y[k : k + 1])
    return tree


@pytest.mark.parametrize("dialect", ["id3", "aima"])
def test_tennis_row_by_row_is_the_tree_of_the_book(tennis, dialect):
    X, y = tennis
    tree = added_one_by_one(X, y, dialect=dialect)
    assert tree.fingerprint() == tw.ID3Classifier().fit(X, y).fingerprint()
    assert tree.to_text() == tw.ID3Classifier().fit(X, y).to_text()


@pytest.mark.parametrize("name", ["cars", "restaurant", "patients", "watermelon"])
def test_the_worked_examples_in_any_order(name):
    X, y = getattr(tw.datasets, name)()
    fresh = tw.CARTClassifier().fit(X, y).fingerprint()
    assert added_one_by_one(X, y).fingerprint() == fresh
    assert added_one_by_one(X[::-1], y[::-1]).fingerprint() == fresh


def test_forgotten_rows_leave_no_trace(tennis):
    X, y = tennis
    tree = tw.IncrementalTreeClassifier(dialect="id3").fit(X, y)
    tree.forget(X[3:9], y[3:9]).partial_fit(X[3:9], y[3:9])
    assert tree.fingerprint() == tw.ID3Classifier().fit(X, y).fingerprint()
    assert tree.forget(X, y).__sklearn_is_fitted__() is False
    with refused(
        NotFittedError, "IncrementalTreeClassifier", "forgotten", "'partial_fit'"
    ):
        tree.predict(X)
    tree.partial_fit(X[:5], y[:5])
    assert tree.fingerprint() == tw.ID3Classifier().fit(X[:5], y[:5]).fingerprint()


@pytest.mark.slow
@pytest.mark.skipif(not ADULT.is_file(), reason="the shared data sets are not here")
def test_a_part_of_adult_every_few_rows():
    table = tw.read_table(ADULT)[:1200]
    X, y = table.drop("income"), table["income"].to_list()
    rows = X.to_dicts()
    tree = tw.IncrementalTreeClassifier().fit(X[:600], y[:600])
    for k in range(600, 1200):
        tree.partial_fit([rows[k]], [y[k]])
        if k % 97 == 0:
            fresh = tw.CARTClassifier().fit(X[: k + 1], y[: k + 1])
            assert tree.fingerprint() == fresh.fingerprint()
    for k in range(400):
        tree.forget([rows[k]], [y[k]])
        if k % 83 == 0:
            fresh = tw.CARTClassifier().fit(X[k + 1 :], y[k + 1 :])
            assert tree.fingerprint() == fresh.fingerprint()


ROWS = {
    "age": [39, 50, 28, 61],
    "job": ["clerk", "smith", None, "clerk"],
    "born": np.array(["1980-01-01", "1970-05-05", "1990-02-02", "1960-01-01"], "M8[D]"),
    "fair": [True, False, True, None],
}


@pytest.fixture
def fitted():
    return tw.IncrementalTreeClassifier().fit(ROWS, ["no", "yes", "no", "yes"])


def row(**other):
    cells = {name: column[:1] for name, column in ROWS.items()}
    return {**cells, **other}


@pytest.mark.parametrize(
    ("rows", "names"),
    [
        (row(age=["39"]), ["'age'", "numbers", "row 0", "text"]),
        (row(job=[3]), ["'job'", "text", "row 0", "numbers"]),
        (row(job=[True]), ["'job'", "text", "row 0", "truth"]),
        (row(age=[2**60]), ["'age'", "numbers", "int64"]),
        (row(born=[3.5]), ["'born'", "datetime64[D]", "numbers"]),
        (row(fair=["yes"]), ["'fair'", "truth", "row 0", "text"]),
        ({"age": [1]}, ["lack", "'job', 'born', 'fair'"]),
        (row(more=[1]), ["'more'", "4 columns"]),
        (np.zeros((1, 3)), ["3 features", "4 features"]),
        (
            row(job=pl.Series(["clerk"], dtype=pl.Enum(["clerk"]))),
            ["'job'", "declares", "'clerk'"],
        ),
        ({name: [] for name in ROWS}, ["0 rows"]),
    ],
)
def test_other_columns_are_one_clear_error_and_change_nothing(fitted, rows, names):
    before = fitted.fingerprint()
    answers = ["no"] * len(next(iter(rows.values()))) if isinstance(rows, dict) else [1]
    for step in (fitted.partial_fit, fitted.forget):
        with refused(DataError, *names) as caught:
            step(rows, answers)
        assert "\n" not in str(caught.value)
    fitted._learner.model = None
    assert fitted.fingerprint() == before
    y = ["no", "yes", "no", "yes"]
    assert fitted.forget(ROWS, y).partial_fit(ROWS, y).fingerprint() == before


def test_a_fault_in_the_last_row_leaves_no_row_and_no_category(fitted):
    before = fitted.fingerprint()
    rows = {
        "age": [1, 2],
        "job": ["new", "clerk"],
        "born": ROWS["born"][:2],
        "fair": ["x", "y"],
    }
    with refused(DataError, "'fair'", "truth", "row 0", "text"):
        fitted.partial_fit(rows, ["new class", "no"])
    with refused(DataError, "'b'", "'no', 'yes'", "classes"):
        fitted.partial_fit(row(job=["new"]), ["b"], classes=["no", "yes"])
    fitted._learner.model = None
    assert fitted.fingerprint() == before
    assert list(fitted.classes_) == ["no", "yes"]


@pytest.mark.parametrize(
    ("rows", "answer"),
    [
        (row(age=[40]), "no"),
        (row(job=["never seen"]), "no"),
        (row(), "yes"),
        (row(), "never seen"),
        (row(job=[None]), "no"),
    ],
)
def test_a_row_that_is_not_there_cannot_be_forgotten(fitted, rows, answer):
    before = fitted.fingerprint()
    with refused(DataError, "row 0", "forgotten"):
        fitted.forget(rows, [answer])
    with refused(DataError, "row 1", "forgotten"):
        twice = {name: np.repeat(column, 2) for name, column in row().items()}
        fitted.forget(twice, ["no", "no"])
    assert (
        fitted.forget(ROWS, ["no", "yes", "no", "yes"])
        .partial_fit(ROWS, ["no", "yes", "no", "yes"])
        .fingerprint()
        == before
    )


def test_id3_refuses_numbers_of_named_columns():
    tree = tw.IncrementalTreeClassifier(dialect="id3")
    with refused(
        DataError, "id3", "feature_kinds={'age': 'nominal'}", "dialect='cart'"
    ):
        tree.partial_fit({"age": [1.5]}, ["a"])
    kinds = {"age": "nominal"}
    tree = tw.IncrementalTreeClassifier(dialect="id3", feature_kinds=kinds)
    X = {"age": [1.0, 2.0, 2.5]}
    tree.partial_fit({"age": [1]}, ["a"]).partial_fit({"age": [2, 2.5]}, ["b", "b"])
    fresh = tw.ID3Classifier(feature_kinds=kinds).fit(X, ["a", "b", "b"])
    assert tree.fingerprint() == fresh.fingerprint()


def test_ordered_categories_dates_and_wide_integers():
    sizes = ["s", "m", "l"]
    kinds = {"size": sizes}
    X = {
        "size": ["s", "m", "l", "m"],
        "day": np.array(["2020-01-01", "2021-01-01", "2020-06-01", "NaT"], "M8[D]"),
        "wide": np.array([2**60, 2**60 + 1, 2**60 + 2, 5]),
    }
    y = ["a", "b", "b", "a"]
    tree = tw.IncrementalTreeClassifier(feature_kinds=kinds)
    for k in range(4):
        tree.partial_fit(
            {name: col[k : k + 1] for name, col in X.items()}, y[k : k + 1]
        )
        head = {name: col[: k + 1] for name, col in X.items()}
        fresh = tw.CARTClassifier(feature_kinds=kinds).fit(head, y[: k + 1])
        assert tree.fingerprint() == fresh.fingerprint()
    with refused(DataError, "'size'", "'xl'", "row 0", "'s', 'm', 'l'"):
        tree.partial_fit(
            {**{name: col[:1] for name, col in X.items()}, "size": ["xl"]}, ["a"]
        )


def test_copies_go_on_by_themselves(tennis):
    X, y = tennis
    tree = tw.IncrementalTreeClassifier(dialect="id3").fit(X[:9], y[:9])
    before = tree.fingerprint()
    whole = tw.ID3Classifier().fit(X, y).fingerprint()
    for other in (
        pickle.loads(pickle.dumps(tree)),
        copy.copy(tree),
        copy.deepcopy(tree),
    ):
        assert other.fingerprint() == before
        assert other.partial_fit(X[9:], y[9:]).fingerprint() == whole
        assert tree.fingerprint() == before
    assert not clone(tree).__sklearn_is_fitted__()


def test_a_tree_does_what_other_trees_do(tennis, tmp_path):
    X, y = tennis
    tree = added_one_by_one(X, y, dialect="id3")
    same = tw.ID3Classifier().fit(X, y)
    np.testing.assert_array_equal(tree.predict_proba(X), same.predict_proba(X))
    assert str(tree.chalk()) == str(same.chalk())
    assert str(tree.rules()) == str(same.rules())
    assert tree.explain(X[:1]) == same.explain(X[:1])
    assert tree.prune("chi_square", prune_level=0.01).get_n_leaves() == 1
    assert (tree.compact().predict(X) == same.predict(X)).all()
    tree.save(tmp_path / "play.tw")
    loaded = tw.load(tmp_path / "play.tw")
    assert isinstance(loaded, tw.ID3Classifier)
    assert loaded.fingerprint() == tree.fingerprint()
    with refused(SettingError, "forget", "fit"):
        tree.prune("minimum_gain", prune_gain=0.1).forget(X, y)


def test_settings_cannot_change_in_between(tennis):
    X, y = tennis
    tree = tw.IncrementalTreeClassifier(dialect="id3").fit(X, y)
    with refused(SettingError, "dialect", "feature_kinds", "fit"):
        tree.set_params(dialect="cart").partial_fit(X, y)
    with refused(SettingError, "dialect", "'c45'", "'cart', 'id3', 'aima'"):
        tw.IncrementalTreeClassifier(dialect="c45").fit(X, y)


def test_the_page_shows_what_happens(capsys):
    for code in re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL):
        exec(compile(code, str(PAGE), "exec"), {})
    assert capsys.readouterr().out.splitlines()[-2:] == ["True", "True"]


def test_two_threads_may_add_rows():
    rows = [{"a": k % 7, "b": f"c{k % 5}"} for k in range(600)]
    y = ["no" if k % 3 else "yes" for k in range(600)]
    tree = tw.IncrementalTreeClassifier().partial_fit(rows[:50], y[:50])

    def add(first: int) -> None:
        for k in range(first, 600, 2):
            tree.partial_fit([rows[k]], [y[k]])

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(add, (50, 51)))
    fresh = tw.IncrementalTreeClassifier().fit(rows, y)
    assert tree.fingerprint() == fresh.fingerprint()


def test_a_new_class_that_is_interrupted_leaves_no_trace(monkeypatch):
    rows = [{"a": k % 7, "b": f"c{k % 5}"} for k in range(60)]
    y = ["no" if k % 3 else "yes" for k in range(60)]
    tree = tw.IncrementalTreeClassifier().partial_fit(rows, y)
    before = tree.fingerprint()

    def interrupted(self, keys, codes):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(IncrementalLearner, "_add", interrupted)
        with pytest.raises(KeyboardInterrupt):
            tree.partial_fit([{"a": 3, "b": "new"}], ["maybe"])
    assert tree.fingerprint() == before
    assert tree.classes_.tolist() == ["no", "yes"]
    tree.partial_fit([{"a": 3, "b": "new"}], ["maybe"])
    fresh = tw.CARTClassifier().fit([*rows, {"a": 3, "b": "new"}], [*y, "maybe"])
    assert tree.fingerprint() == fresh.fingerprint()
