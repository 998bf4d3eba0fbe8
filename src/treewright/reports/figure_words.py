"""Figures in words: of so many rows so many are wrong, and how sure that is."""

from __future__ import annotations

import math
from dataclasses import dataclass

from treewright.evaluation.errors.evaluation import Evaluation
from treewright.evaluation.errors.verdict import usual_answer
from treewright.render.fitting.safe_text import short_number

_BASES = (100, 1_000, 10_000, 100_000)
_FEWEST = 2  # wrong rows that are worth a number of rows


@dataclass(frozen=True)
class OfRows:
    """Shares as numbers of rows: "17 of 100"."""

    base: int

    @classmethod
    def of(cls, *shares: float) -> OfRows:
        """Choose a number of rows in which the smallest of some shares can be seen."""
        least = min((share for share in shares if share > 0), default=1.0)
        return cls(next((b for b in _BASES if b * least >= _FEWEST), _BASES[-1]))

    def near(self, share: float) -> str:
        """Return a share as a number of rows."""
        return f"{round(self.base * share):,}"

    def between(self, low: float, high: float) -> str:
        """Return an interval, rounded outwards: it must not look surer than it is."""
        # 1e-9: what is a whole number but for rounding stays one
        first = math.floor(self.base * low + 1e-9)
        last = math.ceil(self.base * high - 1e-9)
        return f"between {first:,} and {last:,}"


def error_words(found: Evaluation) -> str:
    """Say what to expect of new rows, beside the error of no model."""
    error, level = found.error, f"{100 * found.level:g} %"
    usual = usual_answer(found)
    if not found.outcomes.is_classes:
        return _number_words(found)
    rows = OfRows.of(error.value, found.baseline)
    wrong = rows.near(error.value)
    how_many = f"about {wrong}" if error.value > 0 else "perhaps none"
    of = f"Of {rows.base:,} new rows, {how_many} would be answered wrongly"
    sure = f" ({rows.between(error.low, error.high)}, {level} sure)"
    beside = f"; {usual} would be wrong on {rows.near(found.baseline)}."
    return of + sure + beside


def _number_words(found: Evaluation) -> str:
    error, baseline = found.absolute_error, found.baseline_absolute_error
    assert error is not None
    assert baseline is not None
    ends = f"between {rough(error.low)} and {rough(error.high)}"
    return (
        f"For a new row the answer is off by about {rough(error.value)} on average "
        f"({ends}, {100 * found.level:g} % sure); always saying the mean would be off "
        f"by {rough(baseline)}."
    )


def rough(number: float) -> str:
    """Return a number with three digits: more are not meant."""
    return short_number(float(f"{number:.3g}"))


def error_figure(found: Evaluation, error: float) -> str:
    """Return an error as it is written in tables."""
    if found.outcomes.is_classes:
        return share_words(error)
    return short_number(error)


def share_words(share: float) -> str:
    """Return a share in percent with one digit; a dash where there is none."""
    return "-" if math.isnan(share) else f"{100 * share:.1f} %"
