"""Columns that are sorted once give the trees that columns sorted each time give."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from refusals import refused
from treewright import _core
from treewright.data.encoding.encode import encode
from treewright.learners.dialects.c45 import C45, J48
from treewright.learners.dialects.cart import CART
from treewright.learners.dialects.rpart import RPART
from treewright.learners.recipe import grow_tree
from treewright.sources.memory import KeptLists
from treewright.tree.file.save import to_bytes


def table(n_rows=300):
    random = np.random.default_rng(2)
    colour = random.choice(np.array(["a", "b", "c", None], object), n_rows)
    numbers = random.integers(0, 40, (n_rows, 3)).astype(float)
    numbers[::7, 1] = np.nan
    y = (numbers[:, 0] > 20).astype(int) + (colour == "b") * (numbers[:, 2] > 10)
    names = dict(zip("xyz", numbers.T, strict=True))
    return encode({"colour": colour, **names}, y, task="classes"), random


@pytest.mark.slow
@pytest.mark.parametrize("dialect", [CART, RPART, C45, J48], ids=lambda d: d.name)
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_trees_are_the_same(dialect, n_jobs):
    columns, random = table()
    lists = KeptLists()
    for number in range(4):
        weights = random.uniform(0.1, 2, columns.n_rows)
        if number == 2:  # so light that rows are left out: another table
            weights[:20] = 1e-30
        weighed = replace(columns, weights=weights)
        kept = grow_tree(weighed, dialect, n_jobs=n_jobs, lists=lists)
        assert lists.of(weighed) is not None
        assert to_bytes(kept) == to_bytes(grow_tree(weighed, dialect, n_jobs=n_jobs))


def test_lists_are_those_of_one_table():
    columns, _ = table()
    lists = KeptLists()
    grow_tree(columns, CART, lists=lists)
    other, _ = table(200)
    assert lists.of(other) is None
    grow_tree(other, CART, lists=lists)
    assert lists.of(other) is None
    assert lists.of(columns) is not None


def test_the_core_refuses_lists_of_another_table():
    codes = [np.array([0, 1, 0, 1], np.uint8)]
    target = {
        "criterion": 0,
        "n_outputs": 1,
        "class_start": [0, 2],
        "classes": np.array([0, 1, 0, 1], np.uint32),
        "values": np.zeros(0, np.int64),
        "weighted": np.zeros(0, np.int64),
        "weights": np.zeros(0, np.int64),
        "factors": [],
        "single_unit": 0.0,
    }
    rule = dict.fromkeys(
        ("min_rows", "min_weight", "missing", "most_per_side", "min_gap", "slack"), 0
    )
    flags = ("two_branches", "every_cut", "count_values", "wants_information")
    rule |= dict.fromkeys(flags, False) | {"charge_unit": 0.0}
    rule["min_gap"] = rule["slack"] = 0.0
    first = _core.Memory(codes, [2], [0], [0], [], target, rule, 4, 1)
    lists = first.sorted_lists()
    short = {**target, "classes": target["classes"][:3]}
    with refused(ValueError, "lists", "table"):
        _core.Memory([codes[0][:3]], [2], [0], [0], [], short, rule, 3, 1, None, lists)
