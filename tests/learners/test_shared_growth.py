"""A tree that was grown once and pruned is the one that is grown for that price."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treewright.data.encoding.encode import encode
from treewright.learners.dialects.c45 import C45
from treewright.learners.dialects.cart import CART, CART_NUMBERS
from treewright.learners.dialects.rpart import RPART, RPART_NUMBERS
from treewright.learners.recipe import grow_tree
from treewright.learners.shared_growth import shared_growth

DIALECTS = [CART, CART_NUMBERS, RPART, RPART_NUMBERS]
prices = st.sampled_from([0.0, 0.001, 0.01, 0.05, 0.3])


def drawn_table(seed, dialect):
    draw = np.random.default_rng(seed)
    table = {
        "a": draw.normal(size=80).round(1),
        "b": np.where(draw.random(80) < 0.1, np.nan, draw.integers(0, 9, 80)),
        "c": draw.choice(["u", "v", "w", "x"], 80),
    }
    number = table["a"] + (table["c"] == "u") + draw.normal(size=80)
    is_classes = dialect.task == "classes"
    y = np.digitize(number, [-0.5, 0.8]) if is_classes else number
    return encode(table, y, task=dialect.task)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 10_000),
    st.sampled_from(DIALECTS),
    st.lists(prices, min_size=2, max_size=3),
)
def test_pruned_trees_are_those_that_are_grown_for_each_price(seed, start, cps):
    columns = drawn_table(seed, start)
    grown = {}
    for cp in cps:
        dialect = start.change(pruning="cost_complexity", cp=cp)
        shared = shared_growth(dialect, {"cp": cp}, lambda part: part)
        if shared.key not in grown:
            grown[shared.key] = shared.grow(columns, 1)
        model = shared.prune(grown[shared.key])
        expected = grow_tree(columns, dialect, n_jobs=1)
        assert model.fingerprint() == expected.fingerprint()
    assert len(grown) == 1


@pytest.mark.parametrize(
    "dialect",
    [
        CART,
        C45,
        CART.change(
            pruning="cost_complexity", alpha_choice="cross_validation", n_folds=3
        ),
        CART.change(pruning="reduced_error", validation_share=0.3),
        CART.change(pruning="cost_complexity", collapse=0.001),
    ],
)
def test_other_prunings_share_nothing(dialect):
    assert shared_growth(dialect, {}, lambda part: part) is None


def test_other_settings_are_other_trees():
    keys = {
        shared_growth(
            CART.change(pruning="cost_complexity", cp=0.1, max_depth=depth),
            {"max_depth": depth, "class_weight": weight},
            lambda part: part,
        ).key
        for depth in (2, 3)
        for weight in (None, "balanced")
    }
    assert len(keys) == 4
