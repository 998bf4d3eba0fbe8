"""The workbench that users get: rules on rows, looked at and edited by hand.

The counts are in `rules/workbench/bench.py` and the files beside it, the pages in
`bench_pages.py`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.complaints import counted
from treewright.errors import SettingError
from treewright.prune.labelled_rows import LabelledRows
from treewright.render.fitting.safe_text import weight_text
from treewright.render.listing.outline import ListingLook
from treewright.render.rules.bench_pages import (
    BenchPage,
    BenchWords,
    ConflictPage,
    RowPage,
    RuleRowsPage,
    UnusedPage,
    WorthPage,
)
from treewright.render.rules.rule_table import FigureColumn, RuleLine, rule_table_lines
from treewright.rules.condition import Bools
from treewright.rules.induction.polish import MOST_RATE
from treewright.rules.rule_file import save
from treewright.rules.rule_model import RuleModel
from treewright.rules.ruleset import NO_RULE, RuleSet
from treewright.rules.workbench.bench import (
    Bench,
    CostChange,
    drop_costs,
    look_at_row,
    overlaps,
)
from treewright.rules.workbench.edits import (
    drop_condition,
    drop_rules,
    merge_rules,
    reorder_rules,
    rule_position,
)

EDITED = "edited by hand: "


@dataclass(frozen=True)
class Edit:
    """An edit and what it did."""

    what: str  # in words: "rule 3 dropped"
    # before and after
    errors: tuple[float, float]
    bits: tuple[float, float]

    def told(self, words: BenchWords) -> str:
        """Return it in one line."""
        before, after = map(words.error_text, self.errors)
        said = f"{self.what}: {words.error_unit} {before} to {after}"
        if words.bench.is_numbers:
            return said
        return f"{said}, bits {self.bits[0]:.1f} to {self.bits[1]:.1f}"


@dataclass(frozen=True, eq=False, repr=False)
class Workbench(BenchPage):
    """Rules on rows whose answers are known; printed, what each rule does there.

    Rules and conditions are called by the numbers that are printed, from 1; rows by
    their position in the table, from 0. Nothing changes a workbench: an edit returns
    another one.
    """

    bench: Bench  # the rules, the rows, and all counts
    row_numbers: npt.NDArray[np.int64]  # what the rows are called
    # what was edited, one after the other, with errors and bits before and after
    edits: tuple[Edit, ...] = ()
    # what a reader should know of the rules as they were first
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        rule_set: RuleSet,
        rows: LabelledRows,
        row_numbers: npt.NDArray[np.int64] | None = None,
        notes: tuple[str, ...] = (),
    ) -> Workbench:
        """Return a workbench; rows are called by their positions if not told."""
        numbers = np.arange(len(rows)) if row_numbers is None else row_numbers
        return cls(Bench.of(rule_set, rows), numbers, notes=notes)

    def __len__(self) -> int:
        return len(self.rule_set)

    def __repr__(self) -> str:
        last = f"; {self.edits[-1].told(self._words)}" if self.edits else ""
        return f"<{counted(len(self), 'rule')}; {self._words.summary()}{last}>"

    @property
    def rule_set(self) -> RuleSet:
        """The rules in their order, and the default."""
        return self.bench.rule_set

    @property
    def errors(self) -> float:
        """The weight of the rows that get a wrong class; of numbers, squared errors."""
        return self.bench.errors

    @property
    def bits(self) -> float:
        """The description length of the rules and their errors; NaN for numbers."""
        return self.bench.length.bits

    @property
    def change(self) -> CostChange:
        """What the last edit added to `errors` and `bits`; 0 if there was none."""
        if not self.edits:
            return CostChange(0.0, 0.0)
        last = self.edits[-1]
        return CostChange(last.errors[1] - last.errors[0], last.bits[1] - last.bits[0])

    def row(self, row: int) -> RowPage:
        """Return which rules a row meets, and by what it misses the others."""
        places = np.flatnonzero(self.row_numbers == row)
        if isinstance(row, bool) or not len(places):
            first, last = self.row_numbers[[0, -1]].tolist()
            gaps = last - first >= len(self.row_numbers)
            less = ", those without a target left out" if gaps else ""
            raise SettingError(
                f"there is no row {row!r}; rows go from {first} to {last}{less}"
            )
        return RowPage(self._words, look_at_row(self.bench, int(places[0])))

    def rows_of(self, rule: int) -> RuleRowsPage:
        """Return the rows that a rule rests on: `right`, `wrong` and `late`."""
        position = rule_position(self.rule_set, rule)
        fires = self.bench.first_two[0] == position
        numbers, wrong = self.row_numbers, self.bench.wrong
        return RuleRowsPage(
            self._words,
            position,
            numbers[fires & ~wrong],
            numbers[fires & wrong],
            numbers[self.bench.covered[position] & ~fires],
        )

    def conflicts(self) -> ConflictPage:
        """Return which rules meet the same rows, and which of these disagree."""
        return ConflictPage(self._words, overlaps(self.bench))

    def worth(self) -> WorthPage:
        """Return what dropping each rule, and each condition, costs."""
        return WorthPage(self._words, drop_costs(self.bench))

    def unused(self) -> UnusedPage:
        """Return the rules that answer for no row, and why."""
        fired = set(self.bench.first_two[0].tolist())
        idle = [k for k in range(len(self)) if k not in fired]
        met: Bools = np.any(self.bench.covered, axis=1)
        return UnusedPage(
            self._words,
            [k + 1 for k in idle if not met[k]],
            [k + 1 for k in idle if met[k]],
        )

    def drop(self, rule: int, condition: int | None = None) -> Workbench:
        """Return the workbench without a rule, or with the rule less one condition.

        Parameters
        ----------
        rule : int
            Its number, from 1.
        condition : int, optional
            The number of one of its conditions, from 1.

        Examples
        --------
        >>> import treewright as tw
        >>> X, y = tw.datasets.tennis()
        >>> bench = tw.ID3Classifier().fit(X, y).rules().workbench(X, y)
        >>> shorter = bench.drop(1)  # the default says the same
        >>> len(shorter), shorter.change.errors
        (4, 0.0)
        """
        if condition is None:
            return self.drop_all([rule])
        edited = drop_condition(self.rule_set, rule, condition)
        return self._edited(edited, f"condition {condition} of rule {rule} dropped")

    def drop_all(self, rules: Sequence[int]) -> Workbench:
        """Return the workbench without several rules, by their numbers here."""
        if not rules:
            raise SettingError("no rule is named; name one or more by their numbers")
        edited = drop_rules(self.rule_set, rules)
        names = ", ".join(map(str, rules))
        noun = "rule" if len(rules) == 1 else "rules"
        return self._edited(edited, f"{noun} {names} dropped")

    def merge(self, rule: int, other: int) -> Workbench:
        """Return the workbench with one rule in the place of two that answer alike.

        It has the conditions on what both ask about, wide enough for either.
        """
        edited = merge_rules(self.rule_set, rule, other)
        return self._edited(edited, f"rules {rule} and {other} merged")

    def reorder(self, order: Sequence[int]) -> Workbench:
        """Return the workbench with the rules in another order, by number."""
        edited = reorder_rules(self.rule_set, order)
        return self._edited(edited, f"rules in the order {', '.join(map(str, order))}")

    def model(self) -> RuleModel:
        """Return the rules as a model, with the shares of classes of these rows."""
        notes = tuple(EDITED + edit.what for edit in self.edits)
        return self.bench.model((*self.notes, *notes))

    def predict(self, table: Any) -> npt.NDArray[Any]:
        """Return the class of each row of a table."""
        return self.rule_set.predict(table)

    def predict_proba(self, table: Any) -> npt.NDArray[np.float64]:
        """Return the shares of the classes for each row of a table.

        Laplace's shares of the rows of the bench that meet the rule which answers;
        where none does, of those that meet none.
        """
        return self.model().predict_proba(table)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the rules to a model file; `treewright.load` reads it back."""
        save(self.model(), path)

    @property
    def _words(self) -> BenchWords:
        return BenchWords(self.bench, self.row_numbers)

    def _edited(self, rule_set: RuleSet, what: str) -> Workbench:
        bench = self.bench.with_rules(rule_set)
        edit = Edit(what, (self.errors, bench.errors), (self.bits, bench.length.bits))
        return replace(self, bench=bench, edits=(*self.edits, edit))

    def _lines(self, look: ListingLook) -> Iterator[str]:
        words, bench = self._words, self.bench
        for edit in self.edits:
            yield from look.paragraph(edit.told(words))
        if self.edits:
            yield ""
        n_rows = counted(len(bench.rows), "row")
        n_rules = counted(len(self), "rule")
        yield from look.paragraph(f"{n_rules} for {words.target} on {n_rows}")
        yield ""
        fires, wrong = bench.per_rule(bench.weights), bench.per_rule(bench.losses)
        if len(self):
            rules = [
                RuleLine(
                    position + 1,
                    [*map(look.shown, words.conditions(position, look))],
                    look.shown(words.answer(rule.answer)),
                )
                for position, rule in enumerate(self.rule_set)
            ]
            columns = self._columns(fires, wrong)
            yield from rule_table_lines(rules, columns, look)
        default = words.answer(self.rule_set.default)
        rest = ""
        if (bench.first_two[0] == NO_RULE).any():
            rest = f": {words.unit} {weight_text(fires[-1])}, "
            error = "squared error" if bench.is_numbers else "wrong"
            rest += f"{words.error_text(wrong[-1])} {error}"
        yield from look.paragraph(f"otherwise {default}{rest}")
        yield ""
        yield from look.paragraph(words.summary())
        yield from self._remarks(look)

    def _remarks(self, look: ListingLook) -> Iterator[str]:
        """Yield what is odd about single rules."""
        idle = self.unused()
        met = np.any(self.bench.covered, axis=1)
        is_doubtful = np.zeros(len(self), np.bool_)
        if not self.bench.is_numbers:
            is_doubtful = (self.bench.rates > MOST_RATE) & met
        doubtful = np.flatnonzero(is_doubtful) + 1
        said = (
            (sorted([*idle.unmet, *idle.late]), "never answers", "never answer"),
            (
                doubtful.tolist(),
                f"is expected to be wrong for more than {MOST_RATE:g} of its rows",
                f"are expected to be wrong for more than {MOST_RATE:g} of their rows",
            ),
        )
        for numbers, one, several in said:
            if len(numbers) == 1:
                yield from look.paragraph(f"rule {numbers[0]} {one}")
            elif numbers:
                names = ", ".join(map(str, numbers))
                yield from look.paragraph(f"rules {names} {several}")

    def _columns(
        self, fires: npt.NDArray[np.float64], wrong: npt.NDArray[np.float64]
    ) -> list[FigureColumn]:
        met = self.bench.covered @ self.bench.weights
        return [
            FigureColumn("meet", [*map(weight_text, met.tolist())]),
            FigureColumn("answers", [*map(weight_text, fires[:-1].tolist())], rank=2),
            FigureColumn(
                "squared error" if self.bench.is_numbers else "wrong",
                [*map(self._words.error_text, wrong[:-1].tolist())],
                rank=1,
            ),
        ]
