"""Odd tables: one row, no features, one class, very wide, sparse, long numbers."""

from __future__ import annotations

import time

import numpy as np
import pytest
from scipy import sparse

import treewright as tw
from refusals import refused
from treewright.errors import DataError, SettingError


def kinds(report) -> list[str]:
    return [finding.kind for finding in report]


def test_one_row():
    assert kinds(tw.check({"x": [1.0]}, ["a"])) == ["one row"]
    assert kinds(tw.check({"x": [1.0]}, [0.5], task="numbers")) == ["one row"]


def test_every_class_has_one_row():
    [finding] = tw.check({"x": [1, 2, 3]}, ["a", "b", "c"])
    assert (finding.kind, finding.n_rows) == ("one row each", 3)
    assert "3 classes in 3 rows" in finding.what
    assert not tw.check({"x": [1, 2, 3]}, ["a", "b", "a"])


def test_no_features():
    assert kinds(tw.check({}, ["a", "b", "a"])) == ["no features"]
    report = tw.check({"x": [1, 2, 3]}, ["a", "b", "a"], ignore=["x"])
    assert kinds(report) == ["no features"]


def test_no_rows_is_an_error():
    with refused(DataError, "0 rows", "learn"):
        tw.check({"x": []}, [])


def test_one_class_and_one_number():
    assert kinds(tw.check({"x": [1, 2, 3]}, ["a", "a", "a"])) == ["one class"]
    report = tw.check({"x": [1, 2, 3]}, [0.5, 0.5, 0.5], task="numbers")
    assert kinds(report) == ["one number"]


def test_unknown_task_is_refused():
    with refused(SettingError, "task", "'number'"):
        tw.check({"x": [1]}, [1], task="number")


@pytest.mark.parametrize(
    ("y", "kind"),
    [
        ([0, 1, 1, 0], "class"),
        ([0.5, 1.25, 2.0, 3.0], "number"),
        (list(range(30)), "number"),
        ([True, False, True, True], "class"),
        (["a", "b", "a", "b"], "class"),
    ],
)
def test_task_follows_from_the_target(y, kind):
    """Rows that are equal contradict each other, in words of the target's kind."""
    table = {"x": [1, 2] * (len(y) // 2), "z": [1.0] * len(y)}
    y = [*y[:-2], y[0], y[1]] if kind == "class" else y
    table["x"] = [1] * (len(y) - 1) + [2]
    [finding] = [f for f in tw.check(table, y) if f.kind == "contradictions"]
    assert ("RMSE" in finding.what) == (kind == "number")


def test_several_outputs_are_looked_at_one_by_one():
    draw = np.random.default_rng(0)
    y = draw.integers(0, 2, (200, 2))
    report = tw.check({"a": y[:, 0] + 0.0, "x": draw.normal(size=200)}, y)
    [finding] = report
    assert (finding.kind, finding.columns) == ("leak", ("a",))
    assert "'target0'" in finding.what


def test_sparse_and_wide_whole_numbers():
    draw = np.random.default_rng(0)
    y = draw.integers(0, 2, 100)
    assert not tw.check(sparse.random(100, 8, 0.8, format="csr", random_state=0), y)
    big = 2**60 + draw.permutation(100)
    assert kinds(tw.check({"key": big}, y)) == ["identifier"]


@pytest.mark.slow
def test_ten_thousand_columns_in_bounded_time():
    draw = np.random.default_rng(0)
    cells = draw.normal(size=(150, 10_000))
    y = draw.integers(0, 2, 150)
    cells[:, 7] = y
    cells[:, 9_000] = -cells[:, 3]
    start = time.perf_counter()
    report = tw.check(cells, y)
    assert [(f.kind, f.columns) for f in report] == [
        ("leak", ("x7",)),
        ("copy", ("x3", "x9000")),
    ]
    assert time.perf_counter() - start < 60


@pytest.mark.slow
def test_ten_thousand_equal_columns_are_one_finding():
    cells = np.repeat(np.random.default_rng(0).normal(size=(100, 1)), 10_000, axis=1)
    [finding] = tw.check(cells, np.arange(100) % 2)
    assert finding.figures["n_copies"] == 9_999
    assert len(str(finding)) < 400


def test_names_from_the_data_reach_the_text_safely():
    table = {"a\x1b[31m\nb": [1.0, 1.0, 1.0], "x": [1, 2, 3]}
    text = tw.check(table, ["a", "b", "a"]).to_text()
    assert "\x1b" not in text
    assert "\\x1b" in text


@pytest.mark.slow
def test_text_shows_ten_findings_of_a_kind_and_counts_the_others():
    cells = np.ones((30, 500))
    cells[:, 0] = np.random.default_rng(0).normal(size=30)
    report = tw.check(cells, np.arange(30) % 2)
    assert len(report) == 499
    lines = report.to_text().splitlines()
    assert sum(line.startswith("constant") for line in lines) == 10
    assert lines[-1] == "and 489 more of the kind 'constant' (all of them as JSON)"


def test_texts_are_offered_as_words():
    notes = [f"they said that {k} things were late again" for k in range(40)]
    names = [f"customer {k}" for k in range(40)]
    y = ["a", "b"] * 20
    found = tw.check({"note": notes}, y)
    assert kinds(found) == ["text"]
    assert "--text note" in found.findings[0].todo
    assert kinds(tw.check({"name": names}, y)) == ["identifier"]


def test_columns_of_the_second_table_alone_are_said():
    y = ["a", "b"] * 20
    one = {"x": list(range(0, 80, 2))}
    found = tw.check(one, y, test={**one, "new": [1] * 40})
    assert ("more columns", ("new",)) in [(f.kind, f.columns) for f in found]


def test_drift_of_numbers_and_dates_names_the_middle():
    y = ["a", "b"] * 100
    days = np.datetime64("2024-01-01") + np.arange(200) % 97
    here = {"x": np.arange(200) % 60 + 0.5, "day": days}
    there = {"x": np.arange(200) % 60 + 40.5, "day": days + 60}
    drift = [f for f in tw.check(here, y, test=there) if f.kind == "drift"]
    found = {f.columns[0]: f.what for f in drift}
    # 0 to 19 are there 4 times, the others 3 times: the 100th of 200 is 26
    assert "the middle one is 26.5 here and 66.5 there" in found["x"]
    # 0 to 5 are there 3 times, the others twice: the 100th is day 46, of 0 to 96
    assert "is 2024-02-16 here and after 2024-04-06 there" in found["day"]
