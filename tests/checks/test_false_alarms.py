"""Clean tables raise nothing: false alarms stay below the level of the whole check."""

from __future__ import annotations

import numpy as np
import pytest
from planted import clean

import treewright as tw

pytestmark = pytest.mark.slow


def kinds_of(reports) -> list[str]:
    return [str(finding) for report in reports for finding in report]


@pytest.mark.parametrize("task", ["classes", "numbers"])
@pytest.mark.parametrize("n_rows", [30, 100, 400])
def test_clean_tables_raise_nothing(task, n_rows):
    # the level is 0.01 and the bounds are wide: 2 alarms in 60 tables are a fault
    tables = (clean(seed, n_rows, task) for seed in range(60))
    alarms = kinds_of(tw.check(X, y, task=task) for X, y in tables)
    assert len(alarms) <= 1, alarms


@pytest.mark.parametrize("task", ["classes", "numbers"])
def test_values_missing_by_chance_are_only_counted(task):
    alarms = []
    for seed in range(60):
        table, y = clean(seed, 300, task)
        draw = np.random.default_rng(1000 + seed)
        for name in ("height", "weight", "income"):
            table[name][draw.random(len(y)) < draw.uniform(0.01, 0.3)] = np.nan
        report = tw.check(table, y, task=task)
        alarms += [finding for finding in report if finding.kind != "missing"]
    assert len(alarms) <= 1, alarms


@pytest.mark.parametrize("n_rows", [20, 150, 1000])
def test_second_table_of_the_same_kind_raises_nothing(n_rows):
    alarms = []
    for seed in range(40):
        (table, y), (other, other_y) = clean(seed, n_rows), clean(9000 + seed, 300)
        report = tw.check(table, y, test=other, test_y=other_y)
        alarms += [finding for finding in report if "second table" in finding.what]
    assert len(alarms) <= 1, alarms


def test_many_columns_of_few_rows_raise_nothing():
    """Among 2,000 columns some agree with the target, or each other, by chance."""
    for seed in range(5):
        draw = np.random.default_rng(seed)
        for cells in (
            draw.normal(size=(20, 2000)),
            draw.integers(0, 2, (20, 2000)).astype(float),
            (draw.random((25, 2000)) < 0.1).astype(float),
        ):
            y = draw.integers(0, 2, len(cells))
            alarms = [f for f in tw.check(cells, y) if f.kind != "constant"]
            assert alarms == []


def test_scarce_missing_cells_of_many_columns_raise_nothing():
    draw = np.random.default_rng(0)
    cells = draw.normal(size=(40, 1500))
    cells[draw.random(cells.shape) < 0.05] = np.nan
    kinds = {finding.kind for finding in tw.check(cells, draw.integers(0, 2, 40))}
    assert kinds == {"missing"}
