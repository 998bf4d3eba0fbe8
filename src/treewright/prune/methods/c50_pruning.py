"""What C5.0 does after error-based pruning: global pruning, and small branches.

Global pruning:

    E = training errors of the tree, n = training weight
    cut the subtrees that add the fewest errors per leaf they remove, again and again,
    while the tree makes no more than E + sqrt(E (1 - E / n)) errors

The order of the cuts is that of cost-complexity pruning, with training errors as the
risk (`prune/cost_complexity/weakest_links.py`), so the subtrees to cut are those up to
some alpha. Subtrees that are as cheap as each other go together: the result does not
depend on an order.

Small branches: what weighs next to nothing is an empty leaf. Growing does so by itself
(`grow/grower.py`); this is for a tree whose rows were counted anew after a branch was
raised.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from treewright.prune.cost_complexity.weakest_links import exact_links, record_links
from treewright.prune.pruning_record import PruningRecord
from treewright.prune.shape import Shape, sums_below
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


def without_small_branches(
    tree: Tree, least: float, record: PruningRecord | None = None
) -> Tree:
    """Empty the branches that weigh less than `least`, unless all of a node do.

    They get the class weights of their parents; `empty_answers` says what is answered.
    """
    if least == 0:
        return tree
    parent = tree.parents()
    heaviest = np.zeros(tree.node_count)
    np.maximum.at(heaviest, parent[1:], tree.weight[1:])
    small = (tree.weight > 0) & (tree.weight < least)
    small[0] = False
    is_emptied = small & (heaviest[parent] >= least)
    if record is not None:
        judged = np.flatnonzero(small)
        record.begin("small_branches", tree, least=least).judge_all(
            judged,
            is_emptied[judged],
            weight=tree.weight,
            heaviest_of_its_parent=heaviest[parent],
        )
    nodes = np.flatnonzero(is_emptied)
    if len(nodes) == 0:
        return tree
    value, weight, n_rows = tree.value.copy(), tree.weight.copy(), tree.n_rows.copy()
    value[nodes] = value[parent[nodes]]
    weight[nodes] = 0.0
    n_rows[nodes] = 0
    shape = Shape(dataclasses.replace(tree, value=value, weight=weight, n_rows=n_rows))
    shape.make_leaves(nodes, Reason.EMPTY)
    return shape.finished()
