"""Every tree of a forest is the textbook's tree, from the same rows and draws."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import tables
from hypothesis import given
from hypothesis import strategies as st

from engine_as_textbook import as_textbook
from textbook_compare import first_difference
from textbook_draws import cuts_of, draws_of, sums_of
from treewright.grow.dialect import Dialect
from treewright.learners.dialects.cart import CART, CART_NUMBERS
from treewright.learners.dialects.id3 import ID3
from treewright.learners.forest.bags import tree_keys
from treewright.learners.forest.combined import combined_cells
from treewright.learners.forest.forest import grow_forest
from treewright.learners.forest.forest_settings import ForestSettings

pytestmark = pytest.mark.slow

MULTIWAY = CART.change(nominal_splits="multiway", reuse_features=False)
RANDOM = {
    "n_estimators": st.integers(1, 4),
    "max_features": st.sampled_from([None, 1, 0.5]),
    "bootstrap": st.booleans(),
    "max_samples": st.sampled_from([None, 0.5]),
    "random_state": st.integers(0, 2**40),
}
FORESTS = st.builds(ForestSettings, **RANDOM)
EXTRA_TREES = st.builds(ForestSettings, **RANDOM, random_cuts=st.just(True))

SUMS = st.builds(
    ForestSettings,
    **{**RANDOM, "max_features": st.sampled_from([1, 3, 8])},
    combined_features=st.integers(2, 4),
)


def check(table: tables.Table, dialect: Dialect, settings: ForestSettings) -> None:
    columns = table.columns()
    forest = grow_forest(columns, dialect, settings, n_jobs=2)
    bagging = settings.bagging(columns)
    n_combined, scales = settings.combined_features, {}
    if n_combined:
        cells = combined_cells(columns, dialect, n_combined)
        scales = dict(zip(table.cells, cells.scales, strict=True))
    keys = tree_keys(settings.random_state, range(settings.n_estimators))
    weights = table.weights or [1.0] * table.n_rows
    for tree, key in zip(forest.model.trees, keys, strict=True):
        counts = bagging.counts(key).tolist()
        drawn = [row for row, count in enumerate(counts) if count]
        bag = dataclasses.replace(
            table, weights=[w * c for w, c in zip(weights, counts, strict=True)]
        ).take(drawn)
        found = as_textbook(dataclasses.replace(forest.model, trees=(tree,)))
        wanted = tables.grow_oracle(
            bag,
            dialect,
            guide=found,
            draws=None
            if n_combined
            else draws_of(
                int(key),
                list(table.cells),
                forest.n_features,
                counts_constant=not settings.random_cuts,
            ),
            sums=sums_of(int(key), scales, forest.n_features, n_combined)
            if n_combined
            else None,
            cuts=cuts_of(int(key), table.features()) if settings.random_cuts else None,
        )
        assert first_difference(found, wanted) is None


@given(tables.tables(), FORESTS, st.sampled_from(["gini", "entropy"]))
def test_trees_for_classes(table, settings, criterion):
    check(table, CART.change(criterion=criterion), settings)


@given(tables.tables(task="numbers"), FORESTS)
def test_trees_for_numbers(table, settings):
    check(table, CART_NUMBERS, settings)


@given(tables.tables(), FORESTS)
def test_trees_with_a_branch_per_value(table, settings):
    check(table, MULTIWAY, settings)


@given(tables.tables(n_outputs=2), FORESTS)
def test_trees_for_several_outputs(table, settings):
    check(table, CART, settings)


@given(tables.tables(kinds=("nominal",)), FORESTS)
def test_trees_of_id3(table, settings):
    check(table, ID3, settings)


@pytest.mark.parametrize(
    "missing", ["own_branch", "majority", "fractional", "learned", "surrogates"]
)
@given(table=tables.tables(missing=True), settings=FORESTS | EXTRA_TREES)
def test_weight_is_kept_where_values_are_missing(table, settings, missing):
    forest = grow_forest(table.columns(), CART.change(missing=missing), settings)
    for tree in forest.model.trees:
        parent = tree.parents()
        below = np.bincount(
            parent[1:], weights=tree.weight[1:], minlength=tree.node_count
        )
        inner = tree.n_children > 0
        np.testing.assert_allclose(below[inner], tree.weight[inner], rtol=1e-9)


@given(tables.tables(), EXTRA_TREES, st.sampled_from(["gini", "entropy"]))
def test_extra_trees_for_classes(table, settings, criterion):
    check(table, CART.change(criterion=criterion), settings)


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
@given(table=tables.tables(task="numbers"), settings=EXTRA_TREES)
def test_extra_trees_for_numbers(table, settings, criterion):
    check(table, CART_NUMBERS.change(criterion=criterion), settings)


@given(tables.tables(), EXTRA_TREES)
def test_extra_trees_with_a_branch_per_value(table, settings):
    check(table, MULTIWAY, settings)


@given(tables.tables(n_outputs=2), EXTRA_TREES)
def test_extra_trees_for_several_outputs(table, settings):
    check(table, CART, settings)


@pytest.mark.parametrize("missing", ["own_branch", "majority"])
@pytest.mark.parametrize("dialect", [CART, MULTIWAY])
@given(table=tables.tables(missing=True), settings=EXTRA_TREES)
def test_extra_trees_where_values_are_missing(table, settings, dialect, missing):
    check(table, dialect.change(missing=missing), settings)


@given(tables.tables(kinds=("numeric",)), SUMS, st.sampled_from(["gini", "entropy"]))
def test_weighted_sums_for_classes(table, settings, criterion):
    check(table, CART.change(criterion=criterion), settings)


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
@given(table=tables.tables(task="numbers", kinds=("numeric",)), settings=SUMS)
def test_weighted_sums_for_numbers(table, settings, criterion):
    check(table, CART_NUMBERS.change(criterion=criterion), settings)


@given(tables.tables(n_outputs=2, kinds=("numeric",)), SUMS)
def test_weighted_sums_for_several_outputs(table, settings):
    check(table, CART, settings)
