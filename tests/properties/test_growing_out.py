"""Small nodes grown in one call are the nodes that the growing loop makes."""

from __future__ import annotations

from dataclasses import replace
from unittest import mock

import numpy as np
import pytest
import tables
from hypothesis import assume, given
from hypothesis import strategies as st

import treewright
from treewright.errors import SettingError
from treewright.learners.dialects.aima import AIMA
from treewright.learners.dialects.c45 import C45, J48, LECTURE
from treewright.learners.dialects.c50 import C50
from treewright.learners.dialects.cart import CART, CART_NUMBERS
from treewright.learners.dialects.id3 import ID3
from treewright.learners.forest.forest import grow_forest
from treewright.learners.forest.forest_settings import ForestSettings
from treewright.learners.recipe import grow_tree
from treewright.sources import memory

pytestmark = pytest.mark.slow

SIZES = st.sampled_from([2, 3, 5, 4096])
MISSING = st.sampled_from(["own_branch", "majority", "learned", "most_common_in_node"])
LIMITS = st.fixed_dictionaries(
    {
        "min_samples_leaf": st.sampled_from([1, 1, 2, 3]),
        "min_samples_split": st.sampled_from([2, 2, 4]),
        "max_depth": st.sampled_from([None, None, 1, 3]),
    }
)
# numbers of the tables are 0.5 to 4.5 apart; rows in between may go elsewhere
GAPS = st.sampled_from([0.0, 0.0, 0.6, 1.0, 1.5])
SETTINGS = st.builds(
    ForestSettings,
    n_estimators=st.just(3),
    max_features=st.sampled_from([None, 1, 0.5]),
    random_state=st.integers(0, 99),
    random_cuts=st.booleans(),
)


def same_arrays(grow, size):
    """Grow with small nodes of at most `size` rows, and with none; compare all."""
    with mock.patch.multiple(memory, SMALL_ROWS=size, SMALL_ROWS_ALONE=size):
        out = grow()
    with mock.patch.multiple(memory, SMALL_ROWS=0, SMALL_ROWS_ALONE=0):
        loop = grow()
    assert len(out.trees) == len(loop.trees)
    for one, other in zip(out.trees, loop.trees, strict=True):
        for name, array in vars(other).items():
            if isinstance(array, np.ndarray):
                np.testing.assert_array_equal(vars(one)[name], array, name)


@given(
    tables.tables(missing=True),
    MISSING,
    LIMITS,
    SIZES,
    st.sampled_from(["gini", "entropy"]),
    GAPS,
)
def test_trees_for_classes(table, missing, limits, size, criterion, gap):
    dialect = CART.change(missing=missing, criterion=criterion, min_gap=gap, **limits)
    same_arrays(lambda: grow_tree(table.columns(), dialect, n_jobs=2), size)


@given(tables.tables(missing=True, task="numbers"), MISSING, LIMITS, SIZES)
def test_trees_for_numbers(table, missing, limits, size):
    dialect = CART_NUMBERS.change(missing=missing, **limits)
    same_arrays(lambda: grow_tree(table.columns(), dialect, n_jobs=2), size)


WORTH = st.fixed_dictionaries(
    {
        "threshold_cost": st.sampled_from([None, "evaluated_cuts", "distinct_values"]),
        "gain_guard": st.sampled_from([None, "c45", "c50"]),
        "nominal_splits": st.sampled_from(["multiway", "subset", "one_value"]),
        "reuse_features": st.booleans(),
        "count_by": st.sampled_from(["rows", "weight"]),
        "tolerance": st.sampled_from([0.0, 1e-3, 0.1]),
        "zero_gain": st.booleans(),
        "min_gap": GAPS,
        "cut_minimum": st.sampled_from(["min_samples_leaf", "tenth_per_class"]),
    }
)


def test_values_that_are_close_have_other_neighbours_below():
    """1e-5 and 2e-5 are too close for a cut; once 2e-5 is elsewhere, 3e-5 is next."""
    rows = {
        "f0": [1e-5] * 6 + [3e-5] * 6 + [2e-5] * 12,
        "f1": [0.0] * 12 + [1.0] * 12,
    }
    classes = ["a"] * 6 + ["b"] * 6 + ["c"] * 12
    for tree in (
        treewright.C45Classifier(),
        treewright.TreeClassifier(min_gap=1e-5),
    ):
        assert tree.fit(rows, classes).score(rows, classes) == 1


@given(
    tables.tables(missing=True),
    st.sampled_from([C45, J48, LECTURE, C50.change(grouping=None)]),
    WORTH,
    MISSING,
    LIMITS,
    SIZES,
)
def test_trees_that_compare_worths(table, dialect, worth, missing, limits, size):
    """Gain ratios, guards, costs of cuts, branches for each value, weights."""
    plain = {"pruning": None, "collapse": None, "single_precision": False}
    try:
        dialect = dialect.change(**plain, **worth, **limits, missing=missing)
    except SettingError:  # what does not go together is not grown
        assume(False)
    same_arrays(lambda: grow_tree(table.columns(), dialect, n_jobs=2), size)


@given(
    tables.tables(missing=False),
    st.sampled_from([C45, J48, LECTURE, ID3, AIMA]),
    LIMITS,
    SIZES,
)
def test_dialects_as_they_are(table, dialect, limits, size):
    columns = table.columns()
    if dialect.numeric_splits == "refuse":
        assume(all(one.kind != "numeric" for one in columns.schema.features))
    dialect = dialect.change(**limits)
    same_arrays(lambda: grow_tree(columns, dialect, n_jobs=2), size)


@given(tables.tables(missing=True), SETTINGS, MISSING, SIZES)
def test_forests_of_ratios(table, settings, missing, size):
    if missing == "most_common_in_node" or settings.random_cuts:
        missing = "majority"
    dialect = C45.change(missing=missing, pruning=None, collapse=None)
    settings = replace(settings, random_cuts=False)
    columns = table.columns()
    same_arrays(lambda: grow_forest(columns, dialect, settings, n_jobs=1).model, size)


@given(tables.tables(missing=True), SETTINGS, MISSING, SIZES)
def test_forests(table, settings, missing, size):
    if settings.random_cuts and missing == "most_common_in_node":
        missing = "majority"
    dialect = CART.change(missing=missing)
    columns = table.columns()
    same_arrays(lambda: grow_forest(columns, dialect, settings, n_jobs=1).model, size)


@pytest.mark.parametrize("n_classes", [2, 3, 300])
@pytest.mark.parametrize("size", [100, 4096])
@pytest.mark.parametrize("weighted", [False, True])
def test_larger_tables(n_classes, size, weighted):
    """Nodes of all sizes, rows that are numbered anew, and weights."""
    random = np.random.default_rng(n_classes)
    rows = random.normal(size=(6000, 5)).round(1)
    classes = (rows[:, 0] + random.normal(size=6000)).argsort().argsort()
    classes = classes * n_classes // 6000
    weights = random.integers(1, 4, 6000) if weighted else None

    def grow():
        forest = treewright.RandomForestClassifier(3, random_state=1, n_jobs=2)
        return forest.fit(rows, classes, sample_weight=weights).model_

    same_arrays(grow, size)


@given(
    st.integers(0, 10_000),
    st.integers(1, 60),
    st.sampled_from([2, 3, 5]),
    st.sampled_from([3, 4, 9, 70]),
    st.booleans(),
    LIMITS,
    st.sampled_from(["gini", "entropy"]),
)
def test_columns_of_two_values(seed, n_rows, n_classes, n_bits, weighted, limits, rule):
    """As bits beside the rows they say what their lists say; also beside numbers."""
    random = np.random.default_rng(seed)
    bits = random.integers(0, 2, (n_rows, n_bits)) * random.integers(0, 2, n_bits)
    rows = np.hstack([bits[:, ::2], random.integers(0, 4, (n_rows, 2)), bits[:, 1::2]])
    classes = random.integers(0, n_classes, n_rows)
    weights = random.integers(1, 5, n_rows) if weighted else None
    for forest in (
        treewright.RandomForestClassifier(3, random_state=seed, criterion=rule),
        treewright.CARTClassifier(criterion=rule),
    ):
        forest.set_params(**limits)
        same_arrays(
            lambda forest=forest: forest.fit(rows, classes, weights).model_, 4096
        )


@given(
    seed=st.integers(0, 10_000),
    n_rows=st.sampled_from([2, 5, 30, 70, 200, 700]),
    n_classes=st.sampled_from([2, 2, 3, 7, 8, 9, 20]),
    n_values=st.sampled_from([2, 4, 40, 10**6]),
    weighted=st.sampled_from([None, 1, 4, 300]),
    missing=st.sampled_from([None, "own_branch", "majority", "learned"]),
    limits=LIMITS,
    rule=st.sampled_from(["gini", "entropy"]),
)
def test_codes_that_are_counted_or_sorted(
    seed, n_rows, n_classes, n_values, weighted, missing, limits, rule
):
    """Nodes that look at some features find the cuts that lists would show."""
    random = np.random.default_rng(seed)
    rows = random.integers(0, n_values, (n_rows, 6)).astype(float)
    rows[:, 0] = random.integers(0, 3, n_rows)  # many rows of each value
    rows[:, 1] = random.normal(size=n_rows)  # one row of each value
    if missing is not None:
        rows[random.random(rows.shape) < 0.1] = np.nan
    classes = (rows[:, 2] > 0) * 1 + random.integers(0, n_classes - 1, n_rows)
    weights = None
    if weighted is not None:
        weights = random.integers(1, weighted + 1, n_rows)
    forest = treewright.RandomForestClassifier(
        3, random_state=seed, criterion=rule, max_features=2, n_jobs=1, **limits
    )
    if missing is not None:
        forest.set_params(missing=missing)
    same_arrays(lambda: forest.fit(rows, classes, weights).model_, 4096)


def test_more_values_than_16_bits_tell_apart():
    """Their ranks among the rows of a tree are compared instead."""
    random = np.random.default_rng(0)
    rows = random.normal(size=(70_000, 4))
    rows[random.random(rows.shape) < 0.01] = np.nan
    classes = (np.nan_to_num(rows[:, 0]) + random.normal(size=70_000) > 0) * 1

    def grow():
        forest = treewright.RandomForestClassifier(
            2, random_state=1, max_features=2, max_depth=6, missing="majority", n_jobs=1
        )
        return forest.fit(rows, classes).model_

    same_arrays(grow, 65_536)
