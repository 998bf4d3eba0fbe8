"""Editing a rule set by hand: drop, merge, reorder; the old one stays as it is.

Rules and conditions are called by the numbers that listings show, from 1. What cannot
be done is refused, and nothing is changed.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

from treewright.data.complaints import counted
from treewright.errors import SettingError
from treewright.rules.condition import Asks, Condition
from treewright.rules.rule import Rule
from treewright.rules.ruleset import RuleSet


def drop_rules(rule_set: RuleSet, numbers: Sequence[int]) -> RuleSet:
    """Return the rule set without some rules."""
    gone = {rule_position(rule_set, number) for number in numbers}
    return rule_set.taking([k for k in range(len(rule_set)) if k not in gone])


def drop_condition(rule_set: RuleSet, number: int, condition: int) -> RuleSet:
    """Return the rule set with a rule less one condition."""
    position = rule_position(rule_set, number)
    rule = rule_set.rules[position]
    if not _is_number(condition) or not 1 <= condition <= len(rule):
        raise SettingError(
            f"there is no condition {condition!r} in rule {number}, which has "
            f"{counted(len(rule), 'condition')}; they are counted from 1"
        )
    if len(rule) == 1:
        raise SettingError(
            f"rule {number} has one condition, and without it every row would meet the "
            "rule; drop the rule instead"
        )
    return _replaced(rule_set, position, rule.without(condition - 1))


def merge_rules(rule_set: RuleSet, first: int, second: int) -> RuleSet:
    """Return the rule set with one rule in the place of two that answer alike.

    It asks what both ask about, and holds where either holds: an interval from the
    lower to the upper end, all values of both sets. It stands where the earlier one
    stood.
    """
    a, b = sorted(rule_position(rule_set, number) for number in (first, second))
    if a == b:
        raise SettingError(f"rule {first} cannot be merged with itself; name two rules")
    one, other = rule_set.rules[a], rule_set.rules[b]
    if one.answer != other.answer:
        raise SettingError(
            f"rules {first} and {second} answer differently, and a rule has one "
            "answer; merge rules that answer alike, or drop one"
        )
    theirs = {condition.subject: condition for condition in other.conditions}
    joined = [
        _joined(condition, theirs[condition.subject], rule_set)
        for condition in one.conditions
        if condition.subject in theirs
    ]
    kept = tuple(condition for condition in joined if condition is not None)
    if not kept:
        raise SettingError(
            f"rules {first} and {second} have no condition in common, so every row "
            "would meet the merged rule; drop one of them instead"
        )
    merged = _replaced(rule_set, a, Rule(kept, one.answer))
    return merged.taking([k for k in range(len(rule_set)) if k != b])


def reorder_rules(rule_set: RuleSet, order: Sequence[int]) -> RuleSet:
    """Return the rule set in another order; every rule must be named once."""
    positions = [rule_position(rule_set, number) for number in order]
    absent = sorted({*range(len(rule_set))} - {*positions})
    if absent:
        raise SettingError(
            f"the order lacks rule {absent[0] + 1}; name each of the "
            f"{counted(len(rule_set), 'rule')} once, or drop a rule first"
        )
    if len(positions) > len(rule_set):
        twice = next(one for one in order if list(order).count(one) > 1)
        raise SettingError(f"the order has rule {twice} twice; name each rule once")
    return rule_set.taking(positions)


def rule_position(rule_set: RuleSet, number: Any) -> int:
    """Return the position of the rule with a number, or raise if there is none."""
    if not _is_number(number) or not 1 <= number <= len(rule_set):
        there = "there are none"
        if len(rule_set):
            there = f"they are numbered from 1 to {len(rule_set)}"
        raise SettingError(f"there is no rule {number!r}; {there}")
    return int(number) - 1


def _is_number(number: Any) -> bool:
    return hasattr(number, "__index__") and not isinstance(number, bool)


def _replaced(rule_set: RuleSet, position: int, rule: Rule) -> RuleSet:
    rules = (*rule_set.rules[:position], rule, *rule_set.rules[position + 1 :])
    return dataclasses.replace(rule_set, rules=rules)


def _joined(one: Condition, other: Condition, rule_set: RuleSet) -> Condition | None:
    """The condition that holds where one or the other does; None: for every row."""
    if one == other:
        return one
    kinds = {one.asks, other.asks}
    if Asks.MISSING in kinds:
        return None
    if kinds == {Asks.CODES}:
        return Condition.among(one.feature, (*one.codes, *other.codes))
    if kinds == {Asks.INTERVAL}:
        low, high = min(one.low, other.low), max(one.high, other.high)
        if low > -math.inf or high < math.inf:
            return dataclasses.replace(one, low=low, high=high)
    if kinds == {Asks.INTERVAL, Asks.CODES}:
        categories = range(len(rule_set.schema.features[one.feature].categories))
        codes = [*one.codes, *other.codes]
        range_of = one if one.asks == Asks.INTERVAL else other
        codes += [code for code in categories if range_of.low < code <= range_of.high]
        return Condition.among(one.feature, codes)
    return Condition.known(one.feature, one.terms)
