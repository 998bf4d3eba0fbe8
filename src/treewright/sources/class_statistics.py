"""Class weights: the sums of a set of rows when the target is classes.

The criteria as functions of class shares are at the end of the file.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Columns
from treewright.sources.fixed_point import (
    FixedPoint,
    Floats,
    Ints,
    weights_to_fixed_point,
)
from treewright.sources.node_statistics import CRITERIA, NO_INTS


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

    def gain(self, score: Floats, statistics: Ints) -> Floats:
        """Gain per unit weight of splits that raise the score by `score`."""
        return score / self.scale / self.weight(statistics)

    def fixed_weight(self, weight: float) -> int:
        """Give a weight in the units of the sums."""
        return int(np.ceil(weight * self.scale))

    def tolerance(self, statistics: Ints) -> Floats:
        """Gains within 1e-12 (bits, or units of the criterion) are a tie."""
        return np.asarray(1e-12 * statistics[:, self.slots[0]].sum(axis=1))

    def notes(self) -> tuple[str, ...]:
        """Nothing: class weights hide nothing from a reader."""
        return ()

    def core_target(self) -> dict[str, object]:
        """What the compiled core needs to add these statistics up."""
        stops = [slot.stop for slot in self.slots]
        return {
            "criterion": CRITERIA[self.criterion],
            "n_outputs": len(self.slots),
            "class_start": [0, *stops],
            "classes": self.classes.reshape(-1),
            "values": NO_INTS,
            "weighted": NO_INTS,
            "squares": NO_INTS,
            "weights": NO_INTS if self.weights is None else self.weights.ints,
            "factors": [],
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
