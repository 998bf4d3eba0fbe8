"""The compiled tree beside the one of the papers, row by row."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_streams import NOMINAL, made_rows

import treewright as tw
from textbook_hoeffding import Settings, TextbookHoeffding
from treewright.tree.structure.tree import NodeKind

pytestmark = pytest.mark.slow

WAYS = ["majority", "naive_bayes", "adaptive"]


def both(rows, labels, *, weights=None, **switches):
    """The two trees, and what each answered before a row was learned."""
    weights = [1.0] * len(rows) if weights is None else weights
    ours = tw.HoeffdingTreeClassifier(**switches)
    said = ours.prequential(rows, labels, sample_weight=weights)
    gini = switches.pop("criterion", "entropy") == "gini"
    if switches.get("max_depth") is None:
        switches.pop("max_depth", None)
    book = TextbookHoeffding(Settings(NOMINAL, gini=gini, **switches))
    expected = []
    for row, label, weight in zip(rows, labels, weights, strict=True):
        expected.append(book.answer(row))
        book.learn(row, label, weight)
    return ours, said.tolist(), book, expected


def compare_trees(ours, book):
    """Same questions, cuts, gains, rows and class weights, branch by branch."""
    model, tree = ours.model_, ours.tree_
    pairs = [(0, book.root)]
    for node, other in pairs:
        weights = other.weights()
        own = dict(zip(ours.classes_, tree.value[node], strict=True))
        assert own == pytest.approx({y: weights.get(y, 0.0) for y in own}, abs=1e-6)
        assert tree.n_rows[node] == len(other.seen)
        if other.question is None:
            assert tree.kind[node] == NodeKind.LEAF
            continue
        feature = model.schema.features[tree.feature[node]]
        assert feature.name == other.question
        assert tree.gain[node] == pytest.approx(other.gain, abs=1e-9)
        children = tree.children(node)
        if feature.kind == "numeric":
            assert tree.threshold[node] == pytest.approx(other.cut)
            names = ["low", "high"]
            pairs += [
                (k, other.branches[n]) for k, n in zip(children, names, strict=True)
            ]
        else:
            names = list(feature.categories)
            for child, name in zip(children, names, strict=True):
                if name in other.branches:
                    pairs.append((child, other.branches[name]))
                else:
                    assert tree.n_rows[child] == 0
        assert names[tree.missing_branch[node]] == other.for_missing


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("criterion", ["entropy", "gini"])
def test_the_tree_is_that_of_the_papers(way, criterion):
    rows, labels = made_rows(600, 1)
    ours, said, book, expected = both(
        rows,
        labels,
        leaf_prediction=way,
        criterion=criterion,
        grace_period=25,
        delta=0.1,
        tau=0.1 if criterion == "gini" else 0.05,
    )
    assert ours.get_n_leaves() > 3  # or there is nothing to compare
    compare_trees(ours, book)
    assert said == expected


@given(
    seed=st.integers(0, 10_000),
    way=st.sampled_from(WAYS),
    missing=st.sampled_from([0.0, 0.1, 0.5]),
    tau=st.sampled_from([0.0, 0.05, 0.3]),
    n_cuts=st.integers(1, 12),
    max_depth=st.sampled_from([None, 1, 2]),
    weighed=st.booleans(),
)
@settings(max_examples=25)
def test_any_stream_gives_the_tree_of_the_papers(
    seed, way, missing, tau, n_cuts, max_depth, weighed
):
    classes = ("a", "b", "c")
    rows, labels = made_rows(250, seed, missing=missing, classes=classes, late=True)
    weights = None
    if weighed:
        weights = np.random.default_rng(seed).choice([0.5, 1.0, 3.0], 250).tolist()
    ours, said, book, expected = both(
        rows,
        labels,
        weights=weights,
        leaf_prediction=way,
        tau=tau,
        n_cuts=n_cuts,
        max_depth=max_depth,
        grace_period=20,
        delta=0.1,
    )
    compare_trees(ours, book)
    assert said == expected


@pytest.mark.parametrize("way", WAYS)
def test_shares_are_those_of_the_papers(way):
    rows, labels = made_rows(400, 3, classes=("a", "b", "c"))
    ours, _, book, _ = both(
        rows, labels, leaf_prediction=way, grace_period=30, delta=0.05
    )
    others, _ = made_rows(50, 4, missing=0.3)
    others[0]["colour"] = "never seen"
    shares = ours.predict_proba(others)
    for row, own in zip(others, shares, strict=True):
        expected = book.shares(row)
        assert own.tolist() == pytest.approx([expected.get(y, 0.0) for y in "abc"])
        assert math.isclose(own.sum(), 1.0)


def test_a_leaf_waits_until_the_bound_is_passed():
    # One feature that decides two equal classes: gain 1, second best 0 (no split).
    # eps = sqrt(ln(1/delta) / (2 n)) < 1 from n = ln(1/delta) / 2 on: for delta = 1e-7
    # that is 8.06 rows, so with a look at every row the 9th splits.
    tree = tw.HoeffdingTreeClassifier(grace_period=1, min_branch_share=0.0, tau=0.0)
    sizes = []
    for number in range(12):
        side = number % 2
        tree.partial_fit([{"f": "ab"[side]}], ["no yes".split()[side]])
        sizes.append(tree.get_n_leaves())
    # 9 rows: 5 against 4, entropy 0.9911 > eps 0.9465
    assert sizes == [1] * 8 + [2] * 4


def test_a_tie_is_broken_when_the_bound_is_below_tau():
    # Two equal features: the difference is 0 for ever, so only tau can split.
    # R = 1: eps = sqrt(ln(1e7) / (2 n)) < 0.2 from n = 16.118 / 0.08 = 201.5 on.
    waits = tw.HoeffdingTreeClassifier(grace_period=1, tau=0.0)
    ties = tw.HoeffdingTreeClassifier(grace_period=1, tau=0.2)
    rows = [{"f": "ab"[k % 2], "g": "ab"[k % 2]} for k in range(202)]
    labels = ["no yes".split()[k % 2] for k in range(202)]
    for tree in (waits, ties):
        tree.partial_fit(rows[:201], labels[:201])
        assert tree.get_n_leaves() == 1
        tree.partial_fit(rows[201:], labels[201:])
    assert waits.get_n_leaves() == 1
    assert ties.get_n_leaves() == 2
    assert ties.tree_.feature[0] == 0  # of equal gains the first feature
