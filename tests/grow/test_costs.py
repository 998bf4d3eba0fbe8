"""Costs of wrong classes, and branches without rows, in the grown tree."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from treewright.data.encoding.encode import encode
from treewright.data.schema import Schema, Target
from treewright.grow.finish import class_labels
from treewright.learners.costs import with_costs
from treewright.learners.dialects.c45 import C45, LECTURE
from treewright.learners.dialects.cart import CART
from treewright.learners.dialects.id3 import ID3
from treewright.learners.recipe import grow_tree
from treewright.tree.structure.tree import NodeKind


def cheapest(weights, costs):
    """The first class with the least expected cost, by trying each."""
    n_classes = len(weights)
    totals = [
        sum(weights[actual] * costs[actual][answer] for actual in range(n_classes))
        for answer in range(n_classes)
    ]
    return totals.index(min(totals))


@pytest.mark.parametrize("seed", range(20))
def test_labels_are_those_of_trying_every_class(seed):
    rng = np.random.default_rng(seed)
    n_classes = int(rng.integers(2, 6))
    costs = rng.integers(0, 9, (n_classes, n_classes)).astype(float)
    np.fill_diagonal(costs, 0.0)
    costs[0, 1] = 3.0
    value = rng.integers(0, 30, (40, n_classes)).astype(float) + 1
    rows = tuple(map(tuple, costs.tolist()))
    target = Target("classes", ("y",), (tuple(range(n_classes)),), rows)
    parent = np.full(40, -1, np.int32)
    label = class_labels(value, parent, Schema((), target), ties="first")
    assert label[:, 0].tolist() == [cheapest(row, costs) for row in value]


def test_equal_costs_take_the_class_that_is_cheaper_in_the_parent():
    # the node: 2 x 3 = 3 x 2 either way; the parent: class 0 costs 4 x 2, class 1 2 x 3
    target = Target("classes", ("y",), (("a", "b"),), ((0.0, 3.0), (2.0, 0.0)))
    value = np.array([[2.0, 4.0], [2.0, 3.0]])
    label = class_labels(value, np.array([-1, 0], np.int32), Schema((), target))
    assert label[:, 0].tolist() == [1, 1]


def numbers(n_rows=300):
    rng = np.random.default_rng(4)
    x = rng.normal(size=(n_rows, 3))
    y = (x[:, 0] + rng.normal(size=n_rows) > 1).astype(int)
    return {f"x{k}": x[:, k] for k in range(3)}, y


def test_growing_with_costs_of_two_classes_is_growing_with_row_weights():
    table, y = numbers()
    dialect = CART.change(max_depth=4)
    costs = with_costs(encode(table, y, task="classes"), {0: {1: 1.0}, 1: {0: 4.0}})
    tree = grow_tree(costs, dialect.change(costs_in_growing=True)).trees[0]
    weighed = encode(table, y, task="classes", sample_weight=np.where(y == 1, 4.0, 1.0))
    twin = grow_tree(weighed, dialect).trees[0]
    assert np.array_equal(tree.feature, twin.feature)
    assert np.array_equal(tree.threshold, twin.threshold, equal_nan=True)
    assert np.array_equal(tree.label, twin.label)
    # but rows are counted as they are
    assert np.array_equal(tree.value, twin.value / [1.0, 4.0])
    assert tree.weight.tolist() == tree.n_rows.tolist()


def test_costs_alone_change_labels_only():
    table, y = numbers()
    columns = encode(table, y, task="classes")
    plain = grow_tree(columns, CART.change(max_depth=3)).trees[0]
    dear = with_costs(columns, {1: {0: 20.0}})
    tree = grow_tree(dear, CART.change(max_depth=3)).trees[0]
    assert np.array_equal(tree.value, plain.value)
    assert tree.label.sum() > plain.label.sum()


def test_divided_rows_get_the_class_with_the_least_expected_cost():
    table = {"f": ["a"] * 6 + ["b"] * 4}
    y = ["no"] * 6 + ["yes"] * 4
    columns = with_costs(encode(table, y, task="classes"), {"yes": {"no": 2.0}})
    model = grow_tree(columns, LECTURE)
    # the shares are 0.6 and 0.4: "no" costs 0.8, "yes" 0.6
    assert model.predict_proba({"f": [None]}).tolist() == [[0.6, 0.4]]
    assert model.predict({"f": [None]}).tolist() == ["yes"]
    assert grow_tree(encode(table, y, task="classes"), LECTURE).predict(
        {"f": [None]}
    ).tolist() == ["no"]


def empty_branch_shares(dialect):
    # "c" is declared and never occurs; the root has 3 no and 2 yes
    table = {"f": ["a", "a", "b", "b", "b"], "g": ["p", "q", "p", "q", "q"]}
    y = ["yes", "yes", "no", "no", "no"]
    columns = encode(table, y, task="classes", feature_kinds={"f": ["a", "b", "c"]})
    columns = dataclasses.replace(
        columns,
        schema=dataclasses.replace(
            columns.schema,
            features=tuple(
                dataclasses.replace(feature, kind="nominal")
                for feature in columns.schema.features
            ),
        ),
    )
    model = grow_tree(columns, dialect)
    assert model.trees[0].kind[0] == NodeKind.MULTIWAY
    return model.predict_proba({"f": ["c"], "g": ["p"]}).tolist()


def test_branch_without_rows_answers_as_its_dialect_says():
    assert empty_branch_shares(ID3) == [[0.6, 0.4]]
    assert empty_branch_shares(ID3.change(empty_branch="parent_class")) == [[1.0, 0.0]]
    # C4.5 prunes by sending the rows down again: the rule holds there too
    c45 = C45.change(min_samples_leaf=1, confidence=0.99, collapse=None)
    assert empty_branch_shares(c45) == [[1.0, 0.0]]
