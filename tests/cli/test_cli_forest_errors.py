"""What `fit --algorithm forest` says of out-of-bag errors."""

from __future__ import annotations

import re

import numpy as np
import polars as pl
import pytest

import treewright as tw

FOREST = (
    "--algorithm",
    "forest",
    "--set",
    "n_estimators=12",
    "--set",
    "random_state=1",
)


def numbers_table(write):
    random = np.random.default_rng(0)
    rows = [
        f"{x},{x * x + noise},{weight}"
        for x, noise, weight in zip(
            random.normal(size=120),
            random.standard_cauchy(120),
            random.integers(1, 5, 120),
            strict=True,
        )
    ]
    return write("numbers.csv", "x,y,w\n" + "\n".join(rows))


@pytest.mark.parametrize("weights", [(), ("--weights", "w")])
def test_absolute_errors_are_compared_with_absolute_errors(run, write, weights):
    path = numbers_table(write)
    words = ("--target", "y", *FOREST, "--set", "criterion=absolute_error", *weights)
    said = run("fit", path, *words).stdout
    table = pl.read_csv(path)
    forest = tw.RandomForestRegressor(
        12, random_state=1, criterion="absolute_error", oob_score=True
    )
    y, w = table["y"].to_numpy(), table["w"].to_numpy() if weights else None
    features = ["x"] if weights else ["x", "w"]
    forest.fit(table.select(features), y, sample_weight=w)
    known = np.isfinite(forest.oob_prediction_)
    wrong = np.abs(forest.oob_prediction_ - y)
    error = np.average(wrong[known], weights=None if w is None else w[known])
    assert "mean absolute error" in said
    [line] = re.findall(r"^  out of bag +(\S+)", said, re.MULTILINE)
    assert float(line) == pytest.approx(error, rel=1e-3)


def test_out_of_bag_errors_say_that_they_are_by_weight(run, write):
    rows = "\n".join(f"{k % 7},{'ab'[k % 3 == 0]},{1 + k % 4}" for k in range(60))
    path = write("weights.csv", "x,y,w\n" + rows)
    said = run("fit", path, "--target", "y", "--weights", "w", *FOREST).stdout
    assert ", by weight, each by trees" in " ".join(said.split())


def test_a_forest_that_is_no_better_than_none_is_told(run, write):
    random = np.random.default_rng(0)
    rows = [f"{x},{x + 0.1 * e},{e}" for x, e in random.normal(size=(80, 2))]
    path = write("rows.csv", "x,good,bad\n" + "\n".join(rows))
    idle = "That is no better than saying the same of all rows"
    for target, other, is_idle in (("good", "bad", False), ("bad", "good", True)):
        said = run("fit", path, "--target", target, "--ignore", other, *FOREST).stdout
        assert (idle in said) == is_idle
    said = run("fit", "tennis", *FOREST).stdout
    [wrong, usual] = re.findall(r"  (?:out of bag|always saying Yes) +(\S+) %", said)
    assert (idle in said) == (float(wrong) >= float(usual))
