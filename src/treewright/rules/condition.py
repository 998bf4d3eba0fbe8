"""Conditions: what a rule asks of one feature's value.

Everything is in the terms of the cells that trees walk on (`tree/predict/walk.py`):
numbers as they are, wide ones as the number of cuts below them, categories as codes,
NaN for missing, a negative code for a category that training never saw. So the same
condition reads training rows (`prune/refill.py: training_cells`) and new ones
(`data/encoding/encode_rows.py`).

A missing value meets no condition but "is missing". What is unseen meets "is known" and
nothing else.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from treewright.tree.predict.walk import Cells

Bools = npt.NDArray[np.bool_]
Rows = npt.NDArray[np.intp]
Terms = tuple[tuple[int, float], ...]


class Asks(IntEnum):
    """What a condition asks of a value."""

    INTERVAL = 0  # low < value <= high
    CODES = 1  # the value's code is one of these
    KNOWN = 2
    MISSING = 3


@dataclass(frozen=True, slots=True, order=True)
class Condition:
    """What must hold for one feature; immutable, can be hashed and sorted.

    Make one with `between`, `ordered`, `among`, `known` or `missing`.
    """

    feature: int  # its number in the schema; of a sum, that of the first term
    asks: Asks  # what is asked
    # INTERVAL: low < value <= high, an open end is infinite. Of a wide feature they are
    # positions in `Feature.cuts`, of an ordinal one codes, and then an open low end is
    # -1, so that unseen categories are not inside.
    low: float = -math.inf
    high: float = math.inf
    # CODES: in ascending order; empty for what no value meets
    codes: tuple[int, ...] = ()
    # the value is a weighted sum of these features (`tree/structure/combination.py`);
    # empty for the value of the feature itself
    terms: Terms = ()

    @classmethod
    def between(
        cls,
        feature: int,
        low: float = -math.inf,
        high: float = math.inf,
        terms: Terms = (),
    ) -> Condition:
        """Return low < value <= high, for a number or a weighted sum."""
        return cls(feature, Asks.INTERVAL, low, high, (), terms)

    @classmethod
    def ordered(
        cls, feature: int, low: float = -1.0, high: float = math.inf
    ) -> Condition:
        """Return low < code <= high, for an ordinal feature."""
        return cls(feature, Asks.INTERVAL, max(low, -1.0), high)

    @classmethod
    def among(cls, feature: int, codes: npt.ArrayLike) -> Condition:
        """Return that the category is one of these."""
        return cls(
            feature, Asks.CODES, codes=tuple(np.unique(np.asarray(codes, int)).tolist())
        )

    @classmethod
    def known(cls, feature: int, terms: Terms = ()) -> Condition:
        """Return that there is a value."""
        return cls(feature, Asks.KNOWN, terms=terms)

    @classmethod
    def missing(cls, feature: int, terms: Terms = ()) -> Condition:
        """Return that the value is missing."""
        return cls(feature, Asks.MISSING, terms=terms)

    @property
    def subject(self) -> tuple[int, Terms]:
        """What is asked about: conditions with the same subject can be merged."""
        return self.feature, self.terms

    @property
    def is_empty(self) -> bool:
        """Whether no value meets it."""
        if self.asks == Asks.CODES:
            return not self.codes
        return self.asks == Asks.INTERVAL and self.low >= self.high

    def value(self, cells: Cells, rows: Rows | None = None) -> npt.NDArray[np.float64]:
        """Return what is asked about, of all rows or of some."""
        if not self.terms:
            column = cells[:, self.feature]
            return column if rows is None else column[rows]
        # one product after the other, as the walk adds them up
        total = np.zeros(len(cells) if rows is None else len(rows))
        for feature, weight in self.terms:
            column = cells[:, feature]
            total += weight * (column if rows is None else column[rows])
        return total

    def holds(self, cells: Cells, rows: Rows | None = None) -> Bools:
        """Return whether it holds, for all rows of cells or for some.

        `cells` (float64, shape (n_rows, n_features)): encoded rows. `rows`: the rows to
        look at; the answer has one entry for each.
        """
        value = self.value(cells, rows)
        if self.asks == Asks.CODES:
            return np.isin(value, self.codes)
        if self.asks == Asks.INTERVAL:
            inside = value <= self.high  # nan is not
            if self.low > -math.inf:
                inside &= value > self.low
            return np.asarray(inside)
        is_missing = np.isnan(value)
        return is_missing if self.asks == Asks.MISSING else ~is_missing

    def merged(self, other: Condition) -> Condition:
        """Return the condition that both of the same subject hold.

        Where no value can meet both, it is one that is empty.
        """
        if self.subject != other.subject:
            raise ValueError(f"conditions on {self.subject} and {other.subject}")
        first, second = sorted((self, other), key=lambda one: one.asks)
        if second.asks in (first.asks, Asks.KNOWN):
            return _both(first, second)
        if second.asks == Asks.CODES:  # of an ordinal feature, beside an interval
            inside = [c for c in second.codes if first.low < c <= first.high]
            return Condition.among(self.feature, inside)
        return Condition(self.feature, Asks.CODES, terms=self.terms)


def _both(first: Condition, second: Condition) -> Condition:
    """What two conditions of one kind have in common; "is known" adds nothing."""
    if second.asks != first.asks or first.asks in (Asks.KNOWN, Asks.MISSING):
        return first
    if first.asks == Asks.CODES:
        allowed = set(second.codes)
        return Condition(
            first.feature,
            Asks.CODES,
            codes=tuple(code for code in first.codes if code in allowed),
        )
    return Condition(
        first.feature,
        Asks.INTERVAL,
        max(first.low, second.low),
        min(first.high, second.high),
        terms=first.terms,
    )
