"""Strength and correlation against loops written from Breiman's formulas."""

from __future__ import annotations

import math

import numpy as np
import pytest
from forest_tables import CASES, grown

import treewright as tw
from treewright.learners.forest.out_of_bag import measures_of


def by_the_paper(case, output):
    """Return strength and correlation, row by row and tree by tree."""
    n_trees = len(case.forest.model.trees)
    classes = range(len(case.forest.model.schema.target.classes[output]))
    said = []  # of each tree, row to class, out of bag
    for k in range(n_trees):
        out = case.out_of_bag(k)
        codes = case.tree(k).predict_codes(case.table.iloc[out])[:, output]
        said.append(dict(zip(out.tolist(), codes.tolist(), strict=True)))
    margins, other, total = {}, {}, 0.0
    for x, y in enumerate(case.target[:, output].tolist()):
        asked = [h[x] for h in said if x in h]
        if not asked:
            continue
        q = {j: sum(vote == j for vote in asked) / len(asked) for j in classes}
        other[x] = max((j for j in classes if j != y), key=lambda j, q=q: q[j])
        margins[x] = q[y] - q[other[x]]
        total += case.weights[x]
    strength = sum(case.weights[x] * m for x, m in margins.items()) / total
    squares = sum(case.weights[x] * m**2 for x, m in margins.items()) / total
    deviations = []
    for h in said:
        weight = sum(case.weights[x] for x in h)
        right = [x for x, vote in h.items() if vote == case.target[x, output]]
        wrong = [x for x, vote in h.items() if vote == other[x]]
        p1 = sum(case.weights[x] for x in right) / weight
        p2 = sum(case.weights[x] for x in wrong) / weight
        deviations.append(math.sqrt(p1 + p2 - (p1 - p2) ** 2))
    correlation = (squares - strength**2) / (sum(deviations) / n_trees) ** 2
    return strength, correlation


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [name for name, case in CASES.items() if case[0].task == "classes"]
)
def test_strength_and_correlation_are_those_of_the_paper(name):
    case = grown(name, n_trees=15)
    found = measures_of(case.forest.model, case.forest.grown_from)
    for output in range(case.target.shape[1]):
        strength, correlation = by_the_paper(case, output)
        assert found.strength[output] == pytest.approx(strength, rel=1e-12)
        assert found.correlation[output] == pytest.approx(correlation, rel=1e-9)
        if strength > 0:
            bound = correlation * (1 - strength**2) / strength**2
            assert found.error_bounds[output] == pytest.approx(bound, rel=1e-9)


def test_trees_that_are_always_right_have_full_strength():
    X = np.repeat([[0.0], [1.0]], 50, axis=0)
    forest = tw.RandomForestClassifier(20, random_state=0).fit(X, X[:, 0] > 0.5)
    assert forest.strength_ == 1
    assert math.isnan(forest.correlation_)
    assert forest.error_bound_ == 0


def test_a_strength_that_is_not_above_0_bounds_nothing():
    random = np.random.default_rng(2)
    X, y = random.normal(size=(40, 3)), random.integers(0, 2, 40)
    forest = tw.RandomForestClassifier(30, random_state=0).fit(X, y)
    assert forest.strength_ < 0.2
    if forest.strength_ <= 0:
        assert forest.error_bound_ == math.inf


@pytest.mark.slow
def test_fewer_features_at_a_node_make_trees_less_alike():
    """What section 3 of the paper says of the correlation."""
    random = np.random.default_rng(0)
    X = random.normal(size=(800, 8))
    y = X[:, 0] + X[:, 1] + X[:, 2] > 0
    few = tw.RandomForestClassifier(80, max_features=1, random_state=0).fit(X, y)
    all_ = tw.RandomForestClassifier(80, max_features=8, random_state=0).fit(X, y)
    assert few.correlation_ < all_.correlation_
    assert few.strength_ < all_.strength_
