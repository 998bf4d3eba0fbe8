"""How rows are cut into batches, and in which form they come, changes nothing."""

from __future__ import annotations

import copy
import pickle
from itertools import pairwise

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_streams import cuttings, made_rows

import treewright as tw
from treewright.learners.streams.checkpoint import checkpoint_bytes

N_ROWS = 400
CLASSES = ("a", "b", "c")
SMALL = {"grace_period": 20, "delta": 0.1}


def number_of(row):
    """A number that depends on a row."""
    x = 0.0 if row["x"] is None else row["x"]
    return 3.0 * (row["colour"] == "red") + (x > 0.3) + 0.1 * x


def streams():
    rows, labels = made_rows(N_ROWS, 7, classes=CLASSES, late=True)
    return {
        "classes": (tw.HoeffdingTreeClassifier(**SMALL), rows, labels),
        "numbers": (
            tw.HoeffdingTreeRegressor(**SMALL),
            rows,
            [number_of(row) for row in rows],
        ),
        "bounded": (
            tw.HoeffdingTreeClassifier(max_bytes=14_000, **SMALL),
            rows,
            labels,
        ),
    }


STREAMS = streams()
FORMS = {
    "dicts": list,
    "columns": lambda rows: {n: [r[n] for r in rows] for n in rows[0]},
    "polars": lambda rows: pl.DataFrame(
        rows, schema={"x": float, "colour": str, "n": float, "size": str}
    ),
    "pandas": pd.DataFrame,
    "objects": lambda rows: pd.DataFrame(rows).astype(
        {"colour": object, "size": object}
    ),
    "arrays": lambda rows: {
        n: np.array([r[n] for r in rows], float if n in "xn" else object)
        for n in rows[0]
    },
    "categories": lambda rows: pd.DataFrame(rows).astype(
        {"colour": "category", "size": "category"}
    ),
    "enums": lambda rows: FORMS["polars"](rows).with_columns(
        pl.col("colour").cast(pl.Categorical), pl.col("size").cast(pl.Categorical)
    ),
}


def learned(kind, places, form="dicts"):
    """The bytes of a tree's state, and what it answered, after a stream in batches."""
    estimator, rows, labels = STREAMS[kind]
    tree = type(estimator)(**estimator.get_params())
    said = []
    for start, stop in pairwise(places):
        batch = FORMS[form](rows[start:stop])
        said += tree.prequential(batch, labels[start:stop]).tolist()
    return checkpoint_bytes(tree._learner), said


WHOLE = {kind: learned(kind, [0, N_ROWS]) for kind in STREAMS}


@pytest.mark.parametrize("kind", STREAMS)
def test_row_by_row_gives_the_same_bits(kind):
    state, said = learned(kind, range(N_ROWS + 1))
    assert state == WHOLE[kind][0]
    assert said == pytest.approx(WHOLE[kind][1], nan_ok=True)


@pytest.mark.slow
@given(
    kind=st.sampled_from(list(STREAMS)),
    places=cuttings(N_ROWS),
    form=st.sampled_from(list(FORMS)),
)
@settings(max_examples=40)
def test_any_batches_of_any_form_give_the_same_bits(kind, places, form):
    assert learned(kind, places, form)[0] == WHOLE[kind][0]


@pytest.mark.slow
@given(kind=st.sampled_from(list(STREAMS)), place=st.integers(1, N_ROWS - 1))
@settings(max_examples=30)
def test_copies_pickles_and_files_go_on_with_the_same_bits(
    kind, place, tmp_path_factory
):
    estimator, rows, labels = STREAMS[kind]
    tree = type(estimator)(**estimator.get_params())
    tree.partial_fit(rows[:place], labels[:place])
    path = tmp_path_factory.mktemp("file") / "tree.tw"
    tree.save(path)
    for other in (
        tw.load(path),
        pickle.loads(pickle.dumps(tree)),
        copy.deepcopy(tree),
    ):
        other.partial_fit(rows[place:], labels[place:])
        assert checkpoint_bytes(other._learner) == WHOLE[kind][0]


def test_fit_is_partial_fit_from_the_start():
    estimator, rows, labels = STREAMS["classes"]
    tree = type(estimator)(**estimator.get_params()).fit(rows[:50], labels[:50])
    tree.fit(rows, labels)
    assert checkpoint_bytes(tree._learner) == WHOLE["classes"][0]


@given(seed=st.integers(0, 1000), form=st.sampled_from(list(FORMS)))
@settings(max_examples=30)
def test_known_rows_are_read_alike_quickly_and_closely(seed, form):
    from treewright.data.stream.stream_quick import quick_cells
    from treewright.data.tables.frames import read_frame

    estimator, rows, labels = STREAMS["classes"]
    learner = estimator.fit(rows, labels)._learner
    others, _ = made_rows(20, seed, missing=0.3)
    table = FORMS[form](others)
    closely, _ = learner.table.encode(read_frame(table), learns=False)
    quickly = quick_cells(table, learner.table)
    if quickly is not None:
        np.testing.assert_array_equal(quickly[0], closely)


@pytest.mark.parametrize("form", ["dicts", "polars", "objects", "arrays"])
def test_usual_forms_are_read_quickly(form):
    from treewright.data.stream.stream_quick import quick_cells

    estimator, rows, labels = STREAMS["classes"]
    learner = estimator.fit(rows, labels)._learner
    assert quick_cells(FORMS[form](rows), learner.table) is not None
