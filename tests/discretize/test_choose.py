"""The choice among the ways by cross-validation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treewright.discretize.chosen_way import CANDIDATES, METHODS, choose, folds_of
from treewright.discretize.tally import KnownRows


def rows_of(x, y, weights=None):
    values, codes = np.unique(np.asarray(x, float), return_inverse=True)
    classes = np.asarray(y, np.int64)
    w = None if weights is None else np.asarray(weights, float)
    return KnownRows(values, codes.astype(np.int64), classes, int(max(y)) + 1, w)


def twin_errors(rows):
    """Errors by a loop over rows: borders on the other folds, majority per interval."""
    fold = folds_of(rows, min(10, len(rows)))
    x, y = rows.values[rows.codes], rows.classes
    w = np.ones(len(rows)) if rows.weights is None else rows.weights
    errors = []
    for name, k in CANDIDATES:
        wrong = 0.0
        for number in set(fold.tolist()):
            train = fold != number
            borders = METHODS[name](rows.at(train).tally(), k)
            piece = [sum(value > border for border in borders) for value in x]
            for row in np.flatnonzero(~train):
                same = [r for r in np.flatnonzero(train) if piece[r] == piece[row]]
                asked = same or np.flatnonzero(train).tolist()
                votes = [w[[r for r in asked if y[r] == c]].sum() for c in range(3)]
                wrong += w[row] * (int(np.argmax(votes)) != y[row])
        errors.append(wrong)
    return errors


@pytest.mark.slow
@settings(max_examples=25)
@given(
    st.lists(
        st.tuples(st.integers(0, 9), st.integers(0, 2)), min_size=2, max_size=16
    ).filter(lambda pairs: len({x for x, _ in pairs}) > 1)
)
def test_choice_is_that_of_a_loop_over_the_rows(pairs):
    x, y = zip(*pairs, strict=True)
    rows = rows_of(x, [*y])
    errors = twin_errors(rows)
    least = [k for k, error in enumerate(errors) if error <= min(errors) + 1e-9]
    whole = rows.tally()
    sizes = [len(METHODS[name](whole, k)) for name, k in CANDIDATES]
    best = min(least, key=lambda place: (sizes[place], place))
    assert choose(rows) == CANDIDATES[best]


@pytest.mark.slow
@given(
    st.lists(
        st.tuples(st.integers(0, 9), st.integers(0, 2), st.sampled_from([0.1, 1.7])),
        min_size=2,
        max_size=40,
    ),
    st.randoms(use_true_random=False),
)
def test_order_of_the_rows_does_not_matter(triples, random):
    shuffled = random.sample(triples, len(triples))
    first, second = (
        choose(rows_of(*zip(*t, strict=True))) for t in (triples, shuffled)
    )
    assert first == second


def test_every_class_is_spread_over_the_folds():
    y = [0] * 50 + [1] * 20 + [2] * 10
    fold = folds_of(rows_of(np.arange(80) % 13, y), 10)
    for label, expected in ((0, 5), (1, 2), (2, 1)):
        assert np.bincount(fold[np.array(y) == label]).tolist() == [expected] * 10


def test_folds_are_not_stretches_of_the_values():
    rows = rows_of(range(1000), [0] * 1000)
    fold = folds_of(rows, 10)
    # neighbours in the same fold: about one in ten
    assert 60 < (fold[1:] == fold[:-1]).sum() < 140


def test_noise_gets_few_intervals():
    rng = np.random.default_rng(0)
    y = (rng.random(400) < 0.2).astype(int)
    name, k = choose(rows_of(rng.normal(size=400), y))
    assert (name, k) == ("mdl", 0)  # which finds no border


def test_two_cuts_far_apart_are_found():
    x = np.arange(300) / 10.0
    y = ((x > 2.95) & (x < 27.05)).astype(int)  # a tenth at each end
    assert choose(rows_of(x, y)) == ("mdl", 0)


def test_a_single_row_is_not_divided():
    assert choose(rows_of([1.0], [0])) == ("mdl", 0)
