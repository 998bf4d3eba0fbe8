"""A workbench for rules: which of them meet, answer and err on some rows.

`Bench` has the counts that everything below reads: one row and by what it misses rules
(`look_at_row`), pairs of rules that meet the same rows (`overlaps`), what is lost or
won without a rule or a condition (`drop_costs`). `edits.py` makes other rule sets, and
`render/rules/rule_workbench.py` is what users see. Rules are positions here, from 0.

Without a rule its rows go to the next one that they meet. Without a condition a rule
meets also the rows that failed this condition alone; of these it takes the ones that no
earlier rule answers. Bits change for the rules of one class: its rules are shorter, and
it covers other rows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.errors import SettingError
from treewright.prune.labelled_rows import LabelledRows
from treewright.prune.methods.error_estimate import ErrorEstimate
from treewright.rules.condition import Bools, Condition, Rows
from treewright.rules.induction.description_length import exception_bits, theory_bits
from treewright.rules.rule_model import RuleModel
from treewright.rules.rule_rows import refuse_too_large
from treewright.rules.ruleset import NO_RULE, RuleSet
from treewright.rules.workbench.prices import Prices

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
_NO_ANSWER = -2  # a class that training never saw; no rule gives it


@dataclass(frozen=True)
class Length:
    """A description length: bits of the rules, and of the rows that they get wrong."""

    theory: float
    exceptions: float

    @property
    def bits(self) -> float:
        """All bits together."""
        return self.theory + self.exceptions


@dataclass(frozen=True, eq=False)
class Bench:
    """Rules on rows; immutable."""

    rule_set: RuleSet  # the rules
    rows: LabelledRows
    # the bits of conditions, those of the rules that were on the bench first
    prices: Prices

    @classmethod
    def of(cls, rule_set: RuleSet, rows: LabelledRows) -> Bench:
        """Put rules on a bench with rows; refuse what is too large for it."""
        conditions = {one for rule in rule_set for one in rule.conditions}
        refuse_too_large(
            (len(rule_set) + len(conditions)) * len(rows),
            f"which of {len(rows):,} rows meet {len(rule_set):,} rules",
        )
        return cls(rule_set, rows, Prices(rule_set, rows.cells, rows.weights))

    def with_rules(self, rule_set: RuleSet) -> Bench:
        """Return a bench with other rules, the same rows and the same prices."""
        return replace(self, rule_set=rule_set)

    @property
    def weights(self) -> Floats:
        """The weight of each row."""
        return self.rows.weights

    @property
    def is_numbers(self) -> bool:
        """Whether the rules give numbers; then there are no classes and no bits."""
        return self.rule_set.schema.target.kind == "numbers"

    @cached_property
    def classes(self) -> Ints:
        """The class code of each row; one that no rule gives if it is not known."""
        if self.is_numbers:
            return np.full(len(self.rows), _NO_ANSWER)
        codes = self.rows.target[:, 0].astype(np.int64)
        return np.where(codes < 0, _NO_ANSWER, codes)

    @cached_property
    def holds(self) -> dict[Condition, Bools]:
        """Whether each row meets each of the conditions."""
        conditions = {one for rule in self.rule_set for one in rule.conditions}
        return {one: one.holds(self.rows.cells) for one in conditions}

    @cached_property
    def covered(self) -> Bools:
        """Whether rows meet rules, shape (n_rules, n_rows)."""
        covered = np.ones((len(self.rule_set), len(self.rows)), np.bool_)
        for position, rule in enumerate(self.rule_set):
            for condition in rule.conditions:
                covered[position] &= self.holds[condition]
        return covered

    @cached_property
    def first_two(self) -> tuple[Ints, Ints]:
        """The first rule that each row meets, which answers, and the next; or NO_RULE.

        The next one would answer if the first were not there.
        """
        first, second = np.full((2, len(self.rows)), NO_RULE, np.int64)
        for position, own in enumerate(self.covered):
            met = first != NO_RULE
            second[own & met & (second == NO_RULE)] = position
            first[own & ~met] = position
        return first, second

    @cached_property
    def answers(self) -> npt.NDArray[Any]:
        """What each rule answers; the default is the last, so that NO_RULE is it."""
        places = np.append(np.arange(len(self.rule_set)), NO_RULE)
        return self.rule_set.answers_of(places)

    @cached_property
    def wrong(self) -> Bools:
        """Whether the class that is answered for each row is wrong."""
        if self.is_numbers:
            return np.zeros(len(self.rows), np.bool_)
        return np.asarray(self.answers[self.first_two[0]] != self.classes)

    def loss(self, answers: npt.NDArray[Any], rows: Any = slice(None)) -> Floats:
        """Return how wrong answers for rows are, by weight.

        1 or 0 for classes, the square of the error for numbers.
        """
        if self.is_numbers:
            apart = (answers - self.rows.target[rows, 0]) ** 2
        else:
            apart = answers != self.classes[rows]
        return np.asarray(apart * self.weights[rows], np.float64)

    @cached_property
    def losses(self) -> Floats:
        """How wrong the answer for each row is."""
        return self.loss(self.answers[self.first_two[0]])

    @property
    def errors(self) -> float:
        """The weight of the rows that get a wrong class; of numbers, squared errors."""
        return float(self.losses.sum())

    @cached_property
    def total(self) -> float:
        """The weight of all rows."""
        return float(self.weights.sum())

    def per_rule(self, amounts: Floats) -> Floats:
        """Return sums over the rows that each rule, and the default, answers for."""
        n_places = len(self.rule_set) + 1
        place = np.where(self.first_two[0] < 0, n_places - 1, self.first_two[0])
        return np.asarray(np.bincount(place, amounts, n_places), np.float64)

    @cached_property
    def groups(self) -> dict[int, list[int]]:
        """By class the rules that answer it; every class has an entry."""
        n_classes = len(self.rule_set.schema.target.classes[0])
        groups: dict[int, list[int]] = {code: [] for code in range(n_classes)}
        for position, rule in enumerate(self.rule_set):
            groups.setdefault(int(rule.answer), []).append(position)
        return groups

    @cached_property
    def rule_bits(self) -> Floats:
        """The bits of each rule."""
        return np.array([self.prices.of(rule) for rule in self.rule_set], np.float64)

    def right_and_wrong(self, code: int, rows: Bools | Rows) -> tuple[float, float]:
        """Return the weight of some rows that are of a class, and of the others."""
        is_right, weights = self.classes[rows] == code, self.weights[rows]
        return float(weights[is_right].sum()), float(weights[~is_right].sum())

    @cached_property
    def _class_weights(self) -> dict[int, float]:
        codes = np.unique(self.classes).tolist()
        return {one: float(self.weights[self.classes == one].sum()) for one in codes}

    def exceptions(self, code: int, right: float, wrong: float) -> float:
        """Return the bits to name the errors of a class's rules that cover so much."""
        missed = max(self._class_weights.get(code, 0.0) - right, 0.0)
        return exception_bits(self.total, right + wrong, wrong, missed)

    @cached_property
    def length(self) -> Length:
        """The bits of the rules of every class, and of their errors.

        For each class on its own, as C4.5rules counts it: the order of the rules does
        not matter, and the default costs nothing. Of numbers there are none.
        """
        if self.is_numbers:
            return Length(math.nan, math.nan)
        theory = exceptions = 0.0
        for code, own in self.groups.items():
            theory += theory_bits(self.rule_bits[own])
            met: Bools = np.any(self.covered[own], axis=0)
            exceptions += self.exceptions(code, *self.right_and_wrong(code, met))
        return Length(theory, exceptions)

    def model(self, notes: tuple[str, ...] = ()) -> RuleModel:
        """Return the rules as a model, with the shares of classes of these rows.

        Raises `SettingError`: if the rules are of a kind that a model of rules cannot
        have.
        """
        if self.is_numbers:
            raise SettingError(
                "a model of rules gives classes, and these rules give numbers; they "
                "predict, but cannot be saved"
            )
        _refuse_what_no_model_has(self.rule_set)
        n_classes = len(self.rule_set.schema.target.classes[0])
        known = self.classes >= 0
        left = known & (self.first_two[0] == NO_RULE) & (self.weights > 0)
        if not left.any():  # every row is covered
            left = known
        members = [*(own & known for own in self.covered), left]
        return RuleModel(
            self.rule_set,
            np.array([self._by_class(each, n_classes) for each in members]),
            np.array([np.count_nonzero(each) for each in members], np.int64),
            self._by_class(known, n_classes),
            self.rates,
            is_edited=True,
            notes=notes,
        )

    @cached_property
    def rates(self) -> Floats:
        """The share of wrong rows to expect of each rule; 1 where no row meets it."""
        covered = self.covered @ self.weights
        is_wrong = self.answers[:-1, None] != self.classes
        wrong = (self.covered & is_wrong) @ self.weights
        errors = wrong + ErrorEstimate().added(covered, wrong)
        rates = np.ones(len(covered))
        np.divide(errors, covered, out=rates, where=covered > 0)
        return np.minimum(rates, 1.0)

    def _by_class(self, rows: Bools, n_classes: int) -> Floats:
        found = np.bincount(self.classes[rows], self.weights[rows], n_classes)
        return np.asarray(found, np.float64)


def _refuse_what_no_model_has(rule_set: RuleSet) -> None:
    for number, rule in enumerate(rule_set, 1):
        if rule.answer < 0:
            raise SettingError(
                f"rule {number} gives no class, and a model of rules must; drop it"
            )
        if any(condition.terms for condition in rule.conditions):
            raise SettingError(
                f"rule {number} asks about a weighted sum of features, and a model of "
                "rules keeps conditions on one; drop the rule, or that condition"
            )


@dataclass(frozen=True)
class Miss:
    """A rule that a row does not meet, and the places of the conditions that failed."""

    rule: int
    failed: tuple[int, ...]


@dataclass(frozen=True)
class RowLook:
    """What the rules say of a row."""

    row: int  # its position
    fired: int  # the position of the rule that answers, or NO_RULE: the default does
    # the other rules that it meets; they stand behind the one that answers
    late: tuple[int, ...]
    # the rules that it does not meet, those first of which it fails the fewest
    # conditions
    misses: tuple[Miss, ...]


def look_at_row(bench: Bench, row: int) -> RowLook:
    """Return which rules a row meets, and by what it misses the others."""
    met = np.flatnonzero(bench.covered[:, row]).tolist()
    cells = bench.rows.cells[row : row + 1]
    misses = []
    for position, rule in enumerate(bench.rule_set):
        failed = tuple(
            place
            for place, condition in enumerate(rule.conditions)
            if not condition.holds(cells)[0]
        )
        if failed:
            misses.append(Miss(position, failed))
    misses.sort(key=lambda one: len(one.failed))
    return RowLook(row, met[0] if met else NO_RULE, tuple(met[1:]), tuple(misses))


_BLOCK = 8192  # rows
_FLOAT32_EXACT = 2**24  # whole numbers up to here


@dataclass(frozen=True, eq=False)
class Overlaps:
    """Sums over rows for each pair of rules, each of shape (n_rules, n_rules)."""

    # the weight of the rows that meet both; on the diagonal, of those of one rule
    both: Floats
    disagree: Floats  # the same where the two rules answer differently, else 0
    # wins[a, b]: of the rows that meet both, those that rule a answers for. An earlier
    # rule than either may answer for the rest.
    wins: Floats
    # right[a, b]: of the rows that meet both, those of the class that a answers; 0 for
    # numbers
    right: Floats

    def pairs(self) -> list[tuple[int, int]]:
        """Return the pairs that disagree about rows, those of most weight first."""
        first, second = np.nonzero(np.triu(self.disagree, 1))
        order = np.argsort(-self.disagree[first, second], kind="stable")
        return list(zip(first[order].tolist(), second[order].tolist(), strict=True))


def overlaps(bench: Bench) -> Overlaps:
    """Return what pairs of rules have in common."""
    n_rules = len(bench.rule_set)
    both, wins, right = np.zeros((3, n_rules, n_rules))
    answers = bench.answers[:-1]
    kinds, weights = _kinds_of_rows(bench)
    classes, first = bench.classes[kinds], bench.first_two[0][kinds]
    for code in np.unique(classes).tolist():
        of_class = classes == code
        together = _together(bench.covered, kinds[of_class], weights[of_class])
        both += together
        if not bench.is_numbers:
            right[answers == code] = together[answers == code]
    for rule in range(n_rules):
        own = first == rule
        wins[rule] = bench.covered[:, kinds[own]] @ weights[own]
    differ = answers[:, None] != answers
    return Overlaps(both, np.where(differ, both, 0.0), wins, right)


def _together(covered: Bools, rows: Rows, weights: Floats) -> Floats:
    """The weight of the rows that meet both rules, for each pair."""
    is_exact = (weights == np.rint(weights)).all() and weights.sum() < _FLOAT32_EXACT
    dtype = np.float32 if is_exact else np.float64
    found = np.zeros((len(covered), len(covered)))
    for start in range(0, len(rows), _BLOCK):
        block = slice(start, start + _BLOCK)
        met = covered[:, rows[block]].astype(dtype)
        found += (met * weights[block].astype(dtype)) @ met.T
    return found


def _kinds_of_rows(bench: Bench) -> tuple[Rows, Floats]:
    """A row of each kind, and the weight of all its kind.

    Rows of one class that meet the same rules are of a kind, and there are few.
    """
    met = np.packbits(bench.covered, axis=0).T
    classes = bench.classes[:, None].view(np.uint8)
    keys = np.ascontiguousarray(np.hstack([met, classes]))
    as_one = keys.view(np.dtype((np.void, keys.shape[1])))[:, 0]
    _, kinds, kind = np.unique(as_one, return_index=True, return_inverse=True)
    return kinds, np.bincount(kind, bench.weights, len(kinds)).astype(np.float64)


@dataclass(frozen=True)
class CostChange:
    """How much more errors and bits there are after a change; less than 0: fewer.

    Of numbers `errors` is the squared error, and there are no bits (NaN).
    """

    errors: float
    bits: float


@dataclass(frozen=True)
class DropCosts:
    """What dropping costs."""

    rules: list[CostChange]  # for each rule
    # for each condition of each rule; none of a rule that has only one
    conditions: list[list[CostChange]]


def drop_costs(bench: Bench) -> DropCosts:
    """Return what dropping each rule, and each condition, costs."""
    errors = _errors_without_rules(bench).tolist()
    rules = [CostChange(more, math.nan) for more in errors]
    conditions: list[list[CostChange]] = [[] for _ in rules]
    groups = {0: [*range(len(rules))]} if bench.is_numbers else bench.groups
    for code, own in groups.items():
        if not own:
            continue
        group = None if bench.is_numbers else _Group(bench, code, own)
        for position in own:
            if group is not None:
                bits = group.without_rule(position)
                rules[position] = CostChange(errors[position], bits)
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
) -> list[CostChange]:
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
        changes.append(CostChange(float(more_wrong[is_gained].sum()), more_bits))
    return changes
