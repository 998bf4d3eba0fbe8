"""The rules of a tree say what the tree says, for random trees of all dialects."""

from __future__ import annotations

import math

import numpy as np
import pytest
import tables
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import treewright as tw
from treewright.errors import SettingError
from treewright.learners.dialects.aima import AIMA
from treewright.learners.dialects.c45 import C45, J48, LECTURE
from treewright.learners.dialects.c50 import C50
from treewright.learners.dialects.cart import CART, CART_NUMBERS
from treewright.learners.dialects.id3 import ID3
from treewright.learners.dialects.rpart import RPART, RPART_NUMBERS
from treewright.prune.refill import training_cells
from treewright.rules import (
    figures_of_leaves,
    figures_on,
    fires_of_tree,
    rule_set_of_tree,
)
from treewright.tree.predict.walk import branch_of_row
from treewright.tree.structure.branch_words import has_own_missing_branch
from treewright.tree.structure.tree import NodeKind

pytestmark = pytest.mark.slow

FULL = {"pruning": None}
SMALL = {"min_samples_split": 2, "min_samples_leaf": 1}
WAYS = ["own_branch", "majority", "most_common", "most_common_in_node", "learned"]
DIALECTS = {
    "id3": ID3.change(numeric_splits="midpoint"),
    "aima": AIMA.change(numeric_splits="midpoint"),
    "c45": C45.change(min_samples_leaf=1),
    "c45 full": C45.change(**FULL, collapse=None, min_samples_leaf=1),
    "j48": J48,
    "lecture": LECTURE,
    "c50": C50.change(min_samples_leaf=1),
    "one value": J48.change(nominal_splits="one_value", **FULL, min_samples_leaf=1),
    "groups": J48.change(grouping="c45", **FULL, min_samples_leaf=1),
    "no class": ID3.change(numeric_splits="midpoint", empty_branch="unclassified"),
    "rpart": RPART.change(**SMALL, cp=0.0),
    "in class": CART.change(missing="most_common_in_class"),
} | {f"cart {way}": CART.change(missing=way) for way in WAYS}
FOR_NUMBERS = {
    "cart": CART_NUMBERS,
    "absolute": CART_NUMBERS.change(criterion="absolute_error"),
    "rpart": RPART_NUMBERS.change(**SMALL, cp=0.0),
    "own branch": CART_NUMBERS.change(missing="own_branch"),
}
FEWER = settings(max_examples=max(settings().max_examples // 4, 10))
SEEDS = st.integers(0, 2**32)


def grown(table, dialect):
    try:
        return tables.grow(table, dialect)
    except SettingError:
        assume(False)


def some_rows(schema, seed, *, missing=False):
    """Rows of random values, also between and beyond those of training."""
    random = np.random.default_rng(seed)
    n_rows = 60
    cells = np.empty((n_rows, len(schema.features)))
    for index, feature in enumerate(schema.features):
        numbers = random.choice([*tables.NUMBERS, -9.0, 0.5, 1.75, 3.0, 99.0], n_rows)
        codes = random.integers(0, max(len(feature.categories), 1), n_rows)
        cells[:, index] = numbers if feature.kind == "numeric" else codes
        if missing:
            cells[random.random(n_rows) < 0.25, index] = np.nan
            if feature.kind != "numeric":
                cells[random.random(n_rows) < 0.1, index] = -1
    return cells


def meets_path(model, leaf, row):
    """Whether a row takes every branch above a leaf because of its own value."""
    tree = model.trees[0]
    parents = tree.parents().tolist()
    while parents[leaf] >= 0:
        node = parents[leaf]
        branch = leaf - int(tree.first_child[node])
        own = has_own_missing_branch(model.schema, tree, node)
        is_last = branch == int(tree.n_children[node]) - 1
        if math.isnan(row[tree.feature[node]]):
            if not (own and is_last):
                return False
        elif branch_of_row(tree, node, row) != branch:
            return False
        leaf = node
    return True


def check(model, seed):
    rule_set, leaves = rule_set_of_tree(model)
    cells = some_rows(model.schema, seed)
    covered = rule_set.covers(cells)
    assert (covered.sum(axis=0) == 1).all()
    assert (rule_set.fires(cells) == covered.argmax(axis=0)).all()
    assert (rule_set.answers(cells) == model.answers(cells)[:, 0]).all()
    holes = some_rows(model.schema, seed, missing=True)
    wanted = [
        [meets_path(model, leaf, row) for row in holes.tolist()]
        for leaf in leaves.tolist()
    ]
    assert rule_set.covers(holes).tolist() == wanted
    for rows in (cells, holes):
        walked = fires_of_tree(model, rule_set, leaves, rows)
        assert (walked == rule_set.fires(rows)).all()
    for rule in rule_set:
        subjects = [condition.subject for condition in rule.conditions]
        assert len(set(subjects)) == len(subjects)


@pytest.mark.parametrize("name", DIALECTS)
@FEWER
@given(table=tables.tables(missing=True), seed=SEEDS)
def test_rules_answer_as_the_tree(name, table, seed):
    check(grown(table, DIALECTS[name]), seed)


@pytest.mark.parametrize("name", FOR_NUMBERS)
@FEWER
@given(table=tables.tables(missing=True, task="numbers"), seed=SEEDS)
def test_rules_give_the_numbers_of_the_tree(name, table, seed):
    check(grown(table, FOR_NUMBERS[name]), seed)


def by_hand(rule_set, cells, target, weights):
    """Weight, right and wrong of each rule, row by row."""
    found = []
    for rule, covered in zip(rule_set, rule_set.covers(cells).tolist(), strict=True):
        weight = right = 0.0
        for is_covered, y, w in zip(covered, target, weights, strict=True):
            weight += w * is_covered
            right += w * (is_covered and y == rule.answer)
        found.append([weight, right, weight - right])
    return found


@FEWER
@given(
    table=tables.tables(missing=True),
    dialect=st.sampled_from(list(DIALECTS.values())),
)
def test_figures_on_rows_are_those_counted_one_by_one(table, dialect):
    model, columns = grown(table, dialect), table.columns()
    rule_set, _ = rule_set_of_tree(model)
    cells, target = training_cells(columns, model.schema), columns.target[:, 0]
    figures = figures_on(rule_set, cells, target, columns.weights)
    weights = np.ones(len(target)) if columns.weights is None else columns.weights
    found = np.stack([figures.weight, figures.right, figures.wrong], axis=1)
    np.testing.assert_allclose(found, by_hand(rule_set, cells, target, weights))
    fired = figures_on(
        rule_set, cells, target, columns.weights, fired=rule_set.fires(cells)
    )
    np.testing.assert_allclose(fired.class_weights, figures.class_weights)
    usual = [weights[target == code].sum() for code in range(len(figures.total))]
    np.testing.assert_allclose(figures.total, usual)
    for right, weight, code, lift in zip(
        figures.right, figures.weight, figures.answer, figures.lift, strict=True
    ):
        if code >= 0 and weight > 0 and usual[code] > 0:
            share = usual[code] / weights.sum()
            np.testing.assert_allclose(lift, right / weight / share)


@FEWER
@given(
    table=tables.tables(),
    dialect=st.sampled_from(list(DIALECTS.values())),
)
def test_a_tree_of_complete_rows_knows_the_figures_of_its_rules(table, dialect):
    model, columns = grown(table, dialect), table.columns()
    rule_set, leaves = rule_set_of_tree(model)
    known = figures_of_leaves(model, model.trees[0], rule_set, leaves)
    cells = training_cells(columns, model.schema)
    counted = figures_on(rule_set, cells, columns.target[:, 0], columns.weights)
    for name in ("n_rows", "weight", "class_weights", "right", "pessimistic", "lift"):
        np.testing.assert_allclose(
            getattr(known, name), getattr(counted, name), atol=1e-9, err_msg=name
        )


@FEWER
@given(table=tables.tables(task="numbers"))
def test_a_tree_of_numbers_knows_mean_and_spread(table):
    model, columns = grown(table, CART_NUMBERS.change(max_depth=2)), table.columns()
    rule_set, leaves = rule_set_of_tree(model)
    known = figures_of_leaves(model, model.trees[0], rule_set, leaves)
    cells = training_cells(columns, model.schema)
    counted = figures_on(rule_set, cells, columns.target[:, 0], columns.weights)
    for name in ("n_rows", "weight", "mean", "spread"):
        np.testing.assert_allclose(
            getattr(known, name), getattr(counted, name), atol=1e-6, err_msg=name
        )


@pytest.mark.parametrize(
    "forest",
    [
        tw.RandomForestClassifier(5, random_state=0),
        tw.RandomForestClassifier(5, combined_features=2, random_state=0),
        tw.ExtraTreesClassifier(5, random_state=0),
    ],
    ids=["bagged", "combined", "extra"],
)
def test_rules_answer_as_each_tree_of_a_forest(forest):
    random = np.random.default_rng(3)
    X = random.normal(size=(200, 4)).round(1)
    y = (X[:, 0] + X[:, 1] * X[:, 2] > 0).astype(int)
    model = forest.fit(X, y).model_
    kinds = {kind for tree in model.trees for kind in tree.kind.tolist()}
    assert (NodeKind.COMBINATION in kinds) == bool(
        forest.get_params().get("combined_features")
    )
    new = random.normal(size=(500, 4)).round(1)
    for number, tree in enumerate(model.trees):
        rule_set, _ = rule_set_of_tree(model, tree=number)
        ends = model.ends(new).nodes[:, number]
        assert (rule_set.answers(new) == tree.labels_at(ends)[:, 0]).all()
