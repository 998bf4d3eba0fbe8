"""rpart's table of complexities beside ours: CP, splits, relative error."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from conformance.neutral_tree import Amount, to_digits

ATTRIBUTE = "complexity_table_"
COLUMNS = ("CP", "nsplit", "rel error", "xerror", "xstd")


class AbsentError(Exception):
    """The package has no such thing yet."""


def table_difference(
    theirs: Sequence[Sequence[float]], estimator: Any
) -> Iterator[str]:
    """Yield the first cell, row by row, in which the tables differ.

    Ours is a table whose columns are the first ones of rpart's: one without columns
    for the cross-validation is compared as far as it goes.
    """
    ours = getattr(estimator, ATTRIBUTE, None)
    if ours is None:
        raise AbsentError(f"{type(estimator).__name__} has no {ATTRIBUTE}")
    for row, (their_row, our_row) in enumerate(zip_longest(theirs, ours)):
        if their_row is None or our_row is None:
            yield f"complexity table: {len(theirs)} rows, ours {len(ours)}"
            return
        for column, recorded, figure in zip(COLUMNS, their_row, our_row, strict=False):
            if not to_digits(repr(recorded), 7).agrees(Amount(float(figure), 1e-12)):
                yield (
                    f"complexity table, row {row}: {column} {recorded:.7g}, "
                    f"ours {float(figure):.7g}"
                )
                return
