"""Laws of the tidy layout, on random trees with boxes of any size."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.render.picture.layout import Gaps, breadths, level_starts

GAPS = Gaps(siblings=3.0, cousins=7.0)


@st.composite
def trees(draw):
    """Children in preorder numbers, and a size for each node."""
    n_nodes = draw(st.integers(1, 40))
    parents = [-1, *(draw(st.integers(0, node - 1)) for node in range(1, n_nodes))]
    below = [
        [child for child, p in enumerate(parents) if p == k]
        for k in range(len(parents))
    ]
    order, stack = [], [0]
    while stack:
        node = stack.pop()
        order.append(node)
        stack.extend(reversed(below[node]))
    number = {node: place for place, node in enumerate(order)}
    children = [[number[child] for child in below[node]] for node in order]
    sizes = [draw(st.integers(1, 50)) for _ in order]
    return children, sizes


def depths(children):
    out = [0] * len(children)
    for node, below in enumerate(children):
        for child in below:
            out[child] = out[node] + 1
    return out


@given(trees())
def test_nodes_of_a_level_keep_their_order_and_distance(tree):
    children, sizes = tree
    place = breadths(children, sizes, GAPS)
    parent = {child: node for node, below in enumerate(children) for child in below}
    level = depths(children)
    for depth in range(max(level) + 1):
        # preorder numbers: the nodes of a level from first to last
        nodes = [node for node in range(len(children)) if level[node] == depth]
        for one, other in itertools.pairwise(nodes):
            room = place[other] - place[one] - (sizes[one] + sizes[other]) / 2
            same = parent.get(one) == parent.get(other)
            least = GAPS.siblings if same else GAPS.cousins
            assert room >= least - 1e-6


@pytest.mark.slow
@given(trees())
def test_parent_is_in_the_middle_of_its_first_and_last_branch(tree):
    children, sizes = tree
    place = breadths(children, sizes, GAPS)
    for node, below in enumerate(children):
        if below:
            middle = (place[below[0]] + place[below[-1]]) / 2
            assert place[node] == pytest.approx(middle)


@pytest.mark.slow
@given(trees())
def test_least_edge_is_at_zero(tree):
    children, sizes = tree
    place = breadths(children, sizes, GAPS)
    edges = [p - size / 2 for p, size in zip(place, sizes, strict=True)]
    assert min(edges) == pytest.approx(0, abs=1e-6)


@pytest.mark.slow
@given(trees())
def test_mirrored_tree_has_the_mirrored_layout(tree):
    children, sizes = tree
    place = breadths(children, sizes, GAPS)
    order, stack = [], [0]
    while stack:  # preorder of the mirrored tree
        node = stack.pop()
        order.append(node)
        stack.extend(children[node])
    number = {node: k for k, node in enumerate(order)}
    mirrored = [[number[c] for c in reversed(children[node])] for node in order]
    other = breadths(mirrored, [sizes[node] for node in order], GAPS)
    width = max(p + size / 2 for p, size in zip(place, sizes, strict=True))
    for node, p in enumerate(place):
        assert other[number[node]] == pytest.approx(width - p, abs=1e-6)


def test_cousins_stand_further_apart_than_siblings():
    #    0           1 and 4 have two leaves each
    #  1   4
    # 2 3 5 6
    children = [[1, 4], [2, 3], [], [], [5, 6], [], []]
    place = breadths(children, [10] * 7, GAPS)
    assert place[3] - place[2] == 10 + GAPS.siblings
    assert place[5] - place[3] == 10 + GAPS.cousins


def test_small_subtrees_between_large_ones_are_spread_evenly():
    # three leaves between two bushes, which stand apart because of their own leaves
    children = [
        [1, 5, 6, 7, 8],
        [2, 3, 4],
        [],
        [],
        [],
        [],
        [],
        [],
        [9, 10, 11],
        [],
        [],
        [],
    ]
    place = breadths(children, [30, 10, 40, 40, 40, 10, 10, 10, 10, 40, 40, 40], GAPS)
    siblings = [place[k] for k in (1, 5, 6, 7, 8)]
    assert siblings[2] == pytest.approx((siblings[0] + siblings[4]) / 2)
    left, right = siblings[2] - siblings[1], siblings[3] - siblings[2]
    assert left == pytest.approx(right)


@pytest.mark.slow
def test_long_chain_needs_no_recursion():
    n_levels = 20_000
    children = []
    for node in range(2 * n_levels + 1):
        inner = node % 2 == 0 and node < 2 * n_levels
        children.append([node + 1, node + 2] if inner else [])
    place = breadths(children, [10.0] * len(children), GAPS)
    assert min(place) == 5


def test_level_starts_after_the_largest_node_before_it():
    assert level_starts([0, 1, 1, 2], [10, 20, 30, 5], [1, 2, 4, 8]) == [0, 14, 52]
