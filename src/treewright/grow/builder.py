"""The builder: a tree's arrays while they grow.

Nodes are only ever appended. What the engine knows as codes and fixed-point sums is
kept as such until `finish` turns it into names, numbers and labels (`finish.py`).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from treewright import _core
from treewright.sources.source import Branches, Chosen, FoundSurrogates, GrownOut
from treewright.tree.structure.tree import NodeKind, Reason

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

# numbers in the statistics of all nodes: systems refuse what they could not give
MOST_AT_FIRST = 2**25
# arrays whose entries are nodes; -1: none
HOLD_NODES = ("parent", "first_child")


class Builder:
    """Growing arrays, one entry per node; read `Tree` for their meaning.

    `low` and `high` are the codes on both sides of a cut; `statistics` the sums of the
    node's rows; `pure` whether its rows agree. There is room for `capacity` nodes at
    first, fewer where a node has very many classes.
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
        depth: npt.NDArray[np.int32] | None = None,
    ) -> slice:
        """Add nodes as leaves without a reason; where they stand.

        `depth` must be given if some of them are parents of others.
        """
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
        if depth is None:
            depth = np.where(parent < 0, 0, self.depth[parent] + 1)
        self.depth[new] = depth
        self.n_nodes = stop
        return new

    def write_splits(
        self,
        nodes: Ints,
        kind: npt.NDArray[np.uint8],
        splits: Chosen | GrownOut,
        branches: Branches,
        shown: Branches,
        depth: npt.NDArray[np.int32] | None = None,
    ) -> slice:
        """Split nodes; where their branches stand, which are leaves without a reason.

        `kind`: what a split of each node's feature is; `shown`: the branches with the
        rows and statistics that the tree has; `depth` as in `append`.
        """
        new = self.append(
            statistics=shown.statistics,
            n_rows=shown.n_rows,
            pure=shown.pure,
            parent=nodes.repeat(branches.n_branches).astype(np.int32),
            depth=depth,
        )
        # a position without codes on both sides lies behind all known values: the
        # question is whether the value is known
        behind = (splits.position > 0) & (branches.low == branches.high)
        kind[behind] = NodeKind.KNOWN
        self.kind[nodes] = kind
        self.feature[nodes] = splits.feature
        self.low[nodes] = branches.low
        self.high[nodes] = branches.high
        self.n_children[nodes] = branches.n_branches
        self.first_child[nodes] = (
            new.start + branches.n_branches.cumsum() - branches.n_branches
        )
        self.missing_branch[nodes] = branches.missing_branch
        self.reason[nodes] = Reason.NONE
        stops = branches.n_set.cumsum()
        for index in branches.n_set.nonzero()[0]:
            codes = slice(stops[index] - branches.n_set[index], stops[index])
            self.sets[int(nodes[index])] = branches.set_codes[codes]
        if len(branches.threshold):
            self.thresholds.append((nodes, branches.threshold))
        if len(branches.surrogates.feature):
            self.surrogates.append((nodes, branches.surrogates))
        return new

    def number_by_level(self) -> None:
        """Number the nodes of a tree level by level, as batches would."""
        n_nodes = self.n_nodes
        order, _ = _core.order_by_level(
            self.first_child[:n_nodes], self.n_children[:n_nodes], 1
        )
        if (order[1:] > order[:-1]).all():
            return
        number = np.empty(n_nodes + 1, np.int64)
        number[order] = np.arange(n_nodes)
        number[-1] = -1  # of no node
        for name, array in vars(self).items():
            if isinstance(array, np.ndarray):
                own = array.take(order, axis=0)
                if name in HOLD_NODES:
                    own = number.take(own).astype(array.dtype)
                setattr(self, name, own)
        self.sets = {int(number[node]): codes for node, codes in self.sets.items()}
        self.thresholds = [(number[nodes], cut) for nodes, cut in self.thresholds]
        self.surrogates = [(number[nodes], own) for nodes, own in self.surrogates]

    def _reserve(self, capacity: int) -> None:
        for name, array in vars(self).items():
            if isinstance(array, np.ndarray):
                grown = np.zeros((capacity, *array.shape[1:]), array.dtype)
                grown[: self.n_nodes] = array[: self.n_nodes]
                setattr(self, name, grown)
