"""How numbers of chalk are printed: enough digits to work on with them.

Measures of classes (entropy, gain) have a fixed number of decimals. Those of numbers
have a scale of their own; they get as many decimals as show that many digits of the
largest one. Weights are whole, or have two digits more than results, so that these can
be recomputed from them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from treewright.grow.chalk.growing_record import Record

_LARGEST_PLAIN = 8  # powers of ten that are printed without an exponent
_SMALLEST_PLAIN = -4


@dataclass(frozen=True)
class Digits:
    """Spells numbers."""

    digits: int  # as asked for
    decimals: int | None  # of a measure's values; None for significant digits instead
    mean_decimals: int | None  # the same of means and medians

    def measure(self, value: float) -> str:
        """An impurity, a gain, or what is made of them."""
        return _fixed(value, self.decimals, self.digits)

    def mean(self, value: float) -> str:
        """A mean or median of numbers."""
        return _fixed(value, self.mean_decimals, self.digits + 2)

    def share(self, value: float) -> str:
        """A number without a unit: a ratio, bits, a chance."""
        return _fixed(value, self.digits, self.digits)

    def weight(self, value: float) -> str:
        """Whole numbers as such, others with two digits more than results have."""
        if abs(value - round(value)) < 1e-9 and abs(value) < 1e15:
            return str(round(value))
        return f"{value:.{self.digits + 2}g}"


def figures_of(record: Record, digits: int) -> Digits:
    """Return how the numbers of a record are printed."""
    if record.classes or not record.steps:
        return Digits(digits, digits, digits)
    impurity = max(step.rows.impurity for step in record.steps)
    squared = record.steps[0].measure == "squared_error"
    spread = math.sqrt(impurity) if squared else impurity
    return Digits(digits, _decimals(impurity, digits), _decimals(spread, digits))


def _decimals(scale: float, digits: int) -> int | None:
    if scale <= 0:
        return digits
    power = math.floor(math.log10(scale))
    if not _SMALLEST_PLAIN <= power <= _LARGEST_PLAIN:
        return None
    return max(digits - power, 0)


def _fixed(value: float, decimals: int | None, digits: int) -> str:
    if decimals is None or abs(value) >= 1e15:
        return f"{value:.{digits}g}"
    text = f"{value:.{decimals}f}"
    return text.removeprefix("-") if not text.strip("-0.") else text
