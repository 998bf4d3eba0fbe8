"""The target itself: how its classes or numbers are spread, and where it is missing."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from treewright.checks.finding import Finding
from treewright.checks.table import CheckedTable, Floats, Goal, listed, percent
from treewright.data.complaints import counted

RARE = 0.1  # of the share that the class would have if all had the same
ONE_NUMBER = 0.9  # of the rows with the same number


def target_findings(table: CheckedTable) -> Iterator[Finding]:
    """Yield what is remarkable about the target, before any feature is looked at."""
    yield from _left_out(table)
    if table.n_rows == 1:
        names = tuple(goal.name for goal in table.goals)
        what = "the table has 1 row, so nothing can be told apart"
        yield Finding("one row", names, 1, 1.0, what, "add rows")
        return
    for number, goal in enumerate(table.goals):
        if goal.ranks is None:
            yield from _classes(goal, table.n_rows)
        else:
            yield from _numbers(goal, table.columns.target[:, number])


def _left_out(table: CheckedTable) -> Iterator[Finding]:
    given = table.columns.given_rows
    if given is None:
        return
    n_left = given.n_rows - table.n_rows
    names = tuple(goal.name for goal in table.goals)
    yield Finding(
        "no target",
        names,
        n_left,
        0.5,
        f"{counted(n_left, 'row')} of {given.n_rows:,} without {listed(names)}",
        "find out why; to learn from the others: --drop-missing-target",
    )


def _classes(goal: Goal, n_rows: int) -> Iterator[Finding]:
    occurring = np.flatnonzero(goal.counts)
    if len(occurring) == 1:
        yield Finding(
            "one class",
            (goal.name,),
            n_rows,
            1.0,
            f"{goal.name!r} is {goal.labels[occurring[0]]!r} in every row",
            "there is nothing to learn; take rows of another class, or another target",
        )
        return
    if len(occurring) == n_rows:
        yield Finding(
            "one row each",
            (goal.name,),
            n_rows,
            1.0,
            f"{goal.name!r} has {n_rows:,} classes in {n_rows:,} rows, another one in "
            "each",
            "no class can be learned from a single row; take another target, or if "
            "its values are amounts, declare it numeric",
        )
        return
    limit = RARE / len(occurring)
    rare = [code for code in occurring.tolist() if goal.counts[code] < limit * n_rows]
    rare.sort(key=lambda code: int(goal.counts[code]))
    if not rare:
        return
    n_rare = int(goal.counts[rare].sum())
    each = [f"{goal.labels[c]!r} ({goal.counts[c]:,})" for c in rare[:5]]
    more = f" and {len(rare) - 5:,} more" if len(rare) > 5 else ""
    word = "class" if len(rare) == 1 else "classes"
    always = percent(1 - goal.counts.max() / n_rows)
    yield Finding(
        "imbalance",
        (goal.name,),
        n_rare,
        0.45,
        f"{goal.name!r} has {len(rare):,} rare {word} in {n_rows:,} rows: "
        f"{', '.join(each)}{more}; always the commonest has an error of {always}",
        "look at the errors of each class; costs (--costs) or class_weight='balanced' "
        "make rare ones count",
        {"share": n_rare / n_rows, "limit": limit},
    )


def _numbers(goal: Goal, numbers: Floats) -> Iterator[Finding]:
    values, counts = np.unique(numbers, return_counts=True)
    share = float(counts.max() / len(numbers))
    value = values[counts.argmax()]
    if len(values) == 1:
        yield Finding(
            "one number",
            (goal.name,),
            len(numbers),
            1.0,
            f"{goal.name!r} is {value:g} in every row",
            "there is nothing to learn; take another target",
        )
    elif share >= ONE_NUMBER and len(numbers) >= 20:
        yield Finding(
            "imbalance",
            (goal.name,),
            int(counts.max()),
            0.45,
            f"{goal.name!r} is {value:g} in {percent(share)} of {len(numbers):,} rows",
            f"predict first whether it is {value:g}, then the number of the others",
            {"share": share, "limit": ONE_NUMBER},
        )
