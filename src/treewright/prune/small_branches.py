"""Small branches: what weighs next to nothing is an empty leaf (C5.0).

Growing does so by itself (`grow/grower.py`); this is for a tree whose rows were counted
anew after a branch was raised.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from treewright.prune.record import PruningRecord
from treewright.prune.shape import Shape
from treewright.tree.structure.tree import Reason, Tree


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
