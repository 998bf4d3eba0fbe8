"""A rule: conditions that must all hold, and the answer then.

A rule has no figures (rows covered, right, wrong): those come from data, and the same
rule has others on other data. They are in `figures.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from treewright.rules.condition import Bools, Condition, Rows
from treewright.tree.predict.walk import Cells


@dataclass(frozen=True, slots=True)
class Rule:
    """Conditions and an answer; immutable, can be hashed and compared."""

    # all must hold; in the order in which they are read. None: every row.
    conditions: tuple[Condition, ...]
    answer: int | float  # the code of a class (NO_CLASS for none), or a number

    @classmethod
    def of(cls, conditions: Iterable[Condition], answer: int | float) -> Rule:
        """Return a rule with one condition for each subject, at its first place."""
        merged: dict[object, Condition] = {}
        for one in conditions:
            before = merged.get(one.subject)
            merged[one.subject] = one if before is None else before.merged(one)
        return cls(tuple(merged.values()), answer)

    def __len__(self) -> int:
        return len(self.conditions)

    @property
    def is_empty(self) -> bool:
        """Whether no row can meet its conditions."""
        return any(condition.is_empty for condition in self.conditions)

    def without(self, position: int) -> Rule:
        """Return the rule less the condition at a position."""
        kept = self.conditions[:position] + self.conditions[position + 1 :]
        return Rule(kept, self.answer)

    def rows(self, cells: Cells, among: Rows | None = None) -> Rows:
        """Return the numbers of the rows that meet all conditions.

        `cells` (float64, shape (n_rows, n_features)): encoded rows. `among`: the only
        rows to look at.
        """
        rows = among
        for condition in self.conditions:
            held = condition.holds(cells, rows)
            rows = np.flatnonzero(held) if rows is None else rows[held]
        return np.arange(len(cells)) if rows is None else rows

    def covers(self, cells: Cells) -> Bools:
        """Return whether each row meets all conditions."""
        covered = np.zeros(len(cells), np.bool_)
        covered[self.rows(cells)] = True
        return covered
