"""The oracle beside scikit-learn, on random numbers where no tie decides.

Ties between columns come with small nodes (two columns part the same two rows), so
trees over several columns stop early and trees over one column grow to purity.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from textbook import grow_cart

pytestmark = pytest.mark.slow

Tree = dict[str, Any]

CASES = [
    (1, {}),
    (1, {"max_leaf_nodes": 9}),
    (3, {"min_samples_leaf": 6}),
    (3, {"min_samples_leaf": 6, "max_depth": 2}),
    (3, {"min_samples_leaf": 6, "min_samples_split": 20}),
    (3, {"min_samples_leaf": 6, "min_impurity_decrease": 0.03}),
    (3, {"min_samples_leaf": 6, "max_leaf_nodes": 4}),
]


def draw_table(n_features: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return distinct values per column, and row weights.

    All are binary fractions: scikit-learn reads the values as float32, and takes a pure
    node for an impure one where its sums of weights are rounded.
    """
    draw = np.random.default_rng(seed)
    ranks = np.tile(np.arange(60.0), (n_features, 1))
    return draw.permuted(ranks, axis=1).T / 8, draw.integers(256, 1024, 60) / 512


def textbook_tree(table, target, weights, **options) -> Tree:
    names = [f"x{k}" for k in range(table.shape[1])]
    rows = [dict(zip(names, row, strict=True)) for row in table.tolist()]
    return grow_cart(rows, dict.fromkeys(names), target, weights.tolist(), **options)


def sklearn_shape(model: Any, rows: np.ndarray, node: int = 0) -> Tree:
    """Rewrite a fitted scikit-learn tree as nested dicts of row counts and tests."""
    flat = model.tree_
    out: Tree = {"rows": len(rows)}
    if flat.children_left[node] < 0:
        return out
    feature, threshold = flat.feature[node], flat.threshold[node]
    left = rows[:, feature] <= threshold
    out["split"] = ("cut", f"x{feature}", threshold)
    out["branches"] = [
        sklearn_shape(model, rows[left], flat.children_left[node]),
        sklearn_shape(model, rows[~left], flat.children_right[node]),
    ]
    return out


def shape(tree: Tree) -> Tree:
    """Keep of a textbook tree what `sklearn_shape` has too."""
    out = {key: tree[key] for key in ("rows", "split") if key in tree}
    if "branches" in tree:
        out["branches"] = [shape(branch) for branch in tree["branches"]]
    return out


@pytest.mark.parametrize(("n_features", "options"), CASES)
@pytest.mark.parametrize("criterion", ["entropy", "gini"])
@pytest.mark.parametrize("seed", range(3))
def test_classes_equal_scikit_learn(seed, criterion, n_features, options):
    table, weights = draw_table(n_features, seed)
    target = np.random.default_rng(seed + 100).integers(0, 3, 60)
    model = DecisionTreeClassifier(criterion=criterion, random_state=0, **options)
    model.fit(table, target, sample_weight=weights)
    tree = textbook_tree(
        table, target.tolist(), weights, criterion=criterion, **options
    )
    assert shape(tree) == sklearn_shape(model, table)
    assert tree["impurity"] == pytest.approx(model.tree_.impurity[0])


@pytest.mark.parametrize(("n_features", "options"), CASES)
@pytest.mark.parametrize("n_outputs", [1, 2])
@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
def test_numbers_equal_scikit_learn(criterion, n_outputs, n_features, options):
    table, weights = draw_table(n_features, 5)
    target = np.random.default_rng(105).normal(0, 1, (60, n_outputs))
    model = DecisionTreeRegressor(criterion=criterion, random_state=0, **options)
    model.fit(table, target, sample_weight=weights)
    tree = textbook_tree(
        table, [*map(tuple, target.tolist())], weights, criterion=criterion, **options
    )
    assert shape(tree) == sklearn_shape(model, table)
    assert tree["impurity"] == pytest.approx(model.tree_.impurity[0])
    assert tree["value"] == pytest.approx(model.tree_.value[0].ravel().tolist())
