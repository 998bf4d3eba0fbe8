"""Validation of groups of values: the branch that a GROUPS node has for each code."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from treewright.tree.tree import NodeKind, Tree


class Checker(Protocol):
    """Raises the error for the first node at which something is wrong."""

    def refuse(
        self, bad: npt.NDArray[np.bool_], rule: str, found: npt.NDArray[Any]
    ) -> None:
        """Raise if any node is bad; `found` has the value to show per node."""


def validate_groups(
    tree: Tree, n_values: npt.NDArray[np.int64], check: Checker
) -> None:
    """Refuse groups that are not a branch for each code and a code for each branch.

    Parameters
    ----------
    tree : Tree
        A tree whose `set_start` is valid, as are the features of its nodes.
    n_values : ndarray of int64, shape (n_nodes,)
        How many categories the feature of each node has.
    check : Checker
        Raises the error.
    """
    is_groups = tree.kind == NodeKind.GROUPS
    size = np.diff(tree.set_start)
    check.refuse(
        is_groups & (size != n_values), "groups need a branch for each category", size
    )
    nodes = np.flatnonzero(is_groups)
    if len(nodes) == 0:
        return
    owner = np.repeat(np.arange(len(nodes)), size[nodes])
    branch = tree.set_codes[np.repeat(is_groups, size)]
    lowest, highest = np.zeros((2, tree.node_count), np.int64)
    np.minimum.at(lowest, nodes[owner], branch)
    np.maximum.at(highest, nodes[owner], branch)
    check.refuse(lowest < 0, "branches of categories are numbered from 0", lowest)
    # each branch once for each node that it belongs to
    filled = np.unique(np.stack([nodes[owner], branch]), axis=1)[0]
    n_filled = np.bincount(filled, minlength=tree.node_count)
    check.refuse(
        is_groups & ((n_filled < 2) | (n_filled != highest + 1)),
        "there are two groups or more, and each has a category",
        n_filled,
    )
    extra = np.where(is_groups, tree.n_children - n_filled, 0)
    check.refuse(
        (extra < 0) | (extra > 1),
        "wrong number of branches for its question",
        tree.n_children,
    )
    own = (extra == 1) & (tree.missing_branch != tree.n_children - 1)
    check.refuse(
        own, "the last branch must be the one for missing values", tree.missing_branch
    )
