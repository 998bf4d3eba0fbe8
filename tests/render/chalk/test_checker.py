"""Every printed number follows from the printed counts, in every format."""

from __future__ import annotations

import pytest
from chalks import chalk_of_table
from checking import check_everywhere
from hypothesis import given, settings
from hypothesis import strategies as st

from properties.tables import small_tables
from treewright.learners.dialects.aima import AIMA
from treewright.learners.dialects.c45 import C45, J48, LECTURE
from treewright.learners.dialects.cart import CART, CART_NUMBERS
from treewright.learners.dialects.id3 import ID3
from treewright.learners.dialects.rpart import RPART

pytestmark = pytest.mark.slow

MULTIWAY = ID3.change(numeric_splits="midpoint", missing="own_branch")
DIALECTS = [
    MULTIWAY,
    MULTIWAY.change(missing="most_common_in_node"),
    MULTIWAY.change(missing="most_common"),
    MULTIWAY.change(missing="learned"),
    MULTIWAY.change(missing="fractional"),
    AIMA.change(numeric_splits="midpoint", missing="own_branch"),
    CART,
    CART.change(missing="surrogates"),
    CART.change(missing="majority", discount_missing=False),
    CART.change(criterion="classification_error", max_leaf_nodes=4),
    RPART.change(min_samples_split=2, min_samples_leaf=1),
    C45,
    C45.change(gain_guard="c50", threshold_cost="c50", grouping="c50"),
    J48,
    LECTURE,
    MULTIWAY.change(chi_square_level=0.3),
]


@pytest.mark.parametrize(
    "dialect", DIALECTS, ids=lambda one: f"{one.name}-{one.missing}"
)
@settings(max_examples=8)
@given(st.data())
def test_every_number_follows(dialect, data):
    if dialect.missing == "error":
        dialect = dialect.change(missing="own_branch")
    one_output = dialect.chi_square_level is not None or dialect.collapse is not None
    several = not one_output and dialect.pruning is None and dialect.criterion == "gini"
    table = data.draw(small_tables(missing=True, n_outputs=2 if several else 1))
    chalk, tree = chalk_of_table(table, dialect)
    check_everywhere(chalk, tree, dialect, data.draw(st.sampled_from([2, 4, 15])))


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
@pytest.mark.parametrize("missing", ["own_branch", "majority", "learned"])
@settings(max_examples=6)
@given(st.data())
def test_every_number_of_regression_follows(criterion, missing, data):
    table = data.draw(small_tables(task="numbers", missing=True))
    dialect = CART_NUMBERS.change(criterion=criterion, missing=missing)
    chalk, tree = chalk_of_table(table, dialect)
    check_everywhere(chalk, tree, dialect, data.draw(st.sampled_from([2, 4, 15])))
