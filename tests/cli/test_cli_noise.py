"""`--noise`: errors are of clean rows, by trees of noisy ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _table():
    rows = "".join(f"{n % 50},{n % 7},{'ab'[n % 50 > 20]}\n" for n in range(400))
    Path("t.csv").write_text("x,z,y\n" + rows, encoding="utf-8")


def error(run, *words):
    result = run("evaluate", "t.csv", "--target", "y", "--format", "json", *words)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_pruning_copes_with_noise(run):
    pruned = ("--set", "pruning=cost_complexity", "--set", "ccp_alpha=0.02")
    noisy = ("--algorithm", "cart", "--noise", "0.2", "--noise-in", "answers")
    clean = error(run, "--algorithm", "cart")
    grown = error(run, *noisy)
    assert clean["error"]["value"] == 0
    assert grown["error"]["value"] > 0
    assert error(run, *noisy, *pruned)["error"]["value"] == 0
    assert "20 % of the answers of the training rows" in grown["how"]


def test_noise_is_said_in_the_report_and_in_comparisons(run):
    result = run("evaluate", "t.csv", "--target", "y", "--noise", "0.1")
    said = " ".join(result.stdout.split())
    assert "10 % of the cells and 10 % of the answers of the training rows" in said
    words = ("--algorithms", "cart,c45", "--noise", "0.1", "--folds", "3")
    result = run("compare", "t.csv", "--target", "y", *words)
    assert "the errors are on rows without noise" in " ".join(result.stdout.split())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--noise", "1.5"), "--noise is 1.5; it must be a share from 0 to 1"),
        (("--noise", "nan"), "it must be a share from 0 to 1"),
        (("--noise-in", "cells"), "say how much with --noise"),
    ],
)
def test_wrong_rates_are_refused(run, words, said):
    result = run("evaluate", "t.csv", "--target", "y", *words)
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())


def test_no_noise_for_other_estimators(run):
    words = ("--algorithms", "cart,sklearn.tree:DecisionTreeClassifier")
    result = run("compare", "t.csv", "--target", "y", *words, "--noise", "0.1")
    assert result.exit_code == 2
    assert "leave one of the two out" in " ".join(result.stderr.split())


def test_no_noise_is_said_with_nothing(run):
    found = error(run, "--algorithm", "cart", "--noise", "0")
    assert found["notes"] == error(run, "--algorithm", "cart")["notes"]


def test_noise_follows_the_seed_and_no_thread(run):
    words = ("--algorithm", "cart", "--noise", "0.3", "--time", "x", "--folds", "4")
    one, again, other = (
        error(run, *words, *more)["errors"]
        for more in (("--jobs", "1"), ("--jobs", "3"), ("--seed", "1"))
    )
    assert one == again  # folds by time do not depend on the seed
    assert one != other
