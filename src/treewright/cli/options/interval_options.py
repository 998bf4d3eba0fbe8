"""`--discretize`: how numeric columns are divided into intervals, as it is typed.

METHOD is for all numeric columns, COL=METHOD for one; COL=2,5,12 gives its borders, and
COL=infant:0-2,toddler:3-5 named ranges, where 65- has no end and -10..-1 is negative.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Any

from treewright.cli.options.algorithm import parse_value
from treewright.cli.options.roles import column_and_rest
from treewright.data.complaints import short
from treewright.discretize.plan import WORDS
from treewright.errors import SettingError

_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_RANGE = re.compile(rf"\s*({_NUMBER})?\s*-\s*({_NUMBER})?\s*")
_OPTION = "--discretize"


def read_discretize(
    texts: Iterable[str], columns: Collection[str]
) -> dict[str | None, Any] | None:
    """Return the value of `discretize=` that was typed, or None if nothing was."""
    typed: dict[str | None, Any] = {}
    for text in texts:
        name, rule = _column_and_rule(text, columns)
        if name in typed:
            of = "all numeric columns" if name is None else f"the column {name!r}"
            raise SettingError(f"{_OPTION} is given twice for {of}; say it once")
        typed[name] = rule
    return typed or None


def _column_and_rule(text: str, columns: Collection[str]) -> tuple[str | None, Any]:
    """Return a column, or None for all of them, and its rule."""
    if "=" not in text:
        return None, _method(text)
    name, rule = column_and_rest(text, columns)
    return name.strip(), _rule(name.strip(), rule)


def _method(text: str) -> str:
    """Return the name of a method; borders need a column."""
    if "," in text or _is_number(text):
        raise SettingError(
            f"{_OPTION} {short(text)} has no column; write COL=2,5,12 for the borders "
            "of a column, or a method for all of them"
        )
    return text


def _rule(name: str, text: str) -> Any:
    """Return a method, a list of borders or a list of (name, low, high)."""
    word = text.partition(":")[0].strip().lower().replace("-", "_")
    if word in WORDS:
        return text
    parts = [part.strip() for part in text.split(",")]
    if ":" in parts[0].partition("T")[0]:  # not the time of a date
        return [_range(name, part) for part in parts]
    if len(parts) == 1 and not parts[0][:1].isdigit() and not _is_number(parts[0]):
        return text  # a method that does not exist
    return [_end(part) for part in parts]


def _range(name: str, text: str) -> tuple[str, Any, Any]:
    """Return an interval from "infant:0-2"."""
    label, _, ends = text.partition(":")
    low, dots, high = ends.partition("..")
    if not dots:
        found = _RANGE.fullmatch(ends)
        low, high = ("", "") if found is None else (found[1] or "", found[2] or "")
    if not low.strip() and not high.strip():
        raise SettingError(
            f"{_OPTION} {name}: {short(text)} is no interval; write NAME:LOW-HIGH, as "
            "in infant:0-2, with 65- for no end and -10..-1 for negative numbers"
        )
    return label.strip(), _end(low), _end(high)


def _end(text: str) -> Any:
    """Return a number; None for nothing; another text, a date say, as it is."""
    text = text.strip()
    return None if not text else parse_value(text)


def _is_number(text: str) -> bool:
    return re.fullmatch(_NUMBER, text.strip()) is not None
