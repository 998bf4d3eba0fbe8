"""Learners side by side on the same splits of one table.

Errors on the same rows go up and down together, so it is their differences, split by
split, that are tested: with the corrected resampled t, as the intervals of one error.
The p values of all pairs are adjusted as Holm does it, since the best of many is
better than the others by chance alone.

References
----------
Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error. Machine
Learning 52, 239-281.
Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian
Journal of Statistics 6, 65-70.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from treewright.errors import DataError
from treewright.evaluation.comparing.comparison_text import comparison_lines
from treewright.evaluation.error_intervals import Estimate
from treewright.evaluation.errors.evaluation import Evaluation
from treewright.evaluation.errors.evaluation_data import plain_dict
from treewright.render.charts.rank_chart import Ranked, error_svg


@dataclass(frozen=True)
class ErrorDifference:
    """Two learners on the same rows."""

    # their names
    first: str
    second: str
    # how much larger the first one's mean loss is: the share of wrong rows, or the mean
    # squared error
    difference: Estimate
    p: float  # how often chance alone makes such a difference
    adjusted_p: float  # the same, adjusted for all pairs that are compared


@dataclass(frozen=True, eq=False)
class Comparison:
    """Learners on the same splits of one table; `print` shows them, the best first."""

    table: str  # the name of the table
    evaluations: tuple[Evaluation, ...]  # one for each learner, in the order given
    seconds: tuple[float, ...] = ()  # what each took

    def __post_init__(self) -> None:
        first = self.evaluations[0].outcomes
        for other in self.evaluations[1:]:
            if not np.array_equal(first.rows, other.outcomes.rows):
                raise DataError(
                    f"{self.evaluations[0].name} and {other.name} were not asked about "
                    "the same rows, so they cannot be compared; give all of them the "
                    "same drop_missing_target"
                )

    @property
    def names(self) -> list[str]:
        """The learners, in the order given."""
        return [one.name for one in self.evaluations]

    @cached_property
    def ranked(self) -> list[Evaluation]:
        """The learners, the least error first."""
        return sorted(self.evaluations, key=lambda one: one.error.value)

    @property
    def best(self) -> str:
        """The learner with the least error."""
        return self.ranked[0].name

    @cached_property
    def differences(self) -> list[ErrorDifference]:
        """All pairs of learners."""
        found = []
        for one, other in combinations(self.evaluations, 2):
            sampling = one.outcomes.sampling
            apart = one.outcomes.losses() - other.outcomes.losses()
            found.append((one, other, *sampling.difference(apart, one.level)))
        adjusted = holm([p for *_, p in found])
        return [
            ErrorDifference(one.name, other.name, estimate, p, adjusted[number])
            for number, (one, other, estimate, p) in enumerate(found)
        ]

    def p_of(self, name: str, other: str) -> float:
        """Return the adjusted p value of two learners."""
        for pair in self.differences:
            if {pair.first, pair.second} == {name, other}:
                return pair.adjusted_p
        raise KeyError(f"{name} and {other} are not compared here")

    def to_svg(self) -> str:
        """Return the errors with their intervals as the text of an SVG file."""
        best = self.ranked[0]
        is_classes = best.outcomes.is_classes
        what = "error" if is_classes else "RMSE"
        return error_svg(
            [
                Ranked(one.name, one.error.value, one.error.low, one.error.high)
                for one in self.ranked
            ],
            best.baseline,
            title=f"{self.table}: {what}, {best.how}",
            percent=is_classes,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return all figures as plain dicts, lists, texts and numbers."""
        return plain_dict(
            {
                "table": self.table,
                "how": self.evaluations[0].how,
                "learners": [one.to_dict() for one in self.evaluations],
                "seconds": self.seconds,
                "differences": self.differences,
            }
        )

    def to_text(self, *, width: int = 80, ascii: bool = False) -> str:
        """Return the table for people."""
        return "\n".join(comparison_lines(self, width=width, ascii=ascii))

    def __str__(self) -> str:
        return self.to_text()


def holm(p_values: list[float]) -> list[float]:
    """Return p values adjusted for being several, as Holm does it.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p_values, kind="stable")
    adjusted, least = [0.0] * len(p_values), 0.0
    for place, number in enumerate(order.tolist()):
        least = max(least, min(1.0, p_values[number] * (len(p_values) - place)))
        adjusted[number] = least
    return adjusted
