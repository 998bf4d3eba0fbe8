"""Cost-complexity pruning: the nested sequence of trees, each the best of its size.

    path = pruning_path(tree, target, by="impurity")
    path.alphas, path.n_leaves, path.risks      one entry for each tree of the sequence
    path.tree_at(path.step_for(alpha))    the trees, made when they are asked for

Step k is the cheapest tree for alphas[k] <= alpha < alphas[k + 1]. `weakest_links.py`
says what a node costs, and finds the alphas; how an alpha is chosen by rows that were
held out is in `treewright.learners.choose_alpha`.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treewright.data.schema import Target
from treewright.errors import SettingError
from treewright.prune.cost_complexity.weakest_links import (
    Links,
    exact_links,
    node_risks,
    one_pass_links,
)
from treewright.prune.shape import Shape
from treewright.tree.structure.tree import NodeKind, Reason, Tree

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

# alphas this close to each other are one: they are quotients of rounded sums
CLOSE = 1e-12
CLOSE_TO_RISK = 1e-15  # as a share of the risk of the node that the quotient is of


@dataclass(frozen=True, eq=False)
class PruningPath:
    """The trees of a pruning sequence, from the largest to the root alone."""

    tree: Tree  # the grown tree
    # int64, shape (n_nodes,): the step from which on each node is a leaf, if it is
    # there at all; -1 at leaves of the grown tree
    last_step: Ints
    # float64, shape (n_steps,): the least alpha of each step, per unit of row weight;
    # ascending, 0 first unless the tree was grown with a larger one
    alphas: Floats
    n_leaves: Ints  # int64, shape (n_steps,): leaves of each tree
    # float64, shape (n_steps,): training risk of each tree, per unit of row weight:
    # impurity, or the share of wrong rows
    risks: Floats
    # float64, shape (n_steps,): how far rounding may have moved each alpha
    doubts: Floats
    # float64, shape (n_nodes,): risk of each node as a leaf, in units of row weight
    node_risks: Floats
    links: Links  # what decided about each node, in the same units

    def __len__(self) -> int:
        return len(self.alphas)

    def step_for(self, alpha: float) -> int:
        """The step whose tree is the cheapest at this alpha, the smallest of equals."""
        if not alpha >= 0:
            raise SettingError(f"alpha is {alpha!r}; it must be a number from 0 up")
        reached = self.alphas <= alpha * (1 + CLOSE) + self.doubts
        return int(np.flatnonzero(reached)[-1]) if reached.any() else 0

    def tree_at(self, step: int) -> Tree:
        """The tree of a step."""
        if not 0 <= step < len(self):
            raise SettingError(
                f"step is {step!r}; the path has {len(self)} steps, from 0 to "
                f"{len(self) - 1}"
            )
        leaves = np.flatnonzero((self.last_step >= 0) & (self.last_step <= step))
        if len(leaves) == 0:
            return self.tree
        shape = Shape(self.tree)
        shape.make_leaves(leaves, Reason.PRUNED)
        return shape.finished()

    def stays(self) -> tuple[Ints, Ints]:
        """For each node the steps in which it is a leaf: the first, and one behind."""
        parent = self.tree.parents()
        until = np.where(parent >= 0, self.last_step[parent], len(self))
        return np.maximum(self.last_step, 0), np.maximum(until, 0)

    def sums(self, of_nodes: Floats) -> Floats:
        """For each step the sum over the leaves of its tree."""
        start, stop = self.stays()
        here = np.flatnonzero(start < stop)
        n_edges = len(self) + 1
        added = np.bincount(start[here], of_nodes[here], n_edges)
        ended = np.bincount(stop[here], of_nodes[here], n_edges)
        return np.asarray(np.cumsum(added - ended)[:-1])


def pruning_path(
    tree: Tree,
    target: Target,
    *,
    by: str = "impurity",
    links: str = "exact",
    floor: float = 0.0,
) -> PruningPath:
    """The pruning sequence of a grown tree.

    - `tree`: a grown tree.
    - `target`: what it predicts.
    - `by` ({"impurity", "misclassification"}): what risk is; see `weakest_links.py`.
    - `links` ({"exact", "one_pass"}): Breiman's sequence, or rpart's; see
      `weakest_links.py`.
    - `floor`: the least alpha, per unit of row weight; the path begins with it.
    """
    risk = node_risks(tree, target, by=by)
    weight = float(tree.weight[0])
    if links == "one_pass":
        place_of = _means(tree, target)
        found, is_split = one_pass_links(tree, risk, place_of, floor * weight)
    else:
        found = exact_links(tree, risk)
        is_split = tree.kind != NodeKind.LEAF
    doubts = CLOSE_TO_RISK * risk / weight
    alphas, doubts, step_of = _distinct(found.alpha / weight, doubts, is_split, floor)
    step_of[tree.kind == NodeKind.LEAF] = -1
    none = np.zeros(0)
    path = PruningPath(
        tree, step_of, alphas, none.astype(np.int64), none, doubts, risk, found
    )
    return dataclasses.replace(
        path,
        n_leaves=np.rint(path.sums(np.ones(tree.node_count))).astype(np.int64),
        risks=np.maximum(path.sums(risk / weight), 0.0),
    )


def _distinct(
    alpha: Floats, doubts: Floats, is_split: npt.NDArray[np.bool_], floor: float
) -> tuple[Floats, Floats, Ints]:
    """The different alphas from `floor` up with their doubts, and each node's place."""
    nodes = np.flatnonzero(is_split)
    nodes = nodes[np.argsort(alpha[nodes], kind="stable")]
    known = np.append(floor, np.maximum(alpha[nodes], floor))
    slack = np.append(0.0, doubts[nodes])
    apart = np.diff(known) > CLOSE * known[1:] + slack[1:] + slack[:-1]
    is_new = np.append(True, apart)
    step_of = np.zeros(len(alpha), np.int64)
    step_of[nodes] = np.cumsum(is_new)[1:] - 1
    largest = np.maximum.reduceat(slack, np.flatnonzero(is_new))
    return known[is_new], largest, step_of


def _means(tree: Tree, target: Target) -> Floats:
    """The mean at each node: of the numbers, or of the classes' places in order."""
    if target.kind == "numbers":
        return np.asarray(tree.value[:, 0])
    weights = tree.value[:, target.slots[0]]
    total = np.maximum(weights.sum(axis=1), 1e-300)
    return np.asarray(weights @ np.arange(weights.shape[1]) / total)
