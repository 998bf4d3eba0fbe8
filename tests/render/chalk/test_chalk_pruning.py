"""Pruning in chalk: what is printed follows, in every format, and so do decisions."""

from __future__ import annotations

from dataclasses import replace

import pytest
from chalks import chalk_of_example, chalk_of_table
from check_pruning import check_prunings
from checking import READERS, expected_of
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from properties.tables import small_tables, tables
from treewright.learners.dialects.c45 import C45, J48
from treewright.learners.dialects.cart import CART, CART_NUMBERS
from treewright.learners.dialects.rpart import RPART
from treewright.prune.methods.c50_pruning import without_small_branches
from treewright.prune.pruning_record import PruningRecord

pytestmark = pytest.mark.slow

BARE_C45 = C45.change(min_samples_leaf=1)
HELD_OUT = CART.change(pruning="reduced_error", validation_share=0.4)
DIALECTS = {
    "c45": BARE_C45,
    "j48": J48.change(min_samples_leaf=1),
    "pooled": BARE_C45.change(pool_small_branches=True, min_samples_leaf=2),
    "global": BARE_C45.change(global_pruning=True, collapse=None),
    "global without raising": BARE_C45.change(
        global_pruning=True, subtree_raising=False, confidence=0.5
    ),
    "small branches": BARE_C45.change(min_branch_weight=0.6, confidence=0.5),
    "pessimistic": CART.change(pruning="pessimistic"),
    "chi_square": CART.change(pruning="chi_square", prune_level=0.3),
    "minimum gain": CART.change(pruning="minimum_gain", prune_gain=0.2),
    "minimum gain ratio": J48.change(
        pruning="minimum_gain", prune_gain=0.2, min_samples_leaf=1
    ),
    "cost complexity": CART.change(ccp_alpha=0.05),
    "wrong rows": CART.change(ccp_alpha=0.05, complexity_by="misclassification"),
    "rpart": RPART.change(min_samples_split=2, min_samples_leaf=1, cp=0.2),
    "held out": HELD_OUT,
    "cut sequence": HELD_OUT.change(pruning_order="best_first"),
    "held-out fractions": HELD_OUT.change(missing="fractional"),
}
OF_NUMBERS = {
    "cost complexity": CART_NUMBERS.change(ccp_alpha=0.1),
    "minimum gain": CART_NUMBERS.change(pruning="minimum_gain", prune_gain=0.3),
    "held out": CART_NUMBERS.change(pruning="reduced_error", validation_share=0.4),
    "cut sequence": CART_NUMBERS.change(
        pruning="reduced_error", validation_share=0.4, pruning_order="best_first"
    ),
}


def check_everywhere(chalk, tree, dialect, digits):
    expected = expected_of(chalk, tree, dialect, decimals=digits)
    judged = {
        check_prunings(
            reader(chalk.to_format(name, width=200, listing=False, digits=digits)),
            expected,
        )
        for name, reader in READERS.items()
    }
    assert len(judged) == 1


@pytest.mark.parametrize("dialect", DIALECTS)
@settings(max_examples=10)
@given(st.data())
def test_decisions_follow(dialect, data):
    dialect = DIALECTS[dialect]
    if dialect.missing == "error":
        dialect = dialect.change(missing="own_branch")
    table = data.draw(small_tables(missing=True) | tables(missing=True))
    assume(table.n_rows > 3)  # some to grow from, some to prune with
    chalk, tree = chalk_of_table(table, dialect)
    digits = data.draw(st.sampled_from([3, 4, 15]))
    check_everywhere(chalk, tree, dialect, digits)


@pytest.mark.parametrize("dialect", OF_NUMBERS)
@settings(max_examples=8)
@given(st.data())
def test_decisions_about_numbers_follow(dialect, data):
    dialect = OF_NUMBERS[dialect].change(missing="own_branch")
    table = data.draw(small_tables(task="numbers", missing=True))
    assume(table.n_rows > 3)
    chalk, tree = chalk_of_table(table, dialect)
    check_everywhere(chalk, tree, dialect, data.draw(st.sampled_from([3, 4, 15])))


def test_small_branches_follow():
    """They are seldom met with in random tables, so here the rule is asked alone."""
    chalk = chalk_of_example(
        "watermelon_missing", BARE_C45.change(pruning=None, collapse=None)
    )
    record = PruningRecord()
    without_small_branches(chalk.model.trees[0], 3.0, record)
    decisions = {one.decision for one in record.stages[0].judgements}
    assert decisions == {"leaf", "kept"}
    chalk = replace(chalk, pruning=record)
    check_everywhere(chalk, chalk.model.trees[0], BARE_C45, 4)


def test_every_inner_node_is_judged():
    dialect = BARE_C45
    chalk = chalk_of_example("restaurant", dialect)
    page = chalk.to_text(width=200, listing=False)
    inner = sum(not one.step.is_leaf for one in chalk)
    expected = expected_of(chalk, chalk.model.trees[0], dialect, decimals=4)
    assert check_prunings(READERS["text"](page), expected) >= inner > 1
    assert "as largest branch" in page


def test_a_selection_shows_its_own_judgements_only():
    chalk = chalk_of_example("restaurant", BARE_C45, depth=0)
    (root,) = chalk
    assert root.step.node == 0
    for stage in chalk.to_text(listing=False).split("\nPruning   ")[1:]:
        assert stage.count("root") == 1
