"""Collapsing: a subtree that makes no fewer training errors than a leaf becomes one."""

from __future__ import annotations

import numpy as np

from treewright.prune.shape import Shape, sums_below
from treewright.tree.tree import Reason, Tree


def collapse(tree: Tree, tolerance: float) -> Tree:
    """Turn nodes into leaves that do not err by more than `tolerance` more.

    References
    ----------
    Quinlan, J. R. (1993). C4.5: Programs for Machine Learning, chapter 4.
    """
    weights = tree.class_weights()
    errors = (weights.sum(axis=1) - weights.max(axis=1))[:, None]
    below = sums_below(tree, errors)
    shape = Shape(tree)
    useless = (tree.n_children > 0) & (below >= errors - tolerance)[:, 0]
    shape.make_leaves(np.flatnonzero(useless), Reason.COLLAPSED)
    return shape.finished()
