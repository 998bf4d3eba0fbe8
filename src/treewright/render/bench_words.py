"""What the pages of the workbench are made of: rules, cells and changes in words."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treewright.render.focus import RELATIONS
from treewright.render.outline import Look
from treewright.render.rule_words import condition_words, rule_words
from treewright.render.words import short_number, visible, weight_text
from treewright.render.wrapping import wrapped
from treewright.rules.bench import Bench
from treewright.rules.condition import Condition
from treewright.tree.predict.way import class_words
from treewright.tree.structure.branch_words import (
    category_text,
    label_text,
    number_text,
)

_MOST_VALUES = 12  # of a set
_MOST_ROWS = 200  # of a list of row numbers


class Page:
    """A page of the workbench; printed, text of 80 columns."""

    def to_text(self, *, width: int | None = 80, ascii: bool = False) -> str:
        """Return the page as text, without a newline at the end.

        Parameters
        ----------
        width : int or None
            No line is longer; None for no limit.
        ascii : bool
            Whether to keep to ASCII characters.
        """
        return "\n".join(self._lines(Look(width=width, ascii=ascii)))

    def __str__(self) -> str:
        return self.to_text()

    def _lines(self, look: Look) -> Iterator[str]:
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class BenchWords:
    """Words for the rules and rows of a bench.

    Attributes
    ----------
    bench : Bench
        The rules and the rows.
    numbers : ndarray of int
        What the rows are called.
    """

    bench: Bench
    numbers: npt.NDArray[np.int64]

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

    def conditions(self, position: int, look: Look) -> list[str]:
        """Return the conditions of a rule."""
        rule, schema = self.bench.rule_set.rules[position], self.bench.rule_set.schema
        most = None if look.width is None else _MOST_VALUES
        return rule_words(schema, rule, most=most, signs=_signs(look))

    def condition(self, condition: Condition, look: Look) -> str:
        """Return one condition."""
        most = None if look.width is None else _MOST_VALUES
        words = condition_words(self.bench.rule_set.schema, condition, most=most)
        return words.spoken(_signs(look))

    def rule(self, position: int, look: Look) -> str:
        """Return a rule in one line."""
        said = ", ".join(self.conditions(position, look))
        arrow = "->" if look.ascii else "→"
        answer = self.answer(self.bench.rule_set.rules[position].answer)
        return f"rule {position + 1}  {said} {arrow} {answer}"

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


def paragraph(text: str, look: Look, *, indent: int = 2) -> Iterator[str]:
    """Yield the lines of a text that may have names from data."""
    shown = visible(text, ascii=look.ascii)
    if look.width is None:
        yield shown
    else:
        yield from wrapped(shown, look.width, indent=indent)


def signed(change: float, text: str) -> str:
    """Return a change with its sign; `text` is how its amount is written."""
    is_zero = all(sign in "0." for sign in text)
    return "0" if is_zero else f"{'+' if change > 0 else '-'}{text}"


def signed_bits(change: float) -> str:
    """Return a change in bits."""
    return signed(change, f"{abs(change):.1f}")


def _signs(look: Look) -> dict[str, str] | None:
    return None if look.ascii else RELATIONS
