"""Sets of rows as a page prints them, and measures of them: the checker's own."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from itertools import combinations

from intervals import Interval, exact, log2, number, root, total, weight

Counts = list[list[Interval]]  # of each output


@dataclass(frozen=True)
class Rows:
    """A set of rows: class weights, or the middle of each output and the spread."""

    weight: Interval
    counts: Counts
    middles: list[Interval]
    spread: Interval  # the measure's value

    def same_as(self, other: Rows) -> bool:
        pairs = [
            (self.weight, other.weight),
            *(
                pair
                for two in zip(self.counts, other.counts, strict=True)
                for pair in zip(*two, strict=True)
            ),
            *zip(self.middles, other.middles, strict=True),
        ]
        return all(one.meets(two) for one, two in pairs)


def read_rows(text: str, measure: str) -> Rows:
    """Read "3/2", "3/2 | 1/4" or, of numbers, "5/0.366/0.0061"."""
    if measure in ("variance", "mean deviation"):
        size, middles, spread = text.split("/")
        middle = [number(one) for one in middles.split(",")]
        return Rows(weight(size), [], middle, number(spread))
    counts = [[weight(one) for one in each.split("/")] for each in text.split(" | ")]
    return of_counts(counts, measure)


def of_counts(counts: Counts, measure: str) -> Rows:
    return Rows(total(counts[0]), counts, [], impurity(counts, measure or "entropy"))


def joined(parts: list[Rows], measure: str) -> Rows:
    """The rows of several sets together.

    The variance is the mean one plus that of the means. There is no such law of medians
    and deviations from them: those say nothing.
    """
    whole = total([one.weight for one in parts])
    if parts[0].counts:
        outputs = zip(*(one.counts for one in parts), strict=True)
        sums = [
            [total(list(each)) for each in zip(*same, strict=True)] for same in outputs
        ]
        return of_counts(sums, measure)
    n_outputs = len(parts[0].middles)
    if measure != "variance":
        nothing = Interval(-math.inf, math.inf)
        return Rows(whole, [], [nothing] * n_outputs, nothing)
    middles = [
        total([one.weight / whole * one.middles[k] for one in parts])
        for k in range(n_outputs)
    ]
    return Rows(whole, [], middles, mean_spread(parts) + between(parts))


def mean_spread(parts: list[Rows]) -> Interval:
    whole = total([one.weight for one in parts])
    return total([one.weight / whole * one.spread for one in parts])


def between(parts: list[Rows]) -> Interval:
    """The variance of the means of some sets, each with its weight."""
    whole = total([one.weight for one in parts])
    n_outputs = len(parts[0].middles)
    terms = [
        one.weight / whole * (other.weight / whole)
        * (one.middles[k] - other.middles[k]) ** 2
        for one, other in combinations(parts, 2)
        for k in range(n_outputs)
    ]  # fmt: skip
    return total(terms) / exact(float(n_outputs))


def impurity(counts: Counts, measure: str) -> Interval:
    """The mean of the measure over the outputs."""
    of = {"entropy": entropy, "gini": gini, "error": error}[measure]
    return total([of(one) for one in counts]) / exact(float(len(counts)))


def entropy(counts: list[Interval]) -> Interval:
    whole = total(counts)
    shares = [one / whole for one in counts if one.high > 0]
    return total([-(one * log2(one)) for one in shares])


def gini(counts: list[Interval]) -> Interval:
    whole = total(counts)
    return exact(1.0) - total([(one / whole) ** 2 for one in counts if one.high > 0])


def error(counts: list[Interval]) -> Interval:
    largest = max(counts, key=lambda one: one.low)
    return exact(1.0) - largest / total(counts)


def wrong(rows: Rows) -> Interval:
    """The weight of the rows that are not of the most frequent class."""
    (counts,) = rows.counts
    return rows.weight - max(counts, key=lambda one: one.low)


def chi_square_tail(deviation: float, degrees: int) -> float:
    """By the series of the lower incomplete gamma function."""
    if deviation <= 0 or degrees <= 0:
        return 1.0
    shape, x = degrees / 2, deviation / 2
    term = total_ = 1 / shape
    for k in range(1, 500):
        term *= x / (shape + k)
        total_ += term
    return 1 - total_ * math.exp(-x + shape * math.log(x) - math.lgamma(shape))


def chi_square(observed: list[list[Interval]]) -> tuple[Interval, int]:
    """Deviation from what branches that tell nothing would have, and degrees."""
    rows = [row for row in observed if any(one.high > 0 for one in row)]
    of_class = [total(list(column)) for column in zip(*rows, strict=True)]
    whole = total(of_class)
    terms = []
    for seen in rows:
        for one, in_all in zip(seen, of_class, strict=True):
            guess = total(seen) * in_all / whole
            if guess.low > 0:
                terms.append((one - guess) ** 2 / guess)
    n_classes = sum(one.high > 0 for one in of_class)
    return total(terms), (len(rows) - 1) * (n_classes - 1)


def standard_error(errors: Interval, rows: Interval) -> Interval:
    return root(errors * (exact(1.0) - errors / rows))


def numbers_in(formula: str) -> list[str]:
    """The numbers of a formula from left to right, without the 2 of log2 and ^2."""
    plain = re.sub(r"log2|\^2", " ", formula)
    return re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?:e[-+]?\d+)?", plain)
