"""Sums and maxima of short rows are NumPy's own, to the last bit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from treewright.data.short_rows import row_maxima, row_sums

SHAPES = hnp.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=20)
TABLES = st.one_of(
    hnp.arrays(np.float64, SHAPES, elements=st.floats(-1e6, 1e6)),
    hnp.arrays(np.int64, SHAPES, elements=st.integers(-(2**40), 2**40)),
    hnp.arrays(np.bool_, SHAPES),
)


@pytest.mark.slow
@given(TABLES)
def test_sums_and_maxima_are_numpys(table):
    assert row_sums(table).tolist() == table.sum(axis=1).tolist()
    assert row_maxima(table).tolist() == table.max(axis=1).tolist()


@pytest.mark.parametrize("n_columns", [1, 2, 7, 8, 9])
def test_no_rows_have_no_sums(n_columns):
    table = np.zeros((0, n_columns))
    assert row_sums(table).shape == row_maxima(table).shape == (0,)
