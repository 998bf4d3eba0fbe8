"""Twigs: inner nodes whose branches are all leaves. What cuts them, again and again.

A node falls if it is to be cut and every inner node below it is, too: then it has only
leaves when its turn comes. So one sum over the subtrees tells all nodes that fall.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from treewright.prune.shape import Shape, subtree_sums
from treewright.tree.tree import Reason, Tree


def cut_twigs(tree: Tree, to_cut: npt.NDArray[np.bool_]) -> Tree:
    """Turn twigs that are `to_cut`, a flag per node, into leaves until none is left."""
    stays = (tree.n_children > 0) & ~to_cut
    n_staying = subtree_sums(tree, stays.astype(np.float64)[:, None])[:, 0]
    shape = Shape(tree)
    shape.make_leaves(
        np.flatnonzero((tree.n_children > 0) & (n_staying == 0)), Reason.PRUNED
    )
    return shape.finished()
