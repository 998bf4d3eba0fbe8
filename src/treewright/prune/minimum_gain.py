"""Minimum gain: splits just above leaves that gain too little are undone, repeatedly.

The same limit as a stopping rule (`min_gain`) would also lose good splits below a poor
one; here a poor split stays as long as something below it is worth keeping.
"""

from __future__ import annotations

from treewright.prune.record import PruningRecord
from treewright.prune.twigs import falling_twigs, judged_twigs, without_twigs
from treewright.tree.structure.tree import Tree


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
