"""Contradictions: rows that are equal in every feature and differ in the target.

No tree can tell such rows apart, so on these rows none has a lower error than that of
the commonest class (or the mean) in each group of equal rows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from treewright.checks.finding import Finding
from treewright.checks.single_columns import identifies
from treewright.checks.table import CheckedTable, Floats, Goal, Ints, listed, percent
from treewright.data.columns import Column
from treewright.data.complaints import counted
from treewright.render.fitting.safe_text import short_number

_MIX = np.uint64(0x9E3779B97F4A7C15)


def contradictions(table: CheckedTable) -> Iterator[Finding]:
    """Yield what equal rows say against each other, for each output."""
    # an identifier tells all rows apart, and teaches nothing about new ones
    names = [one.name for one in table.features if identifies(one)]
    columns = [
        one.column
        for one in table.features
        if not one.is_constant and one.name not in names
    ]
    groups = equal_rows(columns, table.n_rows)
    if not columns or not (groups >= 0).any():
        return
    but = f" but {listed(names)}" if names else ""
    for number, goal in enumerate(table.goals):
        if goal.ranks is None:
            yield from _classes(groups, goal, but)
        else:
            yield from _numbers(groups, goal, table.columns.target[:, number], but)


def equal_rows(columns: list[Column], n_rows: int) -> Ints:
    """Return the group of each row, numbered from 0; -1 for rows without an equal.

    Rows are found by a number made of all their codes, and then compared.
    """
    for seed in range(1, 100):
        groups = _hashed_groups(columns, n_rows, seed)
        together = np.flatnonzero(groups >= 0)
        first = np.full(n_rows, -1)
        first[groups[together][::-1]] = together[::-1]
        twins = first[groups[together]]
        if all((c.codes[together] == c.codes[twins]).all() for c in columns):
            return groups
    raise AssertionError("rows with the same hash that are not equal, 99 times")


def _hashed_groups(columns: list[Column], n_rows: int, seed: int) -> Ints:
    mixed = np.full(n_rows, seed, np.uint64)
    for column in columns:
        mixed ^= column.codes.astype(np.uint64) + _MIX
        mixed *= np.uint64(0xBF58476D1CE4E5B9)
        mixed ^= mixed >> np.uint64(29)
    order = np.argsort(mixed, kind="stable")
    ranked = mixed[order]
    starts = np.flatnonzero(np.append(True, ranked[1:] != ranked[:-1]))
    sizes = np.diff(np.append(starts, n_rows))
    numbers = np.where(sizes > 1, np.cumsum(sizes > 1) - 1, -1)
    groups = np.empty(n_rows, np.int64)
    groups[order] = np.repeat(numbers, sizes)
    return groups


def _classes(groups: Ints, goal: Goal, but: str) -> Iterator[Finding]:
    n_rows = len(groups)
    together = groups >= 0
    pairs = groups[together] * len(goal.labels) + goal.codes[together]
    kinds, counts = np.unique(pairs, return_counts=True)
    of_group = kinds // len(goal.labels)
    n_groups = int(groups.max()) + 1
    most = np.zeros(n_groups, np.int64)
    np.maximum.at(most, of_group, counts)
    sizes = np.bincount(of_group, weights=counts, minlength=n_groups).astype(np.int64)
    mixed = sizes > most
    if not mixed.any():
        return
    n_wrong, n_mixed = int((sizes - most).sum()), int(sizes[mixed].sum())
    lowest, usual = n_wrong / n_rows, 1 - goal.counts.max() / n_rows
    yield Finding(
        "contradictions",
        (goal.name,),
        n_mixed,
        0.15 + 0.7 * lowest / usual,
        f"{counted(n_mixed, 'row')} in {counted(int(mixed.sum()), 'group')} are equal "
        f"in every feature{but} and differ in {goal.name!r}: no tree has less than "
        f"{percent(lowest)} error on these rows ({n_wrong:,} wrong)",
        "correct the rows, or add a feature that tells them apart; else prune, as "
        "--set pruning=cost_complexity",
        {"lowest_error": lowest, "n_wrong": n_wrong, "n_groups": int(mixed.sum())},
    )


def _numbers(groups: Ints, goal: Goal, numbers: Floats, but: str) -> Iterator[Finding]:
    together = groups >= 0
    of_row, values = groups[together], numbers[together]
    centre = float(numbers.mean())
    sizes = np.bincount(of_row)
    means = np.bincount(of_row, weights=values - centre) / sizes
    off = values - centre - means[of_row]
    # a mean of equal numbers may be off by rounding
    low = np.full(len(sizes), np.inf)
    high = np.full(len(sizes), -np.inf)
    np.minimum.at(low, of_row, values)
    np.maximum.at(high, of_row, values)
    mixed = high > low
    spread = float(((numbers - centre) ** 2).sum())
    if not mixed.any() or not 0 < spread < math.inf:
        return
    left = float((off[mixed[of_row]] ** 2).sum())
    n_mixed, lowest = int(sizes[mixed].sum()), math.sqrt(left / len(numbers))
    yield Finding(
        "contradictions",
        (goal.name,),
        n_mixed,
        0.15 + 0.7 * min(1.0, left / spread),
        f"{counted(n_mixed, 'row')} in {counted(int(mixed.sum()), 'group')} are equal "
        f"in every feature{but} and differ in {goal.name!r}: no tree has an RMSE "
        f"below "
        f"{short_number(lowest)} on these rows (always the mean: "
        f"{short_number(math.sqrt(spread / len(numbers)))})",
        "correct the rows, or add a feature that tells them apart",
        {"lowest_rmse": lowest, "n_groups": int(mixed.sum())},
    )
