"""Twigs: inner nodes whose branches are all leaves. What cuts them, again and again.

A node falls if it is to be cut and every inner node below it is, too: then it has only
leaves when its turn comes. So one sum over the subtrees tells all nodes that fall.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from treewright.prune.shape import Shape, subtree_sums
from treewright.tree.structure.tree import Reason, Tree

Flags = npt.NDArray[np.bool_]


def falling_twigs(tree: Tree, to_cut: Flags) -> Flags:
    """The nodes that fall if twigs that are `to_cut` do until none is left."""
    is_inner = tree.n_children > 0
    return np.asarray(is_inner & (_n_staying(tree, to_cut) == 0))


def judged_twigs(tree: Tree, falls: Flags) -> npt.NDArray[np.intp]:
    """The nodes that were twigs at some time, the lowest level first."""
    is_inner = tree.n_children > 0
    stays = is_inner & ~falls
    only_itself = _n_staying(tree, falls) - stays == 0
    return np.flatnonzero(is_inner & only_itself)[::-1]


def without_twigs(tree: Tree, falls: Flags) -> Tree:
    """The tree with these nodes as leaves."""
    shape = Shape(tree)
    shape.make_leaves(np.flatnonzero(falls), Reason.PRUNED)
    return shape.finished()


def _n_staying(tree: Tree, to_cut: Flags) -> npt.NDArray[np.float64]:
    """How many inner nodes of each subtree are not to be cut."""
    stays = (tree.n_children > 0) & ~to_cut
    return np.asarray(subtree_sums(tree, stays.astype(np.float64)[:, None])[:, 0])
