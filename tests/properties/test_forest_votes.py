"""A forest's vote for many rows is that of its trees asked one after the other."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treewright
from treewright.tree.predict import vote

N_ROWS = 4200  # enough for ranks
WIDE = 2**60  # integers that float64 cannot tell apart


def table(random: np.random.Generator, n_rows: int, *, holes: bool, new: bool):
    """Numbers that are close or repeated, wide integers, and categories."""
    numbers = random.normal(size=n_rows)
    numbers[random.random(n_rows) < (0.1 if holes else 0.0)] = np.nan
    colours = random.choice(["red", "green", "blue", *(["new"] if new else [])], n_rows)
    return pl.DataFrame(
        {
            "number": pl.Series(numbers).fill_nan(None),
            "few": random.integers(0, 5, n_rows).astype(float),
            "wide": WIDE + random.integers(0, 50, n_rows),
            "colour": colours,
        }
    )


@pytest.mark.slow
@pytest.mark.parametrize("n_classes", [2, 3, 11])
@given(
    seed=st.integers(0, 10**6),
    holes=st.booleans(),
    nominal=st.booleans(),
    depth=st.sampled_from([None, 1, 4]),
)
@settings(max_examples=6, deadline=None)
def test_as_tree_by_tree(n_classes, seed, holes, nominal, depth):
    random = np.random.default_rng(seed)
    columns = ["number", "few", "wide", *(["colour"] if nominal else [])]
    rows = table(random, 300, holes=holes, new=False).select(columns)
    classes = random.integers(0, n_classes, 300)
    forest = treewright.RandomForestClassifier(11, max_depth=depth, random_state=seed)
    model = forest.fit(rows, classes).model_
    asked = table(random, N_ROWS, holes=holes, new=True).select(columns)
    plain = vote.probabilities(
        model.schema.target, model.trees, model.ends(model.encode(asked)[0])
    )[0]
    np.testing.assert_array_equal(model.predict_proba(asked), plain)


@given(seed=st.integers(0, 10**6), n_outputs=st.integers(1, 3))
@settings(max_examples=6, deadline=None)
def test_numbers_as_tree_by_tree(seed, n_outputs):
    random = np.random.default_rng(seed)
    rows = random.normal(size=(300, 3)).round(2)
    answers = random.normal(size=(300, n_outputs))
    forest = treewright.RandomForestRegressor(11, random_state=seed)
    model = forest.fit(rows, answers[:, 0] if n_outputs == 1 else answers).model_
    asked = random.normal(size=(N_ROWS, 3)).round(2)
    plain = vote.predicted_numbers(model.trees, model.ends(asked))
    np.testing.assert_array_equal(model.predict(asked), plain)
