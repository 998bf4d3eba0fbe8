"""What is lost, or won, without a rule, or without one of its conditions.

Without a rule its rows go to the next one that they meet. Without a condition a rule
meets also the rows that failed this condition alone; of these it takes the ones that no
earlier rule answers. Bits change for the rules of one class: its rules are shorter, and
it covers other rows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treewright.rules.bench import Bench
from treewright.rules.condition import Rows
from treewright.rules.description_length import theory_bits
from treewright.rules.ruleset import NO_RULE

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Change:
    """How much more errors and bits there are after a change; less than 0: fewer.

    Of numbers `errors` is the squared error, and there are no bits (NaN).
    """

    errors: float
    bits: float


@dataclass(frozen=True)
class DropCosts:
    """What dropping costs.

    Attributes
    ----------
    rules : list of Change
        For each rule.
    conditions : list of list of Change
        For each condition of each rule; none of a rule that has only one.
    """

    rules: list[Change]
    conditions: list[list[Change]]


def drop_costs(bench: Bench) -> DropCosts:
    """Return what dropping each rule, and each condition, costs."""
    errors = _errors_without_rules(bench).tolist()
    rules = [Change(more, math.nan) for more in errors]
    conditions: list[list[Change]] = [[] for _ in rules]
    groups = {0: [*range(len(rules))]} if bench.is_numbers else bench.groups
    for code, own in groups.items():
        if not own:
            continue
        group = None if bench.is_numbers else _Group(bench, code, own)
        for position in own:
            if group is not None:
                bits = group.without_rule(position)
                rules[position] = Change(errors[position], bits)
            conditions[position] = _without_conditions(bench, group, position)
    return DropCosts(rules, conditions)


def _errors_without_rules(bench: Bench) -> Floats:
    _, second = bench.first_two
    return bench.per_rule(bench.loss(bench.answers[second]) - bench.losses)[:-1]


class _Group:
    """The rules of one class: how many of them each row meets, and what they cost."""

    def __init__(self, bench: Bench, code: int, own: list[int]) -> None:
        self._bench, self._code, self._own = bench, code, own
        self.n_met = bench.covered[own].sum(axis=0, dtype=np.int32)
        self._right, self._wrong = bench.right_and_wrong(code, self.n_met > 0)
        self._before = self._bits(bench.rule_bits[own], 0.0, 0.0)

    def without_rule(self, position: int) -> float:
        """The bits that dropping a rule adds."""
        bench = self._bench
        lost = bench.covered[position] & (self.n_met == 1)
        right, wrong = bench.right_and_wrong(self._code, lost)
        left = [bench.rule_bits[one] for one in self._own if one != position]
        return self._bits(np.array(left), -right, -wrong) - self._before

    def with_more(self, position: int, bits: float, gained: Rows) -> float:
        """The bits that a rule adds which is so long now and meets more rows."""
        bench = self._bench
        new = gained[self.n_met[gained] == 0]
        right, wrong = bench.right_and_wrong(self._code, new)
        each = [bits if one == position else bench.rule_bits[one] for one in self._own]
        return self._bits(np.array(each), right, wrong) - self._before

    def _bits(self, rule_bits: Floats, right: float, wrong: float) -> float:
        """The bits of rules that cover so much more than those of the bench."""
        covered = max(self._right + right, 0.0), max(self._wrong + wrong, 0.0)
        return theory_bits(rule_bits) + self._bench.exceptions(self._code, *covered)


def _without_conditions(
    bench: Bench, group: _Group | None, position: int
) -> list[Change]:
    rule = bench.rule_set.rules[position]
    if len(rule) < 2:
        return []
    n_failed = np.zeros(len(bench.rows), np.int32)
    for condition in rule.conditions:
        n_failed += ~bench.holds[condition]
    near = np.flatnonzero(n_failed == 1)
    first = bench.first_two[0][near]
    is_free = (first == NO_RULE) | (first > position)
    answers = np.full(len(near), rule.answer)
    more_wrong = (bench.loss(answers, near) - bench.losses[near]) * is_free
    changes = []
    for place, condition in enumerate(rule.conditions):
        is_gained = ~bench.holds[condition][near]
        more_bits = math.nan
        if group is not None:
            bits = bench.prices.of(rule.without(place))
            more_bits = group.with_more(position, bits, near[is_gained])
        changes.append(Change(float(more_wrong[is_gained].sum()), more_bits))
    return changes
