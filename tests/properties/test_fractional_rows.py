"""Laws of rows that are divided among branches, in growing and in predicting."""

from __future__ import annotations

from typing import Any

import c45_tables
import numpy as np
import polars as pl
import pytest
import tables
from hypothesis import given
from hypothesis import strategies as st
from tables import Table

from engine_as_textbook import as_textbook
from textbook_c45_answers import completions, distribution, mean
from treewright.learners.dialects.c45 import C45, J48, LECTURE
from treewright.learners.dialects.cart import CART, CART_NUMBERS
from treewright.learners.recipe import grow_tree
from treewright.tree.file.save import to_bytes

pytestmark = pytest.mark.slow

NOMINAL_SPLITS = ["multiway", "subset", "one_value"]
CLASS_CRITERIA = ["entropy", "gain_ratio", "gini", "classification_error"]


def check_sums(whole: dict[str, Any], key: str) -> None:
    """Every node holds what its branches hold together."""
    pending = [whole]
    while pending:
        node = pending.pop()
        if "branches" not in node:
            continue
        parts = np.array([branch[key] for branch in node["branches"]])
        np.testing.assert_allclose(parts.sum(axis=0), node[key], rtol=0, atol=1e-9)
        pending += node["branches"]


@pytest.mark.parametrize("nominal_splits", NOMINAL_SPLITS)
@pytest.mark.parametrize("criterion", CLASS_CRITERIA)
@given(table=tables.tables(missing=True))
def test_class_weights_are_conserved(criterion, nominal_splits, table):
    change = {"criterion": criterion, "nominal_splits": nominal_splits}
    tree = as_textbook(tables.grow(table, CART.change(missing="fractional", **change)))
    check_sums(tree, "weight")
    check_sums(tree, "value")


@pytest.mark.parametrize("nominal_splits", NOMINAL_SPLITS)
@given(table=tables.tables(missing=True, task="numbers"))
def test_weights_and_sums_of_numbers_are_conserved(nominal_splits, table):
    change = {"missing": "fractional", "nominal_splits": nominal_splits}
    tree = as_textbook(tables.grow(table, CART_NUMBERS.change(**change)))
    pending = [tree]
    while pending:
        node = pending.pop()
        node["sum"] = node["weight"] * node["value"][0]
        pending += node.get("branches", [])
    check_sums(tree, "weight")
    check_sums(tree, "sum")


def rows_to_ask(table: Table, *, unseen: bool) -> list[dict[str, Any]]:
    """Give the training rows, and each of them with every second value gone."""
    rows = c45_tables.rows_of(table)
    gone: list[dict[str, Any]] = []
    for k, row in enumerate(rows):
        names = [name for j, name in enumerate(row) if (j + k) % 2]
        gone.append(row | dict.fromkeys(names))
        nominal = [name for name in names if name in table.categories]
        if unseen:
            gone.append(row | dict.fromkeys(nominal, "never seen"))
    return [*rows, *gone, dict.fromkeys(table.cells)]


def as_frame(table: Table, rows: list[dict[str, Any]]) -> pl.DataFrame:
    types = {
        name: pl.Float64 if kind == "numeric" else pl.String
        for name, kind in table.kinds.items()
    }
    return pl.DataFrame(rows, schema=types)


ANSWERING = {
    "c45": C45,
    "c45 as grown": C45.change(pruning=None, collapse=None),
    "j48": J48,
    "j48 -B": J48.change(nominal_splits="one_value"),
    "lecture": LECTURE,
    "empty branches": LECTURE.change(empty_branch="parent_class"),
    "unclassified": LECTURE.change(empty_branch="unclassified"),
    "gini": CART.change(missing="fractional", unseen="missing"),
}


@pytest.mark.parametrize("name", ANSWERING)
@given(seed=st.integers(0, 2**32))
def test_probabilities_are_those_of_all_completions(name, seed):
    table = c45_tables.ruled_table(seed, whole=True)
    model = tables.grow(table, ANSWERING[name])
    tree, features = as_textbook(model), c45_tables.features_of(table)
    rows = rows_to_ask(table, unseen=True)
    found = model.predict_proba(as_frame(table, rows))
    empty = {
        "classes": table.classes[0],
        "empty_branch": ANSWERING[name].empty_branch,
    }
    wanted = [distribution(tree, features, row, **empty) for row in rows]
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-9)
    shares = [sum(s for s, _ in completions(tree, features, row)) for row in rows]
    np.testing.assert_allclose(shares, 1.0, rtol=0, atol=1e-9)


@given(table=tables.tables(missing=True, task="numbers", kinds=("numeric", "nominal")))
def test_numbers_are_the_mean_of_all_completions(table):
    dialect = CART_NUMBERS.change(missing="fractional", unseen="missing")
    model = tables.grow(table, dialect)
    tree, features = as_textbook(model), c45_tables.features_of(table)
    rows = rows_to_ask(table, unseen=True)
    wanted = [mean(tree, features, row) for row in rows]
    found = model.predict(as_frame(table, rows))
    np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-9)


def table_for_several_threads(seed: int) -> Table:
    """Make a table that is large enough to be shared among threads."""
    random = np.random.default_rng(seed)
    n_rows = 9000
    kinds = {"a": "numeric", "b": "numeric", "c": "nominal", "d": "nominal"}
    cells: dict[str, list[Any]] = {
        "a": random.normal(size=n_rows).round(1).tolist(),
        "b": random.normal(size=n_rows).round(2).tolist(),
        "c": random.choice(list("uvwxyz"), n_rows).tolist(),
        "d": random.choice(list("uvw"), n_rows).tolist(),
    }
    noise = random.random(n_rows)
    target = [
        "pqr"[(ord(c) + (a > 0) + (b > 1)) % 3] if luck < 0.8 else "p"
        for a, b, c, luck in zip(cells["a"], cells["b"], cells["c"], noise, strict=True)
    ]
    for values in cells.values():
        for row in np.flatnonzero(random.random(n_rows) < 0.02):
            values[row] = None
    return Table(
        cells=cells,
        kinds=kinds,
        categories={"c": list("uvwxyz"), "d": list("uvw")},
        target=target,
        classes=[list("pqr")],
        weights=random.choice([1.0, 2.5, 0.3], n_rows).tolist() if seed else None,
    )


THREADED = {
    "c45": C45,
    "j48": J48.change(min_samples_leaf=20),
    "lecture": LECTURE.change(max_depth=4),
    "gini": CART.change(missing="fractional", max_depth=5),
}


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("name", THREADED)
def test_same_bytes_for_any_number_of_threads(name, seed):
    columns = table_for_several_threads(seed).columns()
    models = [grow_tree(columns, THREADED[name], n_jobs=n) for n in (1, 2, 3, 8)]
    assert models[0].trees[0].node_count > 20
    assert len({model.fingerprint() for model in models}) == 1
    assert len({to_bytes(model) for model in models}) == 1
