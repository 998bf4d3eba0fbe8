"""Which cells keep a column from being numbers, and what to do about them.

The advice goes by what the cells look like. Only words for "not known" may be named as
missing values: to do so with any other cell would throw data away.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from treewright.data.complaints import counted, quoted, short
from treewright.data.readers.read_options import ReadOptions

if TYPE_CHECKING:
    import polars as pl

MAX_SPELLED = 5  # more cells than this are hardly all marks of a missing value
_RARE = 0.1  # a larger share of the cells is hardly made of slips
_LIKE_NUMBERS = r"^[+-]?\d[\d.,' ]*[%€$£]?$"
_LIKE_DATES = (
    r"^(?:\d{1,2}([./-])\d{1,2}[./-](?:\d{4}|\d{2})|\d{4}[./]\d{1,2}[./]\d{1,2})"
    r"(?:[ T]\d{1,2}:\d{2}(?::\d{2})?)?$"
)
_DAY_FIRST = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})")
_NO_WORDS = r"^[^\w]+$"  # a dash, dots, question marks
_WORDS_FOR_MISSING = frozenset(
    "n/a n.a. n.a na nan nil none null missing unknown unbekannt not_available "
    "not_known n.v. k.a. #n/a #na <na> undefined blank empty".split()
)


def doubt(
    trimmed: pl.Series,
    bad: pl.Series,
    *,
    missing: pl.Series,
    lines: npt.NDArray[np.int64],
    options: ReadOptions,
) -> str:
    """Say which cells are no numbers in a column of numbers, and what helps.

    `bad`, `missing`: which cells are no numbers, and which are missing. `lines`: the
    line of each cell. `options`: how the file was read.
    """
    n_known, n_bad = int((~missing).sum()), int(bad.sum())
    wrong, known = trimmed.filter(bad), trimmed.filter(~missing)
    if n_bad == n_known and wrong.str.contains(_LIKE_DATES).all():
        return f"not read as dates; {_date_remedy(wrong[0])}"
    others = wrong.filter(~wrong.is_in(_marks(wrong)))
    looks_right = len(others) > 0 and others.str.contains(_LIKE_NUMBERS).all()
    if 2 * n_bad > n_known and not looks_right:
        return ""
    first = np.flatnonzero((bad & trimmed.is_first_distinct()).to_numpy()).tolist()
    named = ", ".join(f"{short(trimmed[k])} (line {lines[k]})" for k in first[:3])
    more = f" and {len(first) - 3:,} more" if len(first) > 3 else ""
    what = f"not numeric because of {counted(n_bad, 'cell')}: {named}{more}"
    is_rare = n_bad == 1 or n_bad <= _RARE * n_known
    remedies = ["correct them"] * is_rare + _remedies(wrong, known, options)
    return "; ".join(filter(None, [what, ", or ".join(remedies)]))


def _remedies(wrong: pl.Series, known: pl.Series, options: ReadOptions) -> list[str]:
    """Name the settings with which the column would be numbers; none if none is."""
    marks = _marks(wrong)
    others = wrong.filter(~wrong.is_in(marks))
    found = named = ""
    if len(others):
        found = _other_remedy(others, known.filter(~known.is_in(marks)), options)
        if not found:
            return []
    if marks and len(marks) <= MAX_SPELLED:
        # the setting replaces the usual list, so it has to be said again
        every = ",".join([*filter(None, options.missing_values), *marks])
        which = f"{quoted(marks)} in" if found else "them in"
        named = f"name {which} missing_values {every!r}"
    return [", and ".join(filter(None, [found, named]))] if found or named else []


def _other_remedy(wrong: pl.Series, known: pl.Series, options: ReadOptions) -> str:
    """Say how dates or numbers are written so that they are read."""
    if wrong.str.contains(_LIKE_DATES).all():
        return _date_remedy(wrong[0])
    used = options.decimal
    choices = [(used, sign) for sign in ",' ."] + [(",", ""), (",", "."), (".", "")]
    for decimal, thousands in choices:
        if decimal == thousands or not _all_are_numbers(known, decimal, thousands):
            continue
        changed = {"decimal": decimal} if decimal != used else {}
        changed |= {"thousands": thousands} if thousands else {}
        said = " and ".join(f"{name}={sign!r}" for name, sign in changed.items())
        if (used, thousands) == (".", ",") and _all_are_numbers(known, ",", ""):
            said = f"decimal=',' or {said}"  # 1,234 may be either
        return f"set {said}"
    return ""


def _all_are_numbers(cells: pl.Series, decimal: str, thousands: str) -> bool:
    return bool(cells.str.contains(number_pattern(decimal, thousands)).all())


def number_pattern(decimal: str, thousands: str = "") -> str:
    """Return the pattern of numbers; between thousands are groups of three digits.

    The first group has one to three digits and does not begin with 0, as 0.125 does.
    """
    fraction = rf"(?:{re.escape(decimal)}\d*)?(?:[eE][+-]?\d+)?"
    whole = r"\d+"
    if thousands:
        whole = rf"(?:\d+|[1-9]\d{{0,2}}(?:{re.escape(thousands)}\d{{3}})+)"
    return rf"^[+-]?{whole}{fraction}$"


def _marks(wrong: pl.Series) -> list[str]:
    """Return the cells that mean missing, each once."""
    return list(filter(_means_missing, wrong.unique(maintain_order=True).to_list()))


def _means_missing(cell: str) -> bool:
    word = re.sub(r"\s+", "_", cell.strip("()[]<> ").casefold())
    return word in _WORDS_FOR_MISSING or re.fullmatch(_NO_WORDS, cell) is not None


def _date_remedy(cell: str) -> str:
    found = _DAY_FIRST.match(cell)
    example = "2024-01-05"
    if found is not None and int(found[2]) <= 12:
        example = f"{found[3]}-{int(found[2]):02}-{int(found[1]):02}"
    return f"write dates such as {cell!r} in the form {example}"
