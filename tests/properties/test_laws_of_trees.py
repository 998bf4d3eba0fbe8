"""Laws of grown trees: what holds inside every tree and whenever it is used."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import tables
from hypothesis import assume, given
from hypothesis import strategies as st
from tables import grow

from treewright.learners.dialects.cart import CART, CART_NUMBERS
from treewright.learners.dialects.id3 import ID3
from treewright.tree.file.save import from_bytes, to_bytes
from treewright.tree.predict.walk import walk_slow
from treewright.tree.structure.tree import NodeKind, Reason

pytestmark = pytest.mark.slow

CRITERIA = st.sampled_from(["entropy", "gini", "classification_error"])
MULTIWAY = CART.change(nominal_splits="multiway", reuse_features=False)
OWN_BRANCH = CART.change(missing="own_branch")
DIALECTS = st.sampled_from([CART, MULTIWAY, OWN_BRANCH])

any_tables = tables.small_tables(missing=True)
number_tables = tables.small_tables(missing=True, task="numbers")


@st.composite
def models(draw):
    """Draw a table and a tree that was grown from it, for classes or for numbers."""
    if draw(st.booleans()):
        table = draw(any_tables)
        return table, grow(table, draw(DIALECTS), criterion=draw(CRITERIA))
    table = draw(number_tables)
    criterion = draw(st.sampled_from(["squared_error", "absolute_error"]))
    return table, grow(table, draw(DIALECTS), criterion=criterion)


def inner_nodes(tree):
    return np.flatnonzero(tree.kind != NodeKind.LEAF).tolist()


@given(models())
def test_every_leaf_holds_the_rows_that_reach_it(drawn):
    table, model = drawn
    tree = model.trees[0]
    reached = np.bincount(model.apply(table.frame()), minlength=tree.node_count)
    leaves = tree.kind == NodeKind.LEAF
    assert (reached[leaves] == tree.n_rows[leaves]).all()
    assert (reached[~leaves] == 0).all()


@given(models())
def test_rows_and_weight_are_kept_from_node_to_branches(drawn):
    tree = drawn[1].trees[0]
    for node in inner_nodes(tree):
        children = list(tree.children(node))
        assert tree.n_rows[children].sum() == tree.n_rows[node]
        assert tree.weight[children].sum() == pytest.approx(tree.weight[node])


@given(any_tables, DIALECTS)
def test_class_weights_of_the_branches_sum_to_those_of_the_node(table, dialect):
    tree = grow(table, dialect).trees[0]
    weights = tree.class_weights()
    for node in inner_nodes(tree):
        # dyadic weights have exact sums
        assert (weights[list(tree.children(node))].sum(axis=0) == weights[node]).all()


@given(models())
def test_no_gain_is_negative_or_above_the_impurity(drawn):
    tree = drawn[1].trees[0]
    assert (tree.gain >= 0).all()
    assert (tree.gain <= tree.impurity + 1e-9).all()
    assert (tree.gain[tree.kind == NodeKind.LEAF] == 0).all()


@given(tables.small_tables(), CRITERIA, st.sampled_from([CART, MULTIWAY]))
def test_gain_is_the_impurity_that_the_branches_lack(table, criterion, dialect):
    tree = grow(table, dialect, criterion=criterion).trees[0]
    for node in inner_nodes(tree):
        branches = list(tree.children(node))
        after = (tree.weight[branches] * tree.impurity[branches]).sum()
        lacking = tree.impurity[node] - after / tree.weight[node]
        assert tree.gain[node] == pytest.approx(lacking, abs=1e-12)


@given(models())
def test_leaf_tells_why_it_is_one(drawn):
    tree = drawn[1].trees[0]
    leaves = tree.kind == NodeKind.LEAF
    assert (tree.reason[leaves] != Reason.NONE).all()
    assert (tree.reason[~leaves] == Reason.NONE).all()
    assert (tree.impurity[tree.reason == Reason.PURE] == 0).all()
    assert ((tree.n_rows == 0) == (tree.reason == Reason.EMPTY)).all()


@given(any_tables, DIALECTS)
def test_label_is_one_of_the_heaviest_classes(table, dialect):
    tree = grow(table, dialect).trees[0]
    label = tree.label[:, 0]
    heaviest = tree.value.max(axis=1)
    assert (tree.value[np.arange(tree.node_count), label] == heaviest).all()


@given(any_tables, DIALECTS)
def test_probabilities_are_shares_of_the_class_weights(table, dialect):
    model = grow(table, dialect)
    shares = model.predict_proba(table.frame())
    weights = model.trees[0].value[model.apply(table.frame())]
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    np.testing.assert_allclose(shares * weights.sum(axis=1, keepdims=True), weights)


@given(st.data(), tables.small_tables(), CRITERIA, st.sampled_from([CART, MULTIWAY]))
def test_training_rows_without_contradiction_are_predicted_right(
    data, table, criterion, dialect
):
    rows = list(zip(*table.cells.values(), strict=True))
    first = {row: y for row, y in reversed([*zip(rows, table.target, strict=True)])}
    agreeing = [k for k, row in enumerate(rows) if table.target[k] == first[row]]
    table = table.take(agreeing)
    model = grow(table, dialect, criterion=criterion)
    assert model.predict(table.frame()).tolist() == table.target


@given(tables.small_tables(missing=True, kinds=("nominal",)), CRITERIA)
def test_id3_takes_missing_for_a_value(table, criterion):
    rows = list(zip(*table.cells.values(), strict=True))
    first = {row: y for row, y in reversed([*zip(rows, table.target, strict=True)])}
    agreeing = [k for k, row in enumerate(rows) if table.target[k] == first[row]]
    table = table.take(agreeing)
    model = grow(table, ID3, criterion=criterion)
    assert model.predict(table.frame()).tolist() == table.target


@given(tables.small_tables(task="numbers", kinds=("numeric",)))
def test_mean_of_the_answers_is_the_mean_of_the_target(table):
    model = grow(table, CART_NUMBERS)
    answers = model.predict(table.frame())
    weights = table.weights or [1.0] * table.n_rows
    wanted = np.average(table.target, weights=weights)
    assert np.average(answers, weights=weights) == pytest.approx(wanted)
    assert model.trees[0].value[0, 0] == pytest.approx(wanted)


@given(models(), st.data())
def test_rows_are_predicted_one_by_one_as_together(drawn, data):
    table, model = drawn
    together = model.predict(table.frame()).tolist()
    row = data.draw(st.integers(0, table.n_rows - 1))
    assert model.predict(table.take([row]).frame()).tolist() == [together[row]]
    assert model.predict(table.frame()[:row]).tolist() == together[:row]


@given(models(), st.data())
def test_columns_are_matched_by_name(drawn, data):
    table, model = drawn
    names = data.draw(st.permutations(list(table.cells)))
    shuffled = table.frame()[names]
    assert (model.apply(shuffled) == model.apply(table.frame())).all()


@given(models())
def test_compiled_walk_is_the_plain_one(drawn):
    table, model = drawn
    cells, _ = model.encode(table.frame())
    assert (model.apply(table.frame()) == walk_slow(model.trees[0], cells)).all()


@given(models())
def test_path_leads_from_the_root_to_where_the_row_ends(drawn):
    table, model = drawn
    tree = model.trees[0]
    ends = model.apply(table.frame())
    indptr, indices = model.decision_path(table.frame())
    for row in range(table.n_rows):
        path = indices[indptr[row] : indptr[row + 1]].tolist()
        assert path[0] == 0
        assert path[-1] == ends[row]
        for node, below in pairwise(path):
            assert below in tree.children(node)


@given(models())
def test_saving_loses_nothing(drawn):
    table, model = drawn
    data = to_bytes(model)
    back = from_bytes(data)
    assert to_bytes(back) == data
    assert back.fingerprint() == model.fingerprint()
    assert back.predict(table.frame()).tolist() == model.predict(table.frame()).tolist()


LIMITS = st.sampled_from([1, 2, 3])


@given(any_tables, DIALECTS, LIMITS)
def test_depth_keeps_to_its_limit(table, dialect, limit):
    tree = grow(table, dialect, max_depth=limit).trees[0]
    assert tree.depth <= limit


@given(any_tables, DIALECTS, st.integers(2, 6))
def test_number_of_leaves_keeps_to_its_limit(table, dialect, limit):
    assert grow(table, dialect, max_leaf_nodes=limit).trees[0].n_leaves <= limit


@given(any_tables, DIALECTS, st.integers(1, 4))
def test_branches_have_the_least_number_of_rows(table, dialect, limit):
    tree = grow(table, dialect, min_samples_leaf=limit).trees[0]
    assume(tree.node_count > 1)
    assert (tree.n_rows[tree.n_rows > 0] >= limit).all()


@given(any_tables, DIALECTS, st.sampled_from([0.5, 1.0, 2.5]))
def test_branches_have_the_least_weight(table, dialect, limit):
    tree = grow(table, dialect, min_weight_leaf=limit).trees[0]
    assume(tree.node_count > 1)
    assert (tree.weight[tree.n_rows > 0] >= limit).all()


@given(any_tables, DIALECTS, st.integers(2, 6))
def test_nodes_that_are_split_have_the_least_number_of_rows(table, dialect, limit):
    tree = grow(table, dialect, min_samples_split=limit).trees[0]
    assert (tree.n_rows[inner_nodes(tree)] >= limit).all()


@given(any_tables, DIALECTS, CRITERIA, st.sampled_from([0.1, 0.25, 0.5]))
def test_splits_have_the_least_gain(table, dialect, criterion, limit):
    tree = grow(table, dialect, criterion=criterion, min_gain=limit).trees[0]
    assert (tree.gain[inner_nodes(tree)] >= limit - 1e-9).all()


@given(any_tables, DIALECTS, st.integers(2, 4))
def test_share_of_the_rows_is_as_good_as_their_number(table, dialect, limit):
    assume(limit <= table.n_rows)
    share = limit / table.n_rows
    assume(np.ceil(share * table.n_rows) == limit)
    by_number, by_share = (
        grow(table, dialect, min_samples_leaf=least) for least in (limit, share)
    )
    assert by_number.fingerprint() == by_share.fingerprint()


@given(any_tables)
def test_nominal_feature_is_asked_once_on_a_path(table):
    tree = grow(table, MULTIWAY).trees[0]
    parent = tree.parents()
    for node in np.flatnonzero(tree.kind == NodeKind.MULTIWAY).tolist():
        above = parent[node]
        while above >= 0:
            assert (tree.kind[above], tree.feature[above]) != (
                NodeKind.MULTIWAY,
                tree.feature[node],
            )
            above = parent[above]


@given(tables.small_tables(kinds=("nominal",)), CRITERIA)
def test_lighter_set_stands_in_front(table, criterion):
    tree = grow(table, CART, criterion=criterion).trees[0]
    for node in np.flatnonzero(tree.kind == NodeKind.SUBSET).tolist():
        light, heavy = tree.weight[list(tree.children(node))]
        assert light <= heavy
