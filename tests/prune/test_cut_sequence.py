"""The sequence T1, T2, ... of reduced-error pruning."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pruning_cases import cut_at, error_on, some_rows, with_tree

from treewright import TreeClassifier, datasets
from treewright.learners.dialects.cart import CART, CART_NUMBERS
from treewright.prune.fitted import prune_model
from treewright.prune.labelled_rows import LabelledRows
from treewright.prune.methods.reduced_error import CutSequence
from treewright.prune.node_errors import held_out_errors, training_errors
from treewright.tree.structure.tree import Tree

pytestmark = pytest.mark.slow


def sequence_of(model, rows):
    """The nodes in the order in which they are cut."""
    tree, target = model.trees[0], model.schema.target
    labelled = LabelledRows.of_table(model, rows.table, rows.y, rows.weights)
    held_out = held_out_errors(tree, labelled, target)
    return CutSequence(tree, held_out, training_errors(tree, target)).cut_all()


def best_cut(model, tree: Tree, rows) -> float:
    """The least error that one cut gives, by trying each."""
    inner = np.flatnonzero(tree.n_children).tolist()
    return min(error_on(with_tree(model, cut_at(tree, [one])), rows) for one in inner)


@pytest.mark.parametrize("dialect", [CART, CART_NUMBERS], ids=["classes", "numbers"])
@given(data=st.data())
def test_each_step_is_the_best_single_cut(dialect, data):
    numbers = dialect.task == "numbers"
    model = data.draw(some_rows(numbers=numbers)).grown(dialect)
    held_out = data.draw(some_rows(numbers=numbers))
    cuts = sequence_of(model, held_out)
    before = model.trees[0]
    for n_cuts in range(1, len(cuts) + 1):
        after = cut_at(model.trees[0], cuts[:n_cuts])
        error = error_on(with_tree(model, after), held_out)
        assert error == pytest.approx(best_cut(model, before, held_out))
        assert after.n_leaves < before.n_leaves
        before = after
    assert before.node_count == 1


@pytest.mark.parametrize("dialect", [CART, CART_NUMBERS], ids=["classes", "numbers"])
@given(data=st.data())
def test_table_has_the_errors_of_the_trees_and_the_smallest_best_is_chosen(
    dialect, data
):
    numbers = dialect.task == "numbers"
    grown_from = data.draw(some_rows(numbers=numbers))
    held_out = data.draw(some_rows(numbers=numbers))
    model = grown_from.grown(dialect)
    less = prune_model(
        model,
        "reduced_error",
        held_out.table,
        held_out.y,
        sample_weight=held_out.weights,
        pruning_order="best_first",
    )
    table = less.pruning_table
    cuts = sequence_of(model, held_out)
    assert len(table) == len(cuts) + 1
    for step in range(len(table)):
        tree = with_tree(model, cut_at(model.trees[0], cuts[:step]))
        assert table.n_leaves[step] == tree.trees[0].n_leaves
        for rows, error in (
            (held_out, table.validation_error),
            (grown_from, table.training_error),
        ):
            weight = len(rows.y) if rows.weights is None else sum(rows.weights)
            assert error[step] * weight == pytest.approx(error_on(tree, rows), abs=1e-9)
    best = table.validation_error.min()
    assert table.validation_error[table.chosen] == pytest.approx(best)
    assert (table.validation_error[table.chosen + 1 :] > best + 1e-12).all()
    assert less.trees[0].n_leaves == table.n_leaves[table.chosen]


@given(some_rows(), some_rows())
def test_bottom_up_is_never_worse_than_the_sequence(grown_from, held_out):
    model = grown_from.grown(CART)
    rows = (held_out.table, held_out.y)
    one = prune_model(model, "reduced_error", *rows)
    other = prune_model(model, "reduced_error", *rows, pruning_order="best_first")
    unweighted = type(held_out)(held_out.table, held_out.y)
    assert error_on(one, unweighted) <= error_on(other, unweighted)


def test_sequence_of_the_tennis_tree():
    """Worked by hand, with rows 1 to 4 of the table as the held-out rows.

    The tree gets all four right (No, No, Yes, Yes). Cutting Rain (3 of 5 Yes) keeps the
    errors at 0. Then Sunny (majority No) does; then the root (Yes): 2 wrong.
    """
    X, y = datasets.tennis()
    tree = TreeClassifier(
        criterion="entropy",
        nominal_splits="multiway",
        pruning="reduced_error",
        pruning_order="best_first",
    ).fit(X, y, validation=(X[:4], y[:4]))
    assert repr(tree.pruning_path_) == (
        "  leaves  training error  validation error\n"
        "       5          0.0000            0.0000\n"
        "       4          0.1429            0.0000\n"
        ">      3          0.2857            0.0000\n"
        "       1          0.3571            0.5000"
    )
    assert tree.get_n_leaves() == 3
    assert tree.pruning_path_.to_dict()["n_leaves"].tolist() == [5, 4, 3, 1]
