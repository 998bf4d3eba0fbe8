"""Cost-complexity pruning: the nested sequence of trees, each the best of its size.

    path = pruning_path(tree, target, by="impurity")
    path.alphas, path.n_leaves, path.risks      one entry for each tree of the sequence
    path.tree_for(alpha), path.tree_at(step)    the trees, made when they are asked for

Step k is the cheapest tree for alphas[k] <= alpha < alphas[k + 1]. `weakest_links.py`
finds the alphas, `risk.py` says what a node costs; how an alpha is chosen by rows that
were held out is in `treewright.learners.choose_alpha`.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treewright.data.schema import Target
from treewright.errors import SettingError
from treewright.prune.risk import node_risks
from treewright.prune.shape import Shape
from treewright.prune.weakest_links import exact_links, one_pass_links
from treewright.tree.tree import NodeKind, Reason, Tree

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

# alphas this close to each other are one: they are quotients of rounded sums
CLOSE = 1e-12
CLOSE_TO_ROOT = 1e-15


@dataclass(frozen=True, eq=False)
class PruningPath:
    """The trees of a pruning sequence, from the largest to the root alone.

    Attributes
    ----------
    tree : Tree
        The grown tree.
    last_step : ndarray of int64, shape (n_nodes,)
        The step from which on each node is a leaf, if it is there at all; -1 at leaves
        of the grown tree.
    alphas : ndarray of float64, shape (n_steps,)
        The least alpha of each step, per unit of row weight; ascending, 0 first unless
        the tree was grown with a larger one.
    n_leaves : ndarray of int64, shape (n_steps,)
        Leaves of each tree.
    risks : ndarray of float64, shape (n_steps,)
        Training risk of each tree, per unit of row weight: impurity, or the share of
        wrong rows.
    """

    tree: Tree
    last_step: Ints
    alphas: Floats
    n_leaves: Ints
    risks: Floats

    def __len__(self) -> int:
        return len(self.alphas)

    @property
    def root_risk(self) -> float:
        """Risk of the root alone, per unit of row weight."""
        return float(self.risks[-1])

    def step_for(self, alpha: float) -> int:
        """The step whose tree is the cheapest at this alpha."""
        if not alpha >= 0:
            raise SettingError(f"alpha is {alpha!r}; it must be a number from 0 up")
        slack = CLOSE * alpha + CLOSE_TO_ROOT * self.root_risk
        return max(int(np.searchsorted(self.alphas, alpha + slack, "right")) - 1, 0)

    def tree_for(self, alpha: float) -> Tree:
        """The cheapest tree at this alpha, the smallest one of equals."""
        return self.tree_at(self.step_for(alpha))

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

    Parameters
    ----------
    tree : Tree
        A grown tree.
    target : Target
        What it predicts.
    by : {"impurity", "misclassification"}
        What risk is; see `risk.py`.
    links : {"exact", "one_pass"}
        Breiman's sequence, or rpart's; see `weakest_links.py`.
    floor : float
        The least alpha, per unit of row weight; the path begins with it.
    """
    risk = node_risks(tree, target, by=by)
    weight = float(tree.weight[0])
    if links == "one_pass":
        place_of = _means(tree, target)
        alpha, is_split = one_pass_links(tree, risk, place_of, floor * weight)
    else:
        alpha = exact_links(tree, risk)
        is_split = tree.kind != NodeKind.LEAF
    alphas, step_of = _distinct(alpha / weight, is_split, floor, risk[0] / weight)
    step_of[tree.kind == NodeKind.LEAF] = -1
    return _summed(tree, step_of, alphas, risk / weight)


def _distinct(
    alpha: Floats, is_split: npt.NDArray[np.bool_], floor: float, root_risk: float
) -> tuple[Floats, Ints]:
    """The different alphas from `floor` up, and the place of each node's among them."""
    known = np.unique(np.append(np.maximum(alpha[is_split], floor), floor))
    slack = CLOSE * known[1:] + CLOSE_TO_ROOT * root_risk
    is_new = np.append(True, np.diff(known) > slack)
    group = np.cumsum(is_new) - 1
    step_of = np.zeros(len(alpha), np.int64)
    step_of[is_split] = group[
        np.searchsorted(known, np.maximum(alpha[is_split], floor))
    ]
    return known[is_new], step_of


def _summed(tree: Tree, step_of: Ints, alphas: Floats, risk: Floats) -> PruningPath:
    """Count leaves and risk of each step."""
    empty = PruningPath(tree, step_of, alphas, np.zeros(0, np.int64), np.zeros(0))
    return dataclasses.replace(
        empty,
        n_leaves=np.rint(empty.sums(np.ones(tree.node_count))).astype(np.int64),
        risks=np.maximum(empty.sums(risk), 0.0),
    )


def _means(tree: Tree, target: Target) -> Floats:
    """The mean at each node: of the numbers, or of the classes' places in order."""
    if target.kind == "numbers":
        return np.asarray(tree.value[:, 0])
    weights = tree.value[:, target.slots[0]]
    total = np.maximum(weights.sum(axis=1), 1e-300)
    return np.asarray(weights @ np.arange(weights.shape[1]) / total)
