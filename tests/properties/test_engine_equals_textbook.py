"""The engine grows the tree that `textbook.py` grows by trying everything.

Tests, rows, labels and thresholds are equal; weights, impurities and gains to 1e-9.
Where several sets of values gain the same, the oracle follows the engine's choice after
checking that it does; `test_tied_sets` holds the choice itself to the documented rule.
"""

from __future__ import annotations

from typing import Any

import tables
from hypothesis import assume, event, given
from hypothesis import strategies as st
from tables import Table

from engine_as_textbook import as_textbook
from textbook_compare import first_difference
from treewright.grow.dialect import Dialect
from treewright.learners.aima import AIMA
from treewright.learners.cart import CART, CART_NUMBERS
from treewright.learners.id3 import ID3
from treewright.tree.tree import NodeKind

CLASS_CRITERIA = st.sampled_from(["entropy", "gini", "classification_error"])
NUMBER_CRITERIA = st.sampled_from(["squared_error", "absolute_error"])
NOMINAL = ("nominal", "ordinal")
# ID3 that also cuts numbers
MULTIWAY = CART.change(nominal_splits="multiway", reuse_features=False)


def check(table: Table, dialect: Dialect, **settings: Any) -> None:
    """Fail with the first difference between the two trees."""
    found = as_textbook(tables.grow(table, dialect, **settings))
    wanted = tables.grow_oracle(table, dialect, guide=found, **settings)
    event("leaf" if "split" not in wanted else wanted["split"][0])
    assert first_difference(found, wanted) is None


@given(tables.tables(kinds=NOMINAL), CLASS_CRITERIA, st.sampled_from([ID3, AIMA]))
def test_one_branch_per_value(table, criterion, dialect):
    check(table, dialect.change(criterion=criterion))


@given(tables.tables(kinds=("numeric",)), CLASS_CRITERIA)
def test_cuts_for_classes(table, criterion):
    check(table, CART.change(criterion=criterion))


@given(tables.tables(kinds=("nominal",)), CLASS_CRITERIA)
def test_sets_for_classes(table, criterion):
    check(table, CART.change(criterion=criterion))


@given(tables.tables(kinds=("ordinal",)), CLASS_CRITERIA)
def test_ordered_categories_for_classes(table, criterion):
    check(table, CART.change(criterion=criterion))


@given(tables.tables(), CLASS_CRITERIA, st.sampled_from([CART, MULTIWAY]))
def test_all_kinds_for_classes(table, criterion, dialect):
    check(table, dialect.change(criterion=criterion))


@given(tables.tables(task="numbers", kinds=("numeric",)), NUMBER_CRITERIA)
def test_cuts_for_numbers(table, criterion):
    check(table, CART_NUMBERS.change(criterion=criterion))


@given(
    tables.tables(task="numbers"), NUMBER_CRITERIA, st.sampled_from([CART, MULTIWAY])
)
def test_all_kinds_for_numbers(table, criterion, dialect):
    check(table, dialect.change(criterion=criterion))


@given(tables.tables(n_outputs=2), CLASS_CRITERIA, st.sampled_from([CART, MULTIWAY]))
def test_several_classes_at_once(table, criterion, dialect):
    check(table, dialect.change(criterion=criterion))


@given(
    tables.tables(task="numbers", n_outputs=2),
    NUMBER_CRITERIA,
    st.sampled_from([CART, MULTIWAY]),
)
def test_several_numbers_at_once(table, criterion, dialect):
    check(table, dialect.change(criterion=criterion))


MISSING = st.sampled_from(["own_branch", "majority"])


@given(tables.tables(missing=True), CLASS_CRITERIA, MISSING)
def test_missing_values_for_classes(table, criterion, missing):
    check(table, CART.change(criterion=criterion, missing=missing))


@given(tables.tables(missing=True, kinds=NOMINAL), CLASS_CRITERIA, MISSING)
def test_missing_values_with_one_branch_per_value(table, criterion, missing):
    check(table, ID3.change(criterion=criterion, missing=missing))


@given(
    tables.tables(missing=True, task="numbers"),
    NUMBER_CRITERIA,
    MISSING,
    st.sampled_from([CART, MULTIWAY]),
)
def test_missing_values_for_numbers(table, criterion, missing, dialect):
    check(table, dialect.change(criterion=criterion, missing=missing))


@given(
    tables.tables(missing=True, n_outputs=2),
    CLASS_CRITERIA,
    MISSING,
    st.sampled_from([CART, MULTIWAY]),
)
def test_missing_values_with_several_outputs(table, criterion, missing, dialect):
    check(table, dialect.change(criterion=criterion, missing=missing))


FLOATS = st.floats(0.01, 100.0)


@given(tables.tables(weights=FLOATS, missing=True), CLASS_CRITERIA, MISSING)
def test_any_weights_for_classes(table, criterion, missing):
    check(table, CART.change(criterion=criterion, missing=missing))


@given(tables.tables(weights=FLOATS, task="numbers"))
def test_any_weights_for_numbers(table):
    check(table, CART_NUMBERS)


STOPPING = st.fixed_dictionaries(
    {},
    optional={
        "max_depth": st.integers(1, 3),
        "min_samples_split": st.integers(2, 6),
        "min_samples_leaf": st.integers(1, 4),
        "min_weight_leaf": st.sampled_from([0.25, 0.5, 1.0, 2.5]),
        "min_impurity": st.sampled_from([0.1, 0.3, 0.45, 0.7]),
        "min_gain": st.sampled_from([0.05, 0.1, 0.25, 0.5]),
        "min_impurity_decrease": st.sampled_from([0.05, 0.1, 0.25]),
    },
)


@given(tables.tables(), CLASS_CRITERIA, st.sampled_from([CART, MULTIWAY]), STOPPING)
def test_stopping_rules_for_classes(table, criterion, dialect, settings):
    check(table, dialect.change(criterion=criterion), **settings)


@given(tables.tables(kinds=NOMINAL), CLASS_CRITERIA, STOPPING)
def test_stopping_rules_with_one_branch_per_value(table, criterion, settings):
    check(table, ID3.change(criterion=criterion), **settings)


@given(tables.tables(missing=True), CLASS_CRITERIA, MISSING, STOPPING)
def test_stopping_rules_with_missing_values(table, criterion, missing, settings):
    check(table, CART.change(criterion=criterion, missing=missing), **settings)


@given(tables.tables(task="numbers"), NUMBER_CRITERIA, STOPPING)
def test_stopping_rules_for_numbers(table, criterion, settings):
    check(table, CART.change(criterion=criterion), **settings)


@given(
    tables.tables(missing=True, task="numbers"), NUMBER_CRITERIA, MISSING, STOPPING
)
def test_stopping_rules_for_numbers_with_missing_values(
    table, criterion, missing, settings
):
    check(table, CART.change(criterion=criterion, missing=missing), **settings)


@given(
    tables.tables(max_rows=16),
    CLASS_CRITERIA,
    st.sampled_from([CART, MULTIWAY]),
    st.integers(2, 6),
)
def test_best_first_for_classes(table, criterion, dialect, max_leaf_nodes):
    dialect = dialect.change(criterion=criterion)
    check(table, dialect, max_leaf_nodes=max_leaf_nodes)


@given(
    tables.tables(max_rows=16, task="numbers", kinds=("numeric", "nominal")),
    NUMBER_CRITERIA,
    st.integers(2, 6),
)
def test_best_first_for_numbers(table, criterion, max_leaf_nodes):
    check(table, CART.change(criterion=criterion), max_leaf_nodes=max_leaf_nodes)


@given(tables.tables(kinds=("nominal",)), CLASS_CRITERIA)
def test_tied_sets(table, criterion):
    """Of sets that gain the same, the first in binary order; the lighter in front."""
    assume(table.classes and len(table.classes[0]) > 2)
    dialect = CART.change(criterion=criterion, max_depth=1)
    model = tables.grow(table, dialect)
    tree = model.trees[0]
    if tree.kind_of(0) != NodeKind.SUBSET:
        return
    wanted = tables.grow_oracle(table, CART.change(criterion=criterion), max_depth=1)
    _, name, front = as_textbook(model)["split"]
    present = set(table.cells[name])
    assert wanted["split"][:2] == ("subset", name)
    assert wanted["split"][2] in (front, present - front)
    light, heavy = tree.weight[1], tree.weight[2]
    assert light < heavy or (light == heavy and min(present) in front)
