"""Equal width and quantiles: what holds for all columns."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.discretize.borders import equal_width, quantiles
from treewright.discretize.tally import KnownRows

numbers = st.floats(allow_nan=False, allow_infinity=False, width=64)
small = st.integers(-50, 50).map(float)
columns = st.lists(numbers, min_size=1, max_size=40) | st.lists(
    small, min_size=1, max_size=40
)
sizes = st.integers(2, 9)


def tally(x, weights=None):
    values, codes = np.unique(np.asarray(x) + 0, return_inverse=True)
    w = None if weights is None else np.asarray(weights, float)
    codes = codes.astype(np.int64)
    return KnownRows(values, codes, np.zeros(len(x), np.int64), 1, w).tally()


@pytest.mark.parametrize("method", [equal_width, quantiles])
@given(x=columns, k=sizes)
def test_borders_ascend_and_part_the_values(method, x, k):
    borders = method(tally(x), k)
    assert borders == sorted(set(borders))
    assert len(borders) < k
    assert all(np.isfinite(borders))
    # the lowest interval and the highest have rows
    assert all(min(x) <= border < max(x) for border in borders)


@given(st.lists(small, min_size=2, max_size=40), sizes)
def test_equal_width_puts_rows_where_exact_borders_would(x, k):
    low, high = min(x), max(x)
    borders = equal_width(tally(x), k)
    # integers: k (x - low) <= i (high - low) says without rounding that x is not above
    expected = [
        sum(k * (value - low) > i * (high - low) for i in range(1, k)) for value in x
    ]
    if high > low:
        assert np.searchsorted(borders, x, side="left").tolist() == expected
        exact = low + np.arange(1, k) * (high - low) / k
        assert np.abs(np.array(borders) - exact).max() <= (high - low) / k / 1000


def test_equal_width_has_readable_borders():
    assert equal_width(tally([0.0, 10.0]), 3) == [3.333, 6.667]
    assert equal_width(tally([4.3, 7.9]), 3) == [5.5, 6.7]
    # not below 3.33333, which is less than a third of the way
    assert equal_width(tally([0.0, 3.33333, 10.0]), 3)[0] == 3.33333


def test_equal_width_of_the_whole_range_of_floats():
    largest = np.finfo(float).max
    assert equal_width(tally([-largest, largest]), 2) == [0.0]
    assert equal_width(tally([1.0, np.nextafter(1.0, 2)]), 4) == [1.0]


def test_equal_width_leaves_infinite_values_out():
    assert equal_width(tally([-np.inf, 0.0, 8.0, np.inf]), 4) == [2, 4, 6]
    assert equal_width(tally([-np.inf, np.inf]), 4) == []


def test_wide_integers_are_divided_exactly():
    start = 2**62
    assert equal_width(tally(np.array([start, start + 8])), 4) == [
        start + 2,
        start + 4,
        start + 6,
    ]
    values = np.array([0, 2**64 - 1], np.uint64)
    assert equal_width(tally(values), 2) == [2**63 - 1]
    assert quantiles(tally(np.array([start, start + 1, start + 4])), 2) == [start + 1]


@given(columns, sizes)
def test_quantiles_are_those_of_hyndman_and_fan_2(x, k):
    shares = np.arange(1, k) / k
    with np.errstate(over="ignore", invalid="ignore"):
        expected = np.quantile(x, shares, method="averaged_inverted_cdf")
    borders = quantiles(tally(x), k)
    place = np.searchsorted(borders, np.sort(x), side="left")
    # by the rows below, because the middle of very large numbers may be rounded
    sides = [np.sort(x) <= border for border in expected]
    kept = [side for side in sides if side.any() and not side.all()]
    for side in kept:
        # all rows below an expected border are below one of ours
        assert place[side].max() < place[~side].min()
    assert len(borders) <= len({tuple(side) for side in kept})


@given(st.lists(small, min_size=4, max_size=40, unique=True))
def test_quartiles_divide_different_values_evenly(x):
    place = np.searchsorted(quantiles(tally(x), 4), x, side="left")
    counts = np.bincount(place, minlength=4)
    assert counts.max() - counts.min() <= 1


def test_textbook_quartiles():
    # 8 values: the medians of the halves, 2.5 and 6.5, and of the whole, 4.5
    assert quantiles(tally([1, 2, 3, 4, 5, 6, 7, 8.0]), 4) == [2.5, 4.5, 6.5]
    # 7 values: the 2nd, 4th and 6th
    assert quantiles(tally([1, 2, 3, 4, 5, 6, 7.0]), 4) == [2, 4, 6]


@given(st.lists(st.tuples(small, st.integers(1, 4)), min_size=1, max_size=20), sizes)
def test_weight_two_is_two_rows(pairs, k):
    x, weights = zip(*pairs, strict=True)
    repeated = np.repeat(x, weights)
    assert quantiles(tally(x, weights), k) == quantiles(tally(repeated), k)


def test_many_equal_rows_share_an_interval():
    assert quantiles(tally([1.0] * 9 + [2.0]), 4) == [1]
    assert quantiles(tally([1.0] + [2.0] * 9), 4) == []
    assert quantiles(tally([5.0, 5.0]), 4) == []


def test_infinite_values_are_no_borders():
    assert quantiles(tally([-np.inf, -np.inf, 15.0]), 2) == [np.nextafter(15.0, 0)]
    assert quantiles(tally([15.0, np.inf]), 2) == [15]
    assert quantiles(tally([1.0, np.inf, np.inf]), 4) == [1]
