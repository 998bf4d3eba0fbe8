"""Error-based pruning beside a slow recursive twin; golden values of the estimate."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pruning_cases import KINDS, Rows, some_rows
from slow_error_based import Slow, from_arrays, globally_pruned, rows_of

from treewright.data.encoding.encode import encode
from treewright.learners.dialects.c45 import LECTURE
from treewright.learners.recipe import grow_tree
from treewright.prune.labelled_rows import LabelledRows
from treewright.prune.methods.error_estimate import ErrorEstimate
from treewright.tree.structure.tree import Reason

pytestmark = pytest.mark.slow

# N, E, U of J48, U of C4.5 release 8, all at confidence 0.25
GOLDEN = [
    (1, 0, 0.7500, 0.7500),
    (6, 0, 1.2378, 1.2378),
    (9, 0, 1.2848, 1.2848),
    (2, 1, 0.7915, 0.7962),
    (6, 0.5, 1.2707, 1.2821),
    (16, 1, 1.4757, 1.5069),
    (14, 5, 1.7611, 1.7950),
    (100, 10, 2.7496, 2.8147),
    (1000, 100, 7.0957, 7.2769),
    (5, 4.6, 0.4000, 0.2680),
]


@pytest.mark.parametrize(("n", "e", "j48", "release_8"), GOLDEN)
def test_added_errors_of_both_programs(n, e, j48, release_8):
    exact = ErrorEstimate()
    table = ErrorEstimate(limit="table", mostly_wrong="two_thirds")
    assert float(exact.added(n, e)) == pytest.approx(j48, abs=5e-5)
    assert float(table.added(n, e)) == pytest.approx(release_8, abs=5e-5)


def test_quantiles_of_both_programs():
    assert ErrorEstimate().quantile == pytest.approx(0.6745, abs=5e-5)
    assert ErrorEstimate(limit="table").quantile == pytest.approx(0.6925, abs=5e-5)


def test_nothing_is_added_above_a_half():
    assert float(ErrorEstimate(confidence=0.6).added(10, 3)) == 0.0


@given(
    n=st.floats(0.1, 1e4),
    share=st.floats(0, 1),
    confidence=st.floats(0.001, 0.5),
    table=st.booleans(),
)
def test_estimate_is_that_of_the_description(n, share, confidence, table):
    estimate = ErrorEstimate(
        confidence,
        "table" if table else "normal",
        "two_thirds" if table else "rest",
    )
    slow = Slow(confidence, table=table, two_thirds=table)
    expected = slow.added(n, n * share)
    assert float(estimate.added(n, n * share)) == pytest.approx(expected, abs=1e-9)


@settings(max_examples=1000)
@given(
    rows=st.lists(st.floats(0, 60), min_size=2, max_size=4),
    more=st.lists(
        st.sampled_from([0.0, 0.01, 0.1, 0.3, 0.5, 1.0, 7.5]), min_size=4, max_size=4
    ),
    tenths=st.booleans(),
    confidence=st.floats(0.001, 0.7),
    c45=st.booleans(),
)
def test_rows_that_are_added_lower_no_bound(rows, more, tenths, confidence, c45):
    """What lets pruning leave rows out that would only add errors."""
    estimate = ErrorEstimate(
        confidence, "table" if c45 else "normal", "two_thirds" if c45 else "rest"
    )
    before = np.round(np.array([rows]), 1) / (10.0 if tenths else 1.0)
    after = before + np.array(more[: len(rows)])
    assert estimate.at_least(before) <= estimate.of(after) + 1e-9
    assert estimate.at_least(before) <= estimate.of(before) + 1e-9


# weights within this are equal; the slow twin adds up in another order
TOLERANCE = 1e-6


def assert_pruned_like_the_slow_twin(rows, **switches):
    dialect = LECTURE.change(tolerance=TOLERANCE, **switches)
    columns = encode(
        rows.table,
        rows.y,
        task="classes",
        sample_weight=rows.weights,
        feature_kinds=KINDS,
    )
    as_grown = dialect.change(
        pruning=None, pool_small_branches=False, global_pruning=False
    )
    grown = grow_tree(columns, as_grown)
    less = grow_tree(columns, dialect)
    labelled = LabelledRows.of_columns(columns, grown.schema)
    slow = Slow(
        dialect.confidence,
        table=dialect.confidence_limit == "table",
        two_thirds=dialect.mostly_wrong == "two_thirds",
        raising=dialect.subtree_raising,
        tolerance=TOLERANCE,
        pool_below=dialect.min_samples_leaf if dialect.pool_small_branches else 0.0,
    )
    twin_rows = rows_of(labelled.cells, labelled.target[:, 0], labelled.weights)
    twin = slow.pruned(from_arrays(grown.trees[0]), twin_rows)
    if dialect.global_pruning:
        twin = globally_pruned(twin, twin_rows)
    assert from_arrays(less.trees[0]).words() == twin.words()
    assert_filled(less.trees[0], twin, twin_rows)


def _entropy(counts):
    shares = counts[counts > 0] / counts.sum()
    return -float((shares * np.log2(shares)).sum())


def assert_filled(tree, twin, twin_rows):
    """Every node counts the rows that come to it."""
    weights = tree.class_weights()
    pairs = [(0, twin, twin_rows)]
    while pairs:
        node, slow, here = pairs.pop()
        counts = np.zeros(weights.shape[1])
        for _, label, weight in here:
            counts[label] += weight
        assert weights[node].tolist() == pytest.approx(counts.tolist(), abs=1e-6)
        if tree.reason[node] == Reason.PURE:
            assert np.count_nonzero(counts) == 1
        if counts.sum() > 0:
            assert tree.impurity[node] == pytest.approx(_entropy(counts), abs=1e-6)
        if slow.branches:
            below = zip(
                tree.children(node), slow.branches, slow.divide(here), strict=True
            )
            pairs += below


SWITCHES = {
    "pruning": st.just("error_based"),
    "confidence": st.sampled_from([0.05, 0.1, 0.25, 0.4, 0.49, 0.7]),
    "criterion": st.sampled_from(["entropy", "gain_ratio"]),
    "nominal_splits": st.sampled_from(["multiway", "one_value"]),
}


@settings(max_examples=80)
@given(some_rows(most=40), st.fixed_dictionaries(SWITCHES))
def test_whole_rows_with_raising(rows, switches):
    assert_pruned_like_the_slow_twin(rows, **switches)


@settings(max_examples=80)
@given(some_rows(most=40, missing=True), st.fixed_dictionaries(SWITCHES))
def test_divided_rows_with_raising(rows, switches):
    assert_pruned_like_the_slow_twin(rows, **switches)


@given(some_rows(most=40, missing=True), st.fixed_dictionaries(SWITCHES))
def test_divided_rows_without_raising(rows, switches):
    assert_pruned_like_the_slow_twin(rows, subtree_raising=False, **switches)


GROUPED = {
    "pruning": st.just("error_based"),
    "confidence": st.sampled_from([0.1, 0.25, 0.4, 0.7]),
    "grouping": st.sampled_from(["c45", "c50"]),
    "subtree_raising": st.booleans(),
}


@settings(max_examples=80)
@given(
    some_rows(most=40, missing=True, values="abcdef"), st.fixed_dictionaries(GROUPED)
)
def test_groups_of_values(rows, switches):
    assert_pruned_like_the_slow_twin(rows, **switches)


@given(some_rows(most=40, missing=True), st.fixed_dictionaries(SWITCHES))
def test_table_of_release_8(rows, switches):
    assert_pruned_like_the_slow_twin(
        rows, confidence_limit="table", mostly_wrong="two_thirds", **switches
    )


def rare_values(seed: int) -> Rows:
    """Make a table in which some values are rare, and a rule explains a part."""
    random = np.random.default_rng(seed)
    n_rows = 120
    share = 0.7 ** np.arange(8)
    cells = {
        "colour": random.choice(list("abcdefgh"), n_rows, p=share / share.sum()),
        "shape": random.choice(list("uvwxyz"), n_rows),
        "size": random.choice([1.0, 2.0, 4.0, 7.0], n_rows),
    }
    is_odd = np.isin(cells["colour"], list("bdfh")) ^ (cells["size"] > 2)
    noise = random.choice(["yes", "no"], n_rows)
    y = np.where(random.random(n_rows) < 0.6, noise, np.where(is_odd, "no", "yes"))
    lost = random.random(n_rows) < 0.1 * (seed % 3)
    table = {name: column.tolist() for name, column in cells.items()}
    table["shape"] = np.where(lost, None, cells["shape"]).tolist()
    return Rows(table, y.tolist())


@pytest.mark.parametrize("raising", [True, False])
@pytest.mark.parametrize("seed", range(40))
def test_small_branches_are_pooled(seed, raising):
    assert_pruned_like_the_slow_twin(
        rare_values(seed),
        pruning="error_based",
        pool_small_branches=True,
        subtree_raising=raising,
        min_samples_leaf=3,
        large_branches="two",
        count_by="weight",
        global_pruning=seed % 2 == 1,
    )


@settings(max_examples=80)
@given(some_rows(most=40, missing=True), st.fixed_dictionaries(SWITCHES))
def test_global_pruning(rows, switches):
    assert_pruned_like_the_slow_twin(rows, global_pruning=True, **switches)
