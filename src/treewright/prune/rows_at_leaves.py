"""The training rows at the leaves of a tree that is being pruned.

Rows without a value are divided among branches, so a row may stand in several leaves
with a part of its weight each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright import _core
from treewright.data.machine import thread_count
from treewright.sources.fixed_point import weights_to_fixed_point
from treewright.tree.predict.walk import tree_arrays
from treewright.tree.structure.tree import Tree

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

ROWS_FOR_THREADS = 4_096  # fewer are sent down sooner than threads start


@dataclass(frozen=True, eq=False)
class LeafTally:
    """The leaves whose rows change if branches get all rows of their parents."""

    # int64, shape (n_leaves,): the branch, as an index, that each leaf is under
    group: Ints
    # int32, shape (n_leaves,): the leaves, each once in a group
    leaf: npt.NDArray[np.int32]
    # float64, shape (n_leaves, n_classes): the class weights that they have then
    weights: Floats
    # uint8, shape (n_branches,): whether each branch gets, or had, rows that are
    # divided
    divides: npt.NDArray[np.uint8]

    def of_groups(self, groups: npt.NDArray[np.intp]) -> LeafTally:
        """What comes to some of the branches."""
        number = np.full(self.group.max(initial=-1) + 1, -1, np.int64)
        groups = groups[groups < len(number)]
        number[groups] = np.arange(len(groups))
        kept = number[self.group] >= 0
        return LeafTally(
            number[self.group[kept]],
            self.leaf[kept],
            self.weights[kept],
            self.divides[groups],
        )


@dataclass(frozen=True, eq=False)
class Standing:
    """What stands at the nodes of a tree."""

    # int64, shape (n_nodes, n_classes): class weights, in units of 1 / `scale`; 0 at
    # inner nodes
    weights: Ints
    scale: float  # what a weight of 1 is
    n_whole: Ints  # int64, shape (n_nodes,): number of rows that are not divided
    # int64, shape (n_parts,): the parts of the others
    row: Ints
    node: Ints


class RowsAtLeaves:
    """Which rows stand where.

    - `tree`: as it was before pruning; its numbers stay.
    - `cells` (float64, shape (n_rows, n_features)): the encoded rows.
    - `classes` (int, shape (n_rows,)): their classes.
    - `weights` (float64, shape (n_rows,)): their weights.
    - `n_classes`: number of classes.
    - `min_share`: rows that are divided have no part in branches with a smaller share.
    """

    def __init__(
        self,
        tree: Tree,
        cells: Floats,
        classes: npt.NDArray[np.integer[Any]],
        weights: Floats,
        n_classes: int,
        *,
        min_share: float = 0.0,
    ) -> None:
        n_threads = thread_count(None)
        # sums of integers do not depend on the order of the rows
        fixed = weights_to_fixed_point(weights, divisible=True)
        self._core = _core.LeafRows(
            np.ascontiguousarray(cells, np.float64),
            np.ascontiguousarray(classes, np.int32),
            fixed.ints,
            min_share,
            n_classes,
            n_threads if len(cells) >= ROWS_FOR_THREADS else 1,
        )
        self._scale = fixed.scale
        self._core.fill(tree_arrays(tree))

    def send(self, tree: Tree, nodes: Ints, branches: Ints) -> LeafTally:
        """What would come to each branch's leaves in the place of its parent."""
        return self._tally(self._core.send(tree_arrays(tree), nodes, branches))

    def send_whole(self, tree: Tree, nodes: Ints, branches: Ints) -> LeafTally:
        """The same without the rows that may be divided: at least so much comes."""
        return self._tally(self._core.send_whole(tree_arrays(tree), nodes, branches))

    def raise_branches(self, tree: Tree, nodes: Ints, branches: Ints) -> LeafTally:
        """Put the rows of nodes under one of their branches, in the tree as it was."""
        found = self._core.raise_branches(tree_arrays(tree), nodes, branches)
        return self._tally(found)

    def make_leaves(self, tree: Tree, nodes: Ints) -> None:
        """Gather the rows under nodes that will be leaves."""
        self._core.make_leaves(tree_arrays(tree), nodes)

    def standing(self, kept: Ints) -> Standing:
        """What stands at the nodes `kept`, which get new numbers in this order."""
        weights, n_whole, row, node = self._core.standing()
        number = np.full(len(n_whole), -1, np.int64)
        number[kept] = np.arange(len(kept))
        return Standing(weights[kept], self._scale, n_whole[kept], row, number[node])

    def _tally(
        self, found: tuple[Ints, npt.NDArray[np.int32], Ints, npt.NDArray[np.uint8]]
    ) -> LeafTally:
        group, leaf, weights, divides = found
        return LeafTally(group, leaf, weights / self._scale, divides)
