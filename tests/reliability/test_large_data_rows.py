"""Data: many categories, many classes, and tables that change under the reader."""

from __future__ import annotations

import resource
import subprocess
import sys

import numpy as np
import pytest
from sklearn.model_selection import cross_val_score

from treewright import CARTClassifier, ID3Classifier
from treewright.tree import from_bytes, to_bytes

Y = ["a", "a", "b", "b"]
IDENTIFIER = (
    "feature {!r}: each of the {:,} rows has a category of its own; if it is an "
    "identifier, leave it out"
)
MILLION = 10**6


def peak_bytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


@pytest.mark.parametrize("estimator", [CARTClassifier, ID3Classifier])
def test_row15_one_category_is_ignored(estimator):
    tree = estimator().fit({"c": ["k"] * 4, "x": ["u", "u", "v", "v"]}, Y)
    assert tree.notes_ == ("feature 'c': its only value is 'k'",)
    assert tree.feature_importances_.tolist() == [0.0, 1.0]


@pytest.mark.parametrize("estimator", [CARTClassifier, ID3Classifier])
def test_row15_category_per_row_is_noted_and_right(estimator):
    table, y = {"c": [f"k{k}" for k in range(30)]}, ["a", "b"] * 15
    tree = estimator().fit(table, y)
    assert tree.notes_ == (IDENTIFIER.format("c", 30),)
    assert tree.predict(table).tolist() == y


@pytest.mark.slow
@pytest.mark.parametrize("estimator", [CARTClassifier, ID3Classifier])
def test_row15_a_million_categories(estimator):
    table, y = np.arange(MILLION)[:, None], np.zeros(MILLION, int)
    y[:10] = 1
    before = peak_bytes()
    tree = estimator(feature_kinds={"x0": "nominal"}).fit(table, y)
    # codes, categories and leaves; measured 0.2 to 0.4 GB
    assert peak_bytes() - before < 1e9
    assert tree.notes_ == (IDENTIFIER.format("x0", MILLION),)
    assert tree.predict(table[:20]).tolist() == y[:20].tolist()


def test_row25_classes_with_one_row():
    table = np.arange(6)[:, None]
    tree = CARTClassifier().fit(table, list("abcdef"))
    assert tree.predict(table).tolist() == list("abcdef")


def test_row25_cross_validation_says_how_it_coped():
    table = np.arange(7)[:, None]
    with pytest.warns(UserWarning, match="n_splits=2"):
        scores = cross_val_score(CARTClassifier(), table, list("aaabbbc"), cv=2)
    assert np.isfinite(scores).all()


@pytest.mark.slow
def test_row25_ten_thousand_classes():
    table = np.arange(20_000.0)[:, None]
    y = np.arange(20_000) // 2
    tree = CARTClassifier(criterion="entropy", max_depth=4).fit(table, y)
    # equal classes in order: each cut is in the middle
    assert tree.tree_.n_rows.tolist()[:3] == [20_000, 10_000, 10_000]
    assert tree.n_classes_ == 10_000
    # a leaf answers with the first of its classes, which has 2 rows
    assert tree.score(table, y) == 2 * 16 / 20_000
    assert to_bytes(from_bytes(to_bytes(tree.model_))) == to_bytes(tree.model_)


SCRIPT = """
import threading, time
import numpy as np
from treewright import CARTClassifier

n_rows = 50_000
random = np.random.default_rng(0)
table = {"x": random.random(n_rows), "n": np.arange(n_rows)}
table["c"] = np.array(list("abcde"), object)[table["n"] % 5]
y = random.integers(0, 2, n_rows)
done = threading.Event()

def disturb():
    random = np.random.default_rng(1)
    values = [np.nan, np.inf, -np.inf, -1.0, 1e300]
    while not done.is_set():
        rows = random.integers(0, n_rows, 5000)
        table["x"][rows] = random.choice(values, 5000)
        table["n"][rows] = random.integers(-(2**62), 2**62)
        table["c"][rows[:50]] = None
        y[rows] = random.integers(0, 2, 5000)

thread = threading.Thread(target=disturb)
thread.start()
end = time.monotonic() + 1.5
try:
    while time.monotonic() < end:
        tree = CARTClassifier(max_depth=5, n_jobs=2).fit(table, y)
        assert tree.tree_.n_rows[0] == n_rows
finally:
    done.set()
    thread.join()
print("whole")
"""


@pytest.mark.slow
def test_row33_table_that_changes_during_fit():
    # in a process of its own: a crash would take the other tests with it
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stdout) == (0, "whole\n"), ran.stderr[-2000:]
