"""How the messages about data are worded, in one place.

Every message says what is wrong, where, and what to do.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable
from difflib import get_close_matches
from itertools import islice

import numpy as np
import numpy.typing as npt

# of the names that there are, in a message
_MOST_NAMES = 6
_FIRST_NAMES = 3
_LAST_NAMES = 2


def row_name(row: int) -> str:
    """Name a row of a table."""
    return f"row {row} (counted from 0)"


def first_row(mask: npt.NDArray[np.bool_]) -> str:
    """Name the first row that the mask marks."""
    return row_name(int(np.argmax(mask)))


def counted(number: int, noun: str) -> str:
    """Write a number with its noun: 1 row, 2 rows."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def quoted(items: Collection[object], at_most: int = 5) -> str:
    """List the items in quotes, the first few of them if there are many."""
    shown = ", ".join(short(item) for item in islice(items, at_most))
    more = len(items) - at_most
    return f"{shown} and {more:,} more" if more > 0 else shown


def short(item: object) -> str:
    """Write an item in quotes, cut where it is very long."""
    written = repr(item)
    return written if len(written) <= 60 else f"{written[:57]}..."


def no_column(setting: str, name: object, names: Collection[str]) -> str:
    """Say that a setting names a column that is not there."""
    return (
        f"{setting} names the column {name!r}, which the table does not have; "
        f"{did_you_mean(str(name), names)}"
    )


def missing_values(name: str, missing: npt.NDArray[np.bool_]) -> tuple[str, str]:
    """Say how many values of a feature are missing, and which word stands for them."""
    n_missing = int(missing.sum())
    return (
        f"feature {name!r} has {counted(n_missing, 'missing value')}, first in "
        f"{first_row(missing)}"
    ), "it" if n_missing == 1 else "them"


def warn_of_others(extra: Collection[str], *, stacklevel: int) -> None:
    """Warn of columns that a model does not ask about."""
    warnings.warn(
        f"{counted(len(extra), 'column')} that the model does not know ignored: "
        f"{quoted(extra)}",
        UserWarning,
        stacklevel=stacklevel,
    )


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Suggest the known names near a wrong one, or list the first and last ones."""
    names = list(known)
    close = get_close_matches(name, names, n=3, cutoff=0.65)
    if not close:  # a slip in the case is not near by its letters
        close = [each for each in names if each.casefold() == name.casefold()]
    if close:
        return f"did you mean {' or '.join(map(repr, close))}?"
    if len(names) <= _MOST_NAMES:
        return f"there are {quoted(names, _MOST_NAMES)}"
    hidden = len(names) - _FIRST_NAMES - _LAST_NAMES
    first, last = quoted(names[:_FIRST_NAMES]), quoted(names[-_LAST_NAMES:])
    return f"there are {first}, {hidden:,} more, and at the end {last}"
