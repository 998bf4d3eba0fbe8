"""Thresholds read without rounding noise, and still say which side a value takes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.data.schema import Feature
from treewright.tree.structure.branch_words import cut_condition


def words(threshold):
    return [
        str(cut_condition(Feature("x", "numeric"), threshold, branch))
        for branch in (0, 1)
    ]


@pytest.mark.parametrize(
    ("threshold", "low", "high"),
    [
        (39.915000000000006, "x <= 39.915", "x > 39.915"),
        (2.4499999999999997, "x < 2.45", "x >= 2.45"),
        (2.5, "x <= 2.5", "x > 2.5"),
        (0.8444218515250481, "x <= 0.8444218515250481", "x > 0.8444218515250481"),
    ],
)
def test_words(threshold, low, high):
    assert words(threshold) == [low, high]


@given(st.integers(1, 10**6), st.integers(0, 9), st.integers(-3, 3))
def test_values_of_few_digits_take_the_side_that_is_shown(digits, power, steps):
    value = float(f"{digits}e-{power}")
    threshold = (value + float(f"{digits + 1}e-{power}")) / 2 * (1 + steps * 2**-52)
    _, relation, shown = words(threshold)[0].split()
    for k in (digits - 1, digits, digits + 1):
        x = float(f"{k}e-{power}")
        by_words = x <= float(shown) if relation == "<=" else x < float(shown)
        assert by_words == (x <= threshold)
