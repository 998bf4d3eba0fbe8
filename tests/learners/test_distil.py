"""Distilling: the made rows, the agreement and the errors, against plain loops."""

from __future__ import annotations

import numpy as np
import pytest

import treewright as tw
from refusals import refused
from treewright.data.encoding.encode import encode
from treewright.errors import SettingError
from treewright.evaluation.errors.distilled import distilled_errors
from treewright.learners.dialects.cart import CART
from treewright.learners.dialects.unpruned import UNPRUNED
from treewright.learners.forest.distilling import (
    DistilSettings,
    cells_of,
    distil,
    smeared,
)
from treewright.learners.forest.forest import grow_forest
from treewright.learners.forest.forest_settings import ForestSettings


def rows(n_rows: int = 200):
    random = np.random.default_rng(1)
    X = random.normal(size=(n_rows, 4)).round(1)
    X[::9, 3] = np.nan
    return X, np.where(X[:, 0] > 0, "a", np.where(X[:, 1] > 0.5, "b", "c"))


def test_made_rows_have_values_of_the_table_and_mostly_of_one_row():
    X, y = rows()
    columns = encode(X, y, task="classes")
    random = np.random.default_rng(0)
    made = cells_of(smeared(columns, 3000, 0.25, random), columns.schema)
    assert made.shape == (3000, 4)
    for feature in range(4):
        known = {*X[:, feature][~np.isnan(X[:, feature])]}
        assert {*made[:, feature][~np.isnan(made[:, feature])]} <= known
    # a value comes from elsewhere with probability 1/4: so many stay as they were
    whole = {tuple(np.nan_to_num(row, nan=99)) for row in X}
    n_whole = sum(tuple(np.nan_to_num(row, nan=99)) in whole for row in made)
    assert 0.75**4 - 0.04 < n_whole / 3000 < 0.45
    same = cells_of(smeared(columns, 500, 0.0, random), columns.schema)
    assert all(tuple(np.nan_to_num(row, nan=99)) in whole for row in same)


def test_agreement_is_on_new_rows_between_tree_and_forest():
    X, y = rows()
    columns = encode(X, y, task="classes")
    forest = grow_forest(
        columns, CART, ForestSettings(n_estimators=30, random_state=0)
    ).model
    settings = DistilSettings(n_made=2000, random_state=4)
    found = distil(forest, columns, settings)
    # the rows that were made for this: the second draw of the same stream
    random = np.random.default_rng(4)
    smeared(columns, 2000, 0.25, random)
    fresh = cells_of(smeared(columns, 2000, 0.25, random), columns.schema)
    alike = np.mean(found.model.predict(fresh) == forest.predict(fresh))
    assert found.agreement == pytest.approx(float(alike))
    assert found.agreement > 0.93
    # it is no copy of the table's classes, but of the forest
    assert len(found.model.trees) == 1


@pytest.mark.parametrize("n_leaves", [2, 4, 9])
def test_the_tree_is_as_small_as_is_asked_for(n_leaves):
    X, y = rows()
    forest = tw.RandomForestClassifier(20, random_state=0).fit(X, y)
    found = forest.distil(max_leaf_nodes=n_leaves, folds=0)
    assert found.tree.get_n_leaves() <= n_leaves
    assert found.error is None
    large = forest.distil(folds=0)
    assert large.agreement >= found.agreement - 0.02


def test_errors_are_those_of_a_loop_over_the_folds():
    X, y = rows(90)
    columns = encode(X, y, task="classes")
    dialect = CART.change(**UNPRUNED)
    forest = ForestSettings(n_estimators=8, random_state=0)
    settings = DistilSettings(n_made=300, random_state=2)
    found = distilled_errors(columns, dialect, forest, settings, n_folds=3)
    # the folds: shuffled, then by class, every third
    order = np.random.default_rng(2).permutation(90)
    order = order[np.argsort(columns.target[order, 0], kind="stable")]
    wrong = np.zeros((2, 90))
    for fold in range(3):
        held = np.sort(order[fold::3])
        rest = np.setdiff1d(np.arange(90), held)
        part = columns.take(rest)
        grown = grow_forest(part, dialect, forest).model
        tree = distil(grown, part, settings).model
        wrong[0, held] = tree.predict(X[held]) != y[held]
        wrong[1, held] = grown.predict(X[held]) != y[held]
    assert found.tree.value == pytest.approx(wrong[0].mean())
    assert found.forest.value == pytest.approx(wrong[1].mean())


def test_numbers_are_distilled_too():
    X, _ = rows()
    X = np.nan_to_num(X)
    forest = tw.RandomForestRegressor(20, random_state=0).fit(X, X[:, 0] * 2 + X[:, 1])
    found = forest.distil(folds=2)
    assert found.agreement > 0.8
    assert found.error > found.forest_error > 0
    assert "root of the mean squared error on held-out rows (2 folds)" in str(found)
    assert isinstance(found.tree.predict(X)[0], float)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("dialect", "missing"),
    [("c45", "fractional"), ("id3", None), ("rpart", "surrogates")],
)
def test_forests_of_any_dialect_are_distilled(dialect, missing, tmp_path):
    X, y = tw.datasets.tennis()
    forest = tw.RandomForestClassifier(
        10, dialect=dialect, missing=missing, random_state=0
    ).fit(X, y)
    found = forest.distil(folds=0)
    assert found.agreement > 0.9
    found.tree.save(tmp_path / "t.tw")
    again = tw.load(tmp_path / "t.tw")
    assert list(again.predict(X)) == list(found.tree.predict(X))
    forest.save(tmp_path / "f.tw")
    loaded = tw.load(tmp_path / "f.tw")
    assert loaded.distil(X, y, folds=0).agreement == found.agreement


def test_what_cannot_be_distilled_is_refused():
    X, y = rows()
    forest = tw.RandomForestClassifier(3, random_state=0).fit(X, y)
    for name, value, allowed in [
        ("replaced", 2, 1),
        ("n_made", 3, 10),
        ("max_leaf_nodes", 1, 2),
        ("folds", 1, 200),
        ("folds", 0.5, "whole"),
    ]:
        with refused(SettingError, name, value, allowed):
            forest.distil(**{name: value})
    both = tw.RandomForestClassifier(3).fit(X, np.column_stack([y, y]))
    with refused(SettingError, "2 outputs"):
        both.distil(folds=0)


@pytest.mark.parametrize(
    ("n_rows", "names"),
    [
        (1, ["1 row", "folds", 0]),
        (2, ["2 rows", "folds", 0, "or 2"]),
        (4, ["4 rows", "folds", 0, "2 to 4"]),
    ],
)
def test_fewer_rows_than_folds(n_rows, names):
    X, y = rows()
    forest = tw.RandomForestClassifier(3, random_state=0).fit(X[:n_rows], y[:n_rows])
    with refused(SettingError, *names):
        forest.distil()
    assert forest.distil(folds=0).error is None
