"""Pruning and prediction in chalk: what is printed follows, in every format."""

from __future__ import annotations

import pytest
from chalks import chalk_of_example, chalk_of_table
from check_pruning import check_prunings
from checking import READERS
from hypothesis import given, settings
from hypothesis import strategies as st

from properties.tables import small_tables
from treewright.learners.c45 import C45, J48
from treewright.learners.cart import CART
from treewright.learners.rpart import RPART

DIALECTS = {
    "c45": C45.change(min_samples_leaf=1),
    "j48": J48.change(min_samples_leaf=1),
    "pessimistic": CART.change(pruning="pessimistic"),
    "chi_square": CART.change(pruning="chi_square", prune_level=0.3),
    "rpart": RPART.change(min_samples_split=2, min_samples_leaf=1),
}


@pytest.mark.parametrize("dialect", DIALECTS)
@settings(max_examples=8)
@given(st.data())
def test_decisions_follow(dialect, data):
    table = data.draw(small_tables(missing=True))
    chalk, _ = chalk_of_table(table, DIALECTS[dialect])
    judged = {
        check_prunings(reader(chalk.to_format(name, width=200, listing=False)), 4)
        for name, reader in READERS.items()
    }
    assert len(judged) == 1


def test_every_inner_node_is_judged():
    chalk = chalk_of_example("restaurant", C45.change(min_samples_leaf=1))
    page = chalk.to_text(width=200, listing=False)
    inner = sum(not one.step.is_leaf for one in chalk)
    assert check_prunings(READERS["text"](page), 4) >= inner > 1
    assert "as largest branch" in page


def test_a_selection_shows_its_own_judgements_only():
    chalk = chalk_of_example("restaurant", C45.change(min_samples_leaf=1), depth=0)
    (root,) = chalk
    assert root.step.node == 0
    for stage in chalk.to_text(listing=False).split("\nPruning   ")[1:]:
        assert stage.count("root") == 1
