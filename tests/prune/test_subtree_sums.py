"""Sums over subtrees, beside adding up each node's path to the root."""

from __future__ import annotations

import handmade
import numpy as np
import pytest
from hypothesis import given, settings
from pruning_cases import some_rows

from refusals import refused
from treewright import _core
from treewright.learners.dialects.c45 import LECTURE
from treewright.prune.shape import subtree_sums, sums_below


@pytest.mark.slow
@settings(max_examples=30)
@given(rows=some_rows(most=40))
def test_a_node_counts_for_all_above_it(rows):
    tree = rows.grown(LECTURE.change(pruning=None)).trees[0]
    numbers = np.arange(2 * tree.node_count).reshape(-1, 2)
    expected = np.zeros_like(numbers)
    of_leaves = np.zeros_like(numbers)
    parent = tree.parents()
    for node in range(tree.node_count):
        above = node
        while above >= 0:
            expected[above] += numbers[node]
            of_leaves[above] += numbers[node] * (tree.n_children[node] == 0)
            above = parent[above]
    assert subtree_sums(tree, numbers).tolist() == expected.tolist()
    assert sums_below(tree, numbers).tolist() == of_leaves.tolist()
    floats = numbers.astype(np.float64)
    assert subtree_sums(tree, floats).tolist() == expected.tolist()


def test_arrays_that_are_no_tree_are_refused():
    tree = handmade.chain(3).trees[0]
    numbers = np.ones((tree.node_count, 1))
    with refused(ValueError, "arrays", "lengths"):
        _core.subtree_sums(tree.first_child, tree.n_children, numbers[1:])
    loop = np.zeros_like(tree.first_child)
    with refused(ValueError, "child", "parent"):
        _core.subtree_sums(loop, tree.n_children, numbers)
