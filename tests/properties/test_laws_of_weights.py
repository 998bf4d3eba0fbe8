"""Laws of weights: what they must, and must not, change in a tree.

The other laws of growing are in `test_metamorphic.py`.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import tables
from compared_trees import (
    CRITERIA,
    DIALECTS,
    NUMBERS,
    any_tables,
    assert_same_shape,
    number_tables,
)
from hypothesis import assume, given
from hypothesis import strategies as st
from tables import grow

from engine_as_textbook import as_textbook
from textbook_compare import first_difference
from treewright.tree.file.save import to_bytes

pytestmark = pytest.mark.slow


@given(any_tables, DIALECTS, CRITERIA, st.sampled_from([0.125, 2.0, 1024.0]))
def test_scaled_weights_keep_the_tree(table, dialect, criterion, factor):
    weights = table.weights or [1.0] * table.n_rows
    scaled = replace(table, weights=[factor * w for w in weights])
    before, after = (grow(t, dialect, criterion=criterion) for t in (table, scaled))
    assert_same_shape(before, after)
    assert (before.trees[0].value * factor == after.trees[0].value).all()


@given(number_tables, st.sampled_from(["squared_error", "absolute_error"]))
def test_scaled_weights_keep_the_tree_of_numbers(table, criterion):
    weights = table.weights or [1.0] * table.n_rows
    scaled = replace(table, weights=[2.0 * w for w in weights])
    before, after = (grow(t, NUMBERS, criterion=criterion) for t in (table, scaled))
    assert_same_shape(before, after)
    np.testing.assert_allclose(before.trees[0].value, after.trees[0].value, atol=1e-12)


@given(any_tables, DIALECTS, CRITERIA)
def test_equal_weights_are_as_good_as_none(table, dialect, criterion):
    before, after = (
        grow(replace(table, weights=w), dialect, criterion=criterion)
        for w in (None, [0.75] * table.n_rows)
    )
    assert_same_shape(before, after)


WHOLE = tables.small_tables(missing=True, weights=st.integers(1, 3))


@given(WHOLE, DIALECTS, CRITERIA)
def test_weight_two_is_a_row_twice(table, dialect, criterion):
    assume(table.weights)
    rows = [row for row in range(table.n_rows) for _ in range(table.weights[row])]
    repeated = replace(table.take(rows), weights=None)
    before, after = (grow(t, dialect, criterion=criterion) for t in (table, repeated))
    assert before.fingerprint() == after.fingerprint()


@given(
    tables.small_tables(missing=True, task="numbers", weights=st.integers(1, 3)),
    st.sampled_from(["squared_error", "absolute_error"]),
)
def test_weight_two_is_a_row_twice_for_numbers(table, criterion):
    assume(table.weights)
    rows = [row for row in range(table.n_rows) for _ in range(table.weights[row])]
    repeated = replace(table.take(rows), weights=None)
    before, after = (
        as_textbook(grow(t, NUMBERS, criterion=criterion)) for t in (table, repeated)
    )
    pending = [before, after]
    while pending:  # the rows are counted differently
        node = pending.pop()
        del node["rows"]
        pending += node.get("branches", [])
    assert first_difference(before, after) is None


@given(any_tables, DIALECTS, st.data())
def test_weight_zero_is_no_row(table, dialect, data):
    weights = table.weights or [1.0] * table.n_rows
    kept = data.draw(st.lists(st.sampled_from(range(table.n_rows)), min_size=1))
    zeroed = [w if row in kept else 0.0 for row, w in enumerate(weights)]
    absent = replace(table, weights=weights).take(sorted(set(kept)))
    before, after = (grow(t, dialect) for t in (replace(table, weights=zeroed), absent))
    assert before.fingerprint() == after.fingerprint()
    assert to_bytes(before) == to_bytes(after)
