"""The rules of a tree: one for each leaf, the questions on the way merged by feature.

Nothing recurses, and what holds at a node is kept once and taken back on the way up, so
a chain of 20 000 nodes costs its leaves times the features that it asks about.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.schema import Schema
from treewright.errors import SettingError
from treewright.rules.condition import Condition
from treewright.rules.rule import Rule
from treewright.rules.ruleset import NO_RULE, RuleSet
from treewright.tree.model import Model
from treewright.tree.predict.walk import Cells, walk
from treewright.tree.structure.branch_words import has_own_missing_branch
from treewright.tree.structure.combination import terms_at
from treewright.tree.structure.node_kind import NodeKind
from treewright.tree.structure.tree import Tree

Nodes = npt.NDArray[np.int64]
Subject = tuple[int, tuple[tuple[int, float], ...]]


def rule_set_of_tree(model: Model, *, tree: int = 0) -> tuple[RuleSet, Nodes]:
    """Return one rule for each leaf of a tree, from left to right, and the leaves.

    Leaves that no row can reach, because the questions above contradict each other,
    have none. The default is what the root answers: every row without missing values
    and unseen categories meets one rule.

    `model`: with one output. `tree`: which tree, if there are several.
    """
    refuse_several_outputs(model)
    the_tree = model.trees[tree]
    found = [
        (conditions, leaf)
        for conditions, leaf in leaf_conditions(model.schema, the_tree)
        if not any(one.is_empty for one in conditions)
    ]
    leaves = np.array([leaf for _, leaf in found], np.int64)
    answers = answers_at(model.schema, the_tree, leaves)
    rules = tuple(
        Rule(conditions, answer)
        for (conditions, _), answer in zip(found, answers, strict=True)
    )
    default = answers_at(model.schema, the_tree, np.zeros(1, np.int64))[0]
    rule_set = RuleSet(model.schema, rules, default, model.unseen, model.missing)
    return rule_set, leaves


def fires_of_tree(
    model: Model, rule_set: RuleSet, leaves: Nodes, cells: Cells
) -> npt.NDArray[np.int64]:
    """Return what `RuleSet.fires` returns for the rules of a tree, by walking it.

    Of rows with a missing or unseen value the rules are asked: a tree may send them
    where they meet no rule. A row meets one rule at most.
    """
    tree = model.trees[0]
    number = np.full(tree.node_count, NO_RULE, np.int64)
    number[leaves] = np.arange(len(leaves))
    fired = number[walk(tree, cells)]
    coded = [k for k, one in enumerate(model.schema.features) if one.categories]
    doubtful = np.isnan(cells).any(axis=1) | (cells[:, coded] < 0).any(axis=1)
    rows = np.flatnonzero(doubtful)
    fired[rows] = rule_set.fires(cells[rows])
    return fired


def refuse_several_outputs(model: Model) -> None:
    """Raise if a model has more answers for a row than a rule."""
    n_outputs = model.schema.target.n_outputs
    if n_outputs > 1:
        raise SettingError(
            f"a rule has one answer, and this model has {n_outputs} outputs; fit one "
            "model for each"
        )


def answers_at(schema: Schema, tree: Tree, nodes: Nodes) -> list[Any]:
    """Return what nodes answer: class codes, or numbers."""
    if schema.target.kind == "classes":
        return list(tree.labels_at(nodes)[:, 0].tolist())
    return list(tree.answers_at(nodes)[:, 0].tolist())


def leaf_conditions(
    schema: Schema, tree: Tree
) -> Iterator[tuple[tuple[Condition, ...], int]]:
    """Yield what holds at each leaf, and the leaf, from left to right."""
    branches = TreeBranches(schema, tree)
    held: dict[Subject, Condition] = {}
    # nodes to visit, and between them what held before a branch was taken
    stack: list[tuple[int, int, int] | tuple[Subject, Condition | None]] = [(0, -1, -1)]
    while stack:
        top = stack.pop()
        if len(top) == 2:
            _put_back(held, *top)
            continue
        node, parent, branch = top
        if parent >= 0:
            condition = branches.condition(parent, branch)
            before = held.get(condition.subject)
            stack.append((condition.subject, before))
            held[condition.subject] = (
                condition if before is None else before.merged(condition)
            )
        count = branches.n_children[node]
        if count == 0:
            yield tuple(held.values()), node
        first = branches.first_child[node]
        stack.extend((first + k, node, k) for k in range(count - 1, -1, -1))


def _put_back(
    held: dict[Subject, Condition], subject: Subject, before: Condition | None
) -> None:
    if before is None:
        del held[subject]
    else:
        held[subject] = before


def conditions_at(branches: TreeBranches, node: int) -> tuple[Condition, ...]:
    """Return what holds at a node, from the root down, merged by feature."""
    path = []
    while branches.parent[node] >= 0:
        path.append((branches.parent[node], node))
        node = branches.parent[node]
    conditions = (
        branches.condition(above, below - branches.first_child[above])
        for above, below in reversed(path)
    )
    return merged_by_subject(conditions)


def merged_by_subject(conditions: Iterable[Condition]) -> tuple[Condition, ...]:
    """Return one condition for each subject, at the place of its first one."""
    return Rule.of(conditions, 0).conditions


class TreeBranches:
    """The branches of a tree as conditions; its arrays as lists, which read faster."""

    def __init__(self, schema: Schema, tree: Tree) -> None:
        self.first_child: list[int] = tree.first_child.tolist()
        self.n_children: list[int] = tree.n_children.tolist()
        self.parent: list[int] = tree.parents().tolist()
        self._schema, self._tree = schema, tree
        self._kind: list[int] = tree.kind.tolist()
        self._feature: list[int] = tree.feature.tolist()
        self._threshold: list[float] = tree.threshold.tolist()

    def condition(self, node: int, branch: int) -> Condition:
        """Return what a row must meet to take a branch of an inner node."""
        kind, feature = NodeKind(self._kind[node]), self._feature[node]
        is_sum = kind == NodeKind.COMBINATION
        terms = tuple(terms_at(self._tree, node)) if is_sum else ()
        if self._is_for_missing(node, branch):
            return Condition.missing(feature, terms)
        if kind == NodeKind.KNOWN:
            return Condition.known(feature)
        if kind in (NodeKind.CUT, NodeKind.COMBINATION, NodeKind.ORDER):
            threshold = self._threshold[node]
            ends = (-math.inf, threshold) if branch == 0 else (threshold, math.inf)
            if kind == NodeKind.ORDER:
                return Condition.ordered(feature, *ends)
            return Condition.between(feature, *ends, terms)
        return Condition.among(feature, self._codes(kind, node, branch))

    def _is_for_missing(self, node: int, branch: int) -> bool:
        if branch < self.n_children[node] - 1:
            return False
        if self._kind[node] == NodeKind.CUT and self.n_children[node] == 2:
            return False  # nearly all
        return has_own_missing_branch(self._schema, self._tree, node)

    def _codes(self, kind: NodeKind, node: int, branch: int) -> npt.ArrayLike:
        """The categories that take a branch."""
        if kind == NodeKind.MULTIWAY:
            return [branch]
        own = self._tree.subset(node)
        if kind == NodeKind.GROUPS:
            return np.flatnonzero(own == branch)
        if branch == 0:
            return own
        n_codes = len(self._schema.features[self._feature[node]].categories)
        return np.setdiff1d(np.arange(n_codes), own)
