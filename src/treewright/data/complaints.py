"""How the messages about data are worded, in one place.

Every message says what is wrong, where, and what to do.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from difflib import get_close_matches
from itertools import islice

import numpy as np

from treewright.data.raw import Mask


def row_name(row: int) -> str:
    """Name a row of a table."""
    return f"row {row} (counted from 0)"


def first_row(mask: Mask) -> str:
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


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Suggest the known name nearest to a wrong one, or list what there is."""
    names = list(known)
    close = get_close_matches(name, names, n=1)
    return f"did you mean {close[0]!r}?" if close else f"there are {quoted(names)}"
