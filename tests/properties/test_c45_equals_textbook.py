"""The engine grows the tree that `textbook_c45.py` grows by trying everything.

Tests, rows, labels and thresholds are equal; weights, impurities and gains to 1e-9.
"""

from __future__ import annotations

import c45_tables
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import Table

from treewright.learners.dialects.c45 import C45, J48, LECTURE

pytestmark = pytest.mark.slow

AS_GROWN = {"pruning": None, "collapse": None}
DIALECTS = {d.name: d.change(**AS_GROWN) for d in (C45, J48, LECTURE)}
SEEDS = st.integers(0, 2**32)
FEWER = settings(max_examples=settings().max_examples // 3)

# each on its own in each dialect; where it is the dialect's own value, that is covered
CHANGES = [
    {"nominal_splits": "one_value"},
    {"numeric_splits": "midpoint"},
    {"numeric_splits": "training_value"},
    {"numeric_splits": "lower_value"},
    {"reuse_features": False},
    {"reuse_features": True},
    {"missing": "majority"},
    {"gain_guard": None},
    {"gain_guard": "c45"},
    {"gain_guard": "c50"},
    {"threshold_cost": None},
    {"threshold_cost": "evaluated_cuts"},
    {"threshold_cost": "distinct_values"},
    {"threshold_cost": "c50"},
    {"count_by": "rows"},
    {"count_by": "weight"},
    {"large_branches": "each"},
    {"large_branches": "two", "min_samples_leaf": 2},
    {"cut_minimum": "min_samples_leaf"},
    {"cut_minimum": "tenth_per_class"},
    {"min_samples_leaf": 1},
    {"min_samples_leaf": 3},
    {"min_branch_weight": 0.05},
    {"min_branch_weight": 0.9},
    {"min_branch_weight": 2.5},
    {"min_share": 1e-6},
    {"min_share": 0.3},
    {"min_gap": 0.0},
    {"min_gap": 1.0},  # the numbers of the tables are 0.5 and more apart
    {"single_precision": False},
    {"single_precision": True},
    {"zero_gain": False},
    {"zero_gain": True},
    {"min_split_information": 0.0},
    {"min_split_information": 0.9},
    {"tolerance": 0.0},
    {"tolerance": 1e-6},
    {"tolerance": 0.01},
    {"label_ties": "first"},
    {"label_ties": "ancestor"},
    {"collapse": 1e-3},
    {"collapse": 0.5},
]


def words(change: dict[str, object]) -> str:
    return ",".join(f"{name}={value}" for name, value in change.items())


@pytest.mark.parametrize("name", DIALECTS)
@given(seed=SEEDS)
def test_dialects_as_they_are(name, seed):
    c45_tables.check(c45_tables.ruled_table(seed, whole=True), DIALECTS[name])


@pytest.mark.parametrize("change", CHANGES, ids=words)
@pytest.mark.parametrize("name", DIALECTS)
@FEWER
@given(seed=SEEDS)
def test_each_switch_on_its_own(name, change, seed):
    table = c45_tables.ruled_table(seed, whole=True)
    c45_tables.check(table, DIALECTS[name].change(**change))


@pytest.mark.parametrize("name", ["c45", "j48"])
@given(seed=SEEDS)
def test_plain_gain_with_the_threshold_cost(name, seed):
    change = {"criterion": "entropy", "gain_guard": None}
    table = c45_tables.ruled_table(seed, whole=True)
    c45_tables.check(table, DIALECTS[name].change(**change))


@pytest.mark.parametrize("name", DIALECTS)
@given(seed=SEEDS)
def test_mostly_missing_values(name, seed):
    table = c45_tables.ruled_table(seed, most_missing=0.7, whole=True)
    c45_tables.check(table, DIALECTS[name])


@given(seed=SEEDS)
def test_weights_in_halves_and_quarters(seed):
    table = c45_tables.ruled_table(seed)
    c45_tables.check(table, DIALECTS["lecture"].change(count_by="weight"))


def close_values(values: list[float], classes: str) -> Table:
    return Table(
        cells={"x": values},
        kinds={"x": "numeric"},
        categories={},
        target=list(classes),
        classes=[["p", "q"]],
    )


@pytest.mark.parametrize("name", DIALECTS)
@pytest.mark.parametrize("gap", [4e-6, 9e-6, 1.1e-5, 1e-3])
def test_values_closer_than_the_gap_are_not_parted(name, gap):
    table = close_values([0.0, 0.0, gap, gap], "ppqq")
    c45_tables.check(table, DIALECTS[name])


@pytest.mark.parametrize("name", DIALECTS)
def test_threshold_is_a_value_of_the_whole_training_set(name):
    # golf, sunny: 70 70 | 85 90 95 has its middle at 77.5, and another branch has 75
    table = Table(
        cells={
            "outlook": ["s"] * 5 + ["o"] * 4,
            "humidity": [70.0, 70.0, 85.0, 90.0, 95.0, 75.0, 75.0, 78.0, 78.0],
        },
        kinds={"outlook": "nominal", "humidity": "numeric"},
        categories={"outlook": ["o", "s"]},
        target=list("ppqqqpppp"),
        classes=[["p", "q"]],
    )
    dialect = DIALECTS[name].change(threshold_cost=None, gain_guard=None)
    c45_tables.check(table, dialect)


def large_table(seed: int, n_rows: int) -> Table:
    """Make a table of a few kinds of rows, each many times."""
    random = np.random.default_rng(seed)
    cells = {
        "a": random.choice(list("uvw"), n_rows).tolist(),
        "b": random.choice(list("uvwxy"), n_rows).tolist(),
        "c": random.choice([1.0, 2.0, 4.0, 9.0], n_rows).tolist(),
    }
    noise = random.random(n_rows)
    target = [
        "p" if (a == "u") + (c > 2) + 1.5 * x > 1.3 else "q"
        for a, c, x in zip(cells["a"], cells["c"], noise, strict=True)
    ]
    return Table(
        cells=cells,
        kinds={"a": "nominal", "b": "nominal", "c": "numeric"},
        categories={"a": list("uvw"), "b": list("uvwxy")},
        target=target,
        classes=[["p", "q"]],
    )


# up to 500 rows of a class the average gain counts, from 1000 on the bits that name a
# feature, between them both
@pytest.mark.parametrize("n_rows", [900, 1300, 1700, 2200])
@pytest.mark.parametrize("name", DIALECTS)
def test_guard_of_c50_in_larger_tables(name, n_rows):
    change = {"gain_guard": "c50", "threshold_cost": "c50", "min_samples_leaf": 40}
    c45_tables.check(large_table(n_rows, n_rows), DIALECTS[name].change(**change))


@pytest.mark.parametrize("name", DIALECTS)
@given(seed=SEEDS)
def test_all_that_c50_has_of_its_own(name, seed):
    change = {"gain_guard": "c50", "threshold_cost": "c50"}
    table = c45_tables.ruled_table(seed, whole=True)
    c45_tables.check(table, DIALECTS[name].change(**change))
