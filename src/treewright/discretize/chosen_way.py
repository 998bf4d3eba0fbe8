"""The way that divides a column best, chosen by cross-validation.

Each way finds its borders on nine tenths of the rows, and a tree of one question, a
branch per interval, predicts the last tenth. The least error wins; of equal ones the
way with fewer intervals, then the first in the list.

Which rows are a tenth depends on the values, classes and weights only, by fixed
pseudo-random numbers: not on the order of the rows, nor on any seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.discretize.borders import equal_width, quantiles
from treewright.discretize.mdl import mdl
from treewright.discretize.tally import Floats, Ints, KnownRows, ValueTally

N_FOLDS = 10
_TIE = 1e-9  # of the weight of all rows

METHODS = {"equal_width": equal_width, "quantiles": quantiles, "mdl": mdl}
# name and number of intervals
CANDIDATES = (
    ("mdl", 0),
    *(("quantiles", number) for number in range(2, 9)),
    *(("equal_width", number) for number in range(2, 9)),
)


def choose(rows: KnownRows) -> tuple[str, int]:
    """Return the name of the best way and its number of intervals (0 for mdl)."""
    if len(rows) < 2:
        return CANDIDATES[0]
    fold = folds_of(rows, min(N_FOLDS, len(rows)))
    errors = np.zeros(len(CANDIDATES))
    for number in range(int(fold.max()) + 1):
        inside = fold == number
        train, test = rows.at(~inside).tally(), rows.at(inside).tally()
        errors += [
            _error(train, test, METHODS[name](train, n_intervals))
            for name, n_intervals in CANDIDATES
        ]
    whole = rows.tally()
    tied = errors <= errors.min() + _TIE * whole.weights.sum()
    sizes = [len(METHODS[name](whole, number)) for name, number in CANDIDATES]
    best = min(np.flatnonzero(tied).tolist(), key=lambda place: (sizes[place], place))
    return CANDIDATES[best]


def folds_of(rows: KnownRows, n_folds: int) -> Ints:
    """Return the fold of each row; every class is spread evenly over the folds."""
    weights = np.zeros(len(rows)) if rows.weights is None else rows.weights
    # rows that are equal in all three may change places: nothing depends on it
    order = np.lexsort((weights, rows.codes, rows.classes))
    shuffled = np.lexsort((_noise(len(rows)), rows.classes[order]))
    fold = np.empty(len(rows), np.int64)
    fold[order[shuffled]] = np.arange(len(rows)) % n_folds
    return fold


def _noise(length: int) -> npt.NDArray[np.uint64]:
    """Return fixed pseudo-random integers (splitmix64), the same on every machine."""
    z = np.arange(1, length + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def _error(train: ValueTally, test: ValueTally, borders: Sequence[Any]) -> float:
    """Return the weight of the test rows that the intervals' majorities get wrong."""
    known = _cells(train, borders)
    known[known.sum(axis=1) == 0] = known.sum(axis=0)  # no rows: as the root
    guess = np.argmax(known, axis=1)
    asked = _cells(test, borders)
    right = asked[np.arange(len(asked)), guess]
    return float(asked.sum() - right.sum())


def _cells(tally: ValueTally, borders: Sequence[Any]) -> Floats:
    """Return the weight of each class in each interval."""
    edges = np.array(borders, tally.values.dtype)
    ends = np.searchsorted(tally.values, edges, side="right")
    return np.diff(tally.running[[0, *ends.tolist(), -1]], axis=0)
