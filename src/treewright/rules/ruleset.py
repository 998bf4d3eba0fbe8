"""A rule set: rules in an order, of which the first that a row meets answers."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.schema import Schema
from treewright.rules.condition import Bools, Condition
from treewright.rules.rule import Rule
from treewright.tree.predict.vote import labels_of
from treewright.tree.predict.walk import Cells

NO_RULE = -1  # of a row that meets none


@dataclass(frozen=True, eq=False)
class RuleSet:
    """Rules, and what is answered where none holds."""

    schema: Schema  # names, kinds and categories of the training table
    rules: tuple[Rule, ...]  # the first one that a row meets answers
    # the answer for rows that meet no rule: the code of a class, or a number
    default: int | float
    # {"stop", "missing", "error"}: what a category that training never saw does at
    # prediction. It meets no rule that asks about it; as "missing" it meets those for
    # missing values.
    unseen: str = "stop"
    missing: str = "majority"  # "error" refuses rows with missing values

    def __len__(self) -> int:
        return len(self.rules)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    @property
    def n_conditions(self) -> int:
        """Number of conditions of all rules."""
        return sum(map(len, self.rules))

    def taking(self, order: Sequence[int]) -> RuleSet:
        """Return some of the rules, in the given order."""
        return dataclasses.replace(self, rules=tuple(self.rules[k] for k in order))

    def encode(self, table: Any) -> tuple[Cells, tuple[str, ...]]:
        """Return the rows of any table as cells, and what a reader should know."""
        # here, because it loads narwhals: who only reads rules does not need it
        from treewright.data.encoding.encode_rows import encode_rows  # noqa: PLC0415

        cells, notes = encode_rows(
            table, self.schema, unseen=self.unseen, missing=self.missing
        )
        return cells, tuple(notes)

    def covers(self, cells: Cells) -> Bools:
        """Return whether rows meet rules, shape (n_rules, n_rows)."""
        known: dict[Condition, Bools] = {}  # rules share conditions
        covered = np.ones((len(self.rules), len(cells)), np.bool_)
        for position, rule in enumerate(self.rules):
            for condition in rule.conditions:
                if condition not in known:
                    known[condition] = condition.holds(cells)
                covered[position] &= known[condition]
        return covered

    def fires(self, cells: Cells) -> npt.NDArray[np.int64]:
        """Return the position of the rule that answers for each row, or NO_RULE."""
        fired = np.full(len(cells), NO_RULE, np.int64)
        left = np.arange(len(cells))
        for position, rule in enumerate(self.rules):
            if not len(left):
                break
            rows = rule.rows(cells, left)
            if len(rows):
                fired[rows] = position
                left = left[fired[left] == NO_RULE]
        return fired

    def answers_of(self, fired: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
        """Return class codes, or numbers, for rows of which these rules answer."""
        is_number = self.schema.target.kind == "numbers"
        answers = [*(rule.answer for rule in self.rules), self.default]
        # NO_RULE is the last one
        return np.array(answers, np.float64 if is_number else np.int64)[fired]

    def answers(self, cells: Cells) -> npt.NDArray[Any]:
        """Return class codes, or numbers, for encoded rows."""
        return self.answers_of(self.fires(cells))

    def predict(self, table: Any) -> npt.NDArray[Any]:
        """Return the answer for each row of a table: a class label, or a number."""
        answers = self.answers(self.encode(table)[0])
        if self.schema.target.kind == "numbers":
            return answers
        return labels_of(self.schema.target, answers[:, None])
