"""Pessimistic and minimum-gain pruning: by the numbers in the tree alone."""

from __future__ import annotations

import math

import handmade
import numpy as np
import pytest
from handmade import Node, build
from hypothesis import given
from hypothesis import strategies as st
from pruning_cases import assert_is_pruning, some_rows

from treewright.data.schema import Target
from treewright.learners.dialects.c45 import LECTURE
from treewright.learners.dialects.cart import CART, CART_NUMBERS
from treewright.learners.dialects.id3 import ID3
from treewright.prune.fitted import prune_model
from treewright.prune.methods.pessimistic import prune_pessimistically
from treewright.prune.methods.twigs import prune_by_gain
from treewright.tree import validate_model
from treewright.tree.structure.tree import NodeKind, Reason

TARGET = Target("classes", ("y",), (("a", "b"),))
ASK = NodeKind.CUT
XY = ID3.change(numeric_splits="midpoint")


def twig(value, *leaves, gain=0.0):
    """A cut with leaves of these class weights."""
    return Node(value, ASK, 0, 0.5, children=[Node(leaf) for leaf in leaves], gain=gain)


def test_quinlan_s_rule_by_hand():
    """Errors 0 + 0 with two leaves: E' = 1, N = 20, SE = sqrt(1 * 19 / 20) = 0.975.

    As a leaf 1 error + 0.5 <= 1.975: cut. With 2 errors 2.5 > 1.975: kept.
    """
    one_error = build(twig([19, 1], [19, 0], [0, 1]), TARGET)
    two_errors = build(twig([18, 2], [18, 0], [0, 2]), TARGET)
    assert prune_pessimistically(one_error, TARGET).node_count == 1
    assert prune_pessimistically(two_errors, TARGET).node_count == 3
    assert prune_pessimistically(one_error, TARGET).reason.tolist() == [Reason.PRUNED]


@pytest.mark.slow
def test_pessimistic_pruning_is_top_down():
    """The root is judged by its subtree as it was grown, leaves and all."""

    def stays(tree, node):
        leaves, stack = [], [node]
        while stack:
            one = stack.pop()
            if tree.n_children[one]:
                stack += tree.children(one)
            else:
                leaves.append(one)
        weight = tree.weight[node]
        wrong = tree.weight - tree.class_weights().max(axis=1)
        corrected = wrong[leaves].sum() + len(leaves) / 2
        spread = math.sqrt(max(corrected * (weight - corrected) / weight, 0))
        return wrong[node] + 0.5 > corrected + spread + 1e-9

    @given(some_rows(missing=True, most=60), st.sampled_from([CART, XY, LECTURE]))
    def check(rows, dialect):
        model = rows.grown(dialect)
        tree = model.trees[0]
        less = prune_model(model, "pessimistic")
        validate_model(less)
        assert_is_pruning(less.trees[0], tree)
        n_inner, stack = 0, [0]
        while stack:
            node = stack.pop()
            if tree.n_children[node] and stays(tree, node):
                n_inner += 1
                stack += tree.children(node)
        assert np.count_nonzero(less.trees[0].n_children) == n_inner

    check()


def test_poor_splits_above_leaves_fall_one_after_the_other():
    good = twig([6, 4], [6, 0], [0, 4], gain=0.5)
    poor = Node(
        [9, 6],
        ASK,
        0,
        2.5,
        gain=0.1,
        children=[Node([3, 2]), twig([6, 4], [3, 2], [3, 2])],
    )
    root = Node([15, 10], ASK, 0, 1.5, gain=0.01, children=[good, poor])
    less = prune_by_gain(build(root, TARGET), 0.2)
    # the poor root stays, because the good split below it does
    assert less.n_children.tolist() == [2, 2, 0, 0, 0]
    assert less.reason.tolist() == [0, 0, Reason.PRUNED, Reason.PURE, Reason.PURE]


def test_split_that_gains_exactly_the_limit_stays():
    tree = build(twig([2, 2], [2, 0], [0, 2], gain=0.1 + 0.2), TARGET)
    assert prune_by_gain(tree, 0.3).node_count == 3
    assert prune_by_gain(tree, 0.30001).node_count == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "dialect", [CART, XY, CART_NUMBERS], ids=["cart", "id3", "numbers"]
)
@given(data=st.data())
def test_after_pruning_every_twig_gains_enough(dialect, data):
    rows = data.draw(some_rows(numbers=dialect.task == "numbers"))
    limit = data.draw(st.sampled_from([0.0, 0.05, 0.3, 0.9, 5.0]))
    model = rows.grown(dialect)
    less = prune_model(model, "minimum_gain", prune_gain=limit)
    validate_model(less)
    assert_is_pruning(less.trees[0], model.trees[0])
    tree = less.trees[0]
    for node in np.flatnonzero(tree.n_children):
        if not tree.n_children[list(tree.children(node))].any():
            assert tree.gain[node] >= limit * (1 - 1e-9)


@pytest.mark.slow
@given(some_rows(), st.sampled_from([0.01, 0.1, 0.4]))
def test_a_higher_limit_prunes_more(rows, limit):
    model = rows.grown(CART)
    some = prune_model(model, "minimum_gain", prune_gain=limit)
    more = prune_model(model, "minimum_gain", prune_gain=2 * limit)
    assert_is_pruning(more.trees[0], some.trees[0])


@pytest.mark.parametrize("name", sorted(handmade.ALL))
def test_trees_made_by_hand_stay_valid(name):
    model = handmade.ALL[name]()
    less = prune_model(model, "minimum_gain", prune_gain=0.01)
    validate_model(less)
    assert less.trees[0].node_count <= model.trees[0].node_count
