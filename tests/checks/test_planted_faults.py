"""Every planted fault is found, alone and among all others."""

from __future__ import annotations

import numpy as np
import pytest
from planted import FAULTS, clean, leak_of_names

import treewright as tw

TASKS = ("classes", "numbers")
# what else a fault rightly brings with it
ALSO = {"missing"}


def found(report) -> set[tuple[str, frozenset[str]]]:
    return {(finding.kind, frozenset(finding.columns)) for finding in report}


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("seed", range(3))
def test_fault_is_found_alone(fault, task, seed):
    plant, kind, columns = FAULTS[fault]
    table, y = plant(*clean(seed, task=task), np.random.default_rng(seed))
    report = tw.check(table, y, task=task)
    expected = (kind, frozenset(columns))
    assert expected in found(report)
    assert {kind for kind, _ in found(report) - {expected}} <= ALSO


@pytest.mark.parametrize("task", TASKS)
def test_all_faults_are_found_together(task):
    table, y = clean(5, task=task)
    draw = np.random.default_rng(5)
    # to copy rows would copy the numbers of identifiers, too
    names = [
        name for name in FAULTS if name not in ("contradictions", "rising identifier")
    ]
    for name in names:
        table, y = FAULTS[name][0](table, y, draw)
    report = found(tw.check(table, y, task=task))
    for name in names:
        _, kind, columns = FAULTS[name]
        # copies of one column are one finding
        assert any(kind == each and set(columns) <= names for each, names in report), (
            name
        )


def test_leak_of_categories_is_found():
    table, y = leak_of_names(*clean(1), np.random.default_rng(1))
    assert ("leak", frozenset({"label"})) in found(tw.check(table, y))


def test_leak_says_the_error_of_its_own_tree():
    table, y = FAULTS["near leak"][0](*clean(2), np.random.default_rng(2))
    finding = next(f for f in tw.check(table, y) if f.kind == "leak")
    # the column says the class with 1 % flipped
    flipped = np.mean((table["almost"] > 0.5) != (y == "ill"))
    assert flipped <= finding.figures["error"] <= 3 * flipped + 0.01
    assert finding.figures["usual_error"] == pytest.approx(0.5, abs=0.01)


def test_a_strong_feature_is_no_leak():
    draw = np.random.default_rng(0)
    y = draw.integers(0, 2, 500)
    flipped = np.where(draw.random(500) < 0.1, 1 - y, y)
    assert not tw.check({"x": flipped + 0.0, "z": draw.normal(size=500)}, y)


def test_identifier_does_not_hide_contradictions():
    draw = np.random.default_rng(6)
    table, y = FAULTS["contradictions"][0](*clean(6), draw)
    table, y = FAULTS["name"][0](table, y, draw)
    [first, second] = tw.check(table, y)
    assert (first.kind, second.kind) == ("identifier", "contradictions")
    assert second.n_rows == 10
    assert second.figures["n_wrong"] == 5
    assert "every feature but 'name'" in second.what


def test_imbalance_names_the_rare_class():
    table, y = clean(3)
    y = np.where(np.arange(len(y)) < 9, "dead", y)
    report = tw.check(table, y)
    [finding] = report
    assert finding.kind == "imbalance"
    assert finding.n_rows == 9
    assert "'dead' (9)" in finding.what


def test_one_number_nearly_everywhere_is_said():
    table, y = clean(3, task="numbers")
    y = np.where(np.arange(len(y)) < 380, 0.0, y)
    assert [finding.kind for finding in tw.check(table, y)] == ["imbalance"]


def test_rows_without_a_target_are_said():
    table, y = clean(4, task="numbers")
    y[:7] = np.nan
    [finding] = tw.check(table, y)
    assert (finding.kind, finding.n_rows) == ("no target", 7)


def test_findings_are_sorted_by_weight():
    table, y = clean(5)
    for plant, _, _ in FAULTS.values():
        table, y = plant(table, y, np.random.default_rng(5))
    weights = [finding.weight for finding in tw.check(table, y)]
    assert weights == sorted(weights, reverse=True)
    assert all(0 <= weight <= 1 for weight in weights)


SHIFTS = {
    "numbers": ("height", lambda v: v + 5, "drift"),
    "range": (
        "weight",
        lambda v: np.where(np.arange(len(v)) < 15, v + 500, v),
        "new range",
    ),
    "shares": (
        "colour",
        lambda v: np.where(np.arange(len(v)) < 200, "red", v),
        "drift",
    ),
    "new": (
        "smokes",
        lambda v: np.where(np.arange(len(v)) < 3, "?!", v),
        "new categories",
    ),
    "missing": (
        "income",
        lambda v: np.where(np.arange(len(v)) < 100, np.nan, v),
        "drift",
    ),
}


@pytest.mark.parametrize("shift", SHIFTS)
def test_drift_is_found(shift):
    name, change, kind = SHIFTS[shift]
    (table, y), (other, other_y) = clean(1), clean(2)
    other[name] = change(other[name])
    report = tw.check(table, y, test=other, test_y=other_y)
    assert [(f.kind, f.columns) for f in report] == [(kind, (name,))]


@pytest.mark.parametrize("task", TASKS)
def test_drift_of_the_target_is_found(task):
    (table, y), (other, other_y) = clean(1, task=task), clean(2, task=task)
    shifted = (
        other_y + 1
        if task == "numbers"
        else np.where(np.arange(len(y)) < 200, "ill", other_y)
    )
    report = tw.check(table, y, test=other, test_y=shifted, task=task)
    assert report.findings[0].kind == "drift"
    assert {f.columns for f in report} == {("target",)}


def test_column_that_the_second_table_lacks_is_said():
    (table, y), (other, _) = clean(1), clean(2)
    del other["age"]
    [finding] = tw.check(table, y, test=other)
    assert (finding.kind, finding.columns) == ("lacks", ("age",))


def test_drift_of_dates_is_found():
    draw = np.random.default_rng(0)
    days = np.datetime64("2024-01-01", "us") + draw.integers(0, 10**12, 300)
    later = days + np.timedelta64(10**6, "s")
    y = draw.integers(0, 2, 300)
    kinds = {f.kind for f in tw.check({"day": days}, y, test={"day": later})}
    assert kinds == {"drift", "new range"}
    assert not tw.check({"day": days}, y, test={"day": days[::-1]})
