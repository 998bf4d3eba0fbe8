"""The few rules that say what a forest does: frequent, sure, none of them idle.

    until there are enough rules, or none is worth its line:
        of all nodes of all trees, look at those whose rows the forest answers alike,
        counting only rows that no rule covers yet
        take conditions off as long as that costs nothing
        keep the best

The rows are asked about, not the trees: a rule is as good as its agreement with the
forest's answers. Every step looks at every node, because the sums of the rows at the
leaves are the sums at all nodes (`_Grove`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.prune.shape import subtree_sums
from treewright.rules.condition import Condition
from treewright.rules.from_tree import TreeBranches, conditions_at
from treewright.rules.rule import Rule
from treewright.rules.ruleset import RuleSet
from treewright.tree.model import Model
from treewright.tree.predict.walk import Cells
from treewright.tree.structure.tree import NO_CLASS

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Progress = Callable[[int, int], object]

_LOOKED_AT = 16  # nodes in each step whose rules are simplified and compared
_SHORT_LIST = 400


@dataclass(frozen=True)
class RuleChoice:
    """How few rules, and how sure."""

    max_rules: int = 10  # most rules
    # classes: the share of the rows of a rule that the forest answers as the rule
    min_agreement: float = 0.8
    # what a rule must add: a share of the rows, or of the squared deviations
    min_gain: float = 0.005
    condition_cost: float = 0.002  # what a condition must add, as such a share


@dataclass(frozen=True)
class Likeness:
    """How well rules stand for a forest."""

    # the share of the rows, and of new ones, that rules and forest answer alike, or R
    # squared of the rules' answers as those of the forest
    agreement: float
    agreement_new: float
    # against what is known of the rows: the share that is wrong, or the root of the
    # mean squared error
    error: float
    forest_error: float
    n_unmet: int  # rows that meet no rule


@dataclass(frozen=True, eq=False)
class _Asked:
    """Rows, what the forest answers for them, and how much they count."""

    cells: Cells
    answers: npt.NDArray[Any]
    weights: Floats
    n_classes: int  # 0 for numbers

    def taking(self, rows: Bools) -> _Asked:
        """Return some of the rows."""
        return _Asked(
            self.cells[rows], self.answers[rows], self.weights[rows], self.n_classes
        )

    def sums(self, rows: npt.NDArray[np.intp] | Bools) -> Floats:
        """What is summed up: the weight of each class, or weight and weighted sum."""
        weights, answers = self.weights[rows], self.answers[rows]
        if self.n_classes:
            by_class = np.bincount(answers, weights, self.n_classes)
            return by_class.astype(np.float64)  # of no rows, whole numbers
        return np.array([weights.sum(), weights @ answers])


@dataclass(frozen=True)
class _Worth:
    """What rules are worth: a gain on the rows left, and whether they are sure.

    `default` is what rows left are answered without the rule; only numbers ask. `cost`
    is what a condition must add.
    """

    choice: RuleChoice
    n_classes: int
    default: float
    cost: float

    def of(self, everywhere: Floats, left: Floats) -> tuple[Floats, Floats]:
        """Return answers and gains for sums over all rows and over those left."""
        if self.n_classes:
            answer = everywhere.argmax(axis=1)
            agreed = np.take_along_axis(everywhere, answer[:, None], axis=1)[:, 0]
            total = everywhere.sum(axis=1)
            is_sure = (agreed >= self.choice.min_agreement * total) & (total > 0)
            right = np.take_along_axis(left, answer[:, None], axis=1)[:, 0]
            least = self.choice.min_agreement
            # what is wrong counts so much that a rule of the least agreement gains 0
            gain = right - least / max(1 - least, 1e-9) * (left.sum(axis=1) - right)
            return answer, np.where(is_sure, gain, -np.inf)
        weight = everywhere[:, 0]
        answer = everywhere[:, 1] / np.where(weight > 0, weight, 1.0)
        d = self.default
        # the squared error of the default less that of the rule
        gain = (d * d - answer**2) * left[:, 0] + 2 * (answer - d) * left[:, 1]
        return answer, np.where(weight > 0, gain, -np.inf)


class _Grove:
    """All nodes of a forest, and where rows end."""

    def __init__(self, model: Model, asked: _Asked) -> None:
        self._model, self._asked = model, asked
        sizes = [tree.node_count for tree in model.trees]
        self.starts = np.concatenate([[0], np.cumsum(sizes)])
        self._ends = model.ends(asked.cells).nodes + self.starts[:-1]
        self._branches: dict[int, TreeBranches] = {}

    def sums(self, rows: Bools) -> Floats:
        """Return the sums over some of the rows at each node, all trees in one."""
        asked, ends = self._asked, self._ends[rows]
        n_trees, n_nodes = ends.shape[1], int(self.starts[-1])
        weights = np.repeat(asked.weights[rows], n_trees)
        if asked.n_classes:
            slots = ends * asked.n_classes + asked.answers[rows][:, None]
            size = n_nodes * asked.n_classes
            at_ends = np.bincount(slots.ravel(), weights, size).reshape(n_nodes, -1)
        else:
            answers = np.repeat(asked.answers[rows], n_trees)
            flat = ends.ravel()
            both = [
                np.bincount(flat, one, n_nodes) for one in (weights, weights * answers)
            ]
            at_ends = np.stack(both, axis=1)
        sums = np.empty(at_ends.shape)
        for number, tree in enumerate(self._model.trees):
            own = slice(self.starts[number], self.starts[number + 1])
            sums[own] = subtree_sums(tree, at_ends[own].astype(np.float64))
        return sums

    def conditions(self, node: int) -> tuple[Condition, ...]:
        """Return what holds at a node."""
        number = int(np.searchsorted(self.starts, node, side="right")) - 1
        if number not in self._branches:
            tree = self._model.trees[number]
            self._branches[number] = TreeBranches(self._model.schema, tree)
        return conditions_at(self._branches[number], node - int(self.starts[number]))


def choose_rules(
    model: Model,
    cells: Cells,
    weights: Floats,
    choice: RuleChoice,
    progress: Progress | None = None,
) -> RuleSet:
    """Return the few rules that agree best with a forest's answers for rows.

    `model`: the forest; any model with one output. `cells` (float64, shape (n_rows,
    n_features)): encoded rows. `weights` (float64, shape (n_rows,)): how much each
    counts. `choice`: how few rules, and how sure. `progress`: told after each rule.
    """
    target = model.schema.target
    n_classes = len(target.classes[0]) if target.kind == "classes" else 0
    answers = model.answers(cells)[:, 0]
    middle, scale = 0.0, 1.0
    if n_classes:  # rows that the forest leaves unclassified teach nothing
        asked = _Asked(cells, answers, weights, n_classes).taking(answers >= 0)
    else:  # around 0, so that squares of large numbers do not hide what differs
        middle = float(np.average(answers, weights=weights))
        scale = float(np.abs(answers - middle).max()) or 1.0
        asked = _Asked(cells, (answers - middle) / scale, weights, 0)
    rules: list[Rule] = []
    if len(asked.cells):
        best = _best_rules(_Grove(model, asked), asked, choice)
        for rule in islice(best, choice.max_rules):
            rules.append(rule)
            if progress is not None:
                progress(len(rules), choice.max_rules)
        rules = _without_idle(rules, asked)
    default: Any = NO_CLASS
    if len(asked.cells):
        met: Bools = np.asarray(_covered(rules, asked).any(axis=0))
        default = _default(asked, ~met)
    if not n_classes:
        default = default * scale + middle
        rules = [Rule(one.conditions, one.answer * scale + middle) for one in rules]
    return RuleSet(model.schema, tuple(rules), default, model.unseen, model.missing)


def _best_rules(grove: _Grove, asked: _Asked, choice: RuleChoice) -> Iterator[Rule]:
    """Yield the best rule for the rows that those before it left."""
    left: Bools = np.ones(len(asked.cells), np.bool_)
    least, cost = _bars(asked, choice)
    everywhere = grove.sums(left)
    nodes = _promising(everywhere, asked, choice)
    nodes = np.setdiff1d(nodes, grove.starts[:-1])  # a root's rule has no condition
    everywhere = everywhere[nodes]
    while left.any():
        worth = _Worth(choice, asked.n_classes, _default(asked, left), cost)
        gains = worth.of(everywhere, grove.sums(left)[nodes])[1]
        best = (-np.inf, -np.inf)
        chosen: tuple[Rule, Bools] | None = None
        for place in _short_list(gains, everywhere):
            conditions = grove.conditions(int(nodes[place]))
            if any(one.is_empty for one in conditions):
                continue
            rule, covers, gain = _simplified(conditions, asked, worth, left)
            merit = (gain - cost * len(rule), -float(len(rule)))
            if gain > least and merit > best:
                best, chosen = merit, (rule, covers)
        if chosen is None:
            return
        yield chosen[0]
        left = left & ~chosen[1]


def _bars(asked: _Asked, choice: RuleChoice) -> tuple[float, float]:
    """What a rule, and what a condition, must add at least."""
    if not asked.n_classes:
        mean = np.average(asked.answers, weights=asked.weights)
        total = float(asked.weights @ (asked.answers - mean) ** 2)
        least = choice.min_gain * total if total > 0 else np.inf
        return least, choice.condition_cost * total
    total = float(asked.weights.sum())
    row = total / len(asked.weights)
    # of small tables more than one row, and half a row
    return (
        max(choice.min_gain * total, 1.5 * row),
        max(choice.condition_cost * total, 0.5 * row),
    )


def _promising(
    everywhere: Floats, asked: _Asked, choice: RuleChoice
) -> npt.NDArray[np.int64]:
    """The nodes whose rules may ever be worth it: of enough rows, and sure."""
    least = choice.min_gain * float(asked.weights.sum())
    if not asked.n_classes:
        return np.flatnonzero(everywhere[:, 0] >= least)
    agreed = everywhere.max(axis=1)
    is_sure = agreed >= choice.min_agreement * everywhere.sum(axis=1)
    return np.flatnonzero(is_sure & (agreed >= least) & (agreed > 0))


def _short_list(gains: Floats, everywhere: Floats) -> Iterator[int]:
    """Yield the nodes that gain most; of those with the same rows one."""
    several = min(_SHORT_LIST, len(gains))
    if several == 0:
        return
    nodes = np.argpartition(-gains, several - 1)[:several]
    nodes = nodes[np.lexsort((nodes, -gains[nodes]))]
    seen: set[tuple[float, ...]] = set()
    for node in nodes.tolist():
        if not gains[node] > 0 or len(seen) == _LOOKED_AT:
            return
        alike = (round(float(gains[node]), 9), *everywhere[node].round(9).tolist())
        if alike not in seen:
            seen.add(alike)
            yield node


def _simplified(
    conditions: tuple[Condition, ...], asked: _Asked, worth: _Worth, left: Bools
) -> tuple[Rule, Bools, float]:
    """Take conditions off that add less than they cost; one stays.

    Returns the rule, the rows that it covers, and its gain.
    """
    kept = list(conditions)
    fails = np.array([~one.holds(asked.cells) for one in kept])
    n_failed = fails.sum(axis=0)
    while True:
        covers = n_failed == 0
        options = [covers]
        if len(kept) > 1:
            # without a condition the rows are covered that fail it alone
            options += [covers | ((n_failed == 1) & fail) for fail in fails]
        everywhere = np.array([asked.sums(rows) for rows in options])
        inside = np.array([asked.sums(rows & left) for rows in options])
        answers, gains = worth.of(everywhere, inside)
        if len(kept) > 1 and gains[1:].max() >= gains[0] - worth.cost:
            # of equal ones the last, which was asked last
            place = len(kept) - 1 - int(gains[:0:-1].argmax())
            n_failed = n_failed - fails[place]
            fails = np.delete(fails, place, axis=0)
            del kept[place]
            continue
        answer = int(answers[0]) if asked.n_classes else float(answers[0])
        return Rule(tuple(kept), answer), covers, float(gains[0])


def _without_idle(rules: list[Rule], asked: _Asked) -> list[Rule]:
    """Leave out rules whose rows other rules answer as well; the default is none."""
    covered = _covered(rules, asked)
    kept = list(range(len(rules)))
    now = _agreed(rules, kept, covered, asked)
    for place in reversed(range(len(rules))):
        others = [one for one in kept if one != place]
        without = _agreed(rules, others, covered, asked)
        if without >= now - 1e-9 * max(now, 1.0):
            kept, now = others, without
    return [rules[place] for place in kept]


def _covered(rules: list[Rule], asked: _Asked) -> Bools:
    if not rules:
        return np.zeros((0, len(asked.cells)), np.bool_)
    return np.array([rule.covers(asked.cells) for rule in rules])


def _agreed(rules: list[Rule], kept: list[int], covered: Bools, asked: _Asked) -> float:
    """How far the first of some rules that a row meets agrees with the forest.

    The weight of the rows answered alike, or the squared error that the rules take off.
    """
    everybody = _default(asked, np.ones(len(asked.cells), np.bool_))
    said = np.full(len(asked.cells), -1 if asked.n_classes else everybody)
    for place in reversed(kept):
        said[covered[place]] = rules[place].answer
    if asked.n_classes:
        return float(asked.weights @ (said == asked.answers))
    before, after = ((one - asked.answers) ** 2 for one in (everybody, said))
    return float(asked.weights @ (before - after))


def agreement(
    said: npt.NDArray[Any],
    wanted: npt.NDArray[Any],
    weights: Floats,
    *,
    is_classes: bool,
) -> float:
    """Return the share of rows that are answered alike, or R squared for numbers."""
    if is_classes:
        return float(np.average(said == wanted, weights=weights))
    spread = float(
        np.average((wanted - np.average(wanted, weights=weights)) ** 2, weights=weights)
    )
    apart = float(np.average((said - wanted) ** 2, weights=weights))
    return 1.0 - apart / spread if spread > 0 else float(apart == 0)


def _default(asked: _Asked, left: Bools) -> Any:
    """The answer for rows without a rule: the most common one, or the mean."""
    sums = asked.sums(left if left.any() else np.ones(len(left), np.bool_))
    return int(sums.argmax()) if asked.n_classes else float(sums[1] / sums[0])
