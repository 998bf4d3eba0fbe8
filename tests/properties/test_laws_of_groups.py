"""Laws of trees with groups of values, for every way with missing values."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import chain

import c45_tables
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import Table, grow

from engine_as_textbook import as_textbook
from textbook_c45_grouping import Block, Judge, group
from textbook_c45_splits import Undecided, exceeds, info
from treewright.grow.dialect import MISSING_RULES, Dialect
from treewright.learners.dialects.c45 import LECTURE
from treewright.tree.file.save import from_bytes, to_bytes
from treewright.tree.predict.walk import walk_slow
from treewright.tree.structure.tree import NodeKind

pytestmark = pytest.mark.slow

SEEDS = st.integers(0, 2**32)
WAYS = [way for way in MISSING_RULES if way not in ("error", "learned", "surrogates")]
# what a row does in growing is what it does in predicting
SAME_WAY = ["own_branch", "majority", "most_common", "most_common_in_node"]


def dialect_of(way: str, grouping: str = "c45", **change: object) -> Dialect:
    return LECTURE.change(missing=way, grouping=grouping, unseen="stop", **change)


def table_of(seed: int) -> Table:
    return c45_tables.ruled_table(seed, most_rows=50, letters="abcdefgh")


@pytest.mark.parametrize("way", WAYS)
@given(seed=SEEDS)
def test_every_value_has_a_branch_and_rows_are_kept(way, seed):
    model = grow(table_of(seed), dialect_of(way))
    tree = model.trees[0]
    for node in np.flatnonzero(tree.kind == NodeKind.GROUPS).tolist():
        groups = tree.groups(node)
        categories = model.schema.features[tree.feature[node]].categories
        assert sorted(chain(*groups)) == list(range(len(categories)))
        n_own = int(tree.n_children[node]) - len(groups)
        assert n_own == (tree.missing_branch[node] >= len(groups))
        children = list(tree.children(node))
        np.testing.assert_allclose(tree.weight[children].sum(), tree.weight[node])
        # in order of their first values, that of values without rows behind them
        filled = [codes for k, codes in enumerate(groups) if tree.n_rows[children[k]]]
        assert filled == groups[: len(filled)] == sorted(filled)
        assert len(filled) >= len(groups) - 1


@pytest.mark.parametrize("way", SAME_WAY)
@given(seed=SEEDS)
def test_every_leaf_holds_the_rows_that_reach_it(way, seed):
    table = table_of(seed)
    model = grow(table, dialect_of(way))
    tree = model.trees[0]
    reached = np.bincount(model.apply(table.frame()), minlength=tree.node_count)
    leaves = tree.kind == NodeKind.LEAF
    assert (reached[leaves] == tree.n_rows[leaves]).all()


@pytest.mark.parametrize("way", WAYS)
@given(seed=SEEDS)
def test_compiled_walk_is_the_plain_one_and_saving_loses_nothing(way, seed):
    table = table_of(seed)
    model = grow(table, dialect_of(way))
    cells, _ = model.encode(table.frame())
    again = from_bytes(to_bytes(model))
    assert again.fingerprint() == model.fingerprint()
    ends = model.ends(cells)
    if way != "fractional":
        assert (walk_slow(model.trees[0], cells) == ends.nodes[:, 0]).all()
    np.testing.assert_array_equal(again.predict_at(ends), model.predict_at(ends))


@pytest.mark.parametrize("grouping", ["c45", "c50"])
@given(st.data(), SEEDS)
def test_order_of_rows_does_not_matter(grouping, data, seed):
    table = table_of(seed)
    dialect = dialect_of("fractional", grouping)
    order = data.draw(st.permutations(range(table.n_rows)))
    wanted = to_bytes(grow(table, dialect))
    assert to_bytes(grow(table.take(order), dialect)) == wanted


@given(seed=SEEDS, factor=st.sampled_from([0.25, 8.0]))
def test_scaled_weights_keep_the_groups(seed, factor):
    table = table_of(seed)
    weights = table.weights or [1.0] * table.n_rows
    scaled = [factor * weight for weight in weights]
    models = [
        grow(replace(table, weights=each), dialect_of("majority"))
        for each in (weights, scaled)
    ]
    sets = [model.trees[0].set_codes.tolist() for model in models]
    assert sets[0] == sets[1]


def own_branch_groups(table: Table, name: str) -> tuple[frozenset[str], ...] | None:
    """Return the groups of a column whose missing values are a branch of their own."""
    classes = table.classes[0]
    weights = [Fraction(w) for w in table.weights or [1.0] * table.n_rows]

    def block(value: str | None) -> Block:
        rows = [k for k, cell in enumerate(table.cells[name]) if cell == value]
        counts = [
            sum((weights[k] for k in rows if table.target[k] == label), Fraction(0))
            for label in classes
        ]
        return Block([value], counts, len(rows))

    values = [block(value) for value in table.categories[name]]
    values = [each for each in values if each.n_members]
    missing = block(None)

    def ratio(branches: list[Block]) -> float:
        total = [sum(c) for c in zip(*(b.classes for b in branches), strict=True)]
        sizes = [branch.weight for branch in branches]
        after = sum(float(b.weight / sum(sizes)) * info(b.classes) for b in branches)
        return (info(total) - after) / info(sizes)

    judge = Judge(
        worth=lambda blocks: ratio([*blocks, missing]),
        admits=lambda _: True,
        exceeds=exceeds,
    )
    blocks = group(values, judge)
    whole = [values[0]]
    for each in values[1:]:
        whole = [whole[0].joined(each)]
    apart = ratio([*whole, missing])
    if len(blocks) < 2 or exceeds(apart, judge.worth(blocks)):
        return None
    return tuple(frozenset(block.values) for block in blocks)


@given(seed=SEEDS)
def test_own_branch_is_one_that_nothing_is_joined_to(seed):
    random = np.random.default_rng(seed)
    n_rows = int(random.integers(6, 50))
    letters = list("abcdef"[: random.integers(3, 7)])
    cells = [str(cell) for cell in random.choice(letters, n_rows)]
    target = [str(label) for label in random.choice(list("pqr"), n_rows)]
    holes = random.random(n_rows) < 0.3
    table = Table(
        cells={
            "x": [None if hole else c for c, hole in zip(cells, holes, strict=True)]
        },
        kinds={"x": "nominal"},
        categories={"x": letters},
        target=target,
        classes=[list("pqr")],
    )
    if not holes.any() or holes.all() or len(set(target)) < 2:
        return
    tree = as_textbook(grow(table, dialect_of("own_branch", max_depth=1)))
    try:
        wanted = own_branch_groups(table, "x")
    except Undecided:
        return
    kind, *rest = tree.get("split", ("leaf",))
    if wanted is None:
        assert kind != "groups"
    elif kind == "groups":
        present = {c for c, hole in zip(cells, holes, strict=True) if not hole}
        assert tuple(g for g in rest[1] if g & present) == wanted
    else:
        assert kind == "leaf"  # no ratio above 0
