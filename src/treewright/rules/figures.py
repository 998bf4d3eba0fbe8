"""What rules did on data: rows covered, right and wrong, how sure one can be.

`figures_of_leaves` takes what a tree knows of its training rows, those included that
were sent to a leaf without a value. `figures_on` counts rows that meet the conditions,
`totals_on` what a list of rules did on all rows, those that met no rule included.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.prune.methods.error_estimate import ErrorEstimate
from treewright.rules.ruleset import NO_RULE, RuleSet
from treewright.tree.model import Model
from treewright.tree.predict.walk import Cells
from treewright.tree.structure.tree import Tree

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Figures:
    """Figures of rules, an entry each."""

    # shape (n_rules,): what the rules answer: class codes (NO_CLASS for none), or
    # numbers
    answer: npt.NDArray[Any]
    # int64 and of float64, shape (n_rules,): the rows covered, and their weight
    n_rows: npt.NDArray[np.int64]
    weight: Floats
    # float64, shape (n_rules, n_classes): how much of it each class has; no columns for
    # numbers
    class_weights: Floats
    # float64, shape (n_rules,): numbers: the mean (or median) of the rows covered, and
    # their standard deviation (or mean absolute one). NaN for classes, and where no row
    # is covered.
    mean: Floats
    spread: Floats
    total: Floats  # float64, shape (n_classes,): the class weights of all rows
    total_weight: float  # the weight of all rows

    def __len__(self) -> int:
        return len(self.answer)

    def taking(self, order: npt.ArrayLike) -> Figures:
        """Return the figures of some of the rules, in the given order."""
        index = np.asarray(order, np.intp)
        per_rule = {
            field.name: getattr(self, field.name)[index]
            for field in fields(self)
            if not field.name.startswith("total")
        }
        return Figures(**per_rule, total=self.total, total_weight=self.total_weight)

    @property
    def right(self) -> Floats:
        """The weight of the rows covered whose class is the answer."""
        if not self.class_weights.shape[1]:
            return np.full(len(self), np.nan)
        index = np.maximum(self.answer, 0)[:, None]
        own = np.take_along_axis(self.class_weights, index, axis=1)[:, 0]
        return np.where(self.answer >= 0, own, 0.0)

    @property
    def wrong(self) -> Floats:
        """The weight of the other rows covered."""
        return self.weight - self.right

    @property
    def share(self) -> Floats:
        """The share of all rows that is covered, by weight."""
        return self.weight / self.total_weight

    @property
    def confidence(self) -> Floats:
        """The share of the rows covered that is right; NaN if there are none."""
        return _ratio(self.right, self.weight)

    @property
    def pessimistic(self) -> Floats:
        """The share to expect on new rows: 1 - (E + U(N, E)) / N, with CF 0.25."""
        wrong = np.where(self.weight > 0, self.wrong, 0.0)
        if np.isnan(wrong).any():
            return wrong
        errors = wrong + ErrorEstimate().added(self.weight, wrong)
        return 1.0 - _ratio(errors, self.weight)

    @property
    def lift(self) -> Floats:
        """How many times as frequent the class is among the rows covered as in all."""
        if not len(self.total):
            return np.full(len(self), np.nan)
        usual = self.total[np.maximum(self.answer, 0)] / self.total_weight
        return _ratio(self.confidence, np.where(self.answer >= 0, usual, 0.0))


def figures_of_leaves(
    model: Model, tree: Tree, rule_set: RuleSet, nodes: npt.NDArray[np.int64]
) -> Figures:
    """Return the figures that the nodes of a tree have for their rules."""
    numbers = model.schema.target.kind == "numbers"
    answers = rule_set.answers_of(np.arange(len(rule_set)))
    weight = tree.weight[nodes]
    has_rows = weight > 0
    nothing = np.full(len(nodes), np.nan)
    weights = np.zeros((len(nodes) + 1, 0))
    if not numbers:
        weights = tree.class_weights()[np.append(nodes, 0)]
    is_squared = model.settings.get("criterion") != "absolute_error"
    impurity = np.maximum(tree.impurity[nodes], 0.0)
    spread = np.sqrt(impurity) if is_squared else impurity
    return Figures(
        answers,
        tree.n_rows[nodes],
        weight,
        weights[:-1],
        np.where(has_rows, tree.value[nodes, 0], np.nan) if numbers else nothing,
        np.where(has_rows, spread, np.nan) if numbers else nothing,
        weights[-1],
        float(tree.weight[0]),
    )


def figures_on(
    rule_set: RuleSet,
    cells: Cells,
    target: npt.NDArray[Any],
    weights: Floats | None = None,
    *,
    fired: npt.NDArray[np.int64] | None = None,
) -> Figures:
    """Return the figures of rules on rows.

    - `rule_set`: the rules.
    - `cells` (float64, shape (n_rows, n_features)): encoded rows.
    - `target` (shape (n_rows,)): their class codes, or numbers.
    - `weights`: their weights; 1 for each if not given.
    - `fired`: count each row for this rule only (`RuleSet.fires`). If not given, every
      rule has all rows that meet it.
    """
    w = np.ones(len(cells)) if weights is None else weights
    if fired is not None:
        row, rule = np.flatnonzero(fired >= 0), fired[fired >= 0]
    else:
        covered = [one.rows(cells) for one in rule_set]
        row = np.concatenate([np.zeros(0, np.intp), *covered])
        rule = np.repeat(np.arange(len(rule_set)), [len(rows) for rows in covered])
    return _summed_up(rule_set, rule, target[row], w[row], (target, w))


def _summed_up(
    rule_set: RuleSet,
    rule: npt.NDArray[np.int64],
    y: npt.NDArray[Any],
    w: Floats,
    everywhere: tuple[npt.NDArray[Any], Floats],
) -> Figures:
    """The figures of rows, each beside a rule that it counts for."""
    n_rules = len(rule_set)
    numbers = rule_set.schema.target.kind == "numbers"
    n_classes = 0 if numbers else len(rule_set.schema.target.classes[0])
    weight = np.bincount(rule, w, n_rules)
    mean, spread = np.full((2, n_rules), np.nan)
    class_weights, total = np.zeros((n_rules, n_classes)), np.zeros(n_classes)
    if numbers:
        mean = _ratio(np.bincount(rule, w * y, n_rules), weight)
        apart = (y - mean[rule]) ** 2
        spread = np.sqrt(_ratio(np.bincount(rule, w * apart, n_rules), weight))
    else:
        known = y >= 0  # a class that training never saw is wrong
        slot = rule[known] * n_classes + y[known]
        flat = np.bincount(slot, w[known], n_rules * n_classes)
        class_weights += flat.reshape(n_rules, n_classes)
        classes, all_weights = everywhere
        known = classes >= 0
        total += np.bincount(classes[known], all_weights[known], n_classes)
    return Figures(
        rule_set.answers_of(np.arange(n_rules)),
        np.bincount(rule, minlength=n_rules),
        weight.astype(np.float64),
        class_weights,
        mean,
        spread,
        total,
        float(everywhere[1].sum()),
    )


def _ratio(part: npt.NDArray[Any], whole: npt.NDArray[Any]) -> Floats:
    """A quotient, NaN where the whole is 0."""
    out: Floats = np.full(len(part), np.nan)
    np.divide(part, whole, out=out, where=whole > 0)
    return out


@dataclass(frozen=True)
class Totals:
    """Counts of all rows."""

    n_rows: int
    weight: float  # their weight
    # the weight of those that are answered wrongly; None for numbers, and if it is not
    # known
    wrong: float | None
    uncovered: float  # the weight of those that met no rule, which get the default
    # numbers: the root of the mean squared error of the answers
    error: float | None = None
    of: str = "rows"  # what the rows are called


def totals_on(
    rule_set: RuleSet,
    fired: npt.NDArray[np.int64],
    target: npt.NDArray[Any],
    weights: npt.NDArray[np.float64],
    of: str = "rows",
) -> Totals:
    """Return the totals of rows.

    `rule_set`: the rules. `fired` (int64, shape (n_rows,)): the rule that answers for
    each row, or NO_RULE. `target` (shape (n_rows,)): class codes, or numbers. `weights`
    (float64, shape (n_rows,)): row weights. `of`: what the rows are called.
    """
    said, weight = rule_set.answers_of(fired), float(weights.sum())
    uncovered = float(weights[fired == NO_RULE].sum())
    if rule_set.schema.target.kind == "numbers":
        squares = float((weights * (said - target) ** 2).sum())
        error = math.sqrt(squares / weight) if weight > 0 else None
        return Totals(len(fired), weight, None, uncovered, error, of)
    # a class that training never saw is wrong, also where no class is answered
    wrong = float(weights[(said != target) | (target < 0)].sum())
    return Totals(len(fired), weight, wrong, uncovered, None, of)
