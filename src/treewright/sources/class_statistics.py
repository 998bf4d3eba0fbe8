"""Class weights: the sums of a set of rows when the target is classes."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treewright import _core
from treewright.data.columns import Columns
from treewright.data.short_rows import row_maxima, row_sums
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
    single_precision: bool = False  # sums of information are 32-bit floats (C4.5)

    @classmethod
    def of(
        cls,
        columns: Columns,
        criterion: str,
        *,
        fractional: bool = False,
        single_precision: bool = False,
    ) -> ClassStatistics:
        """Prepare the class target of a table; `fractional` rows can be divided."""
        slots = columns.schema.target.slots
        starts = np.array([slot.start for slot in slots], np.uint32)
        classes = np.ascontiguousarray(columns.target.astype(np.uint32) + starts)
        weights = columns.weights
        if fractional and weights is None:
            weights = np.ones(columns.n_rows)
        fixed = None
        if weights is not None:
            fixed = weights_to_fixed_point(weights, divisible=fractional)
        return cls(criterion, classes, slots, fixed, single_precision)

    @property
    def weight_scale(self) -> float:
        """Integer units per unit of weight."""
        return 1.0 if self.weights is None else self.weights.scale

    def weight(self, statistics: Ints) -> Floats:
        """Total row weight of each node."""
        return row_sums(statistics[:, self.slots[0]]) / self.weight_scale

    def impurity(self, statistics: Ints) -> Floats:
        """The criterion's value at each node, the mean over the outputs."""
        return class_impurity(self.criterion, statistics, self.slots)

    def value(self, statistics: Ints, pure: npt.NDArray[np.bool_]) -> Floats:
        """Class weights of each node."""
        return statistics / self.weight_scale

    def agree(self, statistics: Ints, slack: float) -> npt.NDArray[np.bool_]:
        """Whether all rows of a node but for a weight of `slack` have one class."""
        of_outputs = []
        for slot in self.slots:
            weights = statistics[:, slot]
            others = row_sums(weights) - row_maxima(weights)
            of_outputs.append(others <= slack * self.weight_scale)
        return functools.reduce(np.logical_and, of_outputs)

    def gain(self, score: Floats, weight: Floats) -> Floats:
        """Gain per unit weight of splits that raise the score by `score`."""
        return score / self.weight_scale / weight

    def fixed_weight(self, weight: float) -> int:
        """Give a weight in the units of the sums."""
        return int(np.ceil(weight * self.weight_scale))

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
            "weights": NO_INTS if self.weights is None else self.weights.ints,
            "factors": [],
            "single_unit": self.weight_scale if self.single_precision else 0.0,
        }


def class_impurity(
    criterion: str,
    class_weights: npt.NDArray[np.int64 | np.float64],
    slots: list[slice],
) -> Floats:
    """A criterion's value for rows of class weights, the mean over the outputs."""
    starts = [0, *(slot.stop for slot in slots)]
    class_weights = np.ascontiguousarray(class_weights)
    return _core.class_impurities(class_weights, starts, CRITERIA[criterion])
