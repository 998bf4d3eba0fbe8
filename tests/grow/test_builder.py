"""The arrays of a growing tree: how much room they take at first, and later."""

from __future__ import annotations

import numpy as np
import pytest

from treewright.grow.builder import Builder

pytestmark = pytest.mark.slow


def test_many_classes_do_not_ask_for_more_than_there_is():
    builder = Builder(width=10_000, capacity=400_000)
    assert builder.statistics.nbytes <= 2**28
    n_nodes = len(builder.n_rows) + 1
    new = builder.append(
        statistics=np.ones((n_nodes, 10_000), np.int64),
        n_rows=np.full(n_nodes, 10_000),
        pure=np.zeros(n_nodes, bool),
        parent=np.full(n_nodes, -1, np.int32),
    )
    assert (new.start, new.stop) == (0, n_nodes)
    assert builder.statistics[n_nodes - 1].sum() == 10_000
