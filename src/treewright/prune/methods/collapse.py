"""Collapsing: a subtree that makes no fewer training errors than a leaf becomes one."""

from __future__ import annotations

import numpy as np

from treewright.data.short_rows import row_maxima, row_sums
from treewright.prune.pruning_record import PruningRecord
from treewright.prune.shape import Shape, is_by_level, sums_below
from treewright.tree.structure.tree import Reason, Tree


def collapse(tree: Tree, tolerance: float, record: PruningRecord | None = None) -> Tree:
    """Turn nodes into leaves that do not err by more than `tolerance` more.

    References
    ----------
    Quinlan, J. R. (1993). C4.5: Programs for Machine Learning, chapter 4.
    """
    weights = tree.class_weights()
    weight = row_sums(weights)
    errors = (weight - row_maxima(weights))[:, None]
    below = sums_below(tree, errors)
    useless = (tree.n_children > 0) & (below >= errors - tolerance)[:, 0]
    if record is not None:
        stage = record.begin("collapse", tree, tolerance=tolerance)
        inner = np.flatnonzero(tree.n_children)[::-1]
        stage.judge_all(
            inner,
            useless[inner],
            weight=weight,
            errors_as_leaf=errors[:, 0],
            errors_as_tree=below[:, 0],
        )
    if not useless.any() and is_by_level(tree):
        return tree
    shape = Shape(tree)
    shape.make_leaves(np.flatnonzero(useless), Reason.COLLAPSED)
    return shape.finished()
