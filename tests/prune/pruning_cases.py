"""Small random tables, trees grown from them, and all prunings of a small tree."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, product
from typing import Any

import numpy as np
from hypothesis import strategies as st

from treewright.data.encoding.encode import encode
from treewright.grow.dialect import Dialect
from treewright.learners.recipe import grow_tree
from treewright.prune.shape import Shape
from treewright.tree.model import Model
from treewright.tree.structure.tree import Reason, Tree

KINDS = {"colour": "nominal", "shape": "nominal", "size": "numeric"}


@dataclass(frozen=True)
class Rows:
    """A table of three features, its target, its weights or None."""

    table: dict[str, list[Any]]
    y: list[Any]
    weights: list[float] | None = None

    def grown(self, dialect: Dialect) -> Model:
        """The tree of a dialect."""
        task = "classes" if dialect.task == "classes" else "numbers"
        columns = encode(
            self.table,
            self.y,
            task=task,
            sample_weight=self.weights,
            feature_kinds=KINDS,
        )
        return grow_tree(columns, dialect)


@st.composite
def some_rows(
    draw: st.DrawFn,
    *,
    numbers: bool = False,
    missing: bool = False,
    values: str = "abc",
    most: int = 24,
) -> Rows:
    """Few values, so that trees have errors, ties and empty branches."""
    n_rows = draw(st.integers(3, most))
    unknown = [None] if missing else []
    cells = {
        "colour": st.sampled_from([*values, *unknown]),
        "shape": st.sampled_from([*"xy", *unknown]),
        "size": st.sampled_from([1.0, 2.0, 4.0, *unknown]),
    }
    table = {
        name: draw(st.lists(cell, min_size=n_rows, max_size=n_rows))
        for name, cell in cells.items()
    }
    answer = st.sampled_from([0.0, 1.0, 1.5, 8.0] if numbers else ["no", "yes", "?"])
    y = draw(st.lists(answer, min_size=n_rows, max_size=n_rows))
    weights = None
    if draw(st.booleans()):
        weight = st.sampled_from([0.5, 1.0, 3.0])
        weights = draw(st.lists(weight, min_size=n_rows, max_size=n_rows))
    return Rows(table, y, weights)


def all_prunings(tree: Tree) -> Iterator[Tree]:
    """Every tree that cutting some nodes gives."""
    for cut in _cuts(tree, 0):
        yield cut_at(tree, cut)


def cut_at(tree: Tree, nodes: list[int]) -> Tree:
    """The tree with these nodes as leaves."""
    shape = Shape(tree)
    shape.make_leaves(np.array(nodes, np.intp), Reason.PRUNED)
    return shape.finished()


def _cuts(tree: Tree, node: int) -> list[list[int]]:
    """All lists of nodes to cut in a subtree, none below another."""
    if tree.n_children[node] == 0:
        return [[]]
    below = product(*(_cuts(tree, child) for child in tree.children(node)))
    return [[node], *(list(chain(*lists)) for lists in below)]


def with_tree(model: Model, tree: Tree) -> Model:
    """The model with another tree."""
    return dataclasses.replace(model, trees=(tree,))


def error_on(model: Model, rows: Rows) -> float:
    """Weight of wrong rows, or weighted squared error: by predicting each row."""
    weights = np.ones(len(rows.y)) if rows.weights is None else np.array(rows.weights)
    answers = model.predict(rows.table)
    if model.schema.target.kind == "classes":
        return float(weights @ (answers != np.array(rows.y, object)))
    return float(weights @ (answers - np.array(rows.y)) ** 2)


def assert_is_pruning(less: Tree, tree: Tree) -> None:
    """Every node of one tree is the node of the other at the same place."""
    pairs = [(0, 0)]
    while pairs:
        new, old = pairs.pop()
        assert less.weight[new] == tree.weight[old]
        assert less.value[new].tolist() == tree.value[old].tolist()
        assert less.label[new].tolist() == tree.label[old].tolist()
        if less.n_children[new] == 0:
            continue
        assert less.feature[new] == tree.feature[old]
        assert less.kind[new] == tree.kind[old]
        assert less.subset(new).tolist() == tree.subset(old).tolist()
        np.testing.assert_equal(less.threshold[new], tree.threshold[old])
        pairs += zip(less.children(new), tree.children(old), strict=True)
