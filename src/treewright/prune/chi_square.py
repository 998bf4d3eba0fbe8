"""Chi-square pruning: splits just above leaves that chance explains are undone.

Bottom up: a node with only leaves below becomes a leaf if the test of
`grow/chi_square.py` finds that a split which tells nothing would deviate as much with a
chance above the level. What remains may be a node with only leaves, and is tested, too.

References
----------
Russell, S. and Norvig, P. Artificial Intelligence: A Modern Approach, section
"Learning decision trees".
"""

from __future__ import annotations

import numpy as np

from treewright.grow.chi_square import chances, deviations
from treewright.prune.record import PruningRecord
from treewright.prune.shape import Shape
from treewright.prune.twigs import falling_twigs, judged_twigs, without_twigs
from treewright.tree.structure.tree import Tree


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
