"""Laws of the checks: they never crash, and their numbers are those of slow twins."""

from __future__ import annotations

import datetime
import json
import math
from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import treewright as tw
from treewright.checks.chance import (
    all_on_one_side,
    few_wrong,
    joint_count,
    largest_gap,
    log_arrangements,
)

CELLS = (
    st.none() | st.floats(allow_nan=True, allow_infinity=False, width=32),
    st.none() | st.integers(-3, 3),
    st.none() | st.sampled_from(["a", "b", "", "é", "two words"]),
    st.none() | st.integers(-(2**62), 2**62),
    st.none() | st.booleans(),
    st.none() | st.dates(datetime.date(1990, 1, 1), datetime.date(2030, 1, 1)),
)
NAMES = st.sampled_from(["x", "y", "a b", "ü", "target", "a,b", "it's", "=", "--x"])


@st.composite
def tables(draw, n_rows=None):
    n_rows = draw(st.integers(1, 40)) if n_rows is None else n_rows
    names = draw(st.lists(NAMES, min_size=1, max_size=5, unique=True))
    return {
        name: draw(
            st.lists(draw(st.sampled_from(CELLS)), min_size=n_rows, max_size=n_rows)
        )
        for name in names
    }


@st.composite
def questions(draw):
    table = draw(tables())
    n_rows = len(next(iter(table.values())))
    numbers = draw(st.booleans())
    cell = st.floats(-1e6, 1e6) if numbers else st.sampled_from(["no", "yes", "maybe"])
    y = draw(st.lists(cell, min_size=n_rows, max_size=n_rows))
    return table, y, "numbers" if numbers else "classes"


@pytest.mark.slow
@given(questions(), st.integers(20, 200))
@settings(max_examples=150, deadline=None)
def test_check_never_crashes(question, width):
    table, y, task = question
    report = tw.check(table, y, task=task)
    text = report.to_text(width=width)
    assert max(map(len, text.splitlines())) <= width
    data = json.loads(report.to_json())
    assert [each["kind"] for each in data["findings"]] == [f.kind for f in report]
    known = {*table, "target"}
    for finding in report:
        assert set(finding.columns) <= known
        assert all(math.isfinite(number) for number in finding.figures.values())
        assert 0 <= finding.weight <= 1
        assert 0 <= finding.n_rows <= len(y)


@pytest.mark.slow
@given(questions(), questions())
@settings(max_examples=75, deadline=None)
def test_drift_never_crashes(first, second):
    table, y, task = first
    report = tw.check(table, y, task=task, test=second[0])
    assert str(report)


@pytest.mark.slow
@given(st.data(), st.integers(2, 40))
@settings(max_examples=100, deadline=None)
def test_lowest_error_is_that_of_the_commonest_class_of_equal_rows(data, n_rows):
    rows = [
        tuple(data.draw(st.tuples(st.integers(0, 2), st.sampled_from("ab"))))
        for _ in range(n_rows)
    ]
    y = [data.draw(st.sampled_from(["no", "yes", "maybe"])) for _ in range(n_rows)]
    table = {"x": [x for x, _ in rows], "z": [z for _, z in rows]}
    classes = defaultdict(Counter)
    for row, answer in zip(rows, y, strict=True):
        classes[row][answer] += 1
    wrong = sum(each.total() - max(each.values()) for each in classes.values())
    mixed = sum(each.total() for each in classes.values() if len(each) > 1)
    found = [f for f in tw.check(table, y) if f.kind == "contradictions"]
    if wrong == 0 or len(set(rows)) == 1:
        assert found == []
    else:
        assert found[0].figures["n_wrong"] == wrong
        assert found[0].n_rows == mixed


@pytest.mark.slow
@given(st.data(), st.integers(1, 60))
def test_bound_of_joint_marks_is_above_the_exact_chance(data, n_rows):
    n_first = data.draw(st.integers(0, n_rows))
    n_second = data.draw(st.integers(0, n_rows))
    low, high = max(0, n_first + n_second - n_rows), min(n_first, n_second)
    n_both = data.draw(st.integers(low, high))
    exact = stats.hypergeom(n_rows, n_second, n_first)
    tails = min(exact.cdf(n_both), exact.sf(n_both - 1))
    bound = joint_count(n_both, n_first, n_second, n_rows)
    assert bound >= math.log(min(1, 2 * tails)) - 1e-9


@given(st.integers(1, 80), st.integers(0, 80), st.floats(0.05, 0.95))
def test_bound_of_few_wrong_rows_is_above_the_exact_chance(n_rows, wrong, share):
    wrong = min(wrong, n_rows)
    exact = stats.binom(n_rows, share).cdf(wrong)
    assert few_wrong(wrong, n_rows, share) >= math.log(exact) - 1e-9


@pytest.mark.parametrize(("n_first", "n_second"), [(8, 8), (20, 50), (100, 40)])
@pytest.mark.parametrize("distance", [0.3, 0.5, 0.7])
def test_bound_of_a_gap_is_above_the_exact_chance(n_first, n_second, distance):
    one = np.arange(n_first) / n_first
    # the second sample lies above the first by so much: D is near `distance`
    other = distance + (1 - distance) * np.arange(n_second) / n_second
    exact = stats.ks_2samp(one, other, method="exact")
    bound = largest_gap(float(exact.statistic), n_first, n_second)
    assert bound >= math.log(exact.pvalue) - 1e-9


def test_chance_that_the_highest_are_all_of_one_table():
    # 3 rows of 10 are new: the two highest both new in 3/10 * 2/9 of all orders
    assert math.exp(all_on_one_side(2, 3, 10)) == pytest.approx(3 / 10 * 2 / 9)
    assert all_on_one_side(4, 3, 10) == -math.inf


def test_ways_to_arrange():
    assert math.exp(log_arrangements(np.array([2, 2]))) == pytest.approx(6)
    assert math.exp(log_arrangements(np.array([1, 1, 1, 0]))) == pytest.approx(6)


@given(st.integers(0, 1000))
@settings(max_examples=20, deadline=None)
def test_findings_do_not_depend_on_the_order_of_columns_or_the_names_of_classes(seed):
    draw = np.random.default_rng(seed)
    y = draw.integers(0, 2, 60)
    table = {"a": y + 0.0, "b": np.ones(60), "c": draw.normal(size=60)}
    one = tw.check(table, y)
    other = tw.check(dict(reversed(table.items())), np.where(y == 1, "no", "yes"))
    assert {(f.kind, f.columns) for f in one} == {(f.kind, f.columns) for f in other}
