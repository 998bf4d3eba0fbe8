"""Decision trees straight from the pseudo-code: what the compiled engine must equal.

Written for reading: lists, dicts and one loop, every candidate tried, every sum taken
afresh. It imports nothing of treewright. `textbook_statistics.py` has the criteria.

Glossary
--------
features   {name: None} for numbers, {name: [category, ...]} for nominal columns, a
           tuple of categories from small to large for ordered ones, in column order;
           rows are dicts, None is a missing value
member     (row number, weight): a row as it stands at a node
test       what a node asks: ("multiway", feature), ("cut", feature, threshold),
           ("order", feature, last category of branch 0),
           ("subset", feature, values of branch 0) or ("known", feature)
part       the members of one branch
draws      from a node's path (its branch numbers), and whether a feature can split it,
           to the features that it looks at
cuts       from a node's path, a feature and its values there to the one test of it that
           is looked at; without it all are
guide      a finished tree; where its subset test gains as much as the best one, that
           subset is followed, because the books leave the choice among equals open

A tree is a nested dict. Leaves have the first five keys only:

    rows, weight, impurity    of the node
    value                     classes: the weight of each class, output after output;
                              numbers: the mean or median of each output
    label                     classes: the predicted class of each output; numbers: ()
    split, gain, branches     the test, its gain and the subtrees in branch order
    missing                   the branch that a missing value takes, or None
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import Any

from textbook_statistics import (
    CENTERS,
    Member,
    Table,
    impurity,
    node_label,
    node_value,
    weight,
)

Test = tuple[Any, ...]
Tree = dict[str, Any]


@dataclass(frozen=True)
class Settings:
    """The switches; the defaults grow until every leaf is pure."""

    criterion: str = "entropy"
    nominal: str = "multiway"  # or "subset"
    missing: str = "refuse"  # or "own_branch", "majority"
    max_depth: float = math.inf
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    min_weight_leaf: float = 0.0
    min_impurity: float = 0.0
    min_gain: float = 0.0
    min_impurity_decrease: float = 0.0
    max_leaf_nodes: float = math.inf
    draws: Callable[[tuple[int, ...], Callable[[str], bool]], list[str]] | None = None
    cuts: Callable[[tuple[int, ...], str, set[Any]], Test] | None = None
    sums: Callable[[tuple[int, ...], list[dict[str, Any]]], list[Any]] | None = None


@dataclass
class Split:
    """A test and what it does to the rows of a node."""

    test: Test
    parts: list[list[Member]]
    gain: float
    missing: int | None


@dataclass
class Node:
    """A node while it is grown; `out` is its place in the finished tree."""

    members: list[Member]
    features: list[str]
    lineage: list[list[float]]  # the values of the node, of its parent, ... of the root
    guide: Tree
    out: Tree = field(default_factory=dict)
    split: Split | None = None
    path: tuple[int, ...] = ()


def grow_id3(rows, features, target, weights=None, **options) -> Tree:
    """Grow a tree with one branch per category; each feature once on a path."""
    return grow(rows, features, target, weights, nominal="multiway", **options)


def grow_cart(rows, features, target, weights=None, **options) -> Tree:
    """Grow a binary tree: cuts of numbers, two-sided partitions of categories."""
    return grow(rows, features, target, weights, nominal="subset", **options)


def grow(
    rows,
    features,
    target,
    weights=None,
    *,
    classes=None,
    guide=None,
    draws=None,
    cuts=None,
    sums=None,
    **settings,
) -> Tree:
    """Grow a tree; `settings` are the fields of `Settings`.

    A target entry is a label or a number, or a tuple of them for several outputs.
    `classes` has a list of labels per output; without it they are the sorted labels.
    """
    rule = Settings(**settings, draws=draws, cuts=cuts, sums=sums)
    target = [y if isinstance(y, tuple) else (y,) for y in target]
    if rule.criterion in CENTERS:
        classes = []
    elif classes is None:
        classes = [sorted(set(labels)) for labels in zip(*target, strict=True)]
    if rule.missing == "refuse":
        assert all(row[name] is not None for row in rows for name in features)
    weights = [1.0] * len(rows) if weights is None else weights
    table = Table(rows, features, target, classes, rule.criterion, math.fsum(weights))
    root = Node(list(enumerate(weights)), list(features), [], guide or {})
    grow_best_first(table, rule, open_node(table, rule, root))
    return root.out


def grow_best_first(table: Table, rule: Settings, root: Node) -> None:
    """Split open nodes, the largest weight x gain first, while leaves may be added."""
    frontier, n_leaves = [root], 1
    slack = tolerance(table, root) * table.total_weight
    while frontier := [node for node in frontier if node.split]:
        priorities = [node.out["weight"] * node.split.gain for node in frontier]
        node = frontier.pop(first_best(priorities, slack))  # on a tie the oldest
        split = node.split
        n_added = len(split.parts) - 1
        if n_leaves + n_added > rule.max_leaf_nodes:
            continue  # it stays a leaf; a test with fewer branches may still fit
        n_leaves += n_added
        children = [open_node(table, rule, child) for child in make_children(node)]
        node.out |= {"split": split.test, "gain": split.gain, "missing": split.missing}
        node.out["branches"] = [child.out for child in children]
        frontier += children


def make_children(node: Node) -> list[Node]:
    (kind, used), parts = node.split.test[:2], node.split.parts
    features = [name for name in node.features if kind != "multiway" or name != used]
    guides = node.guide.get("branches", [])
    if node.guide.get("split") != node.split.test or len(guides) != len(parts):
        guides = [{}] * len(parts)
    return [
        Node(part, features, node.lineage, guide, path=(*node.path, branch))
        for branch, (part, guide) in enumerate(zip(parts, guides, strict=True))
    ]


def open_node(table: Table, rule: Settings, node: Node) -> Node:
    """Fill in what the node says and the split that it would make."""
    node.lineage = [node_value(table, node.members, node.lineage), *node.lineage]
    node.out |= {
        "rows": len(node.members),
        "weight": weight(node.members),
        "impurity": impurity(table, node.members),
        "value": node.lineage[0],
        "label": node_label(table, node.lineage),
    }
    if not must_stop(table, rule, node):
        node.split = best_split(table, rule, node)
    return node


def must_stop(table: Table, rule: Settings, node: Node) -> bool:
    return (
        all_agree(table, [node.members])
        or len(node.lineage) > rule.max_depth
        or len(node.members) < rule.min_samples_split
        or node.out["impurity"] <= rule.min_impurity
    )


def best_split(table: Table, rule: Settings, node: Node) -> Split | None:
    """Return the best admissible split, the first among equals; None for a leaf."""
    features = node.features
    if rule.sums:
        features = rule.sums(node.path, [table.rows[row] for row, _ in node.members])
    of_feature = {
        name: [
            split
            for test in possible_tests(table, rule, node, name)
            if (split := divide(table, rule, node, test))
        ]
        for name in features
    }
    names = features
    if rule.draws:
        names = rule.draws(node.path, lambda name: bool(of_feature.get(name)))
    splits = [split for name in names for split in of_feature.get(name, [])]
    if not splits:
        return None
    slack = tolerance(table, node)
    best = splits[first_best([split.gain for split in splits], slack)]
    decrease = best.gain * node.out["weight"] / table.total_weight
    if best.gain < rule.min_gain - slack:
        return None
    if decrease < rule.min_impurity_decrease - slack:
        return None
    wish = node.guide.get("split", ())
    if best.test[0] == "subset" and wish[:2] == best.test[:2]:
        guided = divide(table, rule, node, wish)
        if guided and abs(guided.gain - best.gain) <= slack:
            return guided
    return best


def possible_tests(
    table: Table, rule: Settings, node: Node, name: str
) -> Iterator[Test]:
    """Yield every test of one feature, in the order that decides ties."""
    found = {value_of(table.rows[row], name) for row, _ in node.members} - {None}
    categories = table.features.get(name)
    if categories is not None and rule.nominal == "multiway":
        yield "multiway", name
        return
    if rule.cuts:
        if len(found) > 1:
            yield rule.cuts(node.path, name, found)
    elif categories is None:
        for low, high in pairwise(sorted(found)):
            yield "cut", name, midpoint(low, high)
    elif isinstance(categories, tuple):
        for last in [value for value in categories if value in found][:-1]:
            yield "order", name, last
    else:
        present = [value for value in categories if value in found]
        # the last one stays out of every mask: a set and its complement are one test
        for mask in range(1, 2 ** max(len(present) - 1, 0)):
            chosen = [value for k, value in enumerate(present) if mask >> k & 1]
            yield "subset", name, frozenset(chosen)
    if rule.missing == "own_branch":
        yield "known", name


def divide(table: Table, rule: Settings, node: Node, test: Test) -> Split | None:
    """Send the members through a test; None if that is not admissible."""
    kind, name = test[:2]
    categories = table.features.get(name)
    n_branches = len(categories) if kind == "multiway" else 2
    parts: list[list[Member]] = [[] for _ in range(n_branches)]
    unknown: list[Member] = []
    for member in node.members:
        branch = branch_of(test, categories, value_of(table.rows[member[0]], name))
        (unknown if branch is None else parts[branch]).append(member)
    missing = 1 if kind == "known" else None
    if unknown and rule.missing == "own_branch":
        missing = len(parts)
        parts.append(unknown)
    if not is_admissible(rule, parts):
        return None
    if unknown and rule.missing == "majority" and all_agree(table, parts):
        return None  # rows that agree are not told apart, even if unknown ones differ
    gain = weighted_gain(table, parts) / node.out["weight"]
    if rule.missing == "majority":
        missing = first_best([weight(part) for part in parts], 0.0)
        parts[missing] = parts[missing] + unknown
    return Split(test, parts, gain, missing)


def value_of(row: dict[str, Any], name: Any) -> Any:
    """Return a row's value, or its sum of weight times value."""
    if isinstance(name, str):
        return row[name]
    total = 0.0
    for one, factor in name:
        total += factor * row[one]
    return total


def branch_of(test: Test, categories: Sequence[Any] | None, value: Any) -> int | None:
    """Return the branch of a value; None if it is missing."""
    match test:
        case ("known", _):
            return int(value is None)
        case _ if value is None:
            return None
        case ("multiway", _):
            return categories.index(value)
        case ("cut", _, threshold):
            return int(value > threshold)
        case ("order", _, last):
            return int(categories.index(value) > categories.index(last))
        case ("subset", _, first):
            return int(value not in first)
    raise AssertionError(f"no such test: {test}")


def all_agree(table: Table, parts: list[list[Member]]) -> bool:
    return len({table.target[row] for row, _ in chain.from_iterable(parts)}) <= 1


def is_admissible(rule: Settings, parts: list[list[Member]]) -> bool:
    """At least two branches get rows, and none of those gets too few."""
    filled = [part for part in parts if part]
    return len(filled) >= 2 and all(
        len(part) >= rule.min_samples_leaf and weight(part) >= rule.min_weight_leaf
        for part in filled
    )


def weighted_gain(table: Table, parts: list[list[Member]]) -> float:
    """Return weight x impurity of all parts together, minus that of each part.

    Over the node's weight it is the gain; members in no part (missing values under the
    majority policy) so count as a known fraction below 1.
    """
    whole = list(chain.from_iterable(parts))
    after = math.fsum(weight(part) * impurity(table, part) for part in parts)
    return weight(whole) * impurity(table, whole) - after


def first_best(scores: list[float], slack: float) -> int:
    """Return where the maximum is; a later score must be larger by more than slack."""
    best = 0
    for k, score in enumerate(scores):
        if score > scores[best] + slack:
            best = k
    return best


def tolerance(table: Table, node: Node) -> float:
    """Gains of classes are bits or shares; those of numbers have the target's unit."""
    return 1e-12 * (1.0 if table.classes else node.out["impurity"])


def midpoint(low: float, high: float) -> float:
    """Return the threshold between two neighbours; never the upper one, by rounding."""
    middle = low / 2 + high / 2
    return middle if low <= middle < high else low
