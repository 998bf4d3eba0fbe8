"""Whether the trees of all splits ask the same questions: the root, and what is next.

Trees are compared place by place, from the root down: of the trees that agree so far,
how many ask about the same feature? The margin is that of the tree of all rows: how
much more the best feature of a node is worth there than the runner-up.

Glossary
--------
place      a node by the way to it: the questions and answers above
fragile    other rows might well have asked something else there
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from treewright.data.columns import Columns
from treewright.data.sparse.sparse_cells import MAX_DENSE_CELLS
from treewright.grow.chalk.growing_record import Step
from treewright.learners.chalked import dialect_of
from treewright.learners.choose_alpha import fixed
from treewright.learners.dialects.unpruned import unpruned
from treewright.learners.recipe import grow_tree
from treewright.learners.watching import Watching
from treewright.sources.sparse import has_sparse
from treewright.tree.model import Model
from treewright.tree.structure.branch_words import asked_name, branch_condition
from treewright.tree.structure.tree import NodeKind

DEPTH = 1  # places below this are not compared
MOST_PLACES = 7
MOST_AGREE = 0.8  # where fewer trees agree, a place is fragile
LEAST_MARGIN = 0.05  # of the winner's worth
LEAF = "(leaf)"


@dataclass(frozen=True)
class Margin:
    """The best feature of a node, and the runner-up, in the tree of all rows."""

    feature: str
    runner_up: str | None
    margin: float | None  # as a share of what the best is worth


@dataclass(frozen=True)
class Place:
    """One place of the trees."""

    path: tuple[str, ...]  # the answers that lead here; empty at the root
    feature: str  # what most trees ask here
    # how many trees ask that, of those that come to this place
    n_same: int
    n_trees: int
    # what the other trees ask, the most common first
    others: tuple[tuple[str, int], ...]
    # the least and the greatest threshold, where the question is a cut
    cuts: tuple[float, float] | None
    # of the tree of all rows, if it asks the same here: how much more the feature is
    # worth than the runner-up, as a share of its worth; None if there is no other
    margin: float | None = None
    runner_up: str | None = None

    @property
    def is_fragile(self) -> bool:
        """Whether other rows might well ask something else here."""
        if self.n_same < MOST_AGREE * self.n_trees:
            return True
        return self.margin is not None and self.margin < LEAST_MARGIN


_At = tuple[Model, int]  # a tree and a node of it
# the answers that lead to a place, the numbers of these branches, the trees there
_Open = tuple[tuple[str, ...], tuple[int, ...], list[_At]]


def places_of(
    models: Sequence[Model], margins: dict[tuple[int, ...], Margin] | None = None
) -> list[Place]:
    """Return the places of the trees, from the root down.

    `models`: a tree each. `margins`: by the branches that lead to a node; see
    `margins_of`.
    """
    found: list[Place] = []
    start: list[_At] = [(model, 0) for model in models]
    level: list[_Open] = [((), (), start)]
    while level and len(found) < MOST_PLACES:
        path, branches, trees = level.pop(0)
        place, same = _place(path, trees)
        margin = (margins or {}).get(branches)
        if margin is not None and margin.feature == place.feature:
            place = replace(place, margin=margin.margin, runner_up=margin.runner_up)
        found.append(place)
        if place.feature != LEAF and len(path) < DEPTH and len(same) > 1:
            level += _below(path, branches, same)
    return found


def _place(path: tuple[str, ...], trees: list[_At]) -> tuple[Place, list[_At]]:
    """Return what trees ask here, and those that ask the most common."""
    asked = [
        LEAF
        if model.trees[0].kind_of(node) == NodeKind.LEAF
        else asked_name(model.schema, model.trees[0], node)
        for model, node in trees
    ]
    (feature, n_same), *others = Counter(asked).most_common()
    same = [at for at, name in zip(trees, asked, strict=True) if name == feature]
    cuts = [
        float(model.trees[0].threshold[node])
        for model, node in same
        if model.trees[0].kind_of(node) == NodeKind.CUT
        and not model.schema.features[model.trees[0].feature[node]].is_wide
    ]
    ends = (min(cuts), max(cuts)) if len(cuts) == len(same) and cuts else None
    return Place(path, feature, n_same, len(trees), tuple(others), ends), same


def _below(
    path: tuple[str, ...], branches: tuple[int, ...], same: list[_At]
) -> Iterator[_Open]:
    """Yield the places one answer further, of trees that ask the same here.

    The same sets of values, too; places that few trees come to are left out.
    """
    by_answer: dict[str, list[_At]] = {}
    number: dict[str, int] = {}
    for model, node in same:
        tree = model.trees[0]
        for branch, child in enumerate(tree.children(node)):
            condition = branch_condition(model.schema, tree, node, branch)
            # thresholds differ a little from tree to tree
            is_cut = tree.kind_of(node) == NodeKind.CUT
            answer = (
                f"{condition.feature} {condition.relation} ..."
                if is_cut and condition.relation != "is"
                else str(condition)
            )
            by_answer.setdefault(answer, []).append((model, child))
            number.setdefault(answer, branch)
    for answer, trees in by_answer.items():
        if len(trees) < len(same) / 2:
            continue
        yield (*path, answer), (*branches, number[answer]), trees


def margins_of(columns: Columns, model: Model) -> dict[tuple[int, ...], Margin]:
    """Return the margins at the top of the tree of all rows, before any pruning.

    `columns`: all rows, as they are learned from. `model`: a tree of a part of them,
    whose switches are used.
    """
    dialect = fixed(dialect_of(model))
    dialect = unpruned(dialect) or dialect
    limit = DEPTH + 1
    depth = limit if dialect.max_depth is None else min(limit, dialect.max_depth)
    n_cells = columns.n_rows * len(columns.features)
    if has_sparse(columns) and n_cells > MAX_DENSE_CELLS:
        return {}  # chalk needs a dense table
    watching = Watching(depth=DEPTH, counts_cuts=False)
    grow_tree(columns, dialect.change(max_depth=depth), n_jobs=1, watch=watching)
    steps = {step.node: step for step in watching.record().steps}
    found: dict[tuple[int, ...], Margin] = {}
    level: list[tuple[tuple[int, ...], int]] = [((), 0)]
    while level:
        branches, node = level.pop()
        step = steps.get(node)
        if step is None or step.best is None or step.is_leaf:
            continue
        found[branches] = _margin(step)
        level += [
            ((*branches, branch), child) for branch, child in enumerate(step.children)
        ]
    return found


def _margin(step: Step) -> Margin:
    assert step.best is not None
    best = step.candidates[step.best]
    if step.runner_up is None or step.margin is None or best.worth <= 0:
        return Margin(best.feature, None, None)
    second = step.candidates[step.runner_up].feature
    return Margin(best.feature, second, float(np.clip(step.margin / best.worth, 0, 1)))
