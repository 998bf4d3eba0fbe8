"""Each rule for missing values at the root equals a table whose holes were filled.

A rule is checked against growing one split from tables without holes, which the
textbook checks: filled with the most common value, with that of the class, with the
value that suits best. Deeper nodes repeat the root's step on fewer rows.
"""

from __future__ import annotations

from collections import Counter, defaultdict

import hypothesis.strategies as st
import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given

from treewright.data.encoding.encode import encode
from treewright.grow.dialect import Dialect
from treewright.learners.dialects.c45 import J48
from treewright.learners.dialects.cart import CART
from treewright.learners.dialects.id3 import ID3
from treewright.learners.recipe import grow_tree

pytestmark = pytest.mark.slow

MULTIWAY = ID3.change(numeric_splits="midpoint")
VALUES = ("x", "y", "z")


@st.composite
def tables(draw):
    """A numeric and a nominal column with holes, and classes."""
    n_rows = draw(st.integers(4, 14))
    numbers = st.one_of(st.none(), st.integers(0, 4).map(float))
    names = st.one_of(st.none(), st.sampled_from(VALUES))
    frame = {
        "number": draw(st.lists(numbers, min_size=n_rows, max_size=n_rows)),
        "name": draw(st.lists(names, min_size=n_rows, max_size=n_rows)),
    }
    classes = st.sampled_from("pq")
    target = draw(st.lists(classes, min_size=n_rows, max_size=n_rows))
    assume(len(set(target)) == 2)
    assume(all(any(cell is not None for cell in cells) for cells in frame.values()))
    return frame, target


def root_gain(columns: dict[str, list], target: list, dialect: Dialect) -> float:
    frame = pl.DataFrame(
        {
            "number": pl.Series(columns.get("number", []), dtype=pl.Float64),
            "name": pl.Series(columns.get("name", []), dtype=pl.Enum([*VALUES, "?"])),
        }
        if len(columns) == 2
        else {
            name: pl.Series(
                cells, dtype=pl.Float64 if name == "number" else pl.Enum([*VALUES, "?"])
            )
            for name, cells in columns.items()
        }
    )
    encoded = encode(frame, target, task="classes")
    tree = grow_tree(encoded, dialect.change(max_depth=1)).trees[0]
    return float(tree.gain[0])


def middle(values: list[float]) -> float:
    """The lower of the values with at least half of the others on each side."""
    counts = Counter(values)
    so_far = 0
    for value in sorted(counts):
        so_far += counts[value]
        if 2 * so_far >= len(values):
            return value
    raise AssertionError("no values")


def common(name: str, values: list) -> object:
    if name == "number":
        return middle(values)
    counts = Counter(values)
    return min(counts, key=lambda value: (-counts[value], VALUES.index(value)))


def filled(frame: dict[str, list], target: list, *, by_class: bool) -> dict[str, list]:
    out = {}
    for name, cells in frame.items():
        known = [cell for cell in cells if cell is not None]
        usual = common(name, known)
        of_class: dict[str, list] = defaultdict(list)
        for cell, label in zip(cells, target, strict=True):
            if cell is not None:
                of_class[label].append(cell)
        out[name] = [
            cell
            if cell is not None
            else common(name, of_class[label])
            if by_class and of_class[label]
            else usual
            for cell, label in zip(cells, target, strict=True)
        ]
    return out


@pytest.mark.parametrize("dialect", [CART, MULTIWAY], ids=["cart", "multiway"])
@given(table=tables())
def test_most_common_value(dialect, table):
    frame, target = table
    expected = root_gain(filled(frame, target, by_class=False), target, dialect)
    for rule in ("most_common", "most_common_in_node"):
        found = root_gain(frame, target, dialect.change(missing=rule))
        assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("dialect", [CART, MULTIWAY], ids=["cart", "multiway"])
@given(table=tables())
def test_most_common_value_of_the_class(dialect, table):
    frame, target = table
    expected = root_gain(filled(frame, target, by_class=True), target, dialect)
    found = root_gain(frame, target, dialect.change(missing="most_common_in_class"))
    assert found == pytest.approx(expected, abs=1e-12)


def replaced(cells: list, value: object) -> list:
    return [value if cell is None else cell for cell in cells]


@given(table=tables())
def test_learned_direction_of_a_cut(table):
    frame, target = table
    cells = frame["number"]
    known = [cell for cell in cells if cell is not None]
    assume(len(set(known)) > 1)
    expected = max(
        root_gain({"number": replaced(cells, end)}, target, CART)
        for end in (min(known), max(known))
    )
    found = root_gain({"number": cells}, target, CART.change(missing="learned"))
    assert found == pytest.approx(expected, abs=1e-12)


@given(table=tables())
def test_learned_branch_of_many(table):
    frame, target = table
    cells = frame["name"]
    known = {cell for cell in cells if cell is not None}
    assume(len(known) > 1)
    expected = max(
        root_gain({"name": replaced(cells, value)}, target, MULTIWAY) for value in known
    )
    found = root_gain({"name": cells}, target, MULTIWAY.change(missing="learned"))
    assert found == pytest.approx(expected, abs=1e-12)


@given(table=tables())
def test_learned_side_of_two_sets(table):
    frame, target = table
    cells = frame["name"]
    known = {cell for cell in cells if cell is not None}
    assume(len(known) > 1)
    found = root_gain({"name": cells}, target, CART.change(missing="learned"))
    # no value fits the rows without one better than the side they were given
    for value in known:
        assert (
            found >= root_gain({"name": replaced(cells, value)}, target, CART) - 1e-12
        )
    assert found <= root_gain({"name": replaced(cells, "?")}, target, CART) + 1e-12


@pytest.mark.parametrize(
    "rule",
    [
        "majority",
        "fractional",
        "learned",
        "most_common",
        "most_common_in_node",
        "most_common_in_class",
    ],
)
@pytest.mark.parametrize("dialect", [CART, MULTIWAY, J48], ids=lambda d: d.name)
@given(table=tables())
def test_weight_is_conserved_and_every_row_gets_an_answer(dialect, rule, table):
    frame, target = table
    columns = encode(pl.DataFrame(frame), target, task="classes")
    model = grow_tree(columns, dialect.change(missing=rule))
    tree = model.trees[0]
    for node in np.flatnonzero(tree.n_children):
        branches = tree.weight[list(tree.children(node))].sum()
        assert branches == pytest.approx(tree.weight[node], abs=1e-9)
    shares = model.predict_proba(pl.DataFrame(frame))
    assert shares.sum(axis=1) == pytest.approx(1.0)


@pytest.mark.parametrize("seed", range(9))
def test_learned_side_of_two_sets_of_many_values(seed):
    # beyond ten values not every one is tried, but these tables have nothing better
    random = np.random.default_rng(seed)
    names = [f"v{k:02}" for k in range(random.integers(11, 30))]
    n_known, n_missing = 2 * len(names), int(random.integers(1, 60))
    n_classes = 2 + seed % 2
    classes = [*random.integers(0, n_classes, n_known), *[0] * n_missing]
    target = [f"class {code}" for code in classes]
    once = CART.change(max_depth=1)

    def gain(filled: str | None, dialect: Dialect) -> float:
        cells = pl.Series(names * 2 + [filled] * n_missing, dtype=pl.Enum(names))
        columns = encode(pl.DataFrame({"name": cells}), target, task="classes")
        return float(grow_tree(columns, dialect, n_jobs=1).trees[0].gain[0])

    found = gain(None, once.change(missing="learned"))
    assert found >= max(gain(name, once) for name in names) - 1e-12


@pytest.mark.parametrize("dialect", [CART, MULTIWAY], ids=["two sets", "multiway"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_learned_side_of_very_many_values(dialect, n_classes):
    # a search or a copy of these rows for every value would not come to an end here
    n_values = 20_000
    names = [f"v{k}" for k in range(n_values)]
    cells = pl.Series(names * 2 + [None] * n_values, dtype=pl.Enum(names))
    random = np.random.default_rng(1)
    known = random.integers(0, n_classes, 2 * n_values)
    target = np.append(known, np.zeros(n_values, int))
    columns = encode(pl.DataFrame({"name": cells}), target, task="classes")
    model = grow_tree(columns, dialect.change(missing="learned", max_depth=1), n_jobs=1)
    assert model.trees[0].n_children[0] == (2 if dialect is CART else n_values)
