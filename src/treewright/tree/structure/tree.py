"""The tree: flat arrays, one entry per node.

Glossary
--------
node      a number from 0 (the root) up; a child's number is larger than its parent's
branch    a child's position among its siblings; the branches of a node are numbered
          next to each other: `first_child[node] + branch`
slot      a column of `value`: a class (outputs one after the other) or, for numbers, an
          output
stop      a walk may end at an inner node, when the value there cannot be followed

Multiway and binary trees, for classes and for numbers, share this one format and one
walk. Inner nodes keep their weights: pruning, explaining and chalk need them.
Read `branch_words.py` next for how a branch reads in words.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from treewright import _core
from treewright.tree.structure.node_kind import NodeKind
from treewright.tree.structure.surrogates import NO_SURROGATES, Surrogates

__all__ = [
    "EVERY_BRANCH",
    "NO_CLASS",
    "NO_ROWS",
    "REASONS",
    "NodeKind",
    "Reason",
    "Tree",
]


class Reason(IntEnum):
    """Why a leaf is a leaf. `REASONS` has the words."""

    NONE = 0
    PURE = 1
    NO_FEATURE_LEFT = 2
    NO_SPLIT = 3
    MAX_DEPTH = 4
    MIN_SAMPLES_SPLIT = 5
    MIN_SAMPLES_LEAF = 6
    MIN_IMPURITY = 7
    MIN_GAIN = 8
    MAX_LEAF_NODES = 9
    EMPTY = 10
    NO_GAIN = 11
    COLLAPSED = 12
    PRUNED = 13
    CHI_SQUARE = 14
    CLOSED = 15
    UNDECIDED = 16
    STOPPED = 17
    LEARNING = 18
    ASLEEP = 19


REASONS: dict[Reason, str] = {
    Reason.NONE: "",
    Reason.PURE: "pure",
    Reason.NO_FEATURE_LEFT: "no feature left",
    Reason.NO_SPLIT: "no feature separates the rows",
    Reason.MAX_DEPTH: "max_depth reached",
    Reason.MIN_SAMPLES_SPLIT: "fewer rows than min_samples_split",
    Reason.MIN_SAMPLES_LEAF: "no split leaves enough rows on each side",
    Reason.MIN_IMPURITY: "impurity at most min_impurity",
    Reason.MIN_GAIN: "gain below the minimum",
    Reason.MAX_LEAF_NODES: "max_leaf_nodes reached",
    Reason.EMPTY: "no training rows: majority of the parent",
    Reason.NO_GAIN: "no split gains enough",
    Reason.COLLAPSED: "its subtree made no fewer training errors",
    Reason.PRUNED: "pruned",
    Reason.CHI_SQUARE: "the best split could be chance",
    Reason.CLOSED: "closed by the rows it counted",
    Reason.UNDECIDED: "has not counted s1 rows",
    Reason.STOPPED: "learning stopped before its rows came again",
    Reason.LEARNING: "",  # any leaf of a tree that learns on
    Reason.ASLEEP: "asleep: max_bytes reached",
}

# EMPTY at a leaf that does not speak for its parent
NO_ROWS = "no training rows"

# Tree.missing_branch of a node that sends a row without a value down all branches, with
# shares of it in proportion to the branches' training weight
EVERY_BRANCH = -2
# Tree.label of a leaf that gives no class: its class weights are 0, and a row that ends
# there is unclassified. No training row reached it, or learning stopped before (CAL2)
NO_CLASS = -1


@dataclass(frozen=True, eq=False)
class Tree:
    """A fitted tree."""

    kind: npt.NDArray[np.uint8]  # uint8, shape (n_nodes,): a `NodeKind` each
    # int32, shape (n_nodes,): the feature asked about; -1 at leaves
    feature: npt.NDArray[np.int32]
    # float64, shape (n_nodes,): CUT: the threshold (for a wide feature the index into
    # `Feature.cuts`). ORDER: the last code of branch 0. COMBINATION: the threshold. NaN
    # elsewhere.
    threshold: npt.NDArray[np.float64]
    # int32, shape (n_nodes,): the branches of an inner node; -1 and 0 at leaves
    first_child: npt.NDArray[np.int32]
    n_children: npt.NDArray[np.int32]
    # int32, shape (n_nodes,): the branch that a missing value takes; -1: stop at this
    # node; EVERY_BRANCH: all of them, each with a share
    missing_branch: npt.NDArray[np.int32]
    # int64, shape (n_nodes + 1,): `set_codes[set_start[node]:set_start[node + 1]]` are
    # the codes of branch 0 of a SUBSET node, ascending; any other known code takes
    # branch 1. Of a GROUPS node they are the branch of each code of its feature, of a
    # COMBINATION node its terms (`combination.py`); its `feature` is that of the first.
    set_start: npt.NDArray[np.int64]
    set_codes: npt.NDArray[np.int32]  # see `set_start`
    # float64, shape (n_nodes, n_slots): classes: the weight of each class at the node;
    # those of the parent at a leaf that no training row reached, or 0 if it gives no
    # class. Numbers: the prediction.
    value: npt.NDArray[np.float64]
    # int32, shape (n_nodes, n_outputs): classes: the predicted class code of each
    # output, or NO_CLASS. Empty (n_nodes, 0) otherwise.
    label: npt.NDArray[np.int32]
    n_rows: npt.NDArray[np.int64]  # int64, shape (n_nodes,): training rows at the node
    # float64, shape (n_nodes,): total training weight; the criterion's value; the gain
    # of the node's split (0 at leaves)
    weight: npt.NDArray[np.float64]
    impurity: npt.NDArray[np.float64]
    gain: npt.NDArray[np.float64]
    # uint8, shape (n_nodes,): a `Reason` each; NONE at inner nodes
    reason: npt.NDArray[np.uint8]
    # what a row is asked that lacks a node's value, before `missing_branch` counts
    surrogates: Surrogates = NO_SURROGATES

    # whether nodes keep the shares of the classes themselves (`tree/compact_model.py`)
    knows_shares: ClassVar[bool] = False

    @property
    def node_count(self) -> int:
        """Number of nodes."""
        return int(self.kind.shape[0])

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int(np.count_nonzero(self.kind == NodeKind.LEAF))

    def kind_of(self, node: int) -> NodeKind:
        """What a node asks. Comparing enums with NumPy's own integers is slow."""
        return NodeKind(int(self.kind[node]))

    def children(self, node: int) -> range:
        """Numbers of the children of a node, in branch order."""
        first = int(self.first_child[node])
        return range(first, first + int(self.n_children[node]))

    def subset(self, node: int) -> npt.NDArray[np.int32]:
        """Codes that take branch 0 of a SUBSET node; of GROUPS, each code's branch."""
        return self.set_codes[self.set_start[node] : self.set_start[node + 1]]

    def groups(self, node: int) -> list[list[int]]:
        """Codes that take each branch of a GROUPS node, but that of missing values."""
        branch_of = self.subset(node)
        return [
            np.flatnonzero(branch_of == branch).tolist()
            for branch in range(int(branch_of.max()) + 1)
        ]

    def class_weights(self) -> npt.NDArray[np.float64]:
        """Weight of each class at each node; 0 at a leaf that speaks for its parent."""
        weights: npt.NDArray[np.float64] = np.where(
            self.weight[:, None] > 0, self.value, 0.0
        )
        return weights

    def gives_no_class(self) -> npt.NDArray[np.bool_]:
        """Whether each node leaves the rows that end there unclassified."""
        return np.asarray((self.label == NO_CLASS).any(axis=1))

    def labels_at(self, nodes: npt.NDArray[np.integer]) -> npt.NDArray[np.int32]:
        """Return the class codes that nodes answer with."""
        return np.asarray(self.label[nodes])

    def answers_at(self, nodes: npt.NDArray[np.integer]) -> npt.NDArray[np.float64]:
        """Return the class weights, or numbers, that nodes answer with."""
        return np.asarray(self.value[nodes])

    def asking(self, surrogates: Surrogates) -> Tree:
        """Return the tree with these surrogates."""
        return replace(self, surrogates=surrogates)

    def reason_words(self, node: int) -> str:
        """Why a leaf is a leaf; empty at inner nodes."""
        reason = Reason(int(self.reason[node]))
        if reason == Reason.EMPTY and (self.label[node] == NO_CLASS).any():
            return NO_ROWS
        return REASONS[reason]

    def parents(self) -> npt.NDArray[np.int32]:
        """Parent of each node; -1 for the root."""
        return _core.parents(self.first_child, self.n_children)

    def depths(self) -> npt.NDArray[np.int32]:
        """Depth of each node; 0 for the root. No recursion."""
        parent = self.parents().tolist()
        out = [0] * self.node_count
        for node in range(1, self.node_count):
            out[node] = out[parent[node]] + 1
        return np.asarray(out, np.int32)

    def subtree_sizes(self) -> npt.NDArray[np.int32]:
        """Number of nodes in the subtree under each node, itself included."""
        parent = self.parents().tolist()
        out = [1] * self.node_count
        for node in range(self.node_count - 1, 0, -1):
            out[parent[node]] += out[node]
        return np.asarray(out, np.int32)

    @property
    def depth(self) -> int:
        """Largest depth of a node; 0 for a single leaf."""
        return int(self.depths().max())
