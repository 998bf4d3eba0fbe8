"""The chalk of a page: the record of the growing, by the nodes of the tree shown.

A record numbers the nodes as they were grown. Pruning numbers them anew, so both trees
are walked together from the root: nodes that ask the same have the same branches, by
their words. Below a branch that pruning has raised there is no such pair, and no chalk.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np

from treewright.data.schema import Schema
from treewright.grow.chalk.growing_record import Candidate, Part, Record, Step
from treewright.render.chalk.blocks.digits import figures_of
from treewright.render.chalk.blocks.formulas import Formulas
from treewright.render.chalk.expression import Expression, Speller
from treewright.render.json_text import plain
from treewright.tree.model import Model
from treewright.tree.structure.branch_words import branch_text, category_text
from treewright.tree.structure.tree import NodeKind, Tree

_DIGITS = 4
_MOST_SPELLED = 8  # candidates of a node with branches and formulas, the best ones
_MOST_CANDIDATES = 24  # of a node, the others are counted
_MANY_CLASSES = 6  # of more, those without rows are left out
_VERDICTS = {
    "below_guard": "gain below the average",
    "no_gain": "no gain",
    "no_information": "no split information",
}
_LEFT_OUT = {
    "one_value": "one value only",
    "too_few_rows": "too few rows in a branch",
    "used_above": "asked about above",
    "not_drawn": "not drawn",
}


def chalk_data(
    model: Model, record: Record, grown: Tree, schema: Schema
) -> dict[str, Any]:
    """Return the steps of the nodes that are in a model's tree, as JSON data.

    `model`: what the page shows. `record`: of growing its tree. `grown`, `schema`: the
    tree before it was pruned, and the names that its record has.
    """
    number = dict(_pairs(model, grown, schema))
    writer = _Writer(model, record)
    steps = [
        writer.step(one, number[one.node]) for one in record.steps if one.node in number
    ]
    return {"steps": steps}


def _pairs(model: Model, grown: Tree, schema: Schema) -> Iterator[tuple[int, int]]:
    """Yield the nodes that both trees have: as grown, and as shown."""
    tree = model.trees[0]
    waiting = [(0, 0)]
    while waiting:
        old, new = waiting.pop()
        yield old, new
        if tree.n_children[new] == 0 or grown.n_children[old] == 0:
            continue
        before = {
            _branch_key(schema, grown, old, branch): child
            for branch, child in enumerate(grown.children(old))
        }
        for branch, child in enumerate(tree.children(new)):
            key = _branch_key(model.schema, tree, new, branch)
            if key in before:
                waiting.append((before[key], child))


def _branch_key(schema: Schema, tree: Tree, node: int, branch: int) -> Hashable:
    """What tells a branch from others; an interval is known by its name alone."""
    feature = schema.features[tree.feature[node]]
    is_value = tree.kind_of(node) == NodeKind.MULTIWAY
    if is_value and branch < len(feature.categories):
        return feature.name, category_text(feature, branch)
    return branch_text(schema, tree, node, branch)


def _rank(one: Candidate) -> tuple[bool, bool, float]:
    """The chosen one first, then what was compared with it, then the others."""
    return one.verdict != "best", one.verdict in _VERDICTS, -one.worth


class _Writer:
    """Writes steps with their formulas."""

    def __init__(self, model: Model, record: Record) -> None:
        self._model = model
        self._record = record
        self._parents = model.trees[0].parents().tolist()
        self._formulas = Formulas(figures_of(record, _DIGITS))
        self._speller = Speller()
        self._draws = record.drawn is not None and not record.drawn.looks_at_all

    def step(self, step: Step, node: int) -> dict[str, Any]:
        """One node, by its number in the tree that is shown."""
        splits = bool(step.children)
        is_leaf = self._model.trees[0].kind_of(node) == NodeKind.LEAF
        is_pruned = splits and is_leaf
        compared = sorted(step.candidates, key=_rank)
        names = [one.feature for one in step.candidates]
        best = names[step.best] if splits and step.best is not None else None
        runner_up = None if step.runner_up is None else names[step.runner_up]
        return {
            "number": step.number,
            "node": node,
            "path": self._path(node),
            **self._part(step.rows),
            "measure": step.measure.replace("_", " "),
            "comparedBy": step.compared_by.replace("_", " "),
            "formula": self._spelled(self._formulas.impurity(step)),
            "candidates": [
                *(self._candidate(step, one) for one in compared[:_MOST_SPELLED]),
                *(
                    self._figures(one)
                    for one in compared[_MOST_SPELLED:_MOST_CANDIDATES]
                ),
                *(
                    {"feature": one.feature, "status": _LEFT_OUT.get(one.why, one.why)}
                    for one in step.left_out[:_MOST_CANDIDATES]
                ),
            ],
            "n_more": max(len(compared) - _MOST_CANDIDATES, 0),
            "winner": best,
            "runner_up": runner_up if splits else None,
            "margin": plain(step.margin),
            "ties": [best, *(name for name in step.ties if name != best)]
            if best and step.ties and not step.rounding_decided
            else [],
            "drawn": self._draws,
            "leaf_reason": "pruned" if is_pruned else step.reason,
            "label": None if splits and not is_pruned else ", ".join(step.answer),
        }

    def _path(self, node: int) -> list[str]:
        """The conditions that lead to a node, as the page words them."""
        tree, words = self._model.trees[0], []
        while self._parents[node] >= 0:
            parent = self._parents[node]
            branch = node - int(tree.first_child[parent])
            words.append(branch_text(self._model.schema, tree, parent, branch))
            node = parent
        return words[::-1]

    def _candidate(self, step: Step, one: Candidate) -> dict[str, Any]:
        """A candidate with its branches and formulas."""
        spelled = [
            self._formulas.gain(step, one),
            self._formulas.net_gain(step, one),
            self._formulas.split_information(step, one),
            self._formulas.ratio(step, one),
        ]
        return {
            **self._figures(one),
            "branches": [{"name": part.name, **self._part(part)} for part in one.parts],
            "formulas": [words for words in map(self._spelled, spelled) if words],
        }

    @staticmethod
    def _figures(one: Candidate) -> dict[str, Any]:
        """What a candidate is compared by."""
        pays = one.cost != 0 or one.charge != 0
        return {
            "feature": one.feature,
            "status": _VERDICTS.get(one.verdict, ""),
            "remainder": plain(one.remainder),
            "gain": plain(one.gain),
            "net": plain(one.net) if pays else None,
            "split_information": plain(one.split_information),
            "ratio": plain(one.ratio),
            "cut": plain(one.threshold),
            "cut_text": _cut_text(one),
        }

    def _part(self, part: Part) -> dict[str, Any]:
        """The first output's classes, or the mean."""
        data: dict[str, Any] = {
            "n_rows": part.n_rows,
            "weight": float(np.round(part.weight, 6)),
            "impurity": plain(part.impurity),
        }
        if part.counts:
            names = self._record.classes[0]
            data["counts"] = [
                {"name": name, "weight": float(np.round(weight, 6)), "code": code}
                for code, (name, weight) in enumerate(
                    zip(names, part.counts[0], strict=True)
                )
                if weight > 0 or len(names) <= _MANY_CLASSES
            ]
        elif part.values:
            data["mean"] = plain(part.values[0])
        return data

    def _spelled(self, expression: Expression | None) -> str:
        return "" if expression is None else self._speller.spell(expression)


def _cut_text(one: Candidate) -> str | None:
    """A cut as the tree writes it, where that is no number: a date, a category."""
    if one.question != "cut":
        return None
    text = one.parts[0].name.lstrip("<= ")
    try:
        float(text)
    except ValueError:
        return text
    return None
