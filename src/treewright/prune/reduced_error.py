"""Reduced-error pruning: what does not help on held-out rows is cut.

Bottom up, a node becomes a leaf if it then makes no more errors on rows that the tree
was not grown from than its subtree, pruned already, does. That is the smallest of the
prunings with the fewest errors on these rows. A branch that none of them reaches
becomes a leaf, because nothing speaks for it (J48 does the same). For numbers the error
is the squared one.

`cut_sequence.py` goes another way, one cut at a time, and keeps every tree between.

References
----------
Quinlan, J. R. (1987). Simplifying decision trees. International Journal of Man-Machine
Studies 27, 221-234, section 2.2.
"""

from __future__ import annotations

import numpy as np

from treewright.prune.node_errors import NodeErrors
from treewright.prune.record import PruningRecord
from treewright.prune.shape import Shape
from treewright.tree.structure.tree import Reason, Tree


def prune_bottom_up(
    tree: Tree, errors: NodeErrors, record: PruningRecord | None = None
) -> Tree:
    """Turn nodes into leaves that are no worse than their pruned subtrees."""
    as_leaf = errors.as_leaf.tolist()
    stage = None
    if record is not None:
        stage = record.begin("reduced_error", tree, order="bottom_up")
        stage.note_held_out(*errors.noted(tree))
    below = errors.ended.tolist()  # of the pruned subtree, once its branches are done
    parent = tree.parents().tolist()
    cut = []
    for node in range(tree.node_count - 1, -1, -1):  # branches before their parent
        is_cut = tree.n_children[node] and as_leaf[node] <= below[node] + errors.slack
        if stage is not None and tree.n_children[node]:
            as_tree = below[node] * errors.unit
            numbers = {"as_leaf": as_leaf[node] * errors.unit, "as_tree": as_tree}
            stage.judge(node, "leaf" if is_cut else "kept", numbers)
        if is_cut:
            below[node] = as_leaf[node]
            cut.append(node)
        if node:
            below[parent[node]] += below[node]
    shape = Shape(tree)
    shape.make_leaves(np.array(cut, np.intp), Reason.PRUNED)
    return shape.finished()
