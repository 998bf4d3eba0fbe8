"""The builder: a tree's arrays while they grow.

Nodes are only ever appended. What the engine knows as codes and fixed-point sums is
kept as such until `finish` turns it into names, numbers and labels (`finish.py`).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from treewright.sources.source import FoundSurrogates

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

# numbers in the statistics of all nodes: systems refuse what they could not give
MOST_AT_FIRST = 2**25


class Builder:
    """Growing arrays, one entry per node; read `Tree` for their meaning.

    `low` and `high` are the codes on both sides of a cut; `statistics` the sums of the
    node's rows; `pure` whether its rows agree. There is room for `capacity` nodes at
    first, fewer where a node has very many classes; pages of zeros that are never
    written cost nothing, so it may be generous.
    """

    def __init__(self, width: int, capacity: int) -> None:
        self.n_nodes = 0
        capacity = min(capacity, max(MOST_AT_FIRST // max(width, 1), 64))
        self.kind = np.zeros(capacity, np.uint8)
        self.feature = np.zeros(capacity, np.int32)
        self.low = np.zeros(capacity, np.int32)
        self.high = np.zeros(capacity, np.int32)
        self.first_child = np.zeros(capacity, np.int32)
        self.n_children = np.zeros(capacity, np.int32)
        self.missing_branch = np.zeros(capacity, np.int32)
        self.statistics = np.zeros((capacity, width), np.int64)
        self.pure = np.zeros(capacity, bool)
        self.n_rows = np.zeros(capacity, np.int64)
        self.parent = np.zeros(capacity, np.int32)
        self.depth = np.zeros(capacity, np.int32)
        self.gain = np.zeros(capacity, np.float64)
        self.reason = np.zeros(capacity, np.uint8)
        self.sets: dict[int, npt.NDArray[np.int32]] = {}
        # nodes that were split together, and where their cuts were drawn, if they were
        self.thresholds: list[tuple[Ints, Floats]] = []
        # nodes that were split together, and their surrogates, in codes
        self.surrogates: list[tuple[Ints, FoundSurrogates]] = []

    def append(
        self,
        *,
        statistics: Ints,
        n_rows: Ints,
        pure: npt.NDArray[np.bool_],
        parent: npt.NDArray[np.int32],
    ) -> slice:
        """Add nodes as leaves without a reason; where they stand."""
        start, stop = self.n_nodes, self.n_nodes + len(n_rows)
        if stop > len(self.kind):
            self._reserve(stop * 3 // 2)
        new = slice(start, stop)
        self.feature[new] = -1
        self.first_child[new] = -1
        self.missing_branch[new] = -1
        self.statistics[new] = statistics
        self.n_rows[new] = n_rows
        self.pure[new] = pure
        self.parent[new] = parent
        self.depth[new] = np.where(parent < 0, 0, self.depth[parent] + 1)
        self.n_nodes = stop
        return new

    def _reserve(self, capacity: int) -> None:
        for name, array in vars(self).items():
            if isinstance(array, np.ndarray):
                grown = np.zeros((capacity, *array.shape[1:]), array.dtype)
                grown[: self.n_nodes] = array[: self.n_nodes]
                setattr(self, name, grown)
