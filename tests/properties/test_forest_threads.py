"""Forests have the same bytes for any number of threads, and so does what they say.

The trees of a forest grow in crews, and how many trees a crew has depends on the
threads. Weights and draws decide how a crew scores its cuts: in small numbers where all
of its rows weigh little, else in large ones. So the weights here are such that some
trees of a forest have heavy rows, and others have not.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import tables
from hypothesis import given
from hypothesis import strategies as st

import treewright as tw
from treewright.learners.dialects.cart import CART
from treewright.learners.forest.forest import grow_forest
from treewright.learners.forest.forest_settings import ForestSettings
from treewright.tree.file.save import to_bytes

pytestmark = pytest.mark.slow

THREADS = (1, 2, 3, 4, 8, 16)
N_TREES = 17


def rows_of(n_classes: int, kind: str = "wide"):
    random = np.random.default_rng(n_classes)
    X = random.normal(size=(260, 6))
    if kind == "few values":
        X = X.round(0)
    elif kind == "two values":
        X = (X > 0).astype(float)
    signal = X[:, 0] + X[:, 1] * X[:, 2] + random.normal(size=len(X))
    return X, signal.argsort().argsort() * n_classes // len(X)


def one_heavy_row(weight: float, of_others: float, n_rows: int):
    weights = np.full(n_rows, of_others)
    weights[7] = weight
    return weights


def files_of(forest, X, y, weights):
    return {
        to_bytes(forest.set_params(n_jobs=n).fit(X, y, sample_weight=weights).model_)
        for n in THREADS
    }


@pytest.mark.parametrize("kind", ["wide", "few values", "two values"])
@pytest.mark.parametrize("criterion", ["gini", "entropy", "classification_error"])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("heaviest", [60, 127, 208, 30_000])
def test_some_trees_have_heavy_rows(heaviest, n_classes, criterion, kind):
    X, y = rows_of(n_classes, kind)
    forest = tw.RandomForestClassifier(N_TREES, random_state=1, criterion=criterion)
    assert len(files_of(forest, X, y, one_heavy_row(heaviest, 13, len(X)))) == 1


@pytest.mark.parametrize(
    "settings",
    [
        {"max_features": None},
        {"max_features": 1, "min_samples_leaf": 3},
        {"min_weight_fraction_leaf": 0.05},
        {"stratified": True},
        {"combined_features": 2},
        {"max_leaf_nodes": 9},
        {"dialect": "c45"},
    ],
    ids=str,
)
def test_settings_of_forests_with_heavy_rows(settings):
    X, y = rows_of(2)
    forest = tw.RandomForestClassifier(N_TREES, random_state=1).set_params(**settings)
    assert len(files_of(forest, X, y, one_heavy_row(208, 13, len(X)))) == 1


@pytest.mark.parametrize("weights", [None, "whole", "real"])
def test_extra_trees(weights):
    X, y = rows_of(2)
    given = {
        None: None,
        "whole": one_heavy_row(208, 13, len(X)),
        "real": np.random.default_rng(0).random(len(X)),
    }
    forest = tw.ExtraTreesClassifier(N_TREES, random_state=1, bootstrap=True)
    assert len(files_of(forest, X, y, given[weights])) == 1


MISSING = [
    "majority",
    "own_branch",
    "learned",
    "fractional",
    "surrogates",
    "most_common",
    "most_common_in_node",
]


@pytest.mark.parametrize("missing", MISSING)
def test_several_outputs(missing):
    X, y = rows_of(3)
    X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    both = np.column_stack([y, y % 2])
    forest = tw.RandomForestClassifier(N_TREES, random_state=1, missing=missing)
    assert len(files_of(forest, X, both, one_heavy_row(208, 13, len(X)))) == 1


@given(
    tables.tables(missing=True),
    st.sampled_from([1, 13, 100, 200, 40_000]),
    st.integers(0, 1000),
    st.sampled_from(["gini", "entropy"]),
    st.sampled_from([*MISSING, "most_common_in_class"]),
)
def test_random_tables(table, heaviest, seed, criterion, missing):
    random = np.random.default_rng(seed)
    weights = random.integers(1, heaviest + 1, table.n_rows).astype(float)
    columns = dataclasses.replace(table, weights=weights.tolist()).columns()
    dialect = CART.change(criterion=criterion, missing=missing)
    settings = ForestSettings(n_estimators=7, random_state=seed)
    files = {
        to_bytes(grow_forest(columns, dialect, settings, n_jobs=n).model)
        for n in (1, 2, 3, 7)
    }
    assert len(files) == 1
