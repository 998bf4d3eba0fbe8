"""Means and standard errors over trials, and how far a mean is from a published figure.

Which standard error
--------------------
A published figure has no standard error beside it. Where it is a mean over random
splits or fresh draws, as ours is, it is taken to vary as ours does, and the standard
error of the difference is sqrt(2) times ours.

On a fixed test set the figure is of one run. It varies with the seed as one run of ours
does, and with the test rows: sqrt(s^2 (1 + 1/n) + p (1 - p) / n_test), where s is the
standard deviation over our n seeds. The second term counts the test rows as drawn at
random; it is left out for single trees, which need no test rows. It is generous where
our test rows are the published ones (satimage, zipcode): `seeds_only` is without it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from breiman.published import Row

RESULTS = Path(__file__).with_name("results.json")
FAR = 2.0  # standard errors


@dataclass(frozen=True)
class Figure:
    """The mean of an error in per cent over trials, and its standard deviation."""

    mean: float
    deviation: float
    n_trials: int
    n_test: int

    @staticmethod
    def of(errors: Sequence[float], n_test: int) -> Figure:
        """Return the figure of the errors of some trials."""
        values = np.asarray(errors, np.float64)
        deviation = float(values.std(ddof=1)) if len(values) > 1 else 0.0
        return Figure(
            round(float(values.mean()), 4), round(deviation, 4), len(values), n_test
        )

    @property
    def standard_error(self) -> float:
        """Of the mean."""
        return self.deviation / math.sqrt(self.n_trials)

    def error_of_difference(self, row: Row, *, seeds_only: bool = False) -> float:
        """Return the standard error of our mean minus the published figure."""
        if row.kind != "fixed":
            return math.sqrt(2.0) * self.standard_error
        variance = self.deviation**2 * (1.0 + 1.0 / self.n_trials)
        if not seeds_only:
            variance += self.mean * (100.0 - self.mean) / self.n_test
        return math.sqrt(variance)

    def distance(self, row: Row, column: str, *, seeds_only: bool = False) -> float:
        """How many of these our mean lies above the published figure."""
        above = self.mean - row.published(column)
        seeds_only = seeds_only or column == "one_tree"
        error = self.error_of_difference(row, seeds_only=seeds_only)
        return above / error if error else math.copysign(math.inf, above)


# data set -> method -> column
Results = dict[str, dict[str, dict[str, Figure]]]


def read_results(path: Path = RESULTS) -> Results:
    """Return the kept results; none if there is no file."""
    if not path.is_file():
        return {}
    kept: Any = json.loads(path.read_text(encoding="utf-8"))
    return {
        name: {
            method: {column: Figure(**figure) for column, figure in figures.items()}
            for method, figures in methods.items()
        }
        for name, methods in kept.items()
    }


def write_results(results: Results, path: Path = RESULTS) -> None:
    """Keep the results, a line for each figure."""
    lines = []
    for name, methods in results.items():
        figures = [
            f"    {json.dumps(method)}: {{\n"
            + ",\n".join(
                f"      {json.dumps(column)}: {json.dumps(asdict(figure))}"
                for column, figure in columns.items()
            )
            + "\n    }"
            for method, columns in methods.items()
        ]
        lines.append(f"  {json.dumps(name)}: {{\n" + ",\n".join(figures) + "\n  }")
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
