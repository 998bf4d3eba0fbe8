"""Twigs, inner nodes whose branches are all leaves: what cuts them, again and again.

By minimum gain: splits that gain too little are undone. The same limit as a stopping
rule (`min_gain`) would also lose good splits below a poor one; here a poor split stays
as long as something below it is worth keeping.

By chi-square: a twig becomes a leaf if the test of `grow/chi_square.py` finds that a
split which tells nothing would deviate as much with a chance above the level. What
remains may be a twig, and is tested, too.

References
----------
Russell, S. and Norvig, P. Artificial Intelligence: A Modern Approach, section
"Learning decision trees".
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from treewright.grow.chi_square import chances, deviations
from treewright.prune.pruning_record import PruningRecord
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


def prune_by_gain(
    tree: Tree, least: float, record: PruningRecord | None = None
) -> Tree:
    """Cut twigs whose split gains less than `least`, per row of the node."""
    # rounding must not cut a split that gains exactly the minimum
    falls = falling_twigs(tree, tree.gain < least * (1 - 1e-12))
    if record is not None:
        stage = record.begin("minimum_gain", tree, least=least)
        judged = judged_twigs(tree, falls)
        stage.judge_all(judged, falls[judged], gain=tree.gain)
    return without_twigs(tree, falls)


def prune_by_chance(
    tree: Tree, level: float, record: PruningRecord | None = None
) -> Tree:
    """Cut twigs whose split could be chance, at a level such as 0.05."""
    inner = np.flatnonzero(tree.n_children)
    branches = Shape(tree).children(inner)
    weights = tree.class_weights()[branches]
    chance = np.zeros(tree.node_count)
    chance[inner] = chances(weights, tree.n_children[inner])
    falls = falling_twigs(tree, chance > level)
    if record is not None:
        stage = record.begin("chi_square", tree, level=level)
        judged = judged_twigs(tree, falls)
        deviation, degrees = np.zeros(tree.node_count), np.zeros(tree.node_count)
        deviation[inner], degrees[inner] = deviations(weights, tree.n_children[inner])
        stage.judge_all(
            judged,
            falls[judged],
            deviation=deviation,
            degrees_of_freedom=degrees,
            chance=chance,
        )
    return without_twigs(tree, falls)
