"""Pessimistic pruning: a subtree must beat a leaf by more than one standard error.

Training errors are too few, so half an error is added for each leaf. With E errors and
L leaves in the subtree under a node of weight N,

    E' = E + L / 2,    standard error = sqrt(E' (N - E') / N)

the node becomes a leaf if its own errors + 1/2 are at most E' + standard error. Top
down: what is below a node that was cut is not looked at. No rows are needed.

References
----------
Quinlan, J. R. (1987). Simplifying decision trees. International Journal of Man-Machine
Studies 27, 221-234, section 2.3.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from treewright.data.schema import Target
from treewright.prune.node_errors import training_errors
from treewright.prune.pruning_record import PruningRecord
from treewright.prune.shape import Shape, levels_upwards, sums_below
from treewright.tree.structure.tree import Reason, Tree

PER_LEAF = 0.5


def prune_pessimistically(
    tree: Tree, target: Target, record: PruningRecord | None = None
) -> Tree:
    """Turn nodes into leaves whose subtree is not clearly better."""
    errors = training_errors(tree, target)
    of_leaves = np.stack([errors.as_leaf, np.full(tree.node_count, PER_LEAF)], axis=1)
    below = sums_below(tree, of_leaves)
    corrected = below.sum(axis=1)
    weight = np.maximum(tree.weight, 1e-300)
    spread = np.sqrt(np.maximum(corrected * (1 - corrected / weight), 0.0))
    is_no_worse = errors.as_leaf + PER_LEAF <= corrected + spread + errors.slack
    # nodes below one that is cut may be cut, too: they are out of reach then
    cut = np.flatnonzero((tree.n_children > 0) & is_no_worse)
    if record is not None:
        stage = record.begin("pessimistic", tree, per_leaf=PER_LEAF)
        looked_at = _not_below(tree, cut)
        stage.judge_all(
            looked_at,
            is_no_worse[looked_at],
            weight=tree.weight,
            errors_as_leaf=errors.as_leaf,
            as_leaf=errors.as_leaf + PER_LEAF,
            errors_as_tree=below[:, 0],
            n_leaves=below[:, 1] / PER_LEAF,
            as_tree=corrected,
            standard_error=spread,
        )
    shape = Shape(tree)
    shape.make_leaves(cut, Reason.PRUNED)
    return shape.finished()


def _not_below(tree: Tree, cut: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """The inner nodes that are not below one of some nodes, from the root down."""
    is_above = np.ones(tree.node_count, bool)
    is_cut = np.zeros(tree.node_count, bool)
    is_cut[cut] = True
    for nodes, parents in reversed(levels_upwards(tree)):
        is_above[nodes] = is_above[parents] & ~is_cut[parents]
    return np.flatnonzero(is_above & (tree.n_children > 0))
