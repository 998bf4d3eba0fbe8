"""The chi-square test, as a stopping rule and as pruning."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pruning_cases import assert_is_pruning, some_rows
from scipy import stats

from treewright import ID3Classifier, TreeClassifier, datasets
from treewright.grow.chi_square import chances, deviations, tail
from treewright.learners.dialects.cart import CART
from treewright.learners.dialects.id3 import ID3
from treewright.prune.fitted import prune_model
from treewright.render import to_text
from treewright.tree.structure.tree import Reason

XY = ID3.change(numeric_splits="midpoint")


@given(st.floats(0, 2000), st.integers(1, 3000))
def test_tail_is_that_of_the_chi_square_distribution(deviation, degrees):
    expected = stats.chi2.sf(deviation, degrees)
    assert tail(deviation, degrees) == pytest.approx(expected, rel=1e-9, abs=1e-14)


@pytest.mark.parametrize(
    ("deviation", "degrees", "chance"),
    [
        # the tables of textbooks: level 0.05
        (3.841, 1, 0.05),
        (5.991, 2, 0.05),
        (7.815, 3, 0.05),
        (0.0, 5, 1.0),
        (math.inf, 5, 0.0),
        (7.0, 0, 1.0),  # one branch or one class: nothing deviates
        (1e6, 1, 0.0),
        # with two degrees of freedom the tail is exp(-x / 2)
        (20.0, 2, math.exp(-10)),
    ],
)
def test_tail_of_known_points(deviation, degrees, chance):
    assert tail(deviation, degrees) == pytest.approx(chance, abs=3e-5)


def test_deviation_of_outlook_by_hand():
    """Overcast 0/4, Rain 2/3, Sunny 3/2 of No 5, Yes 9.

    Expected No: 4 * 5/14 = 1.4286, 25/14 = 1.7857 twice; Yes: 2.5714, 3.2143 twice.
    1.4286 + 0.7937 + 0.0257 + 0.0143 + 0.8257 + 0.4587 = 3.5467, two degrees of
    freedom, so the chance is exp(-3.5467 / 2) = 0.1698.
    """
    branches = np.array([[0.0, 4.0], [2.0, 3.0], [3.0, 2.0]])
    deviation, degrees = deviations(branches, np.array([3]))
    assert deviation[0] == pytest.approx(3.5467, abs=5e-5)
    assert degrees.tolist() == [2]
    assert chances(branches, np.array([3]))[0] == pytest.approx(0.1698, abs=5e-5)


def test_branches_and_classes_without_rows_do_not_count():
    with_empty = np.array([[3.0, 0, 1], [0, 0, 0], [1, 0, 5]])
    without = np.array([[3.0, 1], [1, 5]])
    for found, wanted in zip(
        deviations(with_empty, np.array([3])),
        deviations(without, np.array([2])),
        strict=True,
    ):
        assert found.tolist() == pytest.approx(wanted.tolist())


@given(st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=2))
def test_deviation_is_that_of_scipy(branches):
    table = np.array(branches, float)
    filled = table[table.any(axis=1)][:, table.any(axis=0)]
    deviation, degrees = deviations(table, np.array([len(table)]))
    if min(filled.shape) < 2:
        assert degrees[0] == 0
        return
    expected = stats.chi2_contingency(filled, correction=False)
    assert deviation[0] == pytest.approx(expected.statistic)
    assert degrees[0] == expected.dof


def test_growing_stops_where_chance_explains_the_split():
    """Outlook's chance is 0.17, Humidity's under Sunny and Wind's under Rain 0.025."""
    X, y = datasets.tennis()
    assert ID3Classifier(chi_square_level=0.05).fit(X, y).get_n_leaves() == 1
    assert ID3Classifier(chi_square_level=0.2).fit(X, y).get_n_leaves() == 5
    tree = ID3Classifier(chi_square_level=0.05).fit(X, y)
    assert tree.tree_.reason.tolist() == [Reason.CHI_SQUARE]
    assert tree.notes_[0] == (
        "the tree is a single leaf: the best split could be chance"
    )


def test_some_nodes_of_a_batch_are_closed():
    """Below the first question u has a clear split, v a vague one."""
    rows = [("u", k % 2, k % 2) for k in range(20)]
    rows += [("v", k % 2, 2 if k in (0, 1, 2) else 3) for k in range(20)]
    X = {"a": [row[0] for row in rows], "b": [f"b{row[1]}" for row in rows]}
    y = [row[2] for row in rows]
    tree = ID3Classifier(chi_square_level=0.05).fit(X, y)
    assert tree.get_n_leaves() == 3
    assert "chance" in to_text(tree.model_)
    assert "could be chance" in to_text(tree.model_, width=None)
    best_first = ID3Classifier(chi_square_level=0.05, max_leaf_nodes=30).fit(X, y)
    assert best_first.fingerprint() == tree.fingerprint()


def pruned_slowly(tree, level):
    """Nodes that stay inner: a node with only leaves is tested, again and again."""
    inner = set(np.flatnonzero(tree.n_children).tolist())
    weights = tree.class_weights()
    while True:
        for node in sorted(inner):
            children = list(tree.children(node))
            if inner & set(children):
                continue
            table = weights[children]
            table = table[table.any(axis=1)][:, table.any(axis=0)]
            chance = 1.0
            if min(table.shape) > 1:
                chance = stats.chi2_contingency(table, correction=False).pvalue
            if chance > level:
                inner.remove(node)
                break
        else:
            return inner


@pytest.mark.slow
@pytest.mark.parametrize("dialect", [CART, XY], ids=["binary", "multiway"])
@given(rows=some_rows(missing=True), level=st.sampled_from([0.011, 0.0501, 0.21, 0.6]))
def test_pruning_goes_bottom_up(dialect, rows, level):
    model = rows.grown(dialect)
    less = prune_model(model, "chi_square", prune_level=level)
    assert_is_pruning(less.trees[0], model.trees[0])
    stays = pruned_slowly(model.trees[0], level)
    assert np.count_nonzero(less.trees[0].n_children) == len(stays)


def test_pruning_keeps_a_vague_question_above_a_clear_one():
    """XOR: the first question tells nothing, the second everything."""
    X = {"a": ["u", "u", "v", "v"] * 5, "b": ["x", "y", "x", "y"] * 5}
    y = [0, 1, 1, 0] * 5
    grown = TreeClassifier().fit(X, y)
    assert grown.get_n_leaves() == 4
    assert grown.prune("chi_square", prune_level=0.05).get_n_leaves() == 4
    assert TreeClassifier(chi_square_level=0.05).fit(X, y).get_n_leaves() == 1
