"""What the laws of growing compare: tables, dialects, and two trees."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import tables
from hypothesis import strategies as st
from tables import Table

from engine_as_textbook import as_textbook
from textbook_compare import first_difference
from treewright.learners.dialects.cart import CART, CART_NUMBERS

CRITERIA = st.sampled_from(["entropy", "gini", "classification_error"])
MULTIWAY = CART.change(nominal_splits="multiway", reuse_features=False)
OWN_BRANCH = CART.change(missing="own_branch")
DIALECTS = st.sampled_from([CART, MULTIWAY, OWN_BRANCH])
NUMBERS = CART_NUMBERS.change(missing="own_branch")
SHAPE = ("kind", "feature", "n_children", "n_rows", "missing_branch", "set_codes")

any_tables = tables.small_tables(missing=True)
number_tables = tables.small_tables(missing=True, task="numbers")


def shapes(*models):
    """Return what the trees ask, without thresholds, values and labels."""
    return [
        {name: getattr(model.trees[0], name).tolist() for name in SHAPE}
        for model in models
    ]


def assert_same_shape(first, second):
    """Both ask the same and gain the same; thresholds and answers may differ."""
    one, other = shapes(first, second)
    assert one == other
    scale = first.trees[0].impurity[0] or 1.0
    other_scale = second.trees[0].impurity[0] or 1.0
    np.testing.assert_allclose(
        first.trees[0].gain / scale, second.trees[0].gain / other_scale, atol=1e-9
    )


def assert_same_tree(first, second):
    """Both say the same, whatever the numbers of their features."""
    assert first_difference(as_textbook(first), as_textbook(second)) is None


def with_column(table: Table, name: str, values, *, kind="nominal", first=False):
    """Return the table with one more column, in front or at the end."""
    new = {name: list(values)}
    categories = table.categories
    if kind == "nominal":
        categories = categories | {name: sorted({v for v in values if v is not None})}
    return replace(
        table,
        cells=new | table.cells if first else table.cells | new,
        kinds={name: kind} | table.kinds if first else table.kinds | {name: kind},
        categories=categories,
    )
