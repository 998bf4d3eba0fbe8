"""A tree without a dialect: what is asked, which branches there are, what is answered.

Printed trees (`printed_trees.py`, `rpart_trees.py`) and ours (`our_trees.py`) are
brought into this form, so that `tree_difference.py` can compare any two.

An outline is a flat tuple of nodes, the root first. Branches of a cut are in the order
"<=", ">", however they were printed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

UNCLASSIFIED = "null"  # as Weka's Id3 prints a leaf that no training row reached


@dataclass(frozen=True)
class Amount:
    """A number and how far off printing may have put it."""

    value: float
    slack: float = 0.0

    def agrees(self, other: Amount) -> bool:
        """Tell whether the two may be prints of one number."""
        return abs(self.value - other.value) <= self.slack + other.slack

    def __str__(self) -> str:
        return f"{self.value:.10g}"


def to_decimals(text: str, decimals: int) -> Amount:
    """Return a number that was printed with so many digits after the point."""
    return Amount(float(text), 0.5 * 10.0**-decimals * (1 + 1e-6))


def to_digits(text: str, digits: int) -> Amount:
    """Return a number that was printed with so many digits in all."""
    value = float(text)
    first = math.floor(math.log10(abs(value))) if value else 0
    return Amount(value, 0.5 * 10.0 ** (first - digits + 1) * (1 + 1e-6))


@dataclass(frozen=True)
class Branch:
    """One way on from a node.

    `values` are the categories that take it; None for a side of a cut, and for "all
    other values". `says` is the condition in words.
    """

    says: str
    child: int
    values: frozenset[str] | None = None


@dataclass(frozen=True)
class Node:
    """A question with its branches, or a leaf with its answer.

    What a program does not print is None: the answer of an inner node, weights, errors.
    """

    feature: str | None = None
    cut: Amount | None = None
    branches: tuple[Branch, ...] = ()
    answer: str | None = None
    number: Amount | None = None
    weight: Amount | None = None
    errors: Amount | None = None

    @property
    def is_leaf(self) -> bool:
        """Whether nothing is asked here."""
        return self.feature is None

    def __str__(self) -> str:
        if self.feature is None:
            return f"a leaf {self.answer if self.number is None else self.number}"
        if self.cut is not None:
            return f"{self.feature} <= {self.cut}"
        return f"{self.feature} ({' | '.join(branch.says for branch in self.branches)})"


Outline = tuple[Node, ...]
