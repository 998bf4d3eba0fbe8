"""Why trees differ: the cause of each known difference, and where it was found.

A cause holds for the places that are named with it (the printed tree, all rows, single
folds, the split), so that a new difference in the same table does not hide behind an
old one. How each was found is told in docs/conformance.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

NOT_FOUND = "cause not found"

EQUAL_SPLITS = "two splits gain exactly the same; a rounded bit decides there"
MANY_EQUAL_SPLITS = (
    "equal splits, education and education-num above all: 32-bit sums of shares decide"
)
SUMS_OF_SHARES = "shares of rows are added up in 32 bits there, exactly here"
ROUNDED_LIMIT = "a side of exactly 2 rows, a difference of sums, is less in 32 bits"
OWN_COUNT = (
    "Weka's list of predictions is ours, row by row; its count of errors is one less"
)
EQUAL_SHARES = (
    "one row that is divided: its classes have the same share but for the 14th digit"
)
STOPPED_ROWS = "rows without a value stay at an inner node there"


@dataclass(frozen=True)
class Cause:
    """A cause, and the places in which it makes a difference."""

    words: str
    places: frozenset[str]


def _at(words: str, *places: str) -> Cause:
    return Cause(words, frozenset(places))


_WHOLE = ("tree", "all rows")
_OF_ADULT = ("all rows", "split", *(f"fold {n}" for n in range(10)))
_OF_SOYBEAN = (*_WHOLE, *(f"fold {n}" for n in (2, 3, 4, 5, 7, 8)))
CAUSES = {
    ("adult", "c45r8"): _at(MANY_EQUAL_SPLITS, *_OF_ADULT),
    ("adult", "c45r8_unpruned"): _at(MANY_EQUAL_SPLITS, *_OF_ADULT),
    ("adult", "j48_unpruned"): _at(OWN_COUNT, "split"),
    ("anneal", "c45r8"): _at(SUMS_OF_SHARES, "fold 5"),
    ("anneal", "c45r8_unpruned"): _at(SUMS_OF_SHARES, "fold 5"),
    ("breast-w", "c45r8"): _at(SUMS_OF_SHARES, "fold 1", "fold 2"),
    ("breast-w", "c45r8_unpruned"): _at(SUMS_OF_SHARES, "fold 1"),
    ("credit-approval", "c45r8_unpruned"): _at(SUMS_OF_SHARES, "fold 5", "fold 8"),
    ("flights", "c45r8"): _at(SUMS_OF_SHARES, "split"),
    ("flights", "c45r8_unpruned"): _at(SUMS_OF_SHARES, "split"),
    ("flights", "j48"): _at(EQUAL_SHARES, "split"),
    ("hepatitis", "c45r8"): _at(SUMS_OF_SHARES, "fold 2"),
    ("labor", "c45r8_unpruned"): _at(ROUNDED_LIMIT, *_WHOLE),
    ("soybean", "c45r8"): _at(SUMS_OF_SHARES, *_OF_SOYBEAN),
    ("soybean", "c45r8_unpruned"): _at(SUMS_OF_SHARES, *_WHOLE),
    ("monks-1", "id3"): _at(EQUAL_SPLITS, *_WHOLE, "all folds"),
    ("monks-2", "id3"): _at(EQUAL_SPLITS, "fold 6"),
    ("tic-tac-toe", "id3"): _at(EQUAL_SPLITS, "fold 0", "fold 8", "all folds"),
    ("diabetes", "rpart"): _at(EQUAL_SPLITS, "fold 2"),
    ("vowel", "rpart"): _at(EQUAL_SPLITS, "split"),
    ("ionosphere", "rpart"): _at(EQUAL_SPLITS, "fold 7"),
    ("segment", "rpart"): _at(EQUAL_SPLITS, "fold 8"),
    ("liver", "rpart"): _at(EQUAL_SPLITS, "fold 1"),
    ("soybean", "rpart"): _at(EQUAL_SPLITS, *_WHOLE, "fold 5", "fold 7"),
    ("soybean", "rpart_cp0"): _at(EQUAL_SPLITS, "all rows", "complexity table"),
    ("soybean", "rpart_full"): _at(EQUAL_SPLITS, "all rows"),
    ("votes", "rpart_full"): _at(STOPPED_ROWS, "all rows"),
} | {
    (name, "rpart_full"): _at(EQUAL_SPLITS, "all rows")
    for name in (
        "abalone",
        "bike-sharing-hour",
        "california-housing",
        "letter",
        "satimage",
        "segment",
    )
}


def place_of(difference: str) -> str:
    """Return where a difference is, from the words that tell it."""
    place = difference.partition(":")[0]
    if place.startswith("root"):
        return "tree"
    return place.partition(",")[0]


def cause_of(dataset: str, program: str, differences: Iterable[str]) -> str:
    """Return why two trees differ, as far as it is known.

    Parameters
    ----------
    dataset, program : str
        What was compared.
    differences : iterable of str
        All differences in words. A place that the cause does not cover is named.
    """
    cause = CAUSES.get((dataset, program))
    if cause is None:
        return NOT_FOUND
    places = dict.fromkeys(place_of(difference) for difference in differences)
    others = [place for place in places if place not in cause.places]
    if others:
        return f"{cause.words}; {NOT_FOUND} of {', '.join(others)}"
    return cause.words
