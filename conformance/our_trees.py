"""Our fitted tree in the neutral form, from the public arrays of `tree_`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from conformance.neutral_tree import UNCLASSIFIED, Amount, Branch, Node, Outline
from treewright.data.schema import Feature, Schema
from treewright.tree.structure.tree import NO_CLASS, NodeKind, Tree

# counts are sums of fractions: equal ones may differ in the last digits
_COUNT_SLACK = 1e-6


def outline_of(estimator: Any) -> Outline:
    """Return the outline of a fitted estimator with one output.

    Parameters
    ----------
    estimator : a fitted tree estimator
        Its `tree_` and the schema of its model are read.
    """
    tree: Tree = estimator.tree_
    schema: Schema = estimator.model_.schema
    nodes = [_told(tree, schema, node) for node in range(tree.node_count)]
    for node in np.flatnonzero(tree.kind != NodeKind.LEAF).tolist():
        feature = schema.features[int(tree.feature[node])]
        nodes[node] = replace(
            nodes[node],
            feature=feature.name,
            cut=_cut(tree, feature, node),
            branches=_branches(tree, feature, node),
        )
    return tuple(nodes)


def _told(tree: Tree, schema: Schema, node: int) -> Node:
    """Return answer, rows and errors of a node, without its question."""
    total = float(tree.weight[node])
    weight = Amount(total, _COUNT_SLACK)
    if schema.target.kind == "numbers":
        mean = float(tree.value[node, 0])
        return Node(number=Amount(mean, 1e-9 * abs(mean)), weight=weight)
    label = int(tree.label[node, 0])
    if label == NO_CLASS:
        return Node(answer=UNCLASSIFIED, weight=weight, errors=weight)
    right = float(tree.value[node, label]) if total > 0 else 0.0
    return Node(
        answer=str(schema.target.classes[0][label]),
        weight=weight,
        errors=Amount(total - right, _COUNT_SLACK),
    )


def _cut(tree: Tree, feature: Feature, node: int) -> Amount | None:
    if tree.kind_of(node) != NodeKind.CUT:
        return None
    threshold = float(tree.threshold[node])
    if feature.cuts is not None:
        threshold = float(feature.cuts[int(threshold)])
    return Amount(threshold, 1e-12 * abs(threshold))


def _branches(tree: Tree, feature: Feature, node: int) -> tuple[Branch, ...]:
    """Return the branches with the values that take them."""
    children = tree.children(node)
    kind = tree.kind_of(node)
    names = list(map(str, feature.categories))
    sides: list[tuple[str, frozenset[str] | None]]
    if kind == NodeKind.CUT:
        sides = [("<=", None), (">", None)]
    elif kind == NodeKind.KNOWN:
        sides = [("is known", None), ("is missing", frozenset({"missing"}))]
    elif kind == NodeKind.MULTIWAY:
        sides = [(f"= {name}", frozenset({name})) for name in names]
    elif kind == NodeKind.GROUPS:
        groups = [[names[code] for code in codes] for codes in tree.groups(node)]
        sides = [(f"= {','.join(group)}", frozenset(group)) for group in groups]
    else:
        first = _first_set(tree, node)
        low = frozenset(name for code, name in enumerate(names) if code in first)
        high = frozenset(names) - low
        sides = [(f"= {','.join(sorted(side))}", side) for side in (low, high)]
    if len(children) > len(sides):  # own branch of the missing values
        sides.append(("is missing", frozenset({"missing"})))
    return tuple(
        Branch(says, child, values)
        for (says, values), child in zip(sides, children, strict=True)
    )


def _first_set(tree: Tree, node: int) -> set[int]:
    """Return the codes that take branch 0 of a split in two sets of values."""
    if tree.kind_of(node) == NodeKind.ORDER:
        return set(range(int(tree.threshold[node]) + 1))
    return set(tree.subset(node).tolist())
