"""Copies: columns that say the same, under other names.

Numbers are copies if they have the same order, or the opposite one (another unit, a
logarithm); categories if they divide the rows in the same way (renamed). Exact copies
are found by a number made of each column, near ones by comparing every two columns on
some of the rows and then on many.

    near: at most 0.1 % off 1 in Spearman's correlation; of categories at most 2 % of
    the rows that are not of the commonest category
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.checks.alike import grouped, groups_alike
from treewright.checks.chance import is_chance, log_arrangements
from treewright.checks.finding import Finding
from treewright.checks.single_columns import MIN_ROWS
from treewright.checks.table import (
    Checked,
    CheckedTable,
    Floats,
    Ints,
    ignoring,
    listed,
)

NEAR_ORDER = 0.999  # Spearman's correlation
NEAR_CATEGORIES = 0.02  # wrong, of the rows that are not of the commonest category
MOST_ROWS = 50_000  # that a pair is compared by
FEW_VALUES = 10  # numbers of so few values are compared as categories
_CANDIDATE = 0.9


def copies(table: CheckedTable) -> Iterator[Finding]:
    """Yield for each column those that are its copies."""
    own = [one for one in table.features if one.n_seen > 1]
    n_pairs = len(own) ** 2
    own = [one for one in own if not is_chance(-log_arrangements(one.counts), n_pairs)]
    exact = grouped(_exact_pairs(own, table.n_rows))
    followers = {number for group in exact.values() for number in group}
    left = [number for number in range(len(own)) if number not in followers]
    near = _near_groups(own, left, table.n_rows)
    for first in sorted({*exact, *near}):
        same, nearly = exact.get(first, []), near.get(first, [])
        yield _finding(own, first, same, nearly)


def _finding(
    own: list[Checked], first: int, same: list[int], nearly: list[int]
) -> Finding:
    parts = []
    by_how: dict[str, list[str]] = defaultdict(list)
    for number in same:
        by_how[_how(own[first], own[number])].append(own[number].name)
    if nearly:
        by_how["nearly the same"] = [own[number].name for number in nearly]
    for how, names in by_how.items():
        parts.append(f"{listed(names)} ({how})")
    copied = [own[number] for number in (*same, *nearly)]
    others = [one.name for one in copied]
    word = "a copy" if len(others) == 1 else "copies"
    verb = "is" if len(others) == 1 else "are"
    return Finding(
        "copy",
        (own[first].name, *others),
        own[first].n_known,
        0.3,
        f"{', '.join(parts)} {verb} {word} of {own[first].name!r}",
        f"they share its importance; keep one ({ignoring(copied)})",
        {"n_copies": len(others)},
    )


def _how(first: Checked, other: Checked) -> str:
    """Say how a copy differs."""
    one, two = _places(first), _places(other)
    if first.is_nominal or other.is_nominal:
        both = first.is_nominal and other.is_nominal
        same_labels = both and _labels(first) == _labels(other)
        return "equal" if same_labels and (one == two).all() else "renamed"
    if (one == two).all():
        same = first.column.values is not None and other.column.values is not None
        equal = same and np.array_equal(first.column.values, other.column.values)  # type: ignore[arg-type]
        return "equal" if equal else "in the same order"
    known = one >= 0
    if (one[known] + two[known] == first.n_seen - 1).all():
        return "in the opposite order"
    return "renamed"


def _labels(one: Checked) -> list[str]:
    return [one.label(code) for code in np.flatnonzero(one.counts[:-1]).tolist()]


def _places(one: Checked) -> Ints:
    """Return the place of each row's value among those that occur; -1 for missing."""
    places = np.cumsum(one.counts > 0) - 1
    places[-1] = -1
    return np.asarray(places[one.column.codes])


def _exact_pairs(own: list[Checked], n_rows: int) -> Iterator[tuple[int, int]]:
    """Yield each column with the first that is the same."""
    factors = np.random.default_rng(0).integers(1, 2**63, n_rows, np.uint64)
    found: dict[tuple[int, int], list[int]] = defaultdict(list)
    for number, one in enumerate(own):
        forms = _forms(one, n_rows)
        keys = [int((form.astype(np.uint64) * factors).sum()) for form in forms]
        found[one.n_seen, min(keys)].append(number)
    for numbers in found.values():
        first = _forms(own[numbers[0]], n_rows)[0]
        for number in numbers[1:]:
            # two columns may have the same key by chance
            if any(np.array_equal(first, form) for form in _forms(own[number], n_rows)):
                yield numbers[0], number


def _forms(one: Checked, n_rows: int) -> list[Ints]:
    """Return what is the same in all copies; of an order there are two directions."""
    if one.n_seen <= n_rows / 2:
        # each value is called by the first row that has it; missing is 0
        first = np.zeros(one.column.n_codes + 1, np.int64)
        first[one.column.codes[::-1]] = np.arange(n_rows, 0, -1)
        first[-1] = 0
        return [first[one.column.codes]]
    places = _places(one)
    if one.is_nominal:
        return [places + 1]
    return [places + 1, np.where(places < 0, 0, one.n_seen - places)]


def _near_groups(
    own: list[Checked], left: list[int], n_rows: int
) -> dict[int, list[int]]:
    """Return the near copies among these columns."""
    if n_rows < MIN_ROWS:
        return {}
    many = np.random.default_rng(0).permutation(n_rows)[:MOST_ROWS]

    def vector(number: int, rows: Ints) -> npt.NDArray[Any]:
        """Return mean ranks, or of categories which rows have the commonest."""
        one = own[left[number]]
        codes = one.column.codes[rows]
        if _by_order(one):
            return _mean_ranks(one)[codes]
        return np.asarray(codes == int(one.counts[:-1].argmax()))

    def confirmed(a: int, b: int) -> bool:
        one, other = own[left[a]], own[left[b]]
        return _by_order(one) == _by_order(other) and _is_near(one, other, many)

    found = groups_alike(len(left), n_rows, vector, _CANDIDATE, confirmed)
    return {left[a]: [left[b] for b in group] for a, group in found.items()}


def _by_order(one: Checked) -> bool:
    """Tell whether near copies have nearly the same order; few values have names."""
    return not one.is_nominal and one.n_seen > FEW_VALUES


def _mean_ranks(one: Checked) -> Floats:
    """Return the mean rank of each code from 0 to 1; missing is in the middle."""
    known = one.counts[:-1]
    ranks = (np.cumsum(known) - known / 2) / max(one.n_known, 1)
    return np.append(ranks, 0.5)


def _is_near(one: Checked, other: Checked, rows: Ints) -> bool:
    if not _by_order(one):
        return _is_renamed(one, other, rows)
    known = ~one.is_missing[rows] & ~other.is_missing[rows]
    n_known = int(known.sum())
    unlike = int((one.is_missing[rows] != other.is_missing[rows]).sum())
    if n_known < MIN_ROWS or unlike > NEAR_CATEGORIES * n_known:
        return False
    a = _mean_ranks(one)[one.column.codes[rows[known]]]
    b = _mean_ranks(other)[other.column.codes[rows[known]]]
    a, b = a - a.mean(), b - b.mean()
    length = math.sqrt(float(a @ a) * float(b @ b))
    return length > 0 and abs(float(a @ b)) / length >= NEAR_ORDER


def _is_renamed(one: Checked, other: Checked, rows: Ints) -> bool:
    """Tell whether each column's categories follow from the other's, nearly always."""
    n_other = other.column.n_codes + 1
    pairs = one.column.codes[rows].astype(np.int64) * n_other + other.column.codes[rows]
    kinds, counts = np.unique(pairs, return_counts=True)
    sides = (kinds // n_other, kinds % n_other)
    for given, answer in (sides, sides[::-1]):
        most = np.zeros(int(given.max()) + 1, np.int64)
        np.maximum.at(most, given, counts)
        n_wrong = len(rows) - int(most.sum())
        n_rare = len(rows) - int(np.bincount(answer, weights=counts).max())
        if n_rare < MIN_ROWS or n_wrong > NEAR_CATEGORIES * n_rare:
            return False
    return True
