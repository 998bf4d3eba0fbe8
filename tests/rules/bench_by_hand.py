"""A workbench counted row by row and rule by rule, in plain Python: the oracle."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

from treewright.rules import Asks, Condition, Rule, RuleSet

Row = list[float]


def meets(condition: Condition, row: Row) -> bool:
    value = row[condition.feature]
    is_missing = math.isnan(value)
    if condition.asks == Asks.MISSING:
        return is_missing
    if is_missing:
        return False
    if condition.asks == Asks.KNOWN:
        return True
    if condition.asks == Asks.CODES:
        return value in condition.codes
    return condition.low < value <= condition.high


def met_rules(rules: RuleSet, row: Row) -> list[int]:
    return [
        number
        for number, rule in enumerate(rules)
        if all(meets(one, row) for one in rule.conditions)
    ]


def answer(rules: RuleSet, row: Row) -> Any:
    met = met_rules(rules, row)
    return rules.rules[met[0]].answer if met else rules.default


def errors(rules: RuleSet, rows: list[Row], y: list[int], w: list[float]) -> float:
    return math.fsum(
        weight
        for row, truth, weight in zip(rows, y, w, strict=True)
        if answer(rules, row) != truth
    )


def _entropy(weights: list[float]) -> float:
    total = math.fsum(weights)
    return math.fsum(-x / total * math.log2(x / total) for x in weights if x > 0)


def _has_two_ends(rules: RuleSet, condition: Condition) -> bool:
    lowest = -1 if rules.schema.features[condition.feature].categories else -math.inf
    return (
        condition.asks == Asks.INTERVAL
        and condition.low > lowest
        and condition.high < math.inf
    )


def _parts(rules: RuleSet, rule: Rule) -> list[Condition]:
    return [
        condition
        for condition in rule.conditions
        for _ in range(2 if _has_two_ends(rules, condition) else 1)
    ]


def _branch_bits(
    first: RuleSet, condition: Condition, rows: list[Row], w: list[float]
) -> float:
    values = [(row[condition.feature], each) for row, each in zip(rows, w, strict=True)]
    known = [(value, each) for value, each in values if not math.isnan(value)]
    if condition.asks in (Asks.KNOWN, Asks.MISSING):
        seen = math.fsum(each for _, each in known)
        return _entropy([seen, math.fsum(w) - seen])
    if condition.asks == Asks.INTERVAL:
        return 1 + math.log2(max(len({v for v, each in known if each > 0}), 1)) / 2
    in_sets = any(
        len(one.codes) > 1 and one.feature == condition.feature
        for rule in first
        for one in rule.conditions
    )
    if in_sets or len(condition.codes) > 1:
        return float(len(first.schema.features[condition.feature].categories))
    counts: Counter[float] = Counter()
    for value, each in known:
        if value >= 0:
            counts[value] += each
    return _entropy([*counts.values()])


def bits(
    rules: RuleSet, first: RuleSet, rows: list[Row], y: list[int], w: list[float]
) -> float:
    """All bits; `first` has the rules that were on the bench first."""
    names = Counter(one.feature for rule in first for one in _parts(first, rule))
    choice = _entropy([*map(float, names.values())]) if names else 0.0
    total = 0.0
    classes = {*range(len(rules.schema.target.classes[0]))}
    for code in classes | {rule.answer for rule in rules}:
        own = [rule for rule in rules if rule.answer == code]
        theory = 0.0
        for rule in own:
            parts = _parts(rules, rule)
            for one in parts:
                theory += choice + _branch_bits(first, one, rows, w)
            if parts:
                theory += math.log2(len(parts)) - math.log2(math.factorial(len(parts)))
        theory = (theory - math.log2(math.factorial(len(own)))) / 2
        total += theory + _exceptions(own, code, rows, y, w)
    return total


def _exceptions(
    own: list[Rule], code: int, rows: list[Row], y: list[int], w: list[float]
) -> float:
    sums = {(met, right): 0.0 for met in (True, False) for right in (True, False)}
    for row, truth, each in zip(rows, y, w, strict=True):
        met = any(all(meets(one, row) for one in rule.conditions) for rule in own)
        sums[met, truth == code] += each
    false_positives, false_negatives = sums[True, False], sums[False, True]
    covered = false_positives + sums[True, True]
    rest = false_negatives + sums[False, False]
    half = (false_positives + false_negatives) / 2
    if covered > (covered + rest) / 2:
        rates = half / covered, (false_negatives / rest if rest else 0.0)
    else:
        rates = (false_positives / covered if covered else 0.0), half / rest
    found = math.log2(covered + rest)
    for wrong, right, rate in (
        (false_positives, sums[True, True], rates[0]),
        (false_negatives, sums[False, False], rates[1]),
    ):
        found -= wrong * math.log2(rate) if wrong else 0.0
        found -= right * math.log2(1 - rate) if right else 0.0
    return found
