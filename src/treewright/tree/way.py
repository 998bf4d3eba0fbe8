"""One row's way through a tree, in words and numbers.

A row that is divided has several parts from there on, each with a share of the row, a
way and an answer of its own; any other row has one part with a share of 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from treewright.data.schema import Target
from treewright.tree.model import Model
from treewright.tree.predict.vote import predicted_codes, probabilities
from treewright.tree.predict.walk import Cells, asked_cell, speaking_surrogate, visited
from treewright.tree.structure.branch_words import (
    BranchCondition,
    asked_name,
    branch_condition,
    label_text,
    surrogate_condition,
)
from treewright.tree.structure.tree import EVERY_BRANCH, NO_CLASS, NodeKind, Tree

UNCLASSIFIED = "unclassified"
_STOPS = {
    "missing": "{} is missing, and no branch is for that: stops",
    "unseen": "{} has a value that training never saw here: stops",
}


@dataclass(frozen=True)
class WayStep:
    """A branch that was taken."""

    condition: BranchCondition  # the branch
    # whether the row has no value there, and went with that branch all the same
    missing: bool = False
    surrogate: BranchCondition | None = None  # what stood in for the missing value
    holds: bool = True  # whether that holds for the row

    def __str__(self) -> str:
        if not self.missing:
            return str(self.condition)
        why = f"{self.condition.feature} is missing"
        if self.surrogate is not None:
            why += f", and {'' if self.holds else 'not '}{self.surrogate}"
        return f"{why}: goes with {self.condition}"


@dataclass(frozen=True)
class WayPart:
    """A part of a row: its share, its way from where it was divided, where it ends."""

    share: float  # of the row
    # `path`, `steps`: the branches taken, each with a word on why if the value is
    # missing
    path: tuple[str, ...]
    # where it ends, and the training rows there
    node: int
    n_rows: int
    # weight of each class there, for each output; empty for numbers
    counts: tuple[tuple[float, ...], ...]
    values: tuple[float, ...]  # numbers: the prediction there
    # what the node answers, for each output: a class in words, or a number
    answer: tuple[str | float, ...]
    codes: tuple[int, ...]  # the same as class codes, or NO_CLASS; empty for numbers
    reason: str  # why that node is a leaf; empty if it is none
    steps: tuple[WayStep, ...] = ()


@dataclass(frozen=True)
class Way:
    """A row's way."""

    # `path`, `steps`: the branches that the whole row takes
    path: tuple[str, ...]
    stop: str  # why the walk ends before a leaf; empty if it does not
    divided_by: str | None  # the feature without a value that divides the row
    # one, unless the row is divided; then in the order of their nodes
    parts: tuple[WayPart, ...]
    # of each class, for each output: the mean over the parts; empty for numbers
    shares: tuple[tuple[float, ...], ...]
    # the prediction for each output, as in `WayPart`
    answer: tuple[str | float, ...]
    codes: tuple[int, ...]
    number: int | None = None  # the row's number in its table, from 1
    steps: tuple[WayStep, ...] = ()
    # the feature at which it ends, and "missing" or "unseen"
    stopped_by: str = ""
    stop_key: str = ""


def way_of(model: Model, cells: Cells, number: int | None = None) -> Way:
    """Return the way of one encoded row, of shape (1, n_features), in a single tree."""
    tree, target = model.trees[0], model.schema.target
    ends = model.ends(cells)
    end = int(ends.nodes[0, 0])
    divided = ends.divided[0]
    steps = _steps(model, tree, 0, end, cells[0])
    parts: tuple[WayPart, ...]
    if divided is None:
        divided_by, stop = None, _stop_key(tree, end, cells[0])
        parts = (_part(model, tree, end, 1.0, ()),)
    else:
        divided_by, stop = model.schema.features[int(tree.feature[end])].name, ""
        (found,) = divided.blocks()  # of one row
        parts = tuple(
            _part(
                model,
                tree,
                int(found.node[place]),
                float(found.weight[place]),
                _steps(model, tree, end, int(found.node[place]), cells[0]),
            )
            for place in np.argsort(found.node, kind="stable").tolist()
        )
    shares: tuple[tuple[float, ...], ...] = ()
    codes: tuple[int, ...] = ()
    if target.kind == "classes":
        mean = probabilities(target, model.trees, ends)
        shares = tuple(tuple(one[0].tolist()) for one in mean)
        codes = tuple(predicted_codes(target, model.trees, ends)[0].tolist())
        answer: tuple[str | float, ...] = tuple(class_words(target, codes))
    else:
        answer = tuple(model.predict_at(ends).reshape(-1).tolist())
    feature = asked_name(model.schema, tree, end) if stop else ""
    return Way(
        path=tuple(map(str, steps)),
        stop=_STOPS[stop].format(feature) if stop else "",
        divided_by=divided_by,
        parts=parts,
        shares=shares,
        answer=answer,
        codes=codes,
        number=number,
        steps=steps,
        stopped_by=feature,
        stop_key=stop,
    )


def class_words(target: Target, codes: Sequence[int]) -> list[str]:
    """The classes with these codes, one of each output."""
    return [
        UNCLASSIFIED if code == NO_CLASS else label_text(labels[code])
        for labels, code in zip(target.classes, codes, strict=True)
    ]


def _part(
    model: Model, tree: Tree, node: int, share: float, steps: tuple[WayStep, ...]
) -> WayPart:
    target = model.schema.target
    value = tree.value[node]
    codes = tuple(tree.label[node].tolist())
    numbers = tuple(value.tolist()) if target.kind == "numbers" else ()
    return WayPart(
        share=share,
        path=tuple(map(str, steps)),
        steps=steps,
        node=node,
        n_rows=int(tree.n_rows[node]),
        counts=()
        if numbers
        else tuple(tuple(value[slot].tolist()) for slot in target.slots),
        values=numbers,
        answer=numbers or tuple(class_words(target, codes)),
        codes=codes,
        reason=tree.reason_words(node),
    )


def _steps(
    model: Model, tree: Tree, top: int, end: int, cells: Cells
) -> tuple[WayStep, ...]:
    """The branches taken from one node down to another."""
    path = visited(tree, np.array([end], np.int32))[1].tolist()
    return tuple(
        _step(model, tree, parent, node, cells)
        for parent, node in pairwise(path[path.index(top) :])
    )


def _step(model: Model, tree: Tree, parent: int, node: int, cells: Cells) -> WayStep:
    """The branch that was taken, and why if the value is missing."""
    cell = asked_cell(tree, parent, cells.tolist())
    branch = node - int(tree.first_child[parent])
    condition = branch_condition(model.schema, tree, parent, branch)
    divides = int(tree.missing_branch[parent]) == EVERY_BRANCH
    if math.isnan(cell) and condition.relation != "is" and not divides:
        surrogate = speaking_surrogate(tree, parent, cells.tolist())
        if surrogate is None:
            return WayStep(condition, missing=True)
        stands_in = surrogate_condition(model.schema, tree, surrogate)
        return WayStep(condition, True, stands_in, holds=branch == 0)
    return WayStep(condition)


def _stop_key(tree: Tree, end: int, cells: Cells) -> str:
    """Why the walk ends before a leaf, if it does: a key of `_STOPS`."""
    if tree.kind_of(end) == NodeKind.LEAF:
        return ""
    cell = asked_cell(tree, end, cells.tolist())
    return "missing" if math.isnan(cell) else "unseen"
