"""Groups of values: the engine joins those that the textbook joins, pair by pair."""

from __future__ import annotations

import c45_tables
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import Table

from treewright.learners.dialects.c45 import C45, J48, LECTURE

pytestmark = pytest.mark.slow

AS_GROWN = {"pruning": None, "collapse": None}
DIALECTS = {d.name: d.change(**AS_GROWN) for d in (C45, J48, LECTURE)}
GROUPINGS = ("c45", "c50")
SEEDS = st.integers(0, 2**32)
FEWER = settings(max_examples=settings().max_examples // 3)

CHANGES = [
    {"missing": "majority"},
    {"gain_guard": None},
    {"count_by": "rows", "min_samples_leaf": 3},
    {"count_by": "weight", "min_samples_leaf": 4},
    {"large_branches": "each", "min_samples_leaf": 2},
    {"large_branches": "two", "min_samples_leaf": 5},
    {"min_split_information": 0.9},
    {"tolerance": 0.01},
    {"reuse_features": True},
    {"collapse": 1e-3},
]


def words(change: dict[str, object]) -> str:
    return ",".join(f"{name}={value}" for name, value in change.items())


def table_of_many_values(seed: int, **options: object) -> Table:
    return c45_tables.ruled_table(seed, most_rows=60, letters="abcdefgh", **options)


@pytest.mark.parametrize("grouping", GROUPINGS)
@pytest.mark.parametrize("name", DIALECTS)
@given(seed=SEEDS)
def test_groups_are_those_of_the_textbook(name, grouping, seed):
    table = table_of_many_values(seed, whole=True)
    c45_tables.check(table, DIALECTS[name].change(grouping=grouping))


@pytest.mark.parametrize("change", CHANGES, ids=words)
@pytest.mark.parametrize("grouping", GROUPINGS)
@FEWER
@given(seed=SEEDS)
def test_groups_with_each_switch_on_its_own(grouping, change, seed):
    table = table_of_many_values(seed, whole=True)
    dialect = DIALECTS["c45"].change(grouping=grouping, **change)
    c45_tables.check(table, dialect)


@pytest.mark.parametrize("grouping", GROUPINGS)
@given(seed=SEEDS)
def test_groups_of_mostly_missing_values(grouping, seed):
    table = table_of_many_values(seed, most_missing=0.7, whole=True)
    c45_tables.check(table, DIALECTS["c45"].change(grouping=grouping))


@pytest.mark.parametrize("grouping", GROUPINGS)
@given(seed=SEEDS)
def test_groups_by_weights_in_halves_and_quarters(grouping, seed):
    table = table_of_many_values(seed)
    dialect = DIALECTS["lecture"].change(grouping=grouping, count_by="weight")
    c45_tables.check(table, dialect)
