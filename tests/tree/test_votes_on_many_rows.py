"""Many rows get the answers that each gets alone, however they are asked about."""

from __future__ import annotations

import numpy as np
import pytest

import treewright

N_ROWS = 5003  # enough for ranks, and no multiple of the rows that go together


def rows_and_classes(n_values: int | None):
    random = np.random.default_rng(0)
    rows = random.normal(size=(N_ROWS, 4))
    if n_values is not None:
        rows = np.floor(rows * n_values) / n_values
    return rows, (rows[:, 0] + rows[:, 1] * rows[:, 2] > 0.1).astype(int)


def few_at_a_time(forest, rows):
    return np.vstack(
        [forest.predict_proba(rows[a : a + 500]) for a in range(0, len(rows), 500)]
    )


@pytest.mark.parametrize("n_values", [None, 3])
def test_as_few_rows(n_values):
    rows, classes = rows_and_classes(n_values)
    forest = treewright.RandomForestClassifier(20, random_state=0).fit(rows, classes)
    np.testing.assert_array_equal(
        forest.predict_proba(rows), few_at_a_time(forest, rows)
    )


def test_values_at_thresholds_infinities_and_holes():
    rows, classes = rows_and_classes(None)
    forest = treewright.RandomForestClassifier(20, random_state=0).fit(rows, classes)
    for tree in forest.trees_:
        cuts = np.flatnonzero(tree.n_children > 0)[:200]
        rows[cuts % N_ROWS, tree.feature[cuts]] = tree.threshold[cuts]
    random = np.random.default_rng(1)
    for value in (np.inf, -np.inf, np.nan, -0.0):
        rows[random.integers(0, N_ROWS, 40), random.integers(0, 4, 40)] = value
    np.testing.assert_array_equal(
        forest.predict_proba(rows), few_at_a_time(forest, rows)
    )


def test_numbers_have_as_many_answers_as_leaves():
    rows, _ = rows_and_classes(None)
    forest = treewright.RandomForestRegressor(5, random_state=0)
    forest.fit(rows, rows[:, 0] * rows[:, 1])
    alone = np.concatenate([forest.predict(rows[a : a + 500]) for a in (0, 500)])
    np.testing.assert_array_equal(forest.predict(rows)[:1000], alone)


@pytest.mark.parametrize("n_rows", [1, 15, 16, 17, 33, 700])
def test_as_one_row_alone(n_rows):
    """Rows that go side by side arrive where each arrives alone, early or late."""
    random = np.random.default_rng(2)
    rows = np.exp(random.normal(size=(3000, 3)) * 3)
    classes = (rows[:, 0] > rows[:, 1] * random.uniform(0.5, 2, 3000)).astype(int)
    forest = treewright.RandomForestClassifier(7, random_state=0).fit(rows, classes)
    asked = rows[:n_rows] * 1.01
    asked[n_rows // 2, 1] = np.nan
    alone = [forest.predict_proba(row[None])[0] for row in asked]
    np.testing.assert_array_equal(forest.predict_proba(asked), alone)
