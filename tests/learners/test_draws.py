"""Draws of features: every node draws any feature as often as any other."""

from __future__ import annotations

import numpy as np

import treewright as tw


def split_features(X, y, n_trees):
    """Return the feature of each inner node, and of the one above it, in all trees.

    A node that looks at one feature splits on what it has drawn.
    """
    forest = tw.RandomForestClassifier(
        n_trees, max_features=1, bootstrap=False, random_state=12
    ).fit(X, y)
    own, above = [], []
    for tree in forest.trees_:
        inner = np.flatnonzero(tree.n_children > 0)
        own.append(tree.feature[inner])
        above.append(np.where(inner > 0, tree.feature[tree.parents()[inner]], -1))
    return np.concatenate(own), np.concatenate(above)


def chi_square(counts):
    expected = counts.sum() / counts.size
    return float(((counts - expected) ** 2 / expected).sum())


def test_features_of_nodes_are_uniform():
    # numbers that are all different: every feature can split every node
    random = np.random.default_rng(5)
    X, y = random.normal(size=(120, 8)), random.integers(2, size=120)
    own, _ = split_features(X, y, 100)
    assert len(own) > 3000
    # 7 degrees of freedom, 24.3 at a level of 0.001
    assert chi_square(np.bincount(own, minlength=8)) < 24.3


def test_a_node_draws_regardless_of_the_node_above_it():
    random = np.random.default_rng(6)
    X, y = random.normal(size=(120, 5)), random.integers(2, size=120)
    own, above = split_features(X, y, 100)
    pairs = np.zeros((5, 5))
    np.add.at(pairs, (above[above >= 0], own[above >= 0]), 1)
    # all 25 pairs: 24 degrees of freedom, 51.2 at a level of 0.001
    assert chi_square(pairs) < 51.2


def test_where_few_features_can_split_each_of_them_is_drawn_as_often():
    random = np.random.default_rng(7)
    X = np.zeros((60, 300))
    useful = [3, 64, 170, 299]
    X[:, useful] = random.normal(size=(60, 4))
    own, _ = split_features(X, random.integers(2, size=60), 150)
    counts = np.bincount(own, minlength=300)
    assert counts.sum() == counts[useful].sum()
    # 3 degrees of freedom, 16.3 at a level of 0.001
    assert chi_square(counts[useful]) < 16.3


def test_many_features_with_few_values_are_no_trouble():
    # each of 2000 columns is 0 in most rows: a node asks hundreds before one can split
    random = np.random.default_rng(8)
    X = (random.random((400, 2000)) < 0.01).astype(np.float64)
    y = random.integers(2, size=400)
    forest = tw.RandomForestClassifier(3, max_features=1, random_state=0).fit(X, y)
    assert forest.score(X, y) > 0.8
