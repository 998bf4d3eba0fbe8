"""Proximities, outliers and prototypes against loops over rows and trees."""

from __future__ import annotations

import datetime
import statistics

import numpy as np
import pandas as pd
import pytest
from forest_tables import grown
from hypothesis import given
from hypothesis import strategies as st

import treewright as tw
from refusals import refused
from treewright import _core
from treewright.data.machine import available_bytes, bytes_in_words
from treewright.errors import DataError, SettingError

CASES = ["numbers and names", "own branch", "divided rows", "two outputs", "a number"]


@pytest.fixture(scope="module")
def iris():
    from sklearn.datasets import load_iris

    return load_iris(as_frame=True)


@pytest.fixture(scope="module")
def forest(iris):
    return tw.RandomForestClassifier(30, random_state=0).fit(iris.data, iris.target)


def shares(ends):
    """Return the proximities by definition; `ends` has a column per tree."""
    n_rows = len(ends)
    return [
        [float(np.mean(ends[one] == ends[other])) for other in range(n_rows)]
        for one in range(n_rows)
    ]


@pytest.mark.parametrize("name", CASES)
def test_two_rows_are_near_where_apply_says_the_same(name):
    case = grown(name)
    estimator = tw.RandomForestClassifier()
    estimator.model_ = case.forest.model
    found = estimator.proximities(case.table)
    ends = case.forest.model.apply(case.table)
    np.testing.assert_array_equal(found, shares(ends))
    estimator._grown_from = case.forest.grown_from
    np.testing.assert_array_equal(estimator.proximities(), found)


ENDS = st.integers(1, 12).flatmap(
    lambda n_rows: st.lists(
        st.lists(
            st.tuples(st.integers(0, 3), st.booleans()),
            min_size=n_rows,
            max_size=n_rows,
        ),
        min_size=1,
        max_size=70,
    )
)


@given(ENDS, st.integers(1, 3))
def test_ends_and_flags_of_any_kind(drawn, n_threads):
    cells = np.array(drawn)
    ends, asked = cells[:, :, 0].astype(np.int32), cells[:, :, 1].astype(np.uint8)
    n_trees, n_rows = ends.shape
    together = np.zeros((n_rows, n_rows), int)
    common = np.zeros((n_rows, n_rows), int)
    for tree in range(n_trees):
        for one in range(n_rows):
            for other in range(n_rows):
                both = asked[tree, one] and asked[tree, other]
                common[one, other] += both
                together[one, other] += both and ends[tree, one] == ends[tree, other]
    with np.errstate(invalid="ignore"):
        wanted = together / common
    np.fill_diagonal(wanted, 1)
    near = _core.Proximities(ends, asked, n_threads)
    np.testing.assert_array_equal(near.matrix(), wanted)
    rows, proximities = near.nearest(4)
    for row in range(n_rows):
        others = [o for o in range(n_rows) if o != row and together[row, o]]
        others.sort(key=lambda o, row=row: (-wanted[row, o], o))
        assert rows[row].tolist() == [*others, -1, -1, -1, -1][:4]
        assert proximities[row].tolist() == [*wanted[row, others], 0, 0, 0, 0][:4]


def test_nearest_rows_are_those_of_the_matrix(forest):
    matrix = forest.proximities()
    found = forest.proximities(neighbours=7)
    np.fill_diagonal(matrix, -1)
    order = np.argsort(-matrix, axis=1, kind="stable")[:, :7]
    nearest = np.take_along_axis(matrix, order, axis=1)
    np.testing.assert_array_equal(found.proximities, nearest)
    np.testing.assert_array_equal(found.rows, np.where(nearest > 0, order, -1))


def test_out_of_bag_proximities_count_trees_that_have_seen_neither(iris, forest):
    grown_from = forest._grown_from
    ends = forest.apply(iris.data)
    outside = np.array([grown_from.bagging.counts(k) == 0 for k in grown_from.keys]).T
    found = forest.proximities(out_of_bag=True)
    for one, other in [(0, 1), (3, 77), (60, 120), (149, 100), (70, 71)]:
        both = outside[one] & outside[other]
        assert found[one, other] == np.mean(ends[one][both] == ends[other][both])
    few = forest.proximities(out_of_bag=True, neighbours=2)
    assert few.proximities[5, 0] == np.delete(found[5], 5).max()


def test_outliers_are_those_of_the_formula(iris, forest):
    matrix, classes = forest.proximities(), iris.target.to_numpy()
    raw = [
        (classes == classes[row]).sum() / sum(matrix[row, classes == classes[row]] ** 2)
        for row in range(150)
    ]
    found = forest.outliers()
    for label in range(3):
        of_class = [raw[row] for row in range(150) if classes[row] == label]
        middle = statistics.median(of_class)
        away = [abs(value - middle) for value in of_class]
        deviation = statistics.median(away) or statistics.fmean(away) or 1.0
        wanted = [(value - middle) / deviation for value in of_class]
        np.testing.assert_allclose(
            found[classes == label], wanted, rtol=1e-9, atol=1e-9
        )


def test_a_row_with_the_class_of_another_place_stands_out():
    random = np.random.default_rng(0)
    X = np.vstack([random.normal(0, 1, (60, 3)), random.normal(9, 1, (60, 3))])
    y = np.repeat(["low", "high"], 60)
    y[7] = "high"
    forest = tw.RandomForestClassifier(100, random_state=0).fit(X, y)
    assert forest.outliers().argmax() == 7
    numbers = tw.RandomForestRegressor(20, random_state=0).fit(X, X[:, 0])
    assert numbers.outliers().shape == (120,)


def test_a_prototype_is_the_middle_of_the_nearest_rows_of_a_class(iris, forest):
    classes, matrix = iris.target.to_numpy(), forest.proximities()
    for label, found in enumerate(forest.prototypes(neighbours=20)):
        best = (-1, -1.0, 0, [])
        for row in range(150):
            order = sorted(range(150), key=lambda o, r=row: (o != r, -matrix[r, o], o))
            near = [o for o in order[:20] if matrix[row, o] > 0]
            its = [o for o in near if classes[o] == label]
            closeness = sum(matrix[row, its])
            if (len(its), closeness) > (best[0], best[1] + 1e-9):
                best = (len(its), closeness, row, its)
        assert (found.label, found.row) == (label, best[2])
        assert found.members.tolist() == best[3]
        members = iris.data.iloc[best[3]]
        for name in iris.data.columns:
            assert found.values[name] == statistics.median(members[name])
            low, high = found.quartiles[name]
            assert low <= found.values[name] <= high
        assert found.shares == {}


def test_prototypes_speak_in_the_values_of_the_table():
    day = pd.Timestamp("2026-03-01")
    table = pd.DataFrame(
        {
            "when": [day + pd.Timedelta(days=k) for k in range(40)],
            "size": pd.Categorical(
                (["small"] * 10 + ["large"] * 10) * 2, ["small", "large"], ordered=True
            ),
            "colour": (["red"] * 15 + ["blue"] * 5) * 2,
            "gap": [np.nan] * 40,
        }
    )
    y = ["early"] * 20 + ["late"] * 20
    forest = tw.RandomForestClassifier(30, max_features=None, random_state=0)
    early, late = forest.fit(table, y).prototypes(neighbours=20)
    assert pd.Timestamp(early.values["when"]) == day + pd.Timedelta(days=9)
    assert early.values["size"] == "small"
    assert late.values["colour"] == "red"
    assert late.shares["colour"] == 0.75
    assert late.values["gap"] is None
    assert isinstance(early.values["when"].item(), datetime.datetime | int)


def test_prototypes_are_printed_as_a_listing(forest):
    X, y = tw.datasets.tennis()
    found = tw.RandomForestClassifier(50, random_state=0).fit(X, y).prototypes()
    assert str(found).splitlines()[:3] == [
        "No: 4 rows that stand together, around row 1",
        "  Outlook      Sunny   75 % of them",
        "  Temperature  Hot     50 % of them",
    ]
    lines = str(forest.prototypes()).splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) == 3 * (1 + 4) + 2


def test_a_listing_of_prototypes_has_no_more_than_twenty_features():
    random = np.random.default_rng(0)
    X = pd.DataFrame(
        random.normal(size=(40, 30)),
        columns=[f"{'long name ' * 9}{k}" for k in range(30)],
    )
    X[X.columns[0]] = np.where(random.random(40) < 0.5, "a" * 50, "b\n" * 30)
    found = tw.RandomForestClassifier(5, random_state=0).fit(X, X.iloc[:, 1] > 0)
    lines = str(found.prototypes()).splitlines()
    assert lines[21] == "  and 10 more features"
    assert max(map(len, lines)) <= 80


def test_a_matrix_that_does_not_fit_is_refused_before_any_work(monkeypatch, forest):
    monkeypatch.setattr(
        "treewright.learners.forest.proximity.available_bytes", lambda: 100_000
    )
    # 150 x 150 shares of 8 bytes, 150 rows in 30 trees of 16
    with refused(DataError, "150 rows", "252.0 KB", "100.0 KB", "neighbours=10"):
        forest.proximities()
    assert forest.proximities(neighbours=3).rows.shape == (150, 3)
    with refused(DataError, "150 rows", "312.0 KB", "100.0 KB", "neighbours"):
        forest.proximities(neighbours=100)


def test_the_memory_that_is_available_is_known_here():
    free = available_bytes()
    assert free is None or free > 0
    assert bytes_in_words(999) == "999 bytes"
    assert bytes_in_words(18.64e9) == "18.6 GB"
    assert bytes_in_words(5e15) == "5000.0 TB"


@pytest.mark.parametrize(
    ("call", "names"),
    [
        (lambda f, X: f.proximities(neighbours=0), ["neighbours", 0, 149]),
        (lambda f, X: f.proximities(neighbours=150), ["neighbours", 150, 149]),
        (lambda f, X: f.proximities(neighbours=2.5), ["neighbours", 2.5]),
        (lambda f, X: f.proximities(X, out_of_bag=True), ["out_of_bag=True", "X"]),
        (lambda f, X: f.prototypes(151), ["neighbours", 151, 150]),
    ],
)
def test_bad_input_is_one_clear_line(iris, forest, call, names):
    with refused(SettingError, *names):
        call(forest, iris.data)


def test_what_needs_training_rows_or_bags_or_classes_says_so(iris, forest, tmp_path):
    forest.save(tmp_path / "iris.tw")
    loaded = tw.load(tmp_path / "iris.tw")
    near = loaded.proximities(iris.data)
    for call in (loaded.proximities, loaded.outliers, loaded.prototypes):
        with refused(SettingError, call.__name__, "table"):
            call()
    loaded.measure(iris.data, iris.target)
    np.testing.assert_array_equal(loaded.proximities(), near)
    np.testing.assert_array_equal(loaded.outliers(), forest.outliers())
    seen = tw.RandomForestClassifier(2, bootstrap=False).fit(iris.data, iris.target)
    with refused(SettingError, "out_of_bag=True", "bootstrap=True"):
        seen.proximities(out_of_bag=True)
    assert len(seen.outliers()) == 150
    numbers = tw.RandomForestRegressor(2).fit(iris.data, iris.target)
    with refused(SettingError, "prototypes", "classes", "numbers"):
        numbers.prototypes()


def test_threads_cannot_be_seen(iris):
    found = [
        tw.RandomForestClassifier(9, random_state=1, n_jobs=n).fit(
            iris.data, iris.target
        )
        for n in (1, 3)
    ]
    np.testing.assert_array_equal(*(each.proximities() for each in found))
    np.testing.assert_array_equal(*(each.outliers() for each in found))
