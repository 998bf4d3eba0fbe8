"""In which order rules are asked: by class, and within a class by their rate.

The class comes first whose rules have the fewest false positives among all rows; then
the one with the fewest among the rows that are not covered yet, and so on. Of equal
ones the first class comes first; a class without rules has no place. Within a class the
rule with the lowest pessimistic rate is asked first. The default is the class with most
rows that no rule covers; of equal ones the more frequent one, then the first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from treewright.rules.induction.generalise import Generalised
from treewright.rules.rule_rows import Floats, RuleRows


@dataclass(frozen=True, eq=False)
class ClassTurn:
    """One turn of choosing which class comes next."""

    of_class: int  # the class that was taken
    # by class that was left: the false positives of its rules on the rows not yet
    # covered
    false_positives: dict[int, float]
    covered: float  # the weight of rows that are covered now


@dataclass(frozen=True, eq=False)
class Ordered:
    """Rules in their order, and the default."""

    rules: tuple[Generalised, ...]  # class by class
    turns: tuple[ClassTurn, ...]  # how the classes came into their order
    default: int  # the class of rows that no rule covers
    uncovered: Floats  # the weight of each class among these rows


def order_rules(
    rows: RuleRows, by_class: Mapping[int, Sequence[Generalised]]
) -> Ordered:
    """Return the rules of all classes in the order in which they are asked."""
    left = {
        of_class: rows.any_of([rule.conditions for rule in rules])
        for of_class, rules in sorted(by_class.items())
        if rules
    }
    free = np.ones(len(rows.classes), bool)
    ordered: list[Generalised] = []
    turns: list[ClassTurn] = []
    while left:
        wrong = {
            of_class: _false_positives(rows, covered & free, of_class)
            for of_class, covered in left.items()
        }
        first = min(wrong, key=wrong.__getitem__)
        free &= ~left.pop(first)
        ordered += sorted(by_class[first], key=lambda rule: rule.rate)
        turns.append(
            ClassTurn(first, wrong, rows.total - float(rows.weigh(free).sum()))
        )
    uncovered = rows.weigh(free)
    default = max(
        range(rows.n_classes),
        key=lambda one: (uncovered[one], rows.class_totals[one], -one),
    )
    return Ordered(tuple(ordered), tuple(turns), default, uncovered)


def _false_positives(
    rows: RuleRows, covered: np.ndarray[tuple[int], np.dtype[np.bool_]], of_class: int
) -> float:
    weights = rows.weigh(covered)
    return float(np.delete(weights, of_class).sum())
