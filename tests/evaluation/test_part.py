"""A part of a table grows the trees that it would grow if it were all there is."""

from __future__ import annotations

import numpy as np
import pytest

from treewright.data.encoding.encode import encode
from treewright.discretize import into_intervals, read_plan
from treewright.evaluation.cross_validation import held_out_cells
from treewright.evaluation.table_part import part_of
from treewright.learners.dialects.aima import AIMA
from treewright.learners.dialects.c45 import C45, J48
from treewright.learners.dialects.cart import CART, CART_NUMBERS
from treewright.learners.dialects.id3 import ID3
from treewright.learners.recipe import grow_tree

N_ROWS = 80


def random_table(seed: int) -> tuple[dict[str, list[object]], np.ndarray]:
    """Return numbers, rare categories, missing values and a target that needs them."""
    draw = np.random.default_rng(seed)
    x = np.round(draw.normal(size=N_ROWS), 1)
    k = draw.choice(list("abcdefghij"), N_ROWS, p=[0.4, 0.3, *[0.3 / 8] * 8])
    gap = draw.random(N_ROWS) < 0.1
    table = {
        "x": [None if g else float(v) for v, g in zip(x, gap, strict=True)],
        "k": [None if g else str(v) for v, g in zip(k, gap[::-1], strict=True)],
        "z": draw.integers(0, 1000, N_ROWS).tolist(),
    }
    score = x + np.isin(k, ["a", "c", "e"]) + draw.normal(size=N_ROWS) / 2
    return table, score


def rows_of(table: dict[str, list[object]], rows: np.ndarray) -> dict[str, list]:
    return {name: [cells[row] for row in rows] for name, cells in table.items()}


@pytest.mark.parametrize("dialect", [C45, J48, CART, CART_NUMBERS])
@pytest.mark.parametrize("seed", range(6))
def test_part_grows_the_tree_of_its_rows_alone(dialect, seed):
    table, score = random_table(seed)
    task = dialect.task
    y = score if task == "numbers" else np.where(score > 0.5, "yes", "no")
    draw = np.random.default_rng(seed)
    order = draw.permutation(N_ROWS)
    train, test = np.sort(order[:50]), order[50:]
    whole = encode(table, y, task=task)
    ours = grow_tree(part_of(whole, train), dialect)
    alone = grow_tree(encode(rows_of(table, train), y[train], task=task), dialect)
    assert ours.fingerprint() == alone.fingerprint()
    answers = ours.answers(held_out_cells(whole.take(test), ours))
    expected = alone.answers(alone.encode(rows_of(table, test))[0])
    np.testing.assert_array_equal(answers, expected)


@pytest.mark.parametrize("dialect", [ID3, AIMA])
@pytest.mark.parametrize("method", ["quartiles", "mdl", "equal_width:4"])
def test_part_learns_the_intervals_of_its_rows_alone(dialect, method):
    table, score = random_table(3)
    table = {"x": np.nan_to_num(np.array(table["x"], float)).tolist(), "z": table["z"]}
    y = np.where(score > 0.5, "yes", "no")
    plan = read_plan(method)
    train, test = np.arange(0, 60), np.arange(60, N_ROWS)
    whole = encode(table, y, task="classes")
    ours = grow_tree(into_intervals(part_of(whole, train), plan), dialect)
    part = encode(rows_of(table, train), y[train], task="classes")
    alone = grow_tree(into_intervals(part, plan), dialect)
    assert ours.fingerprint() == alone.fingerprint()
    answers = ours.answers(held_out_cells(whole.take(test), ours))
    expected = alone.answers(alone.encode(rows_of(table, test))[0])
    np.testing.assert_array_equal(answers, expected)


def test_part_knows_nothing_of_the_other_rows():
    # every cell and class of the last row is its own
    table = {"x": [1.0, 2.0, 3.0, 99.0], "k": ["a", "b", "a", "planted"]}
    whole = encode(table, ["u", "v", "u", "planted"], task="classes")
    part = part_of(whole, np.arange(3))
    assert part.features[0].values.tolist() == [1.0, 2.0, 3.0]
    assert part.schema.features[1].categories == ("a", "b")
    assert part.schema.target.classes == (("u", "v"),)
    assert part.n_rows == 3


def test_part_keeps_the_order_of_ordinal_categories():
    sizes = {"size": ["S", "L", "S", "M"]}
    kinds = {"size": ["S", "M", "L"]}
    whole = encode(sizes, [0, 1, 0, 1], task="classes", feature_kinds=kinds)
    part = part_of(whole, np.arange(3))
    assert part.schema.features[0].categories == ("S", "M", "L")
