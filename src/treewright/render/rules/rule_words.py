"""Conditions and rules in words: "Outlook = Sunny", "2.45 < petal length <= 4.75".

Names and values are those of the data, thresholds as a tree's listing writes them. What
does not print in them is escaped by whoever puts a text together.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from treewright.data.schema import Feature, Schema
from treewright.rules.condition import Asks, Condition
from treewright.rules.rule import Rule
from treewright.tree.structure.branch_words import BranchCondition as Words
from treewright.tree.structure.branch_words import (
    category_condition,
    cut_condition,
    label_text,
    number_text,
    subset_condition,
    sum_name,
    value_text,
)

ALWAYS = "always"  # of a rule without conditions
_AS_LOW = {">": "<", ">=": "<="}  # x > 2 is 2 < x


@dataclass(frozen=True)
class ConditionWords:
    """A condition, its words apart: `low low_relation name relation value`.

    The first two are empty unless it is an interval with two ends.
    """

    name: str
    relation: str
    value: str
    low: str = ""
    low_relation: str = ""

    def spoken(self, signs: Mapping[str, str] | None = None) -> str:
        """Return it as a listing has it; `signs` has others for some relations."""
        known = signs or {}
        low = known.get(self.low_relation, self.low_relation)
        relation = known.get(self.relation, self.relation)
        words = [self.low, low] if self.low else []
        return " ".join([*words, self.name, relation, self.value])

    def formula(self) -> str:
        """Return it as lectures write it: "Outlook=Sunny"."""
        gap = "" if not self.relation[0].isalpha() else " "
        end = f"{self.name}{gap}{self.relation}{gap}{self.value}"
        return f"{self.low}{self.low_relation}{end}"


def condition_words(
    schema: Schema, condition: Condition, *, most: int | None = None
) -> ConditionWords:
    """Return a condition in words.

    `schema`: names and categories. `condition`: the condition. `most`: longest list of
    categories to spell out; the rest is counted.
    """
    feature = schema.features[condition.feature]
    name = label_text(feature.name)
    if condition.terms:
        name = sum_name(schema, condition.terms)
    if condition.asks in (Asks.KNOWN, Asks.MISSING):
        return ConditionWords(name, "is", condition.asks.name.lower())
    if condition.asks == Asks.CODES:
        return _set_words(feature, condition.codes, most)
    low_is_open = (
        condition.low < 0 if feature.categories else condition.low == -math.inf
    )
    low = None if low_is_open else _side(feature, condition, 1)
    high = None if condition.high == math.inf else _side(feature, condition, 0)
    if feature.categories and low and high and condition.high - condition.low == 1:
        return ConditionWords(name, "=", high.value)
    return _interval_words(name, low, high)


def _side(feature: Feature, condition: Condition, branch: int) -> Words:
    """One end of an interval: "<= high" for branch 0, "> low" for branch 1."""
    end = condition.low if branch else condition.high
    if condition.terms:
        value = number_text(float(f"{end:.6g}"))
    elif feature.categories:
        value = value_text(feature.categories[int(end)])
    else:
        return cut_condition(feature, end, branch)
    return Words("", ("<=", ">")[branch], value)


def _interval_words(name: str, low: Words | None, high: Words | None) -> ConditionWords:
    if low is None and high is None:
        return ConditionWords(name, "is", "known")
    if low is None or high is None:
        only = high or low
        assert only is not None
        return ConditionWords(name, only.relation, only.value)
    return ConditionWords(
        name, high.relation, high.value, low.value, _AS_LOW[low.relation]
    )


def _set_words(
    feature: Feature, codes: tuple[int, ...], most: int | None
) -> ConditionWords:
    """Membership in a set, told by what is in it or by what is not, if that is less."""
    name = label_text(feature.name)
    if len(codes) == 1:
        return _as_words(category_condition(feature, codes[0]))
    spoken = _neighbours(feature, codes)
    if spoken is not None:
        return spoken
    others = [k for k in range(len(feature.categories)) if k not in set(codes)]
    if not codes or not others:
        listed = subset_condition(feature, list(codes), 0, most)
        return ConditionWords(name, "in", listed.value)
    if len(others) == 1 or len(others) < len(codes) / 2:
        return _as_words(subset_condition(feature, others, 1, most))
    return _as_words(subset_condition(feature, list(codes), 0, most))


def _as_words(words: Words) -> ConditionWords:
    return ConditionWords(words.feature, words.relation, words.value)


def _neighbours(feature: Feature, codes: tuple[int, ...]) -> ConditionWords | None:
    """Intervals side by side as one interval, where they are called by borders."""
    own = feature.intervals
    if own is None or own.named:
        return None
    pieces = [k for k, code in enumerate(own.codes) if code in set(codes)]
    if not pieces or pieces != list(range(pieces[0], pieces[-1] + 1)):
        return None
    first, last = pieces[0], pieces[-1]
    numbers = feature.as_numeric

    def side(border: int, branch: int) -> Words:
        threshold = border if numbers.is_wide else own.borders[border]
        return cut_condition(numbers, threshold, branch)

    low = side(first - 1, 1) if first > 0 else None
    high = side(last, 0) if last < len(own.borders) else None
    return _interval_words(label_text(feature.name), low, high)


def rule_words(
    schema: Schema,
    rule: Rule,
    *,
    most: int | None = None,
    signs: Mapping[str, str] | None = None,
) -> list[str]:
    """Return the conditions of a rule, each in words; "always" if there is none."""
    if not rule.conditions:
        return [ALWAYS]
    return [
        condition_words(schema, one, most=most).spoken(signs) for one in rule.conditions
    ]


def rule_formula(schema: Schema, rule: Rule) -> str:
    """Return the conditions as lectures write them: "(A=b and C=d)"."""
    words = [condition_words(schema, one).formula() for one in rule.conditions]
    return f"({' and '.join(words) or ALWAYS})"
