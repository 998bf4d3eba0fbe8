"""The nested sequence of trees: laws, brute force, long chains, bad input."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treewright as tw
from refusals import refused
from treewright.data.schema import Target
from treewright.errors import SettingError
from treewright.prune.cost_complexity.held_out_risk import between
from treewright.prune.cost_complexity.nested_trees import pruning_path
from treewright.prune.cost_complexity.weakest_links import node_risks
from treewright.tree.structure.tree import NodeKind, Tree

CLASSES = Target(("y",), "classes", (("a", "b"),))


def made_tree(parents: list[int], errors: list[float]) -> Tree:
    """A tree of this shape; each node has 100 rows of `a` less its errors.

    Children of one node must be neighbours, after their parent.
    """
    n_nodes = len(parents)
    n_children = np.bincount([p for p in parents if p >= 0], minlength=n_nodes)
    first = np.full(n_nodes, -1)
    for node in range(n_nodes - 1, 0, -1):
        first[parents[node]] = node
    inner = n_children > 0
    wrong = np.asarray(errors, float)
    value = np.column_stack([1e6 - wrong, wrong])
    return Tree(
        kind=np.where(inner, NodeKind.MULTIWAY, NodeKind.LEAF).astype(np.uint8),
        feature=np.where(inner, 0, -1).astype(np.int32),
        threshold=np.full(n_nodes, np.nan),
        first_child=first.astype(np.int32),
        n_children=n_children.astype(np.int32),
        missing_branch=np.full(n_nodes, -1, np.int32),
        set_start=np.zeros(n_nodes + 1, np.int64),
        set_codes=np.zeros(0, np.int32),
        value=value,
        label=np.zeros((n_nodes, 1), np.int32),
        n_rows=np.ones(n_nodes, np.int64),
        weight=np.ones(n_nodes),
        impurity=wrong,
        gain=np.zeros(n_nodes),
        reason=np.zeros(n_nodes, np.uint8),
    )


@st.composite
def small_trees(draw: st.DrawFn) -> Tree:
    """Trees of up to five inner nodes; leaves never err more than their parent."""
    parents, errors = [-1], [draw(st.integers(0, 60))]
    open_nodes = [0]
    for _ in range(draw(st.integers(0, 5))):
        node = open_nodes.pop(draw(st.integers(0, len(open_nodes) - 1)))
        left = errors[node]
        for _ in range(draw(st.integers(2, 3))):
            share = draw(st.integers(0, left))
            left -= share
            open_nodes.append(len(parents))
            parents.append(node)
            errors.append(share)
    return made_tree(parents, errors)


def prunings(tree: Tree, node: int = 0) -> list[frozenset[int]]:
    """Every pruned subtree under a node, as its set of leaves: by enumeration."""
    branches = tree.children(node) if tree.n_children[node] else ()
    kept = [
        frozenset().union(*parts)
        for parts in itertools.product(*(prunings(tree, b) for b in branches))
        if branches
    ]
    return [frozenset({node}), *kept]


def cheapest(tree: Tree, risk: np.ndarray, alpha: float) -> tuple[float, int]:
    """Least cost of all prunings, and the leaves of the smallest that has it."""
    costs = [
        (sum(risk[leaf] for leaf in leaves) + alpha * len(leaves), len(leaves))
        for leaves in prunings(tree)
    ]
    least = min(cost for cost, _ in costs)
    return least, min(n for cost, n in costs if cost <= least + 1e-9)


@pytest.mark.slow
@given(small_trees())
@settings(max_examples=300, deadline=None)
def test_each_step_is_the_smallest_of_the_cheapest_prunings(tree):
    path = pruning_path(tree, CLASSES)
    risk = node_risks(tree, CLASSES, by="impurity")
    for alpha in (*path.alphas, *between(path.alphas)[:-1], path.alphas[-1] + 1):
        step = path.step_for(alpha)
        cost, n_leaves = cheapest(tree, risk, alpha)
        assert path.n_leaves[step] == n_leaves
        assert path.risks[step] + alpha * n_leaves == pytest.approx(cost, abs=1e-9)


@pytest.mark.slow
@given(small_trees())
@settings(max_examples=200, deadline=None)
def test_path_ascends_and_trees_are_nested(tree):
    path = pruning_path(tree, CLASSES)
    assert path.alphas[0] == 0
    assert (np.diff(path.alphas) > 0).all()
    assert (np.diff(path.n_leaves) < 0).all()
    assert (np.diff(path.risks) >= 0).all()
    assert path.n_leaves[-1] == 1
    sizes = [path.tree_at(step).node_count for step in range(len(path))]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] <= tree.node_count
    for step in range(len(path)):
        pruned = path.tree_at(step)
        assert pruned.n_leaves == path.n_leaves[step]
        leaves = pruned.kind == NodeKind.LEAF
        assert pruned.impurity[leaves].sum() == pytest.approx(path.risks[step])


@pytest.mark.slow
@given(small_trees(), st.floats(0, 20))
@settings(max_examples=200, deadline=None)
def test_pruning_the_pruned_tree_changes_nothing(tree, alpha):
    path = pruning_path(tree, CLASSES)
    once = path.tree_at(path.step_for(alpha))
    path = pruning_path(once, CLASSES)
    again = path.tree_at(path.step_for(alpha))
    assert again.node_count == once.node_count


def test_links_of_the_same_strength_break_together():
    # root 8 errors, two inner branches with 4 each, four leaves with 1 each:
    # (4 - 2) / 1 = 2 for both branches, then (8 - 8) / 1 = 0 for the root alone;
    # as a whole (8 - 4) / 3 = 1.33 is the weakest link: one step from 4 leaves to 1
    tree = made_tree([-1, 0, 0, 1, 1, 2, 2], [8, 4, 4, 1, 1, 1, 1])
    path = pruning_path(tree, CLASSES)
    assert path.n_leaves.tolist() == [4, 1]
    assert path.alphas.tolist() == pytest.approx([0, 4 / 3])
    # with 12 errors at the root the branches go first, both at alpha 2: then 12 - 8 = 4
    tree = made_tree([-1, 0, 0, 1, 1, 2, 2], [12, 4, 4, 1, 1, 1, 1])
    path = pruning_path(tree, CLASSES)
    assert path.n_leaves.tolist() == [4, 2, 1]
    assert path.alphas.tolist() == pytest.approx([0, 2, 4])


def test_subtree_that_saves_nothing_is_not_in_the_path():
    tree = made_tree([-1, 0, 0, 1, 1], [5, 2, 1, 2, 0])
    path = pruning_path(tree, CLASSES)
    assert path.n_leaves.tolist() == [2, 1]
    assert path.alphas.tolist() == [0, 2]


def test_misclassification_counts_the_rows_outside_the_majority():
    X = [[0], [0], [0], [1], [1], [1]]
    tree = tw.CARTClassifier().fit(X, list("aabbba"))
    target = tree.model_.schema.target
    path = pruning_path(tree.tree_, target, by="misclassification")
    # 3 of 6 wrong at the root, 1 in each leaf: alpha (3 - 2) / 6
    assert path.risks.tolist() == pytest.approx([2 / 6, 3 / 6])
    assert path.alphas.tolist() == pytest.approx([0, 1 / 6])


@pytest.mark.slow
@pytest.mark.parametrize("rising", [True, False])
def test_chain_of_20000_levels(rising):
    n_levels = 20_000
    # node 2k + 1 goes on, node 2k + 2 is a leaf without errors
    parents = [-1] + [2 * ((node - 1) // 2) - 1 for node in range(1, 2 * n_levels + 1)]
    parents[1] = parents[2] = 0
    level = np.arange(n_levels + 1)
    saved = np.sqrt(level + 1.0) if rising else 1 / (level + 1.0)
    risk = np.cumsum(saved[::-1])[::-1]
    errors = np.zeros(2 * n_levels + 1)
    errors[0], errors[1::2] = risk[0], risk[1:]
    tree = made_tree(parents, errors.tolist())
    for links in ("exact", "one_pass"):
        path = pruning_path(tree, CLASSES, links=links)
        assert path.n_leaves[-1] == 1
        assert (np.diff(path.alphas) > 0).all()
    step = len(path) // 2
    assert path.tree_at(step).n_leaves == path.n_leaves[step]


@pytest.mark.parametrize("alpha", [-0.1, float("nan")])
def test_alpha_below_zero_is_refused(alpha):
    path = pruning_path(made_tree([-1], [3]), CLASSES)
    with refused(SettingError, "alpha", alpha):
        path.tree_at(path.step_for(alpha))


def test_step_outside_of_the_path_is_refused():
    path = pruning_path(made_tree([-1], [3]), CLASSES)
    with refused(SettingError, "step", 1, "0 to 0"):
        path.tree_at(1)


def test_single_leaf_has_a_path_of_one_step():
    path = pruning_path(made_tree([-1], [3]), CLASSES)
    assert (path.alphas.tolist(), path.n_leaves.tolist()) == ([0.0], [1])
    assert path.tree_at(0).node_count == 1
