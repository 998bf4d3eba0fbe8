"""One row on the bench: the rules that it meets, and by what it misses the others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treewright.rules.bench import Bench
from treewright.rules.ruleset import NO_RULE


@dataclass(frozen=True)
class Miss:
    """A rule that a row does not meet, and the places of the conditions that failed."""

    rule: int
    failed: tuple[int, ...]


@dataclass(frozen=True)
class RowLook:
    """What the rules say of a row.

    Attributes
    ----------
    row : int
        Its position.
    fired : int
        The position of the rule that answers, or NO_RULE: the default does.
    late : tuple of int
        The other rules that it meets; they stand behind the one that answers.
    misses : tuple of Miss
        The rules that it does not meet, those first of which it fails the fewest
        conditions.
    """

    row: int
    fired: int
    late: tuple[int, ...]
    misses: tuple[Miss, ...]


def look_at_row(bench: Bench, row: int) -> RowLook:
    """Return which rules a row meets, and by what it misses the others."""
    met = np.flatnonzero(bench.covered[:, row]).tolist()
    cells = bench.rows.cells[row : row + 1]
    misses = []
    for position, rule in enumerate(bench.rule_set):
        failed = tuple(
            place
            for place, condition in enumerate(rule.conditions)
            if not condition.holds(cells)[0]
        )
        if failed:
            misses.append(Miss(position, failed))
    misses.sort(key=lambda one: len(one.failed))
    return RowLook(row, met[0] if met else NO_RULE, tuple(met[1:]), tuple(misses))
