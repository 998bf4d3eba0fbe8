"""Reduced-error pruning beside brute force, and the lecture's example."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pruning_cases import (
    Rows,
    all_prunings,
    assert_is_pruning,
    error_on,
    some_rows,
    with_tree,
)

from treewright import CARTClassifier, ID3Classifier, TreeClassifier, TreeRegressor
from treewright.learners.dialects.cart import CART, CART_NUMBERS
from treewright.learners.dialects.id3 import ID3
from treewright.prune.fitted import prune_model

pytestmark = pytest.mark.slow

SMALL = {"max_leaf_nodes": 7}
MULTIWAY = ID3.change(numeric_splits="midpoint", **SMALL)
DIALECTS = {
    "majority": CART.change(**SMALL),
    "own_branch": MULTIWAY,
    "groups": MULTIWAY.change(criterion="gain_ratio", grouping="c45"),
    "ties_first": CART.change(label_ties="first", **SMALL),
}


def pruned_by(model, rows, **switches):
    return prune_model(
        model,
        "reduced_error",
        rows.table,
        rows.y,
        sample_weight=rows.weights,
        **switches,
    )


def assert_least_errors(model, rows):
    less = pruned_by(model, rows)
    assert_is_pruning(less.trees[0], model.trees[0])
    prunings = list(all_prunings(model.trees[0]))
    errors = [error_on(with_tree(model, tree), rows) for tree in prunings]
    least = min(errors)
    assert error_on(less, rows) == pytest.approx(least)
    best = [
        tree.node_count
        for tree, error in zip(prunings, errors, strict=True)
        if error <= least + 1e-9
    ]
    assert less.trees[0].node_count == min(best)


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=DIALECTS)
@given(data=st.data())
def test_classes_have_the_least_errors_and_then_the_smallest_tree(dialect, data):
    model = data.draw(some_rows(missing=True)).grown(dialect)
    # "d" was not in training: such rows stop where they are asked about it
    assert_least_errors(model, data.draw(some_rows(missing=True, values="abcd")))


@given(some_rows(numbers=True), some_rows(numbers=True))
def test_numbers_have_the_least_squared_error(grown_from, held_out):
    model = grown_from.grown(CART_NUMBERS.change(**SMALL))
    assert_least_errors(model, held_out)


@given(some_rows(), some_rows())
def test_pruning_twice_is_pruning_once(grown_from, held_out):
    once = pruned_by(grown_from.grown(CART), held_out)
    twice = pruned_by(once, held_out)
    assert twice.trees[0].node_count == once.trees[0].node_count


@given(some_rows(missing=True), some_rows(missing=True))
def test_divided_rows_count_in_parts(grown_from, held_out):
    """The error of the parts never rises; with whole rows it is that of predictions."""
    dialect = CART.change(missing="fractional", nominal_splits="multiway")
    model = grown_from.grown(dialect)
    less = pruned_by(model, held_out)
    assert_is_pruning(less.trees[0], model.trees[0])
    whole = Rows(
        {name: [c or "a" for c in cells] for name, cells in held_out.table.items()}
        | {"size": [c or 1.0 for c in held_out.table["size"]]}
        | {"shape": [c or "x" for c in held_out.table["shape"]]},
        held_out.y,
        held_out.weights,
    )
    assert error_on(pruned_by(model, whole), whole) <= error_on(model, whole) + 1e-9


def test_pruning_example_of_the_lecture():
    """Red yes, blue no; the subtree gets 4 of 6 rows wrong, a leaf "no" 2: cut it."""
    tree = ID3Classifier().fit({"colour": ["red", "blue"]}, ["yes", "no"])
    held_out = {"colour": ["red"] * 4 + ["blue"] * 2}
    answers = np.array(["no"] * 3 + ["yes"] + ["yes", "no"])
    less = tree.prune("reduced_error", held_out, answers)
    assert (tree.predict(held_out) != answers).sum() == 4
    assert less.get_n_leaves() == 1
    assert (less.predict(held_out) != answers).sum() == 2


def test_subtree_that_no_held_out_row_reaches_becomes_a_leaf():
    X = {"a": ["u", "u", "v", "v"], "b": ["x", "y", "x", "y"]}
    tree = ID3Classifier().fit(X, [1, 2, 3, 3])
    assert tree.get_n_leaves() == 3  # a = u asks about b
    held_out = {"a": ["v", "v"], "b": ["x", "y"]}
    less = tree.prune("reduced_error", held_out, [3, 3])
    # class 3 is the majority of the root: not even the first question helps
    assert less.get_n_leaves() == 1


def test_held_out_class_that_training_never_saw_is_always_wrong():
    X = {"a": ["u", "v", "v"]}
    tree = ID3Classifier().fit(X, ["p", "q", "q"])
    unknown = tree.prune("reduced_error", X, ["r", "r", "r"])
    assert unknown.get_n_leaves() == 1
    assert tree.prune("reduced_error", X, ["p", "q", "r"]).get_n_leaves() == 2


def test_several_outputs_count_each_wrong_answer():
    X = [[0.0], [1.0], [2.0], [3.0]]
    y = [["a", "x"], ["a", "x"], ["b", "x"], ["b", "y"]]
    tree = CARTClassifier().fit(X, y)
    less = tree.prune(
        "reduced_error", X, [["a", "x"], ["a", "x"], ["b", "x"], ["b", "x"]]
    )
    assert less.get_n_leaves() == 2
    assert less.predict([[3.0]]).tolist() == [["b", "x"]]


def test_beside_squares_beyond_a_float_every_tree_is_as_wrong():
    X = [[0.0], [1.0], [2.0], [3.0]]
    tree = TreeRegressor().fit(X, [1.0, 1.0, 3.0, 4.0])
    less = tree.prune("reduced_error", X, [0.0, 0.0, 1e200, 3e200])
    assert less.get_n_leaves() == 1


@given(some_rows(most=30), st.booleans())
def test_given_back_rows_are_counted_as_if_the_tree_had_been_filled_with_all(
    rows, shuffled
):
    switches = {
        "pruning": "reduced_error",
        "validation_share": 0.4,
        "random_state": 3 if shuffled else None,
    }
    kinds = {"colour": "nominal", "shape": "nominal"}
    tree = TreeClassifier(give_back=True, feature_kinds=kinds, **switches)
    tree.fit(rows.table, rows.y, rows.weights)
    arrays = tree.tree_
    assert arrays.n_rows[0] == len(rows.y)
    weights = np.ones(len(rows.y)) if rows.weights is None else np.array(rows.weights)
    ends = tree.apply(rows.table)
    for leaf in np.flatnonzero(arrays.n_children == 0):
        here = ends == leaf
        counts = [weights[here & (np.array(rows.y) == c)].sum() for c in tree.classes_]
        assert arrays.n_rows[leaf] == here.sum()
        assert arrays.value[leaf].tolist() == pytest.approx(counts)
        share = np.array(counts) / sum(counts)
        assert arrays.impurity[leaf] == pytest.approx(1 - (share**2).sum())


@given(some_rows(numbers=True, most=30))
def test_given_back_numbers_move_the_mean(rows):
    kinds = {"colour": "nominal", "shape": "nominal"}
    tree = TreeRegressor(
        pruning="reduced_error",
        validation_share=0.4,
        give_back=True,
        feature_kinds=kinds,
    ).fit(rows.table, rows.y, rows.weights)
    weights = np.ones(len(rows.y)) if rows.weights is None else np.array(rows.weights)
    arrays, y, ends = tree.tree_, np.array(rows.y), tree.apply(rows.table)
    for leaf in np.flatnonzero(arrays.n_children == 0):
        here = ends == leaf
        mean = np.average(y[here], weights=weights[here])
        spread = np.average((y[here] - mean) ** 2, weights=weights[here])
        assert arrays.value[leaf, 0] == pytest.approx(mean)
        assert arrays.impurity[leaf] == pytest.approx(spread, abs=1e-9)
