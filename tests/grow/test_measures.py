"""Laws that the measures obey on any table, and how they refuse bad input."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import mutual_info_score

from refusals import refused
from treewright.errors import DataError, DataTypeError, SettingError
from treewright.grow import measures as m

labels = st.lists(st.sampled_from("abcde"), min_size=1, max_size=30)
pairs = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from("pqrs")), min_size=1, max_size=30
)
numbered = st.lists(
    st.tuples(st.sampled_from("abc"), st.integers(-5, 5)), min_size=2, max_size=30
)


def close(value: float) -> Any:
    return pytest.approx(value, abs=1e-9)


@given(labels)
def test_entropy_lies_between_zero_and_log_of_the_outcomes(y):
    assert 0 <= m.entropy(y) <= math.log2(len(set(y))) + 1e-9


@given(labels)
def test_gini_and_error_lie_between_zero_and_the_uniform_case(y):
    limit = 1 - 1 / len(set(y)) + 1e-9
    assert 0 <= m.classification_error(y) <= m.gini(y) + 1e-9 <= limit + 1e-9


@given(labels)
def test_labels_and_counts_agree(y):
    counts = Counter(y)
    shares = [count / len(y) for count in counts.values()]
    for measure in (m.entropy, m.gini, m.classification_error, m.intrinsic_value):
        assert measure(y) == close(measure(counts=counts))
        assert measure(y) == close(measure(probabilities=shares))


@given(labels)
def test_weight_two_is_the_row_twice(y):
    weights = [1 + (label in "ab") for label in y]
    twice = [label for label, w in zip(y, weights, strict=True) for _ in range(w)]
    assert m.entropy(y, weights=weights) == close(m.entropy(twice))


@pytest.mark.slow
@given(pairs)
def test_gain_is_the_mutual_information(table):
    y, x = zip(*table, strict=True)
    expected = mutual_info_score(y, x) / math.log(2)
    assert m.information_gain(y, x) == close(expected)
    assert m.information_gain(y, x) == close(m.entropy(y) - m.conditional_entropy(y, x))
    assert m.information_gain(y, x, base=math.e) == close(mutual_info_score(y, x))


@given(labels)
def test_feature_equal_to_the_target_gains_all(y):
    assert m.information_gain(y, y) == close(m.entropy(y))
    assert m.conditional_entropy(y, y) == 0


@given(pairs)
def test_gain_ratio_lies_between_zero_and_one(table):
    y, x = zip(*table, strict=True)
    ratio = m.gain_ratio(y, x)
    assert 0 <= ratio <= 1 + 1e-9
    if len(set(x)) > 1:
        assert ratio == close(m.information_gain(y, x) * m.normalization(x))


@given(pairs, st.integers(1, 5))
def test_unknown_rows_take_their_part_of_the_gain(table, n_unknown):
    y, x = map(list, zip(*table, strict=True))
    part = len(y) / (len(y) + n_unknown)
    gain = m.information_gain(y + ["a"] * n_unknown, x + [None] * n_unknown)
    assert gain == close(part * m.information_gain(y, x))


@given(pairs, st.integers(1, 5))
def test_unknown_is_one_more_outcome_of_the_split(table, n_unknown):
    x = [value for _, value in table]
    unknown: list[Any] = [None, float("nan")] * n_unknown
    expected = m.entropy(x + ["unknown"] * len(unknown))
    assert m.intrinsic_value(x + unknown) == close(expected)


@given(numbered)
def test_threshold_is_a_split_in_two(table):
    y, x = zip(*table, strict=True)
    sides = [value <= 0 for value in x]
    assert m.information_gain(y, x, threshold=0) == close(m.information_gain(y, sides))
    assert m.gain_ratio(y, x, threshold=0) == close(m.gain_ratio(y, sides))
    assert m.intrinsic_value(x, threshold=0) == close(m.entropy(sides))


@pytest.mark.slow
@given(numbered.filter(lambda table: len({x for _, x in table}) > 1))
def test_best_threshold_is_the_lowest_of_the_best(table):
    y, x = zip(*table, strict=True)
    values = sorted(set(x))
    cuts = [(a + b) / 2 for a, b in pairwise(values)]
    gains = [m.information_gain(y, x, threshold=cut) for cut in cuts]
    found = m.best_threshold(y, x)
    first = next(
        cut for cut, g in zip(cuts, gains, strict=True) if g > max(gains) - 1e-12
    )
    assert found == (first, close(max(gains)))


def test_best_threshold_passes_over_unknown_and_weightless_rows():
    y, x = ["a", "b", "b", "b"], [1, 5, None, 3]
    found = m.best_threshold(y, x, weights=[1, 1, 2, 0])
    assert found == (3, close(0.5))  # two known of weight 4, parted at (1 + 5) / 2


def test_best_threshold_between_neighbouring_floats_is_the_lower_one():
    above = math.nextafter(1.0, 2.0)
    assert m.best_threshold(["a", "b"], [1.0, above]).threshold == 1.0


@pytest.mark.slow
@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20), st.data())
def test_variance_falls_by_the_spread_of_the_branch_means(y, data):
    x = data.draw(st.lists(st.sampled_from("pq"), min_size=len(y), max_size=len(y)))
    branches = {b: [v for v, c in zip(y, x, strict=True) if c == b] for b in set(x)}
    means = [np.mean(branches[b]) for b in x]
    scale = max(1.0, float(np.var(y)))
    assert m.variance(y) == pytest.approx(np.var(y), abs=1e-9 * scale)
    assert m.variance_gain(y, x) == pytest.approx(np.var(means), abs=1e-9 * scale)


def test_impossible_outcomes_add_nothing():
    assert m.entropy(counts=[3, 0, 3]) == 1
    assert math.copysign(1, m.entropy(["a", "a"])) == 1  # 0.0, not -0.0


def test_feature_that_is_unknown_everywhere_gains_nothing():
    assert m.information_gain([0, 1], [None, None]) == 0
    assert m.gain_ratio([0, 1], [None, None]) == 0


@pytest.mark.parametrize(
    "column",
    [
        ["x", "y", None, "x"],
        ("x", "y", None, "x"),
        iter(["x", "y", None, "x"]),
        np.array(["x", "y", None, "x"], object),
        np.array([1.0, 2.0, np.nan, 1.0]),
        pd.Series(["x", "y", None, "x"]),
        pd.Series([1, 2, pd.NA, 1], dtype="Int64"),
        pd.Series(["x", "y", None, "x"], dtype="category"),
        pd.Series(pd.to_datetime(["2020", "2021", None, "2020"], format="%Y")),
        pl.Series(["x", "y", None, "x"]),
        [("x", 1), ("y", 1), None, ("x", 1)],
    ],
    ids=lambda column: type(column).__name__,
)
def test_any_column_of_hashables_is_read(column):
    # known: a b a against x y x, all of 0.918 bits, on 3 of 4 rows
    assert m.information_gain(["a", "b", "b", "a"], column) == pytest.approx(
        0.6887, abs=1e-4
    )


@pytest.mark.parametrize(
    ("call", "names"),
    [
        (lambda: m.entropy([]), ("labels", "no")),
        (lambda: m.gini(counts=[]), ("counts", "no")),
        (lambda: m.entropy(["a", None]), ("labels", "missing", "row 1")),
        (lambda: m.entropy(counts=[3, -1]), ("counts", "negative", "row 1")),
        (lambda: m.entropy(counts=[0, 0]), ("counts", "zeros")),
        (lambda: m.entropy(counts=[1, math.inf]), ("counts", "infinite", "row 1")),
        (
            lambda: m.entropy(probabilities=[0.5, 0.4]),
            ("probabilities", 0.9, "counts="),
        ),
        (lambda: m.entropy("ab", weights=[1]), ("1 weights", "2 rows")),
        (lambda: m.entropy("ab", weights=[1, -1]), ("weights", "negative", "row 1")),
        (lambda: m.information_gain("ab", "abc"), ("y", "2 rows", "x", 3)),
        (
            lambda: m.information_gain(["a", None], "ab"),
            ("y", "missing value", "row 1"),
        ),
        (lambda: m.conditional_entropy([0, 1], [None, None]), ("H(y | x)",)),
        (lambda: m.best_threshold("ab", [1, 1]), ("x", "1 distinct", "cut")),
        (lambda: m.normalization("aa"), ("x", "outcome")),
        (lambda: m.variance([1, None]), ("y", "infinite", "row 1")),
    ],
)
def test_bad_data_are_refused(call, names):
    with refused(DataError, *names):
        call()


@pytest.mark.parametrize(
    ("call", "names"),
    [
        (lambda: m.entropy([[1], [2]]), ("labels", "[1]", "row 0", "hashable")),
        (lambda: m.entropy(np.zeros((2, 2))), ("labels", "(2, 2)")),
        (lambda: m.entropy(Counter("ab")), ("labels", "Counter", "counts=")),
        (lambda: m.entropy({"a", "b"}), ("labels", "set", "counts=")),
        (lambda: m.entropy(3), ("labels", 3, "array")),
        (lambda: m.entropy(counts=["3"]), ("counts", "'3'", "row 0")),
        (lambda: m.best_threshold("ab", "12"), ("x", "'1'", "row 0")),
        (lambda: m.variance_gain("12", "ab"), ("y", "'1'", "row 0")),
    ],
)
def test_wrong_types_are_refused(call, names):
    with refused(DataTypeError, *names):
        call()


@pytest.mark.parametrize(
    "call",
    [
        m.entropy,
        lambda: m.entropy("ab", counts=[1, 1]),
        lambda: m.gini(counts=[1, 1], weights=[1, 1]),
        lambda: m.entropy("ab", base=1),
        lambda: m.entropy("ab", base=-2),
        lambda: m.intrinsic_value(counts=[1, 1], threshold=1),
        lambda: m.information_gain("ab", [1, 2], threshold=math.nan),
    ],
)
def test_contradicting_arguments_are_refused(call):
    with pytest.raises(SettingError):
        call()
