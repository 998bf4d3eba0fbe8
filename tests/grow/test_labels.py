"""The class that a node answers, beside the rule's own words."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusals import refused
from treewright import _core
from treewright.data.schema import Schema, Target
from treewright.grow.finish import class_labels


def by_the_rule(weights, parent, node, asks_ancestors):
    """Drop classes, node by node upwards, until one is left."""
    most = max(weights[node])
    left = [slot for slot, own in enumerate(weights[node]) if own >= most * (1 - 1e-11)]
    while len(left) > 1 and asks_ancestors and parent[node] >= 0:
        node = parent[node]
        most = max(weights[node][slot] for slot in left)
        left = [slot for slot in left if weights[node][slot] == most]
    return left[0]


@pytest.mark.slow
@given(data=st.data(), n_classes=st.integers(2, 5), asks_ancestors=st.booleans())
def test_labels_are_those_of_the_rule(data, n_classes, asks_ancestors):
    n_nodes = data.draw(st.integers(1, 12))
    parent = [-1, *(data.draw(st.integers(-1, node)) for node in range(n_nodes - 1))]
    few = st.integers(0, 2)  # so that many are equal
    weights = [
        data.draw(st.lists(few, min_size=n_classes, max_size=n_classes))
        for _ in range(n_nodes)
    ]
    target = Target("classes", ("y",), (tuple(range(n_classes)),))
    label = class_labels(
        np.array(weights, float),
        np.array(parent, np.int32),
        Schema((), target),
        ties="ancestor" if asks_ancestors else "first",
    )
    expected = [
        by_the_rule(weights, parent, node, asks_ancestors) for node in range(n_nodes)
    ]
    assert label[:, 0].tolist() == expected


def test_shares_that_differ_by_rounding_alone_are_equal():
    weights = np.array([[1.0, 2.0], [1.0, 1.0 + 1e-13]])
    label = _core.heaviest_classes(weights, np.array([-1, 0], np.int32), False)
    assert label.tolist() == [1, 0]


@pytest.mark.parametrize("parent", [[0], [-2], [1, -1], [-1, 5]])
def test_a_parent_that_is_no_earlier_node_is_refused(parent):
    weights = np.ones((len(parent), 2))
    with refused(ValueError, "node", "parent"):
        _core.heaviest_classes(weights, np.array(parent, np.int32), True)
