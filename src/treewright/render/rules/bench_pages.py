"""Pages of the workbench: a row, a rule's rows, conflicts, costs, idle rules.

Each has its figures as attributes, and is printed as text. Rules are called by their
numbers from 1, rows as the workbench calls them. `BenchWords` is what pages are made
of: rules, cells and changes in words.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treewright.data.complaints import counted
from treewright.render.fitting.safe_text import (
    aligned,
    display_width,
    pad,
    short_number,
    weight_text,
)
from treewright.render.fitting.wrapping import wrapped
from treewright.render.listing.outline import ListingLook
from treewright.render.rules.rule_words import condition_words, rule_words
from treewright.rules.condition import Condition
from treewright.rules.ruleset import NO_RULE
from treewright.rules.workbench.bench import (
    Bench,
    CostChange,
    DropCosts,
    Overlaps,
    RowLook,
)
from treewright.tree.structure.branch_words import (
    category_text,
    label_text,
    number_text,
)
from treewright.tree.way import class_words

_MOST_VALUES = 12  # of a set
_MOST_ROWS = 200  # of a list of row numbers


class BenchPage:
    """A page of the workbench; printed, text of 80 columns."""

    def to_text(self, *, width: int | None = 80, ascii: bool = False) -> str:
        """Return the page as text, without a newline at the end.

        `width`: no line is longer; None for no limit. `ascii`: whether to keep to ASCII
        characters.
        """
        return "\n".join(self._lines(ListingLook(width=width, ascii=ascii)))

    def __str__(self) -> str:
        return self.to_text()

    def _lines(self, look: ListingLook) -> Iterator[str]:
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class BenchWords:
    """Words for the rules and rows of a bench."""

    bench: Bench  # the rules and the rows
    numbers: npt.NDArray[np.int64]  # what the rows are called

    def answer(self, answer: float) -> str:
        """Return what a rule answers: a class, or a number."""
        if self.bench.is_numbers:
            return short_number(float(answer))
        return class_words(self.bench.rule_set.schema.target, [int(answer)])[0]

    def truth(self, row: int) -> str:
        """Return the class of a row, or its number."""
        if self.bench.is_numbers:
            return short_number(float(self.bench.rows.target[row, 0]))
        code = int(self.bench.classes[row])
        return self.answer(code) if code >= 0 else "a class never seen in training"

    def conditions(self, position: int, look: ListingLook) -> list[str]:
        """Return the conditions of a rule."""
        rule, schema = self.bench.rule_set.rules[position], self.bench.rule_set.schema
        most = None if look.width is None else _MOST_VALUES
        return rule_words(schema, rule, most=most, signs=look.relations)

    def condition(self, condition: Condition, look: ListingLook) -> str:
        """Return one condition."""
        most = None if look.width is None else _MOST_VALUES
        words = condition_words(self.bench.rule_set.schema, condition, most=most)
        return words.spoken(look.relations)

    def rule(self, position: int, look: ListingLook) -> str:
        """Return a rule in one line."""
        said = ", ".join(self.conditions(position, look))
        arrow = "->" if look.ascii else "→"
        answer = self.answer(self.bench.rule_set.rules[position].answer)
        return f"rule {position + 1}  {said} {arrow} {answer}"

    def rule_lines(
        self, position: int, look: ListingLook, more: str = ""
    ) -> Iterator[str]:
        """Yield a rule in the lines of a list."""
        told = f"  {self.rule(position, look)}{more}"
        return look.paragraph(told, indent=4)

    def cell(self, condition: Condition, row: int) -> str:
        """Return what a row has where a condition asks; "" for wide numbers."""
        feature = self.bench.rule_set.schema.features[condition.feature]
        value = float(condition.value(self.bench.rows.cells[row : row + 1])[0])
        if math.isnan(value):
            return "missing"
        if condition.terms:
            return number_text(float(f"{value:.6g}"))
        if feature.categories:
            return category_text(feature, int(value)) if value >= 0 else "never seen"
        return "" if feature.is_wide else number_text(value)

    def listed(self, numbers: npt.NDArray[np.int64]) -> str:
        """Return the numbers of rows, the first of them if there are many."""
        shown = ", ".join(map(str, numbers[:_MOST_ROWS].tolist()))
        more = len(numbers) - _MOST_ROWS
        return shown + (f" and {more:,} more" if more > 0 else "")

    @property
    def unit(self) -> str:
        """What sums over rows are: rows, or weight."""
        return "rows" if (self.bench.weights == 1).all() else "weight"

    def sized(self, amount: float) -> str:
        """Return a sum over rows with its unit: "1 row", "2.50 weight"."""
        unit = "row" if amount == 1 and self.unit == "rows" else self.unit
        return f"{weight_text(amount)} {unit}"

    @property
    def target(self) -> str:
        """The name of the target."""
        return label_text(self.bench.rule_set.schema.target.names[0])

    @property
    def error_unit(self) -> str:
        """What errors are called."""
        if self.bench.is_numbers:
            return "squared error"
        return "errors" if self.unit == "rows" else "weight wrong"

    def error_text(self, amount: float) -> str:
        """Return an amount of errors."""
        return (short_number if self.bench.is_numbers else weight_text)(amount)

    def error_change(self, change: float) -> str:
        """Return a change of errors with its sign; what is only rounding is 0."""
        if abs(change) <= 1e-9 * self.bench.errors:
            return "0"
        return signed(change, self.error_text(abs(change)))

    def summary(self) -> str:
        """Return errors and bits in one line."""
        bench, length = self.bench, self.bench.length
        if bench.is_numbers:
            mean = short_number(bench.errors / bench.total)
            return f"squared error {short_number(bench.errors)}, {mean} on average"
        errors, total = weight_text(bench.errors), weight_text(bench.total)
        return (
            f"{errors} of {total} {self.unit} wrong; {length.bits:.1f} bits: rules "
            f"{length.theory:.1f}, exceptions {length.exceptions:.1f}"
        )


def signed(change: float, text: str) -> str:
    """Return a change with its sign; `text` is how its amount is written."""
    is_zero = all(sign in "0." for sign in text)
    return "0" if is_zero else f"{'+' if change > 0 else '-'}{text}"


_MOST_MISSES = 5
_MOST_PAIRS = 20


@dataclass(frozen=True, eq=False, repr=False)
class RowPage(BenchPage):
    """Which rules a row meets, and by what it misses the others."""

    words: BenchWords  # the bench
    look: RowLook  # `fired`, `late` and `misses`, by positions from 0

    def _lines(self, look: ListingLook) -> Iterator[str]:
        words, found, bench = self.words, self.look, self.words.bench
        answer = bench.answers[found.fired]
        truth = f"the row is {words.truth(found.row)}"
        if not bench.is_numbers:
            truth = f"{'wrong' if bench.wrong[found.row] else 'right'}: {truth}"
        number = words.numbers[found.row]
        if found.fired == NO_RULE:
            said = f"row {number} meets no rule; otherwise {words.answer(answer)}"
            yield from look.paragraph(f"{said} ({truth})")
        else:
            yield from look.paragraph(f"row {number} is answered by")
            yield from words.rule_lines(found.fired, look, f" ({truth})")
        if found.late:
            yield from look.paragraph("met too, but a rule before answers:")
            for position in found.late:
                yield from words.rule_lines(position, look)
        if found.misses:
            yield "nearest misses:" if found.misses[_MOST_MISSES:] else "not met:"
        for miss in found.misses[:_MOST_MISSES]:
            yield from words.rule_lines(miss.rule, look)
            conditions = bench.rule_set.rules[miss.rule].conditions
            for place in miss.failed:
                failed = conditions[place]
                here = words.cell(failed, found.row)
                told = f"    fails {words.condition(failed, look)}"
                told += f" (here {here})" if here else ""
                yield from look.paragraph(told, indent=6)
        more = len(found.misses) - _MOST_MISSES
        if more > 0:
            yield f"  and {counted(more, 'rule')} more"


@dataclass(frozen=True, eq=False, repr=False)
class RuleRowsPage(BenchPage):
    """The rows that a rule rests on."""

    words: BenchWords  # the bench
    position: int  # the rule, from 0
    # the rows that it answers for, rightly and wrongly; as the workbench calls them. Of
    # numbers all are in `right`.
    right: npt.NDArray[np.int64]
    wrong: npt.NDArray[np.int64]
    # those that meet it, and are answered by a rule before it
    late: npt.NDArray[np.int64]

    def _lines(self, look: ListingLook) -> Iterator[str]:
        yield from look.paragraph(self.words.rule(self.position, look))
        n_answered = len(self.right) + len(self.wrong)
        yield from look.paragraph(f"answers for {counted(n_answered, 'row')}")
        right = "rows" if self.words.bench.is_numbers else "right"
        for name, rows in ((right, self.right), ("wrong", self.wrong)):
            if len(rows):
                told = f"  {name} ({len(rows):,}): {self.words.listed(rows)}"
                yield from look.paragraph(told, indent=4)
        if len(self.late):
            told = f"met, but answered before ({len(self.late):,}): "
            yield from look.paragraph(told + self.words.listed(self.late))


@dataclass(frozen=True, eq=False, repr=False)
class ConflictPage(BenchPage):
    """Rows that rules meet together, and where the rules disagree."""

    words: BenchWords  # the bench
    # the matrices `both`, `disagree`, `wins` and `right`, by positions from 0
    overlaps: Overlaps

    def _lines(self, look: ListingLook) -> Iterator[str]:
        both = self.overlaps.both
        unit, pairs = self.words.unit, self.overlaps.pairs()
        matrix = self._matrix()
        n_together = int(np.count_nonzero(np.triu(both, 1)))
        if matrix and (look.width is None or len(matrix[0]) <= look.width):
            title = f"{unit} that meet both rules; * where they answer differently"
            yield from look.paragraph(title)
            yield ""
            yield from map(look.shown, matrix)
            yield ""
        if not pairs:
            none = "no two rules disagree about a row"
            if n_together:
                none += f"; {counted(n_together, 'pair')} with rows in common"
            yield from look.paragraph(none)
            return
        verb = "disagrees" if len(pairs) == 1 else "disagree"
        yield from look.paragraph(f"{counted(len(pairs), 'pair')} of rules {verb}")
        for one, other in pairs[:_MOST_PAIRS]:
            yield from look.paragraph(self._pair(one, other), indent=4)
        if len(pairs) > _MOST_PAIRS:
            yield f"  and {len(pairs) - _MOST_PAIRS:,} more"

    def _matrix(self) -> list[str]:
        """The matrix as lines of one length, titles first; none for no rules."""
        both, disagree = self.overlaps.both, self.overlaps.disagree
        rules, answers = range(len(both)), self.words.bench.answers

        def cell(one: int, other: int) -> str:
            if both[one, other] == 0:
                return ". "
            star = "*" if disagree[one, other] > 0 else " "
            return f"{weight_text(both[one, other])}{star}"

        lines = [
            [f"{k + 1} {self.words.answer(answers[k])}", *(cell(k, j) for j in rules)]
            for k in rules
        ]
        titles = ["", *(f"{k + 1} " for k in rules)]
        return aligned([titles, *lines], gap=" ") if lines else []

    def _pair(self, one: int, other: int) -> str:
        overlaps, words = self.overlaps, self.words
        names = [words.answer(words.bench.answers[k]) for k in (one, other)]
        size = words.sized(overlaps.both[one, other])
        right = [
            f"{weight_text(overlaps.right[pair])} {name}"
            for pair, name in zip(((one, other), (other, one)), names, strict=True)
        ]
        wins = weight_text(overlaps.wins[one, other])
        said = "" if words.bench.is_numbers else f", of them {right[0]} and {right[1]}"
        return (
            f"  rules {one + 1} ({names[0]}) and {other + 1} ({names[1]}): {size}"
            f"{said}; rule {one + 1} answers for {wins}"
        )


@dataclass(frozen=True, eq=False, repr=False)
class WorthPage(BenchPage):
    """What dropping a rule, or one condition of it, costs."""

    words: BenchWords  # the bench
    # `rules[k]` and `conditions[k][j]`, by positions from 0, each with `errors` and
    # `bits`
    costs: DropCosts

    def _lines(self, look: ListingLook) -> Iterator[str]:
        yield from look.paragraph(f"now: {self.words.summary()}")
        yield from look.paragraph("what dropping a rule, or one condition, adds:")
        yield ""
        texts = [*self._texts(look)]
        if not texts:
            yield "there are no rules"
            return
        unit, has_bits = self.words.error_unit, not self.words.bench.is_numbers
        width = max(display_width(text) for text, _ in texts)
        if look.width is not None:
            width = min(width, look.width - len(unit) - 10)
        yield f"{'':{width}}  {unit}{'    bits' if has_bits else ''}"
        for text, change in texts:
            first, *others = wrapped(text, width, indent=4)
            errors = self.words.error_change(change.errors)
            line = f"{pad(first, width)}  {pad(errors, len(unit), right=True)}"
            if has_bits:
                bits = signed(change.bits, f"{abs(change.bits):.1f}")
                line += f"  {pad(bits, 6, right=True)}"
            yield line
            yield from others

    def _texts(self, look: ListingLook) -> Iterator[tuple[str, CostChange]]:
        rules = self.words.bench.rule_set.rules
        for position, change in enumerate(self.costs.rules):
            yield look.shown(self.words.rule(position, look)), change
            for place, less in enumerate(self.costs.conditions[position]):
                asked = rules[position].conditions[place]
                words = self.words.condition(asked, look)
                text = f"  {position + 1}.{place + 1}  {words}"
                yield look.shown(text), less


@dataclass(frozen=True, eq=False, repr=False)
class UnusedPage(BenchPage):
    """The rules that answer for no row."""

    words: BenchWords  # the bench
    unmet: list[int]  # the numbers, from 1, of rules that no row meets
    late: list[int]  # those of rules all of whose rows are answered before

    def __len__(self) -> int:
        return len(self.unmet) + len(self.late)

    def _lines(self, look: ListingLook) -> Iterator[str]:
        n_rows = counted(len(self.words.bench.rows), "row")
        if not len(self):
            yield from look.paragraph(f"every rule answers for some of the {n_rows}")
        whys = (
            ("none of the {} meets them", self.unmet),
            ("rules before them answer for all their rows", self.late),
        )
        for why, numbers in whys:
            if numbers:
                yield from look.paragraph(why.format(n_rows) + ":")
            for number in numbers:
                yield from self.words.rule_lines(number - 1, look)
