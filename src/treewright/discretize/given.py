"""Borders and ranges that the user gives, in the terms of the column.

Inside there is one rule, `lower < x <= upper` (`data/intervals.py`). A range takes both
its ends, so its lower border is the largest number below its low end: the whole number
before for integers and dates, the float before for floats. Where two ranges meet in one
number, it belongs to the lower of them.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from treewright.data.complaints import short
from treewright.data.encoding.wide import PER_DAY, unit_of
from treewright.data.intervals import OUTSIDE, Intervals
from treewright.data.schema import Feature
from treewright.data.tables.convert import ISO_TIME
from treewright.discretize.plan import Borders, Range, Ranges
from treewright.errors import SettingError


def intervals_of_borders(feature: Feature, rule: Borders) -> Intervals:
    """Return the intervals between given borders, with open ends on both sides."""
    borders = [_End(feature, value).at_most() for value in rule.values]
    for (low, high), (one, next_one) in zip(
        pairwise(borders), pairwise(rule.values), strict=True
    ):
        if not low < high:
            raise SettingError(
                f"discretize of {feature.name!r}: its borders must ascend, and "
                f"{short(next_one)} follows {short(one)}; sort them and name each once"
            )
    return Intervals(
        tuple(borders),
        tuple(range(len(borders) + 1)),
        feature.storage,
        feature.zoned,
    )


def intervals_of_ranges(
    feature: Feature, rule: Ranges
) -> tuple[Intervals, tuple[str, ...]]:
    """Return the intervals of named ranges, and the names in ascending order."""
    spans = sorted(
        (_Span.of(feature, one) for one in rule.ranges),
        key=lambda span: (span.below, span.last),
    )
    for span, follower in pairwise(spans):
        if follower.first < span.last or follower.last <= span.last:
            raise SettingError(
                f"discretize of {feature.name!r}: the intervals {span.range} and "
                f"{follower.range} overlap; let one end before the other begins"
            )
    borders: list[Any] = []
    codes = []
    end: Any = -math.inf
    for code, span in enumerate(spans):
        if span.below > end:  # what lies between two ranges is in none
            borders.append(span.below)
            codes.append(OUTSIDE)
        codes.append(code)
        end = span.last
        if end < math.inf:
            borders.append(end)
    if end < math.inf:
        codes.append(OUTSIDE)
    intervals = Intervals(
        tuple(borders), tuple(codes), feature.storage, feature.zoned, named=True
    )
    return intervals, tuple(span.range.name for span in spans)


@dataclass(frozen=True)
class _Span:
    """A range as numbers of the storage: `below < x <= last`, with `first` its low."""

    range: Range
    first: Any
    below: Any
    last: Any

    @classmethod
    def of(cls, feature: Feature, given: Range) -> _Span:
        """Return the numbers of a range, or refuse one without any."""
        first, below, last = -math.inf, -math.inf, math.inf
        if not _is_open(given.low, -math.inf):
            end = _End(feature, given.low)
            first, below = end.at_least(), end.below()
        if not _is_open(given.high, math.inf):
            last = _End(feature, given.high).at_most()
        if first > last:
            raise SettingError(
                f"discretize of {feature.name!r}: the interval {given.name!r} begins "
                f"at {short(given.low)} and ends before it, at {short(given.high)}; "
                "write the smaller end first"
            )
        return cls(given, first, below, last)


def _is_open(end: Any, infinity: float) -> bool:
    return end is None or (isinstance(end, float) and end == infinity)


@dataclass(frozen=True)
class _End:
    """A border as it was given, for a column of some storage."""

    feature: Feature
    given: Any

    def at_most(self) -> Any:
        """Return the largest number of the storage that is not above the border."""
        number = self._number()
        return number if isinstance(number, float) else self._kept(math.floor(number))

    def at_least(self) -> Any:
        """Return the smallest number of the storage that is not below the border."""
        number = self._number()
        return number if isinstance(number, float) else self._kept(math.ceil(number))

    def below(self) -> Any:
        """Return the largest number of the storage below the border."""
        number = self._number()
        if isinstance(number, float):
            return math.nextafter(number, -math.inf)
        return self._kept(math.ceil(number) - 1)

    def _number(self) -> float | Fraction:
        """Return a float for float64, else the exact number in the column's unit."""
        if self.feature.storage.startswith(("datetime64", "timedelta64")):
            return self._time()
        try:
            if isinstance(self.given, bool):
                raise TypeError
            if self.feature.storage == "float64":
                number = float(self.given) + 0.0
                if math.isfinite(number):
                    return number
            else:
                return Fraction(self.given)
        except (TypeError, ValueError, OverflowError):
            pass
        raise self._refusal("a finite number")

    def _time(self) -> Fraction:
        """Return a date or a duration as the number that stands for it."""
        storage = self.feature.storage
        is_date = storage.startswith("datetime64")
        try:
            time = _read_date(self.given) if is_date else np.timedelta64(self.given)
            unit = np.datetime_data(time.dtype)[0]
            if unit in ("Y", "M", "W"):
                time, unit = time.astype(f"{type(time).__name__}[D]"), "D"
            if not np.isnat(time):
                number = int(time.astype(np.int64)) * PER_DAY[unit_of(storage)]
                return Fraction(number, PER_DAY[unit])
        except (TypeError, ValueError, OverflowError, KeyError):
            pass  # a number without a unit has no entry in the table
        raise self._refusal("a date" if is_date else "a duration")

    def _kept(self, number: int) -> int:
        """Return the number if the storage can hold it."""
        limits = np.iinfo(np.uint64 if self.feature.storage == "uint64" else np.int64)
        if not limits.min <= number <= limits.max:
            raise self._refusal(f"a number from {limits.min} to {limits.max}")
        return number

    def _refusal(self, wanted: str) -> SettingError:
        return SettingError(
            f"discretize of {self.feature.name!r}: the border {short(self.given)} is "
            f"not {wanted}; correct it"
        )


def _read_date(given: Any) -> np.datetime64:
    """Return a date of any type, or in ISO form; one with a zone in UTC."""
    if isinstance(given, str):
        if not re.fullmatch(ISO_TIME, given.strip()):
            raise ValueError
        given = given.strip().replace(" ", "T")
    if isinstance(given, dt.datetime) and given.tzinfo is not None:
        given = given.astimezone(dt.UTC).replace(tzinfo=None)
    return np.datetime64(given)
