"""Global pruning: what C5.0 still cuts after error-based pruning.

    E = training errors of the tree, n = training weight
    cut the subtrees that add the fewest errors per leaf they remove, again and again,
    while the tree makes no more than E + sqrt(E (1 - E / n)) errors

The order of the cuts is that of cost-complexity pruning, with training errors as the
risk (`weakest_links.py`), so the subtrees to cut are those up to some alpha. Subtrees
that are as cheap as each other go together: the result does not depend on an order.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from treewright.prune.record import PruningRecord
from treewright.prune.shape import Shape, sums_below
from treewright.prune.weakest_links import exact_links, record_links
from treewright.tree.structure.tree import Reason, Tree

Floats = npt.NDArray[np.float64]

# alphas that differ by no more than this part are equal: they are rounded quotients
_SAME = 1e-9


def prune_globally(tree: Tree, record: PruningRecord | None = None) -> Tree:
    """Cut the cheapest subtrees within one standard error of the training errors."""
    weights = tree.class_weights()
    errors = weights.sum(axis=1) - weights.max(axis=1)
    total = float(sums_below(tree, errors[:, None])[0, 0])
    limit = total + float(np.sqrt(max(total * (1 - total / tree.weight[0]), 0.0)))
    links = exact_links(tree, errors)
    alpha = links.alpha
    steps = np.unique(alpha[tree.n_children > 0]) * (1 + _SAME) + 1e-12
    # errors rise with alpha: halve the steps until the last one inside is found
    low, high = 0, len(steps)
    while low < high:
        middle = (low + high) // 2
        if _errors_at(tree, errors, alpha <= steps[middle]) <= limit + 1e-9:
            low = middle + 1
        else:
            high = middle
    reached = steps[low - 1] if low > 0 else -np.inf
    cut = (tree.n_children > 0) & (alpha <= reached)
    if record is not None:
        stage = record.begin("global_pruning", tree, errors=total, limit=limit)
        record_links(stage, links, errors, cut)
    shape = Shape(tree)
    shape.make_leaves(np.flatnonzero(cut), Reason.PRUNED)
    return shape.finished()


def _errors_at(tree: Tree, errors: Floats, is_leaf: npt.NDArray[np.bool_]) -> float:
    """Training errors of the tree in which these nodes are leaves, as leaves are.

    Where a node is a leaf, all nodes under it are marked as well: no node collapses
    after its parent.
    """
    parent = tree.parents()
    inside = ~is_leaf[parent]
    inside[0] = True
    return float(errors[inside & is_leaf].sum())
