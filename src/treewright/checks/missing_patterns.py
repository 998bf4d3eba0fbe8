"""Missing values: how many, in which columns together, and what they tell.

together: the missing rows of two columns correlate by 0.9 or more
tells the target: the share missing differs between a class and the others by 0.05
or more, and chance does not make that
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from treewright.checks.alike import MOST_VECTORS, groups_alike
from treewright.checks.chance import is_chance, joint_count
from treewright.checks.finding import Finding
from treewright.checks.table import (
    Checked,
    CheckedTable,
    Goal,
    ignoring,
    listed,
    percent,
)
from treewright.data.complaints import counted

MOSTLY = 0.5  # of the rows
TOGETHER = 0.9  # correlation of being missing
TELLS = 0.05  # difference of the shares missing


def missing_findings(table: CheckedTable) -> Iterator[Finding]:
    """Yield what is remarkable about missing values."""
    some = [one for one in table.features if one.n_missing and one.n_seen]
    some.sort(key=lambda one: -one.n_missing)
    mostly = [one for one in some if one.n_missing >= MOSTLY * table.n_rows]
    for one in mostly:
        yield _mostly(one, table.n_rows)
    few = some[len(mostly) :]
    if few:
        yield _some(few, table.n_rows)
    yield from _together(some, table.n_rows)
    for goal in table.goals:
        n_tests = len(some) * len(goal.labels) * len(table.goals)
        for one in some:
            yield from _tells(one, goal, n_tests)


def _mostly(one: Checked, n_rows: int) -> Finding:
    share = one.n_missing / n_rows
    return Finding(
        "mostly missing",
        (one.name,),
        one.n_missing,
        0.2 + 0.2 * share,
        f"{one.name!r} is missing in {one.n_missing:,} of {n_rows:,} rows "
        f"({percent(share)})",
        f"find out why; leave it out ({ignoring([one])}), or ask whether it is "
        "known (--set missing=own_branch)",
        {"share": share, "limit": MOSTLY},
    )


def _some(some: list[Checked], n_rows: int) -> Finding:
    shares = [f"{one.name!r} {percent(one.n_missing / n_rows)}" for one in some[:4]]
    more = f" and {len(some) - 4:,} more" if len(some) > 4 else ""
    n_cells = sum(one.n_missing for one in some)
    return Finding(
        "missing",
        tuple(one.name for one in some),
        max(one.n_missing for one in some),
        0.1 * some[0].n_missing / n_rows,
        f"{counted(n_cells, 'missing cell')} in {counted(len(some), 'column')}: "
        f"{', '.join(shares)}{more}",
        "'treewright missing' tries every way with them",
        {"n_cells": n_cells},
    )


def _together(some: list[Checked], n_rows: int) -> Iterator[Finding]:
    """Yield columns that are missing in the same rows, or nearly."""
    some = some[:MOST_VECTORS]
    n_pairs = len(some) * (len(some) - 1) // 2

    def confirmed(a: int, b: int) -> bool:
        one, other = some[a], some[b]
        both = int((one.is_missing & other.is_missing).sum())
        counts = both, one.n_missing, other.n_missing, n_rows
        if _correlation(*counts) < TOGETHER:
            return False
        return not is_chance(joint_count(*counts), n_pairs)

    groups = groups_alike(
        len(some),
        n_rows,
        lambda number, rows: some[number].is_missing[rows],
        TOGETHER - 0.1,
        confirmed,
    )
    for first, others in groups.items():
        group = [some[number] for number in (first, *others)]
        names = [one.name for one in group]
        n_both = int(np.logical_and.reduce([one.is_missing for one in group]).sum())
        yield Finding(
            "missing together",
            tuple(names),
            n_both,
            0.25,
            f"{listed(names)} are missing together in {counted(n_both, 'row')}",
            "find out why; none of them can stand in for another, as --set "
            "missing=surrogates would have it",
            {"limit": TOGETHER},
        )


def _correlation(both: int, n_one: int, n_other: int, n_rows: int) -> float:
    above = both * n_rows - n_one * n_other
    below = float(n_one) * (n_rows - n_one) * n_other * (n_rows - n_other)
    return float(above / np.sqrt(below)) if below > 0 else 0.0


def _tells(one: Checked, goal: Goal, n_tests: int) -> Iterator[Finding]:
    """Yield the class whose rows are missing most unlike the others', if there is."""
    n_rows = len(goal.codes)
    both = np.bincount(goal.codes[one.is_missing], minlength=len(goal.labels))
    found = []
    for code, n_class in enumerate(goal.counts.tolist()):
        if not 0 < n_class < n_rows:
            continue
        inside = int(both[code]) / n_class
        outside = (one.n_missing - int(both[code])) / (n_rows - n_class)
        bound = joint_count(int(both[code]), one.n_missing, n_class, n_rows)
        if abs(inside - outside) >= TELLS and not is_chance(bound, n_tests):
            found.append((bound, code, inside, outside))
    if not found:
        return
    _, code, inside, outside = min(found)
    who = goal.labels[code] if goal.ranks is not None else repr(goal.labels[code])
    yield Finding(
        "missing tells",
        (one.name, goal.name),
        one.n_missing,
        0.55 + 0.3 * abs(inside - outside),
        f"{one.name!r} is missing in {percent(inside)} of the rows where {goal.name!r} "
        f"is {who}, and in {percent(outside)} of the others",
        "will it be missing like that in new rows? if so --set missing=own_branch "
        f"uses it; if not: {ignoring([one])}",
        {"share": inside, "share_of_others": outside, "limit": TELLS},
    )
