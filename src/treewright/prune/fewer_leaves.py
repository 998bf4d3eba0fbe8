"""A tree cut back to a number of leaves: the cheapest subtrees go first."""

from __future__ import annotations

import numpy as np

from treewright.prune.shape import Shape
from treewright.prune.weakest_links import exact_links
from treewright.tree.structure.tree import Reason, Tree

# alphas that differ by no more than this part are equal: they are rounded quotients
_SAME = 1e-9


def with_fewer_leaves(tree: Tree, most: int) -> Tree:
    """Cut subtrees that add the fewest training errors per leaf, down to `most`.

    Subtrees that are as cheap as each other go together, so that there may be fewer.
    """
    if tree.n_leaves <= most:
        return tree
    weights = tree.class_weights()
    alpha = exact_links(tree, weights.sum(axis=1) - weights.max(axis=1)).alpha
    inner = tree.n_children > 0
    parent = tree.parents()
    for step in np.unique(alpha[inner]) * (1 + _SAME) + 1e-12:
        # where a node is a leaf, all nodes under it are marked as well
        is_leaf = ~inner | (alpha <= step)
        on_top = is_leaf & ~is_leaf[parent]
        on_top[0] = is_leaf[0]
        if np.count_nonzero(on_top) <= most:
            break
    shape = Shape(tree)
    shape.make_leaves(np.flatnonzero(inner & is_leaf), Reason.PRUNED)
    return shape.finished()
