"""What a C4.5 tree answers, and which of its subtrees are not worth having.

Trees have the form of `textbook.py`, so these work on trees of the oracle and, through
`engine_as_textbook.py`, on trees of the engine.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Tree = dict[str, Any]

LEAF_KEYS = ("rows", "weight", "impurity", "value", "label")


def collapse(tree: Tree, slack: float = 0.001) -> Tree:
    """Make leaves of subtrees whose training errors are not fewer by more than slack.

    From the root down: the errors of a subtree are those of its leaves as grown.
    """
    if "branches" not in tree:
        return tree
    if errors_of_leaves(tree) >= errors(tree) - slack:
        return {key: tree[key] for key in LEAF_KEYS}
    return tree | {"branches": [collapse(branch, slack) for branch in tree["branches"]]}


def errors(node: Tree) -> float:
    return node["weight"] - max(node["value"])


def errors_of_leaves(tree: Tree) -> float:
    if "branches" not in tree:
        return errors(tree)
    return sum(map(errors_of_leaves, tree["branches"]))


def completions(
    tree: Tree, features: dict[str, Any], row: dict[str, Any]
) -> Iterator[tuple[float, list[Tree]]]:
    """Yield every way down that a row may take: its share, and the nodes on it.

    Where the row has no value, or one that was never declared, each branch with
    training weight is taken, in proportion to that weight.
    """
    if "branches" not in tree:
        yield 1.0, [tree]
        return
    chosen = branch_of(tree["split"], features, row)
    for k, branch in enumerate(tree["branches"]):
        share = (
            branch["weight"] / tree["weight"] if chosen is None else float(k == chosen)
        )
        if share > 0:
            for below, path in completions(branch, features, row):
                yield share * below, [tree, *path]


def branch_of(test: tuple[Any, ...], features, row) -> int | None:
    kind, name, *rest = test
    value = row[name]
    if value is None or (features[name] is not None and value not in features[name]):
        return None
    if kind == "multiway":
        return list(features[name]).index(value)
    if kind == "groups":
        return next(k for k, group in enumerate(rest[0]) if value in group)
    return int(value > rest[0] if kind == "cut" else value not in rest[0])


def distribution(
    tree: Tree, features, row, *, classes=None, empty_branch="parent_distribution"
) -> list[float]:
    """Return the class shares: those of the leaves, by their share of the row.

    A leaf without training rows answers with the class weights of its parent, or under
    "parent_class" with its label alone, which is one of `classes`. Under "unclassified"
    it says nothing, and the other parts of the row are all there is.
    """
    total = [0.0] * len(tree["value"])
    for share, path in completions(tree, features, row):
        weights = next(node["value"] for node in reversed(path) if any(node["value"]))
        if not path[-1]["rows"] and empty_branch == "unclassified":
            continue
        if not path[-1]["rows"] and empty_branch == "parent_class":
            weights = [float(label == path[-1]["label"][0]) for label in classes]
        for k, w in enumerate(weights):
            total[k] += share * w / sum(weights)
    if empty_branch == "unclassified" and any(total):
        total = [part / sum(total) for part in total]
    return total


def mean(tree: Tree, features, row) -> float:
    """Return the number: the means of the leaves, by their share of the row."""
    ways = completions(tree, features, row)
    return sum(share * path[-1]["value"][0] for share, path in ways)
