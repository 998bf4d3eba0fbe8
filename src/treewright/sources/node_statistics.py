"""Statistics: what the integers that describe a set of rows say in the data's units.

The compiled core adds integers up; only the statistics know what they stand for. Both
kinds, `class_statistics.py` and `number_statistics.py`, answer the questions below
about many nodes at once.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from treewright.sources.fixed_point import Floats, Ints

# as numbered in core/target.hpp
CRITERIA = {
    "entropy": 0,
    "gini": 1,
    "classification_error": 2,
    "squared_error": 3,
    "absolute_error": 4,
    "gain_ratio": 0,  # entropy, too: the features are compared differently
}
CLASS_CRITERIA = ("entropy", "gain_ratio", "gini", "classification_error")
NUMBER_CRITERIA = ("squared_error", "absolute_error")

NO_INTS: Ints = np.zeros(0, np.int64)
NO_CLASSES: npt.NDArray[np.uint32] = np.zeros(0, np.uint32)


class Statistics(Protocol):
    """Reads the statistics of many nodes: arrays of shape (n_nodes, width)."""

    @property
    def criterion(self) -> str:
        """Name of the criterion."""

    @property
    def weight_scale(self) -> float:
        """Integer units per unit of weight."""

    def weight(self, statistics: Ints) -> Floats:
        """Total row weight of each node."""

    def impurity(self, statistics: Ints) -> Floats:
        """The criterion's value at each node."""

    def value(self, statistics: Ints, pure: npt.NDArray[np.bool_]) -> Floats:
        """Class weights, or predictions, of each node."""

    def agree(self, statistics: Ints, slack: float) -> npt.NDArray[np.bool_]:
        """Whether all rows of a node but for a weight of `slack` have one class."""

    def gain(self, score: Floats, weight: Floats) -> Floats:
        """Gain per unit weight of splits that raise the score by `score`.

        `weight` is that of the nodes.
        """

    def fixed_weight(self, weight: float) -> int:
        """Give a weight in the units of the sums."""

    def notes(self) -> tuple[str, ...]:
        """What a reader should know of how the target is summed."""

    def core_target(self) -> dict[str, object]:
        """What the compiled core needs to add these statistics up."""
