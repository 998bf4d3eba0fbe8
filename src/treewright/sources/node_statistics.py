"""Statistics: what the integers that describe a set of rows say in the data's units.

`ClassStatistics` are class weights; `NumberStatistics` are weight, sums and sums of
squares (or medians and deviations). Both answer the same questions about many nodes at
once: weight, impurity, prediction. The compiled core adds the integers up; this file is
the only one that knows their scale.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Columns
from treewright.sources.fixed_point import (
    FixedPoint,
    Floats,
    Ints,
    to_fixed_point,
    weights_to_fixed_point,
)

# as numbered in core/target.hpp
CRITERIA = {
    "entropy": 0,
    "gini": 1,
    "classification_error": 2,
    "squared_error": 3,
    "absolute_error": 4,
}
CLASS_CRITERIA = ("entropy", "gini", "classification_error")
NUMBER_CRITERIA = ("squared_error", "absolute_error")

_NO_INTS: Ints = np.zeros(0, np.int64)
_NO_CLASSES: npt.NDArray[np.uint32] = np.zeros(0, np.uint32)


class Statistics(Protocol):
    """Reads the statistics of many nodes: arrays of shape (n_nodes, width)."""

    @property
    def criterion(self) -> str:
        """Name of the criterion."""

    def weight(self, statistics: Ints) -> Floats:
        """Total row weight of each node."""

    def impurity(self, statistics: Ints) -> Floats:
        """The criterion's value at each node."""

    def value(self, statistics: Ints, pure: npt.NDArray[np.bool_]) -> Floats:
        """Class weights, or predictions, of each node."""

    def score_units(self) -> float:
        """Score of one unit of gain times weight."""

    def fixed_weight(self, weight: float) -> int:
        """Give a weight in the units of the sums."""

    def core_target(self) -> dict[str, object]:
        """What the compiled core needs to add these statistics up."""

    def tolerance(self, statistics: Ints) -> Floats:
        """Difference of scores, per node, below which two splits are a tie."""


@dataclass(frozen=True, eq=False)
class ClassStatistics:
    """Class weights, the classes of several outputs one after the other."""

    criterion: str
    classes: npt.NDArray[np.uint32]  # (n_rows, n_outputs), slots
    slots: list[slice]
    weights: FixedPoint | None

    @classmethod
    def of(cls, columns: Columns, criterion: str) -> ClassStatistics:
        """Prepare the class target of a table."""
        slots = columns.schema.target.slots
        starts = np.array([slot.start for slot in slots], np.uint32)
        classes = np.ascontiguousarray(columns.target.astype(np.uint32) + starts)
        weights = columns.weights
        fixed = None if weights is None else weights_to_fixed_point(weights)
        return cls(criterion, classes, slots, fixed)

    @property
    def scale(self) -> float:
        """Integer units per unit of weight."""
        return 1.0 if self.weights is None else self.weights.scale

    def weight(self, statistics: Ints) -> Floats:
        """Total row weight of each node."""
        return np.asarray(statistics[:, self.slots[0]].sum(axis=1) / self.scale)

    def impurity(self, statistics: Ints) -> Floats:
        """The criterion's value at each node, the mean over the outputs."""
        impurity = _CLASS_IMPURITY[self.criterion]
        total = np.zeros(len(statistics))
        for slot in self.slots:
            weights = statistics[:, slot].astype(np.float64)
            sums = np.maximum(weights.sum(axis=1, keepdims=True), 1e-300)
            total += impurity(weights / sums)
        return total / len(self.slots)

    def value(self, statistics: Ints, pure: npt.NDArray[np.bool_]) -> Floats:
        """Class weights of each node."""
        return statistics / self.scale

    def score_units(self) -> float:
        """Score of one unit of gain times weight."""
        return self.scale

    def fixed_weight(self, weight: float) -> int:
        """Give a weight in the units of the sums."""
        return int(np.ceil(weight * self.scale))

    def tolerance(self, statistics: Ints) -> Floats:
        """Gains within 1e-12 (bits, or units of the criterion) are a tie."""
        return np.asarray(1e-12 * statistics[:, self.slots[0]].sum(axis=1))

    def core_target(self) -> dict[str, object]:
        """What the compiled core needs to add these statistics up."""
        stops = [slot.stop for slot in self.slots]
        return {
            "criterion": CRITERIA[self.criterion],
            "n_outputs": len(self.slots),
            "class_start": [0, *stops],
            "classes": self.classes.reshape(-1),
            "values": _NO_INTS,
            "weighted": _NO_INTS,
            "squares": _NO_INTS,
            "weights": _NO_INTS if self.weights is None else self.weights.ints,
        }


def _entropy(shares: Floats) -> Floats:
    logs = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
    return np.asarray(np.maximum(-(shares * logs).sum(axis=1), 0.0))


def _gini(shares: Floats) -> Floats:
    return np.asarray(np.maximum(1.0 - (shares**2).sum(axis=1), 0.0))


def _classification_error(shares: Floats) -> Floats:
    return np.asarray(np.maximum(1.0 - shares.max(axis=1), 0.0))


_CLASS_IMPURITY = {
    "entropy": _entropy,
    "gini": _gini,
    "classification_error": _classification_error,
}


@dataclass(frozen=True, eq=False)
class NumberStatistics:
    """Weight, sums and sums of squares of numbers around a centre.

    The centre is the middle of each output's range, so that the integers resolve the
    range and not the distance from zero.
    """

    criterion: str
    centre: Floats  # per output
    numbers: Floats  # (n_rows, n_outputs), as given
    values: FixedPoint  # number - centre
    weighted: FixedPoint  # weight * (number - centre)
    squares: FixedPoint  # weight * (number - centre)^2
    weights: FixedPoint | None

    @classmethod
    def of(cls, columns: Columns, criterion: str) -> NumberStatistics:
        """Prepare the number target of a table."""
        numbers = np.ascontiguousarray(columns.target, dtype=np.float64)
        low, high = numbers.min(axis=0), numbers.max(axis=0)
        centre = low + (high - low) / 2 if np.isfinite(high - low).all() else 0.0 * low
        deviations = numbers - centre
        absolute = criterion == "absolute_error"
        # medians multiply weights by values: both share the bits of the sum
        weights = columns.weights
        if weights is None:
            fixed, values = None, to_fixed_point(deviations)
            weighted = values
            squares = to_fixed_point(deviations**2)
        else:
            fixed = weights_to_fixed_point(weights, sum_bits=30 if absolute else 61)
            values = to_fixed_point(deviations, sum_bits=45 if absolute else 61)
            weighted = to_fixed_point(deviations * weights[:, None])
            squares = to_fixed_point(deviations**2 * weights[:, None])
        return cls(criterion, centre, numbers, values, weighted, squares, fixed)

    @property
    def n_outputs(self) -> int:
        """Number of outputs."""
        return int(self.centre.shape[0])

    @property
    def weight_scale(self) -> float:
        """Integer units per unit of weight."""
        return 1.0 if self.weights is None else self.weights.scale

    def weight(self, statistics: Ints) -> Floats:
        """Total row weight of each node."""
        return statistics[:, 0] / self.weight_scale

    def _means(self, statistics: Ints) -> Floats:
        weight = np.maximum(self.weight(statistics), 1e-300)[:, None]
        sums = statistics[:, 1 : 1 + self.n_outputs] / self.weighted.scale
        return np.asarray(sums / weight)

    def impurity(self, statistics: Ints) -> Floats:
        """Variance, or mean absolute deviation from the median: mean over outputs."""
        weight = np.maximum(self.weight(statistics), 1e-300)[:, None]
        last = statistics[:, 1 + self.n_outputs :]
        if self.criterion == "absolute_error":
            units = self.values.scale * self.weight_scale
            return np.asarray((last / units / weight).mean(axis=1))
        means = self._means(statistics)
        variance = last / self.squares.scale / weight - means**2
        return np.asarray(np.maximum(variance, 0.0).mean(axis=1))

    def value(self, statistics: Ints, pure: npt.NDArray[np.bool_]) -> Floats:
        """Mean or median of each node; a node whose rows agree gives their number."""
        if self.criterion == "absolute_error":
            middles = statistics[:, 1 : 1 + self.n_outputs] / 2 / self.values.scale
        else:
            middles = self._means(statistics)
        value = self.centre + middles
        for output in range(self.n_outputs):
            # scaling has rounded the numbers: give back the one that was meant
            distinct = np.unique(self.numbers[:, output])
            right = np.searchsorted(distinct, value[pure, output]).clip(
                1 if len(distinct) > 1 else 0, len(distinct) - 1
            )
            left = np.maximum(right - 1, 0)
            nearer = np.where(
                value[pure, output] - distinct[left]
                <= distinct[right] - value[pure, output],
                left,
                right,
            )
            value[pure, output] = distinct[nearer]
        return np.asarray(value)

    def score_units(self) -> float:
        """Score of one unit of gain times weight."""
        if self.criterion == "absolute_error":
            return self.values.scale * self.weight_scale
        return self.weighted.scale**2 / self.weight_scale

    def fixed_weight(self, weight: float) -> int:
        """Give a weight in the units of the sums."""
        return int(np.ceil(weight * self.weight_scale))

    def tolerance(self, statistics: Ints) -> Floats:
        """Gains within 1e-12 of the node's impurity are a tie."""
        scale = self.weight(statistics) * self.score_units()
        return np.asarray(1e-12 * self.impurity(statistics) * scale)

    def core_target(self) -> dict[str, object]:
        """What the compiled core needs to add these statistics up."""
        return {
            "criterion": CRITERIA[self.criterion],
            "n_outputs": self.n_outputs,
            "class_start": [],
            "classes": _NO_CLASSES,
            "values": self.values.ints.reshape(-1),
            "weighted": self.weighted.ints.reshape(-1),
            "squares": self.squares.ints.reshape(-1),
            "weights": _NO_INTS if self.weights is None else self.weights.ints,
        }


def make_statistics(columns: Columns, criterion: str) -> Statistics:
    """The statistics that a criterion needs of a table's target."""
    if criterion in CLASS_CRITERIA:
        return ClassStatistics.of(columns, criterion)
    return NumberStatistics.of(columns, criterion)
