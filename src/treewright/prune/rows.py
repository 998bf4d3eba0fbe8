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
from treewright.data.threads import thread_count
from treewright.sources.fixed_point import weights_to_fixed_point
from treewright.tree.tree import EVERY_BRANCH, Tree
from treewright.tree.walk import tree_arrays

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Tally:
    """What comes to the leaves of branches that get all rows of their parents.

    Attributes
    ----------
    others : ndarray of bool, shape (n_branches,)
        Only the rows of the parent's other branches are counted; else all, because some
        are divided anew.
    group : ndarray of int64, shape (n_leaves,)
        The branch, as an index, that each leaf is under.
    leaf : ndarray of int32, shape (n_leaves,)
        The leaves, each once.
    weights : ndarray of float64, shape (n_leaves, n_classes)
        The class weights that come there.
    """

    others: npt.NDArray[np.bool_]
    group: Ints
    leaf: npt.NDArray[np.int32]
    weights: Floats

    def of_groups(self, groups: npt.NDArray[np.intp]) -> Tally:
        """What comes to some of the branches."""
        number = np.full(len(self.others), -1, np.int64)
        number[groups] = np.arange(len(groups))
        kept = number[self.group] >= 0
        return Tally(
            self.others[groups],
            number[self.group[kept]],
            self.leaf[kept],
            self.weights[kept],
        )


class RowsAtLeaves:
    """Which rows stand where.

    Parameters
    ----------
    tree : Tree
        As it was before pruning; its numbers stay.
    cells : ndarray of float64, shape (n_rows, n_features)
        The encoded rows.
    classes : ndarray of int, shape (n_rows,)
        Their classes.
    weights : ndarray of float64, shape (n_rows,)
        Their weights.
    n_classes : int
        Number of classes.
    min_share : float
        Rows that are divided have no part in branches with a smaller share.
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
        # sums of integers do not depend on the order of the rows
        fixed = weights_to_fixed_point(weights, divisible=True)
        dividing = np.unique(tree.feature[tree.missing_branch == EVERY_BRANCH])
        divided = np.asarray(np.isnan(cells[:, dividing]).any(axis=1), np.uint8)
        self._core = _core.LeafRows(
            np.ascontiguousarray(cells, np.float64),
            np.ascontiguousarray(classes, np.int32),
            fixed.ints,
            divided,
            min_share,
            n_classes,
            thread_count(None),
        )
        self._scale = fixed.scale
        self._core.fill(tree_arrays(tree))

    def send(self, tree: Tree, nodes: Ints, branches: Ints) -> Tally:
        """What would come to each branch's leaves in the place of its parent."""
        return self._tally(self._core.send(tree_arrays(tree), nodes, branches))

    def raise_branches(self, tree: Tree, nodes: Ints, branches: Ints) -> Tally:
        """Put the rows of nodes under one of their branches, in the tree as it was."""
        found = self._core.raise_branches(tree_arrays(tree), nodes, branches)
        return self._tally(found)

    def make_leaves(self, tree: Tree, nodes: Ints) -> None:
        """Gather the rows under nodes that will be leaves."""
        self._core.make_leaves(tree_arrays(tree), nodes)

    def _tally(
        self, found: tuple[npt.NDArray[np.uint8], Ints, npt.NDArray[np.int32], Ints]
    ) -> Tally:
        others, group, leaf, weights = found
        return Tally(others.astype(bool), group, leaf, weights / self._scale)
