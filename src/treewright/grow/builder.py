"""The builder: a tree's arrays while they grow.

Nodes are only ever appended. What the engine knows as codes and fixed-point sums is
kept as such until `finish` turns it into names, numbers and labels (`finish.py`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from treewright import _core
from treewright.sources.source import Branches, Chosen, FoundSurrogates, GrownOut
from treewright.tree.structure.tree import NodeKind, Reason

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

# numbers in the statistics of all nodes: systems refuse what they could not give
MOST_AT_FIRST = 2**25
# rows of the tables that most arrays are: see `Builder._spread`
N_SHORT, N_FLAGS = 8, 3


class Builder:
    """Growing arrays, one entry per node; read `Tree` for their meaning.

    `low` and `high` are the codes on both sides of a cut; `statistics` the sums of the
    node's rows; `pure` whether its rows agree. There is room for `capacity` nodes at
    first, fewer where a node has very many classes.
    """

    def __init__(self, width: int, capacity: int) -> None:
        self.n_nodes = 0
        capacity = min(capacity, max(MOST_AT_FIRST // max(width, 1), 64))
        self.statistics = np.zeros((capacity, width), np.int64)
        self.n_rows = np.zeros(capacity, np.int64)
        self.gain = np.zeros(capacity)
        # the other arrays are rows of two tables: a small tree is grown sooner than
        # fourteen arrays are made and put in order
        self._spread(
            np.zeros((N_SHORT, capacity), np.int32),
            np.zeros((N_FLAGS, capacity), np.uint8),
        )
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
        short = self._short.take(order, axis=1)
        short[:2] = number[short[:2]]  # parents and first children
        self._spread(short, self._flags.take(order, axis=1))
        self.statistics = self.statistics.take(order, axis=0)
        self.n_rows, self.gain = self.n_rows.take(order), self.gain.take(order)
        self.sets = {int(number[node]): codes for node, codes in self.sets.items()}
        self.thresholds = [(number[nodes], cut) for nodes, cut in self.thresholds]
        self.surrogates = [(number[nodes], own) for nodes, own in self.surrogates]

    def _reserve(self, capacity: int) -> None:
        n_nodes = self.n_nodes

        def larger(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
            grown = np.zeros((capacity, *array.shape[1:]), array.dtype)
            grown[:n_nodes] = array[:n_nodes]
            return grown

        self.statistics, self.n_rows = larger(self.statistics), larger(self.n_rows)
        self.gain = larger(self.gain)
        tables = [
            np.zeros((len(t), capacity), t.dtype) for t in (self._short, self._flags)
        ]
        tables[0][:, :n_nodes] = self._short[:, :n_nodes]
        tables[1][:, :n_nodes] = self._flags[:, :n_nodes]
        self._spread(*tables)

    def _spread(
        self, short: npt.NDArray[np.int32], flags: npt.NDArray[np.uint8]
    ) -> None:
        """Take the rows of these tables as the arrays."""
        self._short, self._flags = short, flags
        (
            self.parent,
            self.first_child,
            self.n_children,
            self.missing_branch,
            self.feature,
            self.low,
            self.high,
            self.depth,
        ) = short
        self.kind, self.reason, pure = flags
        self.pure = pure.view(bool)
