"""The order of the rows does not show: raised branches, divided rows, weights."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treewright import C45Classifier

pytestmark = pytest.mark.slow


@st.composite
def shuffled_tables(draw):
    """A table with missing values, classes and real weights, and another order."""
    n_rows = draw(st.integers(4, 40))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    table = random.integers(0, 5, (n_rows, 3)).astype(float)
    table[random.random(table.shape) < draw(st.sampled_from([0.0, 0.2]))] = np.nan
    classes = random.integers(0, 3, n_rows)
    weights = draw(st.sampled_from([np.ones(n_rows), random.random(n_rows)]))
    return table, classes, weights, random.permutation(n_rows)


@settings(max_examples=150)
@given(shuffled_tables(), st.sampled_from(["c45", "j48"]))
def test_c45_is_the_same_for_any_order_of_the_rows(case, dialect):
    table, classes, weights, order = case
    tree = C45Classifier(dialect=dialect)
    first = tree.fit(table, classes, sample_weight=weights).fingerprint()
    tree.fit(table[order], classes[order], sample_weight=weights[order])
    assert tree.fingerprint() == first
