"""Bits: how long it takes to describe rules, and the errors that they make.

    a condition   (entropy of the choice of features) / redundancy + bits of the branch
                  one value:  the expected -log2 of the values' frequencies
                  a set:      as many bits as the feature has values
                  a cut:      1 + log2(different values) / 2
    a rule        its conditions + log2(n) - log2(n!)  for n conditions
    k rules       0.5 (the rules - log2(k!))
    exceptions    log2(rows) + those covered and wrong + those of the class not covered

The choice of features is that of the conditions of all candidate rules. Errors are
coded by a rate: in the larger group (the rows covered, if they are more than half, else
the others) half of all errors over the group's size; in the other group its own rate.
That bias is Quinlan's of 1995. `core/rule_subset.hpp` computes the same for a search.

References
----------
Quinlan, J. R. (1993). C4.5: Programs for Machine Learning, chapter 5.
Quinlan, J. R. (1995). MDL and categorical theories (continued). ICML.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Column, Columns
from treewright.rules.condition import Asks, Condition
from treewright.rules.rule_rows import Numbers

Floats = npt.NDArray[np.float64]


class ConditionBits:
    """What conditions cost in a table.

    `columns`: the training table. `grouped`: the features whose values are asked about
    in sets. `redundancy`: how many features say the same, roughly: the choice among
    them costs less.
    """

    def __init__(
        self,
        columns: Columns,
        grouped: Collection[int] = (),
        redundancy: float = 1.0,
    ) -> None:
        self._columns, self._grouped = columns, frozenset(grouped)
        self._redundancy = redundancy
        self._of_branch: dict[tuple[int, Asks], float] = {}

    def choice(self, conditions: Iterable[Condition]) -> float:
        """Return the bits to name a feature, from all conditions of the candidates."""
        counts = Counter(one.feature for one in conditions)
        return entropy(counts.values()) / self._redundancy

    def branch(self, condition: Condition) -> float:
        """Return the bits to say which values of the feature are meant."""
        key = condition.feature, condition.asks
        if key not in self._of_branch:
            self._of_branch[key] = self._branch(condition)
        return self._of_branch[key]

    def _branch(self, condition: Condition) -> float:
        column = self._columns.features[condition.feature]
        if condition.asks == Asks.INTERVAL:
            return 1 + math.log2(max(_n_values(column), 1)) / 2
        if condition.feature in self._grouped:
            return float(column.n_codes)
        return entropy(_frequencies(column, self._columns.weights))

    def of_rules(
        self, rules: Sequence[Numbers], conditions: Sequence[Condition]
    ) -> Floats:
        """Return the bits of each rule, all of which are the candidates."""
        choice = self.choice(conditions[one] for rule in rules for one in rule)
        return np.array(
            [
                rule_bits(choice + self.branch(conditions[one]) for one in rule)
                for rule in rules
            ]
        )


def rule_bits(condition_bits: Iterable[float]) -> float:
    """Return the bits of a rule with such conditions; none cost nothing."""
    each = list(condition_bits)
    if not each:
        return 0.0
    return sum(each) + math.log2(len(each)) - log2_factorial(len(each))


def theory_bits(rule_bits: Sequence[float] | Floats) -> float:
    """Return the bits of some rules together."""
    return 0.5 * (float(sum(rule_bits)) - log2_factorial(len(rule_bits)))


def exception_bits(
    total: float, covered: float, false_positives: float, false_negatives: float
) -> float:
    """Return the bits to name the errors of a class's rules.

    Parameters
    ----------
    total, covered : float
        The weight of all rows, and of those that some rule covers.
    false_positives : float
        The weight of rows covered that are of another class.
    false_negatives : float
        The weight of rows of the class that are not covered.

    Examples
    --------
    >>> exception_bits(8, 2, 0, 0)
    3.0
    """
    rest = total - covered
    half = 0.5 * (false_positives + false_negatives)
    own = (
        (false_positives / covered if covered > 0 else 0.0),
        (false_negatives / rest if rest > 0 else 0.0),
    )
    if covered > total / 2:
        rates = half / covered, own[1]
    else:
        rates = own[0], half / rest
    return (
        math.log2(total)
        + _coded(covered, false_positives, rates[0])
        + _coded(rest, false_negatives, rates[1])
    )


def _coded(size: float, wrong: float, rate: float) -> float:
    """The bits to say which of the rows are wrong, if each is so with this rate."""
    bits = 0.0
    if wrong > 0:
        bits -= wrong * math.log2(rate)
    if size > wrong and rate < 1:  # sums of weights may differ by rounding alone
        bits -= (size - wrong) * math.log2(1 - rate)
    return bits


def entropy(amounts: Iterable[float]) -> float:
    """Return the entropy in bits of shares in proportion to amounts."""
    some = [float(amount) for amount in amounts if amount > 0]
    total = math.fsum(some)
    return -math.fsum(one / total * math.log2(one / total) for one in some) + 0.0


def log2_factorial(n: int) -> float:
    """Return log2(n!)."""
    return math.fsum(math.log2(k) for k in range(2, n + 1))


def _frequencies(column: Column, weights: Floats | None) -> list[float]:
    """The weight of each value among the rows that have one."""
    counts = np.bincount(column.codes, weights, minlength=column.n_codes + 1)
    return [float(count) for count in counts[: column.n_codes]]


def _n_values(column: Column) -> int:
    """How many different values there are in the rows."""
    counts = np.bincount(column.codes, minlength=column.n_codes + 1)
    return int(np.count_nonzero(counts[: column.n_codes]))
