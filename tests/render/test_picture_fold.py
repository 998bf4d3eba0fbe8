"""What is drawn of a tree, and what is counted instead."""

from __future__ import annotations

import handmade
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusals import refused
from treewright.errors import SettingError
from treewright.render.picture.fold import LEAST_SHARE, View, drawn_nodes
from treewright.tree import NodeKind

WHOLE = View(max_nodes=None)


def bush(n_branches, rows):
    """A root with many branches: one leaf for each number of rows."""
    colours = tuple(f"c{k}" for k in range(n_branches))
    target = handmade.Target("classes", ("y",), (("a", "b"),))
    leaves = [handmade.Node([count, 0]) for count in rows]
    root = handmade.Node(
        [sum(rows), 0], NodeKind.MULTIWAY, 0, children=leaves, label=[0]
    )
    schema = handmade.Schema((handmade.Feature("x", "nominal", colours),), target)
    return handmade.Model(schema, (handmade.build(root, target),), "id3")


def random_tree(rng, n_splits):
    """A tree whose rows are divided at random."""
    target = handmade.Target("classes", ("y",), (("a", "b"),))
    root = handmade.Node([float(rng.integers(1, 1000)), 1])
    leaves = [root]
    for _ in range(n_splits):
        node = leaves.pop(int(rng.integers(len(leaves))))
        parts = rng.dirichlet(np.ones(int(rng.integers(2, 5))))
        node.children = [handmade.Node([part * node.value[0], 0.0]) for part in parts]
        node.kind, node.feature = NodeKind.MULTIWAY, 0
        leaves += node.children
    return handmade.build(root, target)


@pytest.mark.slow
@given(
    st.integers(0, 2**32),
    st.integers(0, 60),
    st.none() | st.integers(0, 6),
    st.none() | st.floats(0, 0.3),
    st.none() | st.integers(1, 60),
    st.integers(0, 20),
)
def test_every_node_is_drawn_once_or_counted_once(
    seed, n_splits, max_depth, min_share, max_nodes, focus
):
    tree = random_tree(np.random.default_rng(seed), n_splits)
    focus = min(focus, tree.node_count - 1)
    view = View(max_depth, min_share, focus, max_nodes)
    items = drawn_nodes(tree, view)
    n_drawn = sum(not item.is_rest for item in items)
    n_hidden = sum(item.n_hidden for item in items)
    assert n_drawn + n_hidden == tree.subtree_sizes()[focus]
    n_leaves = sum(
        not item.is_rest and tree.n_children[item.node] == 0 for item in items
    )
    inside = [focus]
    for node in inside:
        inside.extend(tree.children(node))
    all_leaves = sum(tree.n_children[node] == 0 for node in inside)
    assert n_leaves + sum(item.n_hidden_leaves for item in items) == all_leaves
    if max_nodes is not None:
        assert len(items) <= max(max_nodes, 1)
    if max_depth is not None:
        assert max(item.depth for item in items) <= max_depth


@pytest.mark.slow
@given(st.integers(0, 2**32), st.floats(0.001, 0.3))
def test_only_nodes_of_the_share_are_opened(seed, min_share):
    tree = random_tree(np.random.default_rng(seed), 40)
    items = drawn_nodes(tree, View(min_share=min_share, max_nodes=None))
    for item in items:
        if item.parent >= 0 and not item.is_rest:
            is_light = tree.weight[item.node] < min_share * tree.weight[0]
            is_open = any(
                other.parent >= 0 and items[other.parent] is item for other in items
            )
            assert not (is_light and is_open)


def test_whole_tree_in_the_order_of_its_branches():
    items = drawn_nodes(handmade.tennis().trees[0], WHOLE)
    assert [item.node for item in items] == [0, 1, 2, 4, 5, 3, 6, 7]
    assert [item.parent for item in items] == [-1, 0, 0, 2, 2, 0, 5, 5]


def test_depth_is_counted_from_the_top_of_the_picture():
    tree = handmade.tennis().trees[0]
    assert len(drawn_nodes(tree, View(max_depth=1))) == 4
    assert [item.node for item in drawn_nodes(tree, View(max_depth=1, focus=3))] == [
        3,
        6,
        7,
    ]


def test_light_branches_become_one_rest_at_the_end():
    model = bush(5, [50, 1, 40, 2, 3])
    items = drawn_nodes(model.trees[0], View(min_share=0.1))
    assert [item.nodes for item in items] == [(0,), (1,), (3,), (2, 4, 5)]
    assert items[-1].is_rest
    assert items[-1].n_hidden == items[-1].n_hidden_leaves == 3


def test_single_light_branch_stays_where_it_is():
    items = drawn_nodes(bush(3, [50, 1, 40]).trees[0], View(min_share=0.1))
    assert [item.nodes for item in items] == [(0,), (1,), (2,), (3,)]


def test_node_of_light_branches_only_is_folded():
    items = drawn_nodes(bush(3, [1, 1, 1]).trees[0], View(min_share=0.5))
    assert [(item.nodes, item.n_hidden) for item in items] == [((0,), 3)]


def test_root_of_too_many_branches_keeps_the_heaviest():
    rows = [1] * 100
    rows[7], rows[70] = 9, 8
    items = drawn_nodes(bush(100, rows).trees[0], View(max_nodes=4, min_share=0.0))
    assert [item.nodes for item in items[:3]] == [(0,), (8,), (71,)]
    assert items[3].n_hidden == 98


def test_large_tree_is_folded_by_share_unless_said_otherwise():
    chain = handmade.chain(500).trees[0]
    items = drawn_nodes(chain, View())
    assert 1 < len(items) <= 150
    kept = [item.node for item in items if item.n_hidden]
    assert len(kept) == 1
    small = drawn_nodes(handmade.tennis().trees[0], View())
    assert not any(item.n_hidden for item in small)
    assert 1 / 14 > LEAST_SHARE


def test_chain_of_20_000_levels_is_folded():
    items = drawn_nodes(handmade.chain(20_000).trees[0], View())
    assert sum(item.n_hidden for item in items) + len(items) == 40_001


@pytest.mark.parametrize("focus", [-1, 8, 10**20])
def test_unknown_node_gets_the_list_of_what_there_is(focus):
    tree = handmade.tennis().trees[0]
    with refused(SettingError, f"node {focus}", "0 to 7", "0, 2, 3"):
        drawn_nodes(tree, View(focus=focus))


@pytest.mark.parametrize(
    ("wrong", "names"),
    [
        ({"max_depth": -1}, ("max_depth", -1)),
        ({"min_share": 1.5}, ("min_share", "0 to 1", 1.5)),
        ({"min_share": float("nan")}, ("min_share", "0 to 1", "nan")),
        ({"max_nodes": 0}, ("max_nodes", 0, "None")),
    ],
)
def test_view_that_cannot_be(wrong, names):
    with refused(SettingError, *names):
        View(**wrong)
