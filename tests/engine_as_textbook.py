"""A grown model in the nested form of `textbook.py`, so that the two can be compared.

An empty branch speaks with its parent's class weights in the engine and with zeros in
the textbook: both mean the same, and zeros are written here.
"""

from __future__ import annotations

from typing import Any

from treewright.tree.model import Model
from treewright.tree.structure.combination import terms_at
from treewright.tree.structure.tree import NodeKind

Tree = dict[str, Any]


def as_textbook(model: Model) -> Tree:
    """Return the first tree of a model as nested dicts; nothing recurses."""
    tree = model.trees[0]
    is_classes = model.schema.target.kind == "classes"
    values = (tree.class_weights() if is_classes else tree.value).tolist()
    nodes: list[Tree] = [
        {
            "rows": int(tree.n_rows[node]),
            "weight": float(tree.weight[node]),
            "impurity": float(tree.impurity[node]),
            "value": values[node],
            "label": labels_of(model, node),
        }
        for node in range(tree.node_count)
    ]
    for node in range(tree.node_count):
        if tree.kind_of(node) == NodeKind.LEAF:
            continue
        missing = int(tree.missing_branch[node])
        nodes[node] |= {
            "split": question_of(model, node),
            "gain": float(tree.gain[node]),
            "missing": None if missing < 0 else missing,
            "branches": [nodes[child] for child in tree.children(node)],
        }
    return nodes[0]


def labels_of(model: Model, node: int) -> tuple[Any, ...]:
    classes = model.schema.target.classes
    codes = model.trees[0].label[node].tolist()
    return tuple(labels[code] for labels, code in zip(classes, codes, strict=True))


def question_of(model: Model, node: int) -> tuple[Any, ...]:
    """Return what a node asks; ("order", feature, category) cuts ordered categories."""
    tree = model.trees[0]
    feature = model.schema.features[tree.feature[node]]
    kind, threshold = tree.kind_of(node), float(tree.threshold[node])
    if kind == NodeKind.CUT:
        at = threshold if feature.cuts is None else feature.cuts[int(threshold)].item()
        return "cut", feature.name, at
    if kind == NodeKind.COMBINATION:
        terms = terms_at(tree, node)
        names = tuple((model.schema.features[one].name, by) for one, by in terms)
        return "cut", names, threshold
    if kind == NodeKind.ORDER:
        return "order", feature.name, feature.categories[int(threshold)]
    if kind == NodeKind.SUBSET:
        chosen = (feature.categories[code] for code in tree.subset(node))
        return "subset", feature.name, frozenset(chosen)
    if kind == NodeKind.GROUPS:
        groups = ([feature.categories[c] for c in codes] for codes in tree.groups(node))
        return "groups", feature.name, tuple(map(frozenset, groups))
    return {NodeKind.MULTIWAY: "multiway", NodeKind.KNOWN: "known"}[kind], feature.name
