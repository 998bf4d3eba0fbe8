"""After every step an incremental tree is the one that a fresh fit gives."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treewright as tw

pytestmark = pytest.mark.slow

LETTERS = "abcdefghijklmnop"
ARRAYS = ("kind", "feature", "n_rows", "reason", "missing_branch", "value", "label")


class Stream:
    """Random rows that come and go; few values, so that ties abound.

    The class follows from the first column or is drawn, so trees are neither empty nor
    without errors; values, categories and classes come late and vanish.
    """

    def __init__(self, seed: int, dialect: str) -> None:
        self.draw = random.Random(seed)
        self.dialect = dialect
        kinds = ["numeric", "nominal"] if dialect == "cart" else ["nominal"]
        self.kinds = {
            f"x{k}": self.draw.choice(kinds) for k in range(self.draw.randint(1, 4))
        }
        self.n_values = {name: self.draw.randint(1, 14) for name in self.kinds}
        self.n_classes = self.draw.randint(1, 4)
        self.share_missing = self.draw.choice([0, 0, 0.1, 0.4])
        self.rows: list[dict[str, object]] = []
        self.classes: list[str] = []

    def cell(self, name):
        if self.draw.random() < self.share_missing:
            return None if self.kinds[name] == "nominal" else float("nan")
        value = self.draw.randrange(self.n_values[name])
        return LETTERS[value] if self.kinds[name] == "nominal" else float(value)

    def new_rows(self, n_rows):
        rows = [{name: self.cell(name) for name in self.kinds} for _ in range(n_rows)]
        classes = []
        for row in rows:
            told = sum(map(ord, str(row["x0"]))) % self.n_classes
            drawn = self.draw.randrange(self.n_classes)
            classes.append("ABCD"[told if self.draw.random() < 0.6 else drawn])
        self.rows += rows
        self.classes += classes
        return rows, classes

    def old_rows(self, n_rows):
        picked = self.draw.sample(range(len(self.rows)), n_rows)
        rows = [self.rows[k] for k in picked]
        classes = [self.classes[k] for k in picked]
        left = sorted(set(range(len(self.rows))) - set(picked))
        self.rows = [self.rows[k] for k in left]
        self.classes = [self.classes[k] for k in left]
        return rows, classes

    def table(self, rows):
        return {
            name: np.array(
                [row[name] for row in rows], float if kind == "numeric" else object
            )
            for name, kind in self.kinds.items()
        }

    def fresh(self):
        learner = tw.CARTClassifier if self.dialect == "cart" else tw.ID3Classifier
        return learner().fit(self.table(self.rows), self.classes)


def same_after_every_step(stream, steps):
    tree = tw.IncrementalTreeClassifier(dialect=stream.dialect)
    for number in steps:
        if number < 0 and len(stream.rows) > 1:
            rows, classes = stream.old_rows(min(-number, len(stream.rows) - 1))
            # rows come as lists of dicts and as tables
            tree.forget(
                rows if stream.draw.random() < 0.7 else stream.table(rows), classes
            )
        else:
            rows, classes = stream.new_rows(abs(number))
            as_table = stream.draw.random() < 0.3 or not tree.__sklearn_is_fitted__()
            tree.partial_fit(stream.table(rows) if as_table else rows, classes)
        fresh = stream.fresh()
        assert tree.fingerprint() == fresh.fingerprint()
        own, others = tree.tree_, fresh.tree_
        for name in ARRAYS:
            np.testing.assert_array_equal(getattr(own, name), getattr(others, name))
        np.testing.assert_allclose(own.gain, others.gain, rtol=1e-9, atol=1e-12)
        np.testing.assert_array_equal(own.impurity, others.impurity)
    return tree


SMALL = st.lists(st.sampled_from([1, 1, 1, 2, 5, 20, -1, -1, -3, -10]), max_size=40)
# nodes that keep tables, and single rows after large batches
LARGE = st.lists(
    st.sampled_from([1, 1, 100, 300, -1, -1, -40]), min_size=1, max_size=12
).map(lambda steps: [200, *steps])
SEEDS = st.integers(0, 2**32)


@given(SEEDS, st.sampled_from(["cart", "id3"]), SMALL)
def test_few_rows_that_come_and_go(seed, dialect, steps):
    same_after_every_step(Stream(seed, dialect), steps)


@given(SEEDS, st.sampled_from(["cart", "id3"]), LARGE)
def test_many_rows_that_come_and_go(seed, dialect, steps):
    same_after_every_step(Stream(seed, dialect), steps)


@given(SEEDS, st.sampled_from(["cart", "id3"]))
def test_rows_that_come_and_go_one_by_one(seed, dialect):
    stream = Stream(seed, dialect)
    steps = [60, *(stream.draw.choice([1, 1, -1]) for _ in range(40))]
    same_after_every_step(stream, steps)
