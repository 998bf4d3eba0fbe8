"""Chalk of tables, without an estimator."""

from __future__ import annotations

import treewright as tw
from treewright.data.encoding.encode import encode
from treewright.estimators.parts.explain import encoded_row
from treewright.grow.dialect import Dialect
from treewright.learners.recipe import grow_tree
from treewright.learners.watching import Watching
from treewright.render.chalk import Chalk
from treewright.tree.structure.branch_words import label_text
from treewright.tree.structure.tree import Tree
from treewright.tree.way import way_of


def chalk_of(X, y, dialect: Dialect, *, task="classes", rows=(), **watched) -> Chalk:
    return _chalk(encode(X, y, task=task), dialect, rows, **watched)[0]


def chalk_of_table(table, dialect: Dialect) -> tuple[Chalk, Tree]:
    """Chalk of a random table, and the tree before pruning."""
    columns = encode(
        table.frame(), table.outputs(), task=table.task, sample_weight=table.weights
    )
    return _chalk(columns, dialect)


def chalk_of_example(example: str, dialect: Dialect, *, rows=(), **watched) -> Chalk:
    """Chalk of one of the examples; a number of each row tells nothing."""
    X, y = getattr(tw.datasets, example)()
    kept = [column for column in X.columns if column != "编号"]
    return chalk_of(X[kept], y, dialect, rows=rows, **watched)


def winners(chalk: Chalk, tree: Tree) -> dict[int, str]:
    """The feature that each inner node of the grown tree asks about."""
    features = chalk.model.schema.features
    return {
        node: label_text(features[tree.feature[node]].name)
        for node in range(tree.node_count)
        if tree.n_children[node]
    }


def _chalk(columns, dialect, rows=(), **watched) -> tuple[Chalk, Tree]:
    watching = Watching(**watched)
    model = grow_tree(columns, dialect, watch=watching)
    pruning = watching.pruning if watching.pruning.stages else None
    ways = tuple(way_of(model, encoded_row(model, row)) for row in rows)
    return Chalk(watching.record(), model, pruning, ways), watching.grown.tree
