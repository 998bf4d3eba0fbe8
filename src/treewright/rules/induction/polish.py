"""Polishing: rules that do more harm than good on the training rows are dropped.

A rule does good where it fires and is right, and the next rule that would fire (or the
default) is wrong; it does harm where it is wrong and the next one right. The rule with
the most harm beyond its good is dropped, of equal ones the first; then all is counted
again, until no rule does more harm than good. A rule whose rate is above 0.7 never
fires.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from treewright.rules.induction.generalise import Generalised
from treewright.rules.rule_rows import Floats, RuleRows

MOST_RATE = 0.7


@dataclass(frozen=True, eq=False)
class Polished:
    """A count of what the rules do, and the one that is dropped."""

    rules: tuple[Generalised, ...]  # those that can fire, in their order
    # the weight of the rows where each does good, and harm
    good: Floats
    harm: Floats
    errors: float  # the weight of the rows that all of them together get wrong
    dropped: int  # the position of the rule that goes; -1: none


def polish(
    rows: RuleRows, rules: Sequence[Generalised], default: int
) -> list[Polished]:
    """Return the counts one after the other; the last has the rules that are left."""
    left = [rule for rule in rules if rule.rate <= MOST_RATE]
    counts = []
    while True:
        counts.append(_count(rows, left, default))
        dropped = counts[-1].dropped
        if dropped < 0:
            return counts
        del left[dropped]


def _count(rows: RuleRows, rules: Sequence[Generalised], default: int) -> Polished:
    first, second = rows.first_two([rule.conditions for rule in rules])
    answers = np.array([*(rule.of_class for rule in rules), default])  # -1: the default
    is_right = answers[first] == rows.classes
    next_right = answers[second] == rows.classes

    def weigh(which: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Floats:
        some = which & (first >= 0)
        counted = np.bincount(first[some], rows.weights[some], minlength=len(rules))
        return np.asarray(counted, np.float64)

    good, harm = weigh(is_right & ~next_right), weigh(~is_right & next_right)
    worst = int(np.argmax(harm - good)) if len(rules) else -1
    dropped = worst if worst >= 0 and harm[worst] > good[worst] else -1
    errors = float(rows.weights[~is_right].sum())
    return Polished(tuple(rules), good, harm, errors, dropped)
