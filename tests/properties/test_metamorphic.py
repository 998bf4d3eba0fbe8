"""Laws of growing: what a change of the table must, and must not, change in the tree.

No oracle is needed: the engine is compared with itself. The laws of using a tree are in
`test_laws_of_trees.py`.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import tables
from compared_trees import (
    CRITERIA,
    DIALECTS,
    NUMBERS,
    OWN_BRANCH,
    any_tables,
    assert_same_shape,
    assert_same_tree,
    with_column,
)
from hypothesis import assume, given
from hypothesis import strategies as st
from tables import grow

from engine_as_textbook import as_textbook
from textbook_compare import first_difference
from treewright.data.encoding.encode import encode
from treewright.learners.dialects.cart import CART
from treewright.learners.dialects.id3 import ID3
from treewright.learners.recipe import grow_tree
from treewright.tree.file.save import to_bytes

pytestmark = pytest.mark.slow


@given(st.data(), any_tables, DIALECTS, CRITERIA)
def test_order_of_rows_does_not_matter(data, table, dialect, criterion):
    order = data.draw(st.permutations(range(table.n_rows)))
    models = [grow(t, dialect, criterion=criterion) for t in (table, table.take(order))]
    assert models[0].fingerprint() == models[1].fingerprint()
    assert to_bytes(models[0]) == to_bytes(models[1])


@given(
    st.data(),
    tables.small_tables(missing=True, task="numbers", weights=st.floats(0.01, 100.0)),
    st.sampled_from(["squared_error", "absolute_error"]),
)
def test_order_of_rows_does_not_matter_for_numbers(data, table, criterion):
    order = data.draw(st.permutations(range(table.n_rows)))
    models = [grow(t, NUMBERS, criterion=criterion) for t in (table, table.take(order))]
    assert models[0].fingerprint() == models[1].fingerprint()


@given(st.data(), st.integers(0, 2**32), st.sampled_from(["gini", "squared_error"]))
def test_order_of_columns_does_not_matter_without_ties(data, seed, criterion):
    # 60 rows, cut twice with 8 rows on each side: two random columns practically never
    # part them alike
    random = np.random.default_rng(seed)
    cells = {f"x{k}": random.normal(size=60) for k in range(4)}
    target = (
        random.integers(0, 3, 60) if criterion == "gini" else random.normal(size=60)
    )
    order = data.draw(st.permutations(list(cells)))
    dialect = CART.change(criterion=criterion, max_depth=2, min_samples_leaf=8)
    models = [
        grow_tree(encode(table, target, task=dialect.task), dialect, n_jobs=1)
        for table in (cells, {name: cells[name] for name in order})
    ]
    if criterion == "gini":  # counts tie easily: only the best gain is sure
        assert models[0].trees[0].gain[0] == pytest.approx(models[1].trees[0].gain[0])
    else:
        assert models[0].fingerprint() == models[1].fingerprint()


@given(any_tables, DIALECTS, CRITERIA)
def test_root_gains_as_much_as_the_best_column_alone(table, dialect, criterion):
    dialect = dialect.change(criterion=criterion, max_depth=1)
    tree = grow(table, dialect).trees[0]
    alone = {}
    for name in table.cells:
        one = {name: table.cells[name]}
        single = replace(table, cells=one, kinds={name: table.kinds[name]})
        alone[name] = grow(single, dialect).trees[0]
    splits = {name: each for name, each in alone.items() if each.node_count > 1}
    assert (tree.node_count > 1) == bool(splits)
    if splits:
        best = max(each.gain[0] for each in splits.values())
        assert tree.gain[0] == pytest.approx(best, abs=1e-9)
        tied = [name for name, t in splits.items() if t.gain[0] >= best - 1e-11]
        assert list(table.cells)[tree.feature[0]] == tied[0]


INCREASING = st.sampled_from(
    [
        lambda x: x * 2.0**40,
        lambda x: x * 2.0**-40,
        lambda x: x + 1024.0,
        math.exp,
        lambda x: x**3,
        lambda x: -math.exp(-x),
    ]
)


@given(tables.small_tables(kinds=("numeric",), missing=True), DIALECTS, INCREASING)
def test_increasing_map_keeps_the_partition(table, dialect, function):
    mapped = {
        name: [None if v is None else function(v) for v in values]
        for name, values in table.cells.items()
    }
    before, after = grow(table, dialect), grow(replace(table, cells=mapped), dialect)
    assert_same_shape(before, after)
    ends = before.apply(table.frame())
    assert (ends == after.apply(replace(table, cells=mapped).frame())).all()


@given(tables.small_tables(kinds=("nominal", "ordinal"), missing=True), DIALECTS)
def test_renamed_categories_in_the_same_order_keep_the_tree(table, dialect):
    renamed = replace(
        table,
        cells={
            name: [v and f"new {v}" for v in values]
            for name, values in table.cells.items()
        },
        categories={
            name: [f"new {v}" for v in values]
            for name, values in table.categories.items()
        },
    )
    assert_same_shape(grow(table, dialect), grow(renamed, dialect))


@given(st.data(), tables.small_tables(kinds=("nominal",), missing=True), CRITERIA)
def test_order_of_categories_does_not_matter_to_id3(data, table, criterion):
    orders = {
        name: data.draw(st.permutations(values))
        for name, values in table.categories.items()
    }
    dialect = ID3.change(criterion=criterion)
    before, after = (
        grow(t, dialect) for t in (table, replace(table, categories=orders))
    )
    assert before.fingerprint() == after.fingerprint()


@given(any_tables, DIALECTS, st.booleans(), st.sampled_from(["numeric", "nominal"]))
def test_constant_column_changes_nothing(table, dialect, first, kind):
    value = "same" if kind == "nominal" else 3.0
    more = with_column(table, "more", [value] * table.n_rows, kind=kind, first=first)
    assert_same_tree(grow(table, dialect), grow(more, dialect))


@given(any_tables, DIALECTS, st.booleans())
def test_column_without_values_changes_nothing(table, dialect, first):
    none = [None] * table.n_rows
    more = with_column(table, "more", none, kind="numeric", first=first)
    assert_same_tree(grow(table, dialect), grow(more, dialect))


@given(st.data(), any_tables, DIALECTS)
def test_first_of_two_equal_columns_wins(data, table, dialect):
    name = data.draw(st.sampled_from(list(table.cells)))
    more = replace(
        table,
        cells=table.cells | {"copy": table.cells[name]},
        kinds=table.kinds | {"copy": table.kinds[name]},
        categories=table.categories | {"copy": table.categories.get(name, [])},
    )
    # after a multiway split the copy is left, but all its rows have one value
    assert_same_tree(grow(table, dialect), grow(more, dialect))


@given(any_tables, DIALECTS, CRITERIA)
def test_unused_column_can_be_left_out(table, dialect, criterion):
    model = grow(table, dialect, criterion=criterion)
    names = list(table.cells)
    used = {names[k] for k in model.trees[0].feature.tolist() if k >= 0}
    assume(used)
    fewer = replace(
        table,
        cells={n: v for n, v in table.cells.items() if n in used},
        kinds={n: v for n, v in table.kinds.items() if n in used},
    )
    assert_same_tree(model, grow(fewer, dialect, criterion=criterion))


@given(
    st.data(), tables.small_tables(kinds=("numeric", "ordinal"), missing=True), CRITERIA
)
def test_renamed_classes_keep_the_shape(data, table, criterion):
    classes = table.classes[0]
    other = dict(zip(classes, data.draw(st.permutations(classes)), strict=True))
    renamed = replace(table, target=[other[y] for y in table.target])
    before, after = (grow(t, OWN_BRANCH, criterion=criterion) for t in (table, renamed))
    assert_same_shape(before, after)
    places = [classes.index(other[label]) for label in classes]
    assert (before.trees[0].value == after.trees[0].value[:, places]).all()


@given(any_tables, DIALECTS, CRITERIA)
def test_class_without_rows_changes_nothing(table, dialect, criterion):
    # "o" stands before all others, and "z" behind
    more = replace(table, classes=[["o", *table.classes[0], "z"]])
    before, after = (grow(t, dialect, criterion=criterion) for t in (table, more))
    assert_same_shape(before, after)
    assert (after.trees[0].value[:, 1:-1] == before.trees[0].value).all()
    assert (after.trees[0].value[:, [0, -1]] == 0).all()


@given(
    tables.small_tables(missing=True, task="numbers", kinds=("numeric", "ordinal")),
    st.sampled_from(["squared_error", "absolute_error"]),
    st.sampled_from([lambda y: y + 4096.0, lambda y: y * 2.0**30, lambda y: -y]),
)
def test_moved_scaled_and_mirrored_numbers_keep_the_shape(table, criterion, change):
    changed = replace(table, target=[change(y) for y in table.target])
    before, after = (grow(t, NUMBERS, criterion=criterion) for t in (table, changed))
    assert_same_shape(before, after)
    np.testing.assert_allclose(
        [change(v) for v in before.trees[0].value[:, 0]], after.trees[0].value[:, 0]
    )


@given(any_tables, DIALECTS, CRITERIA)
def test_every_row_twice_keeps_the_shape(table, dialect, criterion):
    double = table.take([*range(table.n_rows)] * 2)
    before, after = (grow(t, dialect, criterion=criterion) for t in (table, double))
    assert (before.trees[0].n_rows * 2 == after.trees[0].n_rows).all()
    assert (before.trees[0].kind == after.trees[0].kind).all()
    assert (before.trees[0].value * 2 == after.trees[0].value).all()


@given(tables.small_tables(), CRITERIA)
def test_rules_for_missing_values_do_not_matter_without_any(table, criterion):
    trees = [
        as_textbook(grow(table, CART, criterion=criterion, missing=rule))
        for rule in ("error", "own_branch", "majority")
    ]
    pending = list(trees)
    while pending:
        node = pending.pop()
        node.pop("missing", None)
        pending += node.get("branches", [])
    assert first_difference(trees[0], trees[1]) is None
    assert first_difference(trees[0], trees[2]) is None


@given(any_tables, CRITERIA)
def test_branch_grows_as_if_it_stood_alone(table, criterion):
    dialect = OWN_BRANCH.change(criterion=criterion)
    model = grow(table, dialect)
    tree = model.trees[0]
    assume(tree.node_count > 1)
    indptr, indices = model.decision_path(table.frame())
    for branch, child in enumerate(tree.children(0)):
        rows = [r for r in range(table.n_rows) if indices[indptr[r] + 1] == child]
        alone = as_textbook(grow(table.take(rows), dialect))
        pending = [(as_textbook(model)["branches"][branch], alone)]
        while pending:  # labels of ties are decided by ancestors
            a, b = pending.pop()
            assert a.get("split") == b.get("split")
            assert a["value"] == b["value"]
            more = [a.get("branches", []), b.get("branches", [])]
            pending += zip(*more, strict=True)


@given(any_tables, DIALECTS, st.integers(1, 3))
def test_lower_limit_of_depth_cuts_the_same_tree(table, dialect, depth):
    low, high = (
        as_textbook(grow(table, dialect, max_depth=d)) for d in (depth, depth + 1)
    )
    pending = [(high, depth)]
    while pending:
        node, left = pending.pop()
        if left == 0:
            for key in ("split", "gain", "missing", "branches"):
                node.pop(key, None)
        pending += [(branch, left - 1) for branch in node.get("branches", [])]
    assert first_difference(low, high) is None


@given(any_tables, DIALECTS)
def test_many_leaves_allowed_are_as_good_as_no_limit(table, dialect):
    free, limited = grow(table, dialect), grow(table, dialect, max_leaf_nodes=1000)
    assert free.fingerprint() == limited.fingerprint()


@given(any_tables, st.integers(2, 6))
def test_one_more_leaf_keeps_the_questions(table, n_leaves):
    # binary trees only: a multiway split may not fit where a smaller one does
    fewer, more = (
        grow(table, CART, max_leaf_nodes=k) for k in (n_leaves, n_leaves + 1)
    )
    assert more.trees[0].n_leaves - fewer.trees[0].n_leaves in (0, 1)
    inner = np.flatnonzero(fewer.trees[0].n_children)
    pending = [(as_textbook(fewer), as_textbook(more))]
    n_met = 0
    while pending:
        a, b = pending.pop()
        if "split" in a:
            n_met += 1
            assert a["split"] == b["split"]
            pending += zip(a["branches"], b["branches"], strict=True)
    assert n_met == len(inner)


@pytest.mark.parametrize("criterion", ["entropy", "squared_error", "absolute_error"])
@pytest.mark.parametrize("weighted", [False, True])
def test_number_of_threads_does_not_matter(criterion, weighted):
    random = np.random.default_rng(7)
    n_rows = 3000
    table = {f"x{k}": random.normal(size=n_rows).round(k) for k in range(4)}
    table["letter"] = random.choice(list("abcdefgh"), n_rows)
    target = random.integers(0, 3, n_rows)
    if criterion != "entropy":
        target = target + random.normal(size=n_rows)
    dialect = CART.change(criterion=criterion, min_samples_leaf=3)
    columns = encode(
        table,
        target,
        task=dialect.task,
        sample_weight=random.random(n_rows) if weighted else None,
    )
    files = {to_bytes(grow_tree(columns, dialect, n_jobs=k)) for k in (1, 2, 3, 8)}
    assert len(files) == 1


@given(any_tables, DIALECTS)
def test_number_of_threads_does_not_matter_to_small_tables(table, dialect):
    columns = table.columns()
    files = {to_bytes(grow_tree(columns, dialect, n_jobs=k)) for k in (1, 2, 3, 8)}
    assert len(files) == 1
