"""Generalising rules: conditions that do not earn their place are left out.

    N, E = weight of all rows that meet the conditions, and of those of another class
    rate = (E + U(N, E)) / N
    again and again: look at the rule without each of its conditions
        if one of these has a rate not above the rule's, or an actual error E / N not
        above the rule's (or Fisher's test finds that the condition could be chance):
        leave out that condition without which the rate is lowest, or the first of them

All rules go through the rounds together. U is the estimate of
`prune/methods/error_estimate.py`. A row without a value meets no condition on it.

Where the description is silent: a rule that covers no row (its leaf has parts of
rows only) says nothing about any of its conditions; it is left as it is, and thrown
away later.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treewright.prune.methods.error_estimate import ErrorEstimate
from treewright.rules.induction.fisher import chance
from treewright.rules.induction.nesting import Nesting
from treewright.rules.rule_rows import (
    Codes,
    Floats,
    Numbers,
    RuleRows,
    Stretches,
    Without,
)

LEVEL = 0.05  # of Fisher's test


@dataclass(frozen=True)
class Generalised:
    """A rule after generalising, by the numbers of its conditions."""

    conditions: Numbers  # what is left
    of_class: int  # the class that it speaks for
    # n and E on the training rows
    covered: float
    wrong: float
    rate: float  # the pessimistic error rate; 1 if it covers nothing


@dataclass(frozen=True, eq=False)
class RuleLook:
    """One look at a rule: what it would be without each of its conditions."""

    rule: int  # which rule, in the order given
    conditions: Numbers  # those that it has
    # n, E and the rate of the rule as it is
    covered: float
    wrong: float
    rate: float
    # the same without each condition
    covered_without: Floats
    wrong_without: Floats
    rate_without: Floats
    # what Fisher's test says of each condition, where it was asked
    chances: Floats | None
    dropped: int  # the position of the condition that is left out; -1: none


def generalise(
    rows: RuleRows,
    rules: Sequence[Numbers],
    classes: npt.ArrayLike,
    estimate: ErrorEstimate,
    *,
    fisher: bool = False,
    record: list[RuleLook] | None = None,
) -> list[Generalised]:
    """Return the rules without the conditions that do not earn their place.

    - `rows`: all training rows.
    - `rules`: the numbers of each rule's conditions, in the order of its path.
    - `classes`: the class of each rule.
    - `estimate`: how U is computed.
    - `fisher`: whether a condition must also pass Fisher's exact test at 5 %.
    - `record`: is given every look, for chalk.
    """
    of_rule = np.arange(len(rules))
    own = Stretches.of(rules)
    all_classes = np.asarray(classes, np.int32).reshape(-1)
    done: list[Generalised | None] = [None] * len(rules)
    nesting = Nesting.of(rows.conditions)
    while len(of_rule):
        idle = nesting.idle(own)
        look = _Round(rows, own, all_classes[of_rule], estimate, idle, fisher=fisher)
        if record is not None:
            record.extend(look.told(of_rule))
        goes_on = look.dropped >= 0
        for position in np.flatnonzero(~goes_on).tolist():
            done[int(of_rule[position])] = look.result(position)
        # on the record they go one by one
        kept = ~(look.places() if record is None else look.first_places())
        kept &= np.repeat(goes_on, own.lengths)
        owner = np.repeat(np.arange(len(own)), own.lengths)
        lengths = np.bincount(owner[kept], minlength=len(own))[goes_on]
        start = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
        own = Stretches(start, own.condition[kept])
        of_rule = of_rule[goes_on]
    return [rule for rule in done if rule is not None]


class _Round:
    """What one round of looks finds."""

    def __init__(
        self,
        rows: RuleRows,
        rules: Stretches,
        classes: Codes,
        estimate: ErrorEstimate,
        idle: npt.NDArray[np.bool_],
        *,
        fisher: bool,
    ) -> None:
        self.rules, self.classes, self.idle = rules, classes, idle
        self.found = found = _without_each(rows, rules, classes, idle)
        self.rate = rates(estimate, found.covered, found.wrong)
        self.rate_without = rates(estimate, found.covered_without, found.wrong_without)
        self.chances: dict[int, Floats] = {}
        lengths = rules.lengths
        owner = np.repeat(np.arange(len(rules)), lengths)
        error = _actual(found.covered, found.wrong)
        better = self.rate_without <= self.rate[owner]
        better |= _actual(found.covered_without, found.wrong_without) <= error[owner]
        goes_on = np.zeros(len(rules), bool)
        goes_on[owner[better]] = True
        if fisher:
            for rule in np.flatnonzero(~goes_on & (found.covered > 0)).tolist():
                self.chances[rule] = self._chances(rule)
                goes_on[rule] = bool((self.chances[rule] > LEVEL).any())
        goes_on &= found.covered > 0
        self.dropped = np.where(goes_on, self._lowest(), -1)

    def first_places(self) -> npt.NDArray[np.bool_]:
        """Where the conditions stand that are left out first, one in a rule."""
        places = np.zeros(len(self.idle), bool)
        goes_on = self.dropped >= 0
        places[(self.rules.start[:-1] + self.dropped)[goes_on]] = True
        return places

    def places(self) -> npt.NDArray[np.bool_]:
        """Where the conditions stand that are left out.

        If the first is idle, no other lowers the rate, and all idle ones would follow,
        up to one that is not idle and as good.
        """
        places = self.first_places()
        lengths = self.rules.lengths
        owner = np.repeat(np.arange(len(lengths)), lengths)
        goes_on = np.zeros(len(lengths), bool)
        goes_on[owner[places & self.idle]] = True
        stop = np.full(len(lengths), len(places))
        as_good = ~self.idle & (self.rate_without == self.rate[owner])
        np.minimum.at(stop, owner[as_good], np.flatnonzero(as_good))
        is_before = np.arange(len(places)) < stop[owner]
        return places | (self.idle & goes_on[owner] & is_before)

    def _lowest(self) -> npt.NDArray[np.int64]:
        """The first condition of each rule without which the rate is lowest."""
        lengths = self.rules.lengths
        lowest = np.full(len(lengths), -1, np.int64)
        some = np.flatnonzero(lengths > 0)
        if len(some) == 0:
            return lowest
        starts = self.rules.start[:-1]
        least = np.minimum.reduceat(self.rate_without, starts[some])
        owner = np.repeat(np.arange(len(some)), lengths[some])
        places = np.flatnonzero(self.rate_without == least[owner])
        _, first = np.unique(owner[places], return_index=True)
        lowest[some] = places[first] - starts[some]
        return lowest

    def _chances(self, rule: int) -> Floats:
        """What Fisher's test says of each condition of a rule.

        The four cells of a table are rounded to whole rows.
        """
        found = self.found
        wrong = float(found.wrong[rule])
        right = float(found.covered[rule]) - wrong
        own = slice(self.rules.start[rule], self.rules.start[rule + 1])
        wrong_without = found.wrong_without[own]
        right_without = found.covered_without[own] - wrong_without
        others = np.rint([right_without - right, wrong_without - wrong])
        return chance(round(right), round(wrong), *others)

    def result(self, position: int) -> Generalised:
        """The rule as it is left."""
        return Generalised(
            self.rules.rule(position),
            int(self.classes[position]),
            float(self.found.covered[position]),
            float(self.found.wrong[position]),
            float(self.rate[position]),
        )

    def told(self, of_rule: npt.NDArray[np.int64]) -> list[RuleLook]:
        """Every look, for the record."""
        found, start = self.found, self.rules.start.tolist()
        looks = []
        for position, rule in enumerate(of_rule.tolist()):
            own = slice(start[position], start[position + 1])
            looks.append(
                RuleLook(
                    rule,
                    self.rules.rule(position),
                    float(found.covered[position]),
                    float(found.wrong[position]),
                    float(self.rate[position]),
                    found.covered_without[own],
                    found.wrong_without[own],
                    self.rate_without[own],
                    self.chances.get(position),
                    int(self.dropped[position]),
                )
            )
        return looks


def _without_each(
    rows: RuleRows,
    rules: Stretches,
    classes: Codes,
    idle: npt.NDArray[np.bool_],
) -> Without:
    """What rules cover; without an idle condition that is the same."""
    if not idle.any():
        return rows.without_each(rules, classes)
    owner = np.repeat(np.arange(len(rules)), rules.lengths)
    lengths = np.bincount(owner[~idle], minlength=len(rules))
    start = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    found = rows.without_each(Stretches(start, rules.condition[~idle]), classes)
    covered, wrong = found.covered[owner], found.wrong[owner]
    covered[~idle], wrong[~idle] = found.covered_without, found.wrong_without
    return Without(found.covered, found.wrong, covered, wrong)


def rates(estimate: ErrorEstimate, covered: Floats, wrong: Floats) -> Floats:
    """Return (E + U(N, E)) / N; 1 where nothing is covered."""
    predicted = wrong + estimate.added(covered, wrong)
    return _quotient(predicted, covered)


def _actual(covered: Floats, wrong: Floats) -> Floats:
    return _quotient(wrong, covered)


def _quotient(part: Floats, whole: Floats) -> Floats:
    out = np.ones(len(whole))
    return np.divide(part, whole, out=out, where=whole > 0)
