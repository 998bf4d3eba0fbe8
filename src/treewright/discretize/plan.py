"""What the user asked for: which columns, and by which rule each.

`read_plan` takes the value of `discretize=` apart and refuses what has no meaning, as
far as that can be told without the data.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from treewright.data.complaints import did_you_mean, quoted, short
from treewright.errors import SettingError

DEFAULT_INTERVALS = 4
MOST_INTERVALS = 1000
_COUNTED = ("equal_width", "quantiles")
WORDS = (*_COUNTED, "quartiles", "mdl", "cv")
_CHOICES = (
    "'equal_width', 'equal_width:k', 'quartiles', 'quantiles:k', 'mdl', 'cv', a list "
    "of borders, or names with ranges"
)


@dataclass(frozen=True)
class LearnedBorders:
    """Borders are found in the training rows; `n_intervals` is 0 where it is free."""

    method: str
    n_intervals: int = 0

    def __str__(self) -> str:
        return f"{self.method}:{self.n_intervals}" if self.n_intervals else self.method


@dataclass(frozen=True)
class Borders:
    """Borders are given: `lower < x <= upper` in between."""

    values: tuple[Any, ...]


@dataclass(frozen=True)
class Range:
    """A named interval, `low <= x <= high`; None for no end on that side."""

    name: str
    low: Any
    high: Any

    def __str__(self) -> str:
        low, high = ("" if end is None else str(end) for end in (self.low, self.high))
        return f"{self.name} {low}-{high}" if low else f"{self.name} up to {high}"


@dataclass(frozen=True)
class Ranges:
    """Named intervals; a value in none of them counts as never seen."""

    ranges: tuple[Range, ...]


Rule: TypeAlias = LearnedBorders | Borders | Ranges


@dataclass(frozen=True)
class IntervalPlan:
    """Which rule each column has."""

    # the rule of each column that was named
    columns: dict[str, Rule] = field(default_factory=dict)
    # the rule of all other numeric columns; None leaves them as they are
    others: Rule | None = None

    def check_names(self, names: Sequence[str]) -> None:
        """Refuse a column that is not among the features."""
        for name in self.columns:
            if name not in names:
                raise SettingError(
                    f"discretize names the column {name!r}, which is not among the "
                    f"features; {did_you_mean(name, names)}"
                )


def read_plan(given: Any) -> IntervalPlan:
    """Return the plan in the value of `discretize=`.

    `given`: a method for all numeric columns: "equal_width" (4 intervals),
    "equal_width:k", "quartiles", "quantiles:k", "mdl", "cv". Or a dict from columns to
    a method, a list of borders, a dict from names to (low, high), or a list of (name,
    low, high); the key None stands for all other numeric columns.
    """
    if given is None:
        return IntervalPlan()
    if isinstance(given, str):
        return IntervalPlan(others=_rule("discretize", given))
    if not isinstance(given, Mapping):
        raise SettingError(
            f"discretize is {short(given)}; it must be None, a method for all numeric "
            "columns ('quartiles', say), or a dict from columns to methods or borders"
        )
    for name in given:
        if name is not None and not isinstance(name, str):
            raise SettingError(
                f"discretize names the column {short(name)}; columns are named by "
                "text, and x0, x1, ... where the table does not name them"
            )
    columns = {
        str(name): _rule(f"discretize of {name!r}", rule)
        for name, rule in given.items()
        if name is not None
    }
    others = _rule("discretize of all others", given[None]) if None in given else None
    return IntervalPlan(columns, others)


def _rule(subject: str, given: Any) -> Rule:
    """Return one column's rule, whatever form it was given in."""
    if isinstance(given, str):
        return _learned(subject, given)
    if isinstance(given, Mapping):
        return _ranges(subject, [(name, ends) for name, ends in given.items()])
    if isinstance(given, np.ndarray):
        given = given.tolist()
    if not isinstance(given, list | tuple):
        raise SettingError(f"{subject} is {short(given)}; it must be {_CHOICES}")
    if not given:
        raise SettingError(f"{subject} is {given!r}; give at least 1 border")
    if any(isinstance(item, list | tuple) for item in given):
        return _ranges(subject, [_name_and_ends(subject, item) for item in given])
    return Borders(tuple(given))


def _learned(subject: str, given: str) -> LearnedBorders:
    """Return the method that a text names, as "mdl" or "quantiles:3"."""
    word, colon, number = given.strip().lower().replace("-", "_").partition(":")
    if word == "quartiles" and not colon:
        return LearnedBorders("quantiles", 4)
    if word not in WORDS or (colon and word not in _COUNTED):
        raise SettingError(f"{subject} is {short(given)}; it must be {_CHOICES}")
    if word not in _COUNTED:
        return LearnedBorders(word)
    if not colon:
        return LearnedBorders(word, DEFAULT_INTERVALS)
    number = number.strip()
    is_whole = number.isascii() and number.isdigit() and len(number) < 10
    if not is_whole or not 2 <= int(number) <= MOST_INTERVALS:
        raise SettingError(
            f"{subject} is {short(given)}; the number of intervals must be a whole "
            f"number from 2 to {MOST_INTERVALS}, as in '{word}:{DEFAULT_INTERVALS}'"
        )
    return LearnedBorders(word, int(number))


def _name_and_ends(subject: str, item: Any) -> tuple[Any, Any]:
    """Return a name and its two ends from (name, low, high)."""
    if not isinstance(item, list | tuple) or len(item) != 3:
        raise SettingError(
            f"{subject} holds {short(item)}; write each interval as (name, low, high), "
            "or borders alone"
        )
    return item[0], item[1:]


def _ranges(subject: str, items: Iterable[tuple[Any, Any]]) -> Ranges:
    """Return named ranges, each name once."""
    ranges: list[Range] = []
    for name, ends in items:
        if not isinstance(name, str) or not name.strip():
            raise SettingError(
                f"{subject} names an interval {short(name)}; names must be text that "
                "is not blank"
            )
        if not isinstance(ends, list | tuple) or len(ends) != 2:
            raise SettingError(
                f"{subject}: the interval {name!r} is {short(ends)}; give it two ends, "
                "(low, high), with None for no end"
            )
        ranges.append(Range(name, *ends))
    names = [one.name for one in ranges]
    if not names:
        raise SettingError(f"{subject} has no intervals; name at least 1")
    for name in names:
        if names.count(name) > 1:
            raise SettingError(
                f"{subject} names {name!r} twice among {quoted(names)}; give each "
                "interval a name of its own"
            )
    return Ranges(tuple(ranges))
