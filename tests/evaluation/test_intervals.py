"""Intervals cover the true error as often as they say."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import treewright as tw
from treewright.evaluation.error_intervals import (
    Sampling,
    corrected_error,
    t_quantile,
    t_tail,
    wilson,
)


@pytest.mark.parametrize(("wrong", "n_rows"), [(0, 10), (3, 20), (20, 20), (50, 400)])
def test_wilson_is_that_of_scipy(wrong, n_rows):
    expected = stats.binomtest(wrong, n_rows).proportion_ci(0.95, method="wilson")
    assert wilson(wrong / n_rows, n_rows, 0.95) == pytest.approx(
        (expected.low, expected.high)
    )


def test_corrected_error_of_a_worked_example():
    # differences 1, 2, 3: variance 1; (1/3 + 1/9) * 1 = 4/9, whose root is 2/3
    assert corrected_error(np.array([1.0, 2.0, 3.0]), 1 / 9) == pytest.approx(2 / 3)


def test_quantiles_are_those_of_scipy():
    assert t_quantile(0.975, 9) == pytest.approx(stats.t.ppf(0.975, 9))
    assert t_tail(-2.5, 7) == pytest.approx(2 * stats.t.sf(2.5, 7))


def test_folds_that_agree_know_no_more_than_their_rows():
    split = np.repeat(np.arange(10), 10)
    sampling = Sampling(split, np.ones(100), np.full(10, 90), 100)
    found = sampling.share(np.zeros(100), 0.95)
    assert (found.low, found.high) == pytest.approx(wilson(0.0, 100, 0.95))


def drawn(draw: np.random.Generator, n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Return three numbers, and a class that follows two of them with noise."""
    X = draw.normal(size=(n_rows, 3))
    y = (X[:, 0] + X[:, 1] + draw.normal(size=n_rows) > 0).astype(int)
    return X, y


@pytest.mark.slow
@pytest.mark.parametrize(
    "how", [{"folds": 10}, {"folds": 4, "repeats": 2}, {"hold_out": 0.3}]
)
def test_intervals_cover_the_true_error_at_their_rate(how):
    draw = np.random.default_rng(7)
    new_rows, answers = drawn(draw, 20_000)
    n_tables, covered, wide = 80, 0, []
    tree = tw.CARTClassifier(max_depth=2)
    truth = np.mean(
        [1 - tree.fit(*drawn(draw, 90)).score(new_rows, answers) for _ in range(40)]
    )
    for _ in range(n_tables):
        found = tw.evaluate(tree, *drawn(draw, 100), n_jobs=1, **how).error
        covered += found.low <= truth <= found.high
        wide.append(found.high - found.low)
    # 95 % of 80, less two standard errors; and not by being wide
    assert covered / n_tables >= 0.9
    assert np.mean(wide) < 0.4


@pytest.mark.slow
def test_intervals_of_amounts_cover_the_true_error():
    draw = np.random.default_rng(11)

    def table(n_rows: int) -> tuple[np.ndarray, np.ndarray]:
        X = draw.normal(size=(n_rows, 2))
        return X, X[:, 0] + draw.normal(size=n_rows)

    new_rows, answers = table(20_000)
    tree = tw.CARTRegressor(max_depth=2)
    errors = [
        np.mean((tree.fit(*table(90)).predict(new_rows) - answers) ** 2)
        for _ in range(40)
    ]
    truth, covered = np.sqrt(np.mean(errors)), 0
    for _ in range(60):
        found = tw.evaluate(tree, *table(100), n_jobs=1).error
        covered += found.low <= truth <= found.high
    assert covered >= 54
