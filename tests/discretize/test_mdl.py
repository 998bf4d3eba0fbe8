"""Intervals by entropy: the borders of Fayyad and Irani's definition, worked out twice.

The twin below is written from the formula, row by row and recursively, without a line
in common with the package.
"""

from __future__ import annotations

from fractions import Fraction
from math import log2

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.datasets import load_iris

from treewright.discretize.mdl import mdl
from treewright.discretize.tally import KnownRows

CLOSE = 1e-9


def rows_of(x, y, weights=None):
    values, codes = np.unique(np.asarray(x, float), return_inverse=True)
    classes = np.asarray(y, np.int64)
    w = None if weights is None else np.asarray(weights, float)
    return KnownRows(values, codes.astype(np.int64), classes, max(y, default=0) + 1, w)


def entropy(labels):
    shares = [Fraction(labels.count(one), len(labels)) for one in set(labels)]
    return -sum(float(share) * log2(share) for share in shares)


def twin(pairs):
    """Borders of sorted (value, class) pairs by the paper; None for a close call."""
    labels = [label for _, label in pairs]
    n, k, whole = len(pairs), len(set(labels)), entropy(labels) if pairs else 0.0
    found = []
    for cut in range(1, n):
        if pairs[cut - 1][0] == pairs[cut][0]:
            continue
        left, right = labels[:cut], labels[cut:]
        mean = (cut * entropy(left) + (n - cut) * entropy(right)) / n
        found.append((mean, cut))
    if not found:
        return []
    best = min(mean for mean, _ in found)
    cut = next(cut for mean, cut in found if mean <= best + 1e-12)
    left, right = labels[:cut], labels[cut:]
    gain = whole - next(mean for mean, place in found if place == cut)
    delta = log2(3**k - 2) - (
        k * whole - len(set(left)) * entropy(left) - len(set(right)) * entropy(right)
    )
    price = (log2(n - 1) + delta) / n
    if abs(gain - price) < CLOSE:
        return None
    if gain < price:
        return []
    below, above = twin(pairs[:cut]), twin(pairs[cut:])
    if below is None or above is None:
        return None
    return [*below, (pairs[cut - 1][0] + pairs[cut][0]) / 2, *above]


columns = st.lists(
    st.tuples(st.integers(0, 12), st.integers(0, 2)), min_size=1, max_size=60
)
# long runs of one class, so that cuts are worth their price
runs = st.lists(
    st.tuples(st.integers(1, 25), st.integers(0, 3)), min_size=1, max_size=6
).map(
    lambda parts: [
        (place * 10 + row % 7, label)
        for place, (size, label) in enumerate(parts)
        for row in range(size)
    ]
)


@given(columns | runs)
def test_borders_are_those_of_the_definition(pairs):
    expected = twin(sorted(pairs))
    assume(expected is not None)
    x, y = zip(*pairs, strict=True)
    assert mdl(rows_of(x, y).tally()) == expected


@pytest.mark.slow
@given(runs, st.randoms(use_true_random=False))
def test_order_of_the_rows_does_not_matter(pairs, random):
    weights = [random.choice([0.1, 0.7, 3.3]) for _ in pairs]
    order = random.sample(range(len(pairs)), len(pairs))
    x, y = zip(*pairs, strict=True)
    borders = mdl(rows_of(x, y, weights).tally())
    x, y, weights = ([column[k] for k in order] for column in (x, y, weights))
    assert mdl(rows_of(x, y, weights).tally()) == borders


@given(runs)
def test_weight_two_is_two_rows(pairs):
    x, y = zip(*pairs, strict=True)
    twice = mdl(rows_of(x * 2, y * 2).tally())
    assert mdl(rows_of(x, y, [2.0] * len(x)).tally()) == twice


def test_iris_has_the_borders_of_the_definition_in_few_digits():
    table, y = load_iris(return_X_y=True)
    borders = [mdl(rows_of(column, y.tolist()).tally()) for column in table.T]
    assert borders == [[5.55, 6.15], [2.95, 3.35], [2.45, 4.75], [0.8, 1.75]]
    for column, found in zip(table.T, borders, strict=True):
        exact = twin(sorted(zip(column.tolist(), y.tolist(), strict=True)))
        assert np.allclose(found, exact, rtol=1e-12)


def test_four_rows_are_too_few_and_eight_are_enough():
    # Two pure halves of n rows: gain 1. Price (log2(n - 1) + log2(7) - 2) / n:
    # n = 4: (1.585 + 2.807 - 2) / 4 = 0.598, so even four rows are cut;
    # n = 2: (0 + 2.807 - 2) / 2 = 0.404.
    assert mdl(rows_of([1, 2], [0, 1]).tally()) == [1.5]
    assert mdl(rows_of([1, 2, 3, 4], [0, 0, 1, 1]).tally()) == [2.5]
    # a, b, a, b: best cut 1 | 3 gains 1 - 3/4 * 0.918 = 0.311, and costs
    # (log2 3 + log2 7 - (2 - 0 - 2 * 0.918)) / 4 = (1.585 + 2.807 - 0.164) / 4 = 1.057
    assert mdl(rows_of([1, 2, 3, 4], [0, 1, 0, 1]).tally()) == []


def test_constant_column_has_no_border():
    assert mdl(rows_of([3, 3, 3], [0, 1, 0]).tally()) == []


def test_light_rows_are_no_evidence():
    weights = [1e-3] * 4
    assert mdl(rows_of([1, 2, 3, 4], [0, 0, 1, 1], weights).tally()) == []


@pytest.mark.slow
def test_many_classes_do_not_overflow():
    y = list(range(1000))
    assert isinstance(mdl(rows_of(range(1000), y).tally()), list)


def test_ten_thousand_cuts_do_not_recurse():
    size = 30_000
    x = np.arange(size)
    y = (x // 30) % 2
    # alternating pure runs: the parts are peeled off one after the other
    assert isinstance(mdl(rows_of(x, y.tolist()).tally()), list)
