"""What the trees of a pruning path get wrong on rows that they were not grown from.

A node answers for a row while it is a leaf: from the step in which it collapses to the
one in which its parent does. So all rows climb from where they end to the root, and
each adds its loss to the steps of the node where it is; no tree is made on the way.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treewright.data.schema import Target
from treewright.prune.cost_complexity.nested_trees import PruningPath
from treewright.prune.labelled_rows import LabelledRows
from treewright.tree.structure.tree import NO_CLASS, Tree

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class HeldOutRisk:
    """Sums over held-out rows, for each of several alphas."""

    # float64, shape (n_alphas,): weighted sums of the losses and of their squares. The
    # loss of a row is 1 for a wrong class, or the squared (absolute) error; the mean
    # over several outputs.
    losses: Floats
    squares: Floats
    weight: float  # weight of the rows

    def plus(self, other: HeldOutRisk) -> HeldOutRisk:
        """The same for the rows of both."""
        return HeldOutRisk(
            self.losses + other.losses,
            self.squares + other.squares,
            self.weight + other.weight,
        )

    @property
    def risk(self) -> Floats:
        """Mean loss."""
        return self.losses / self.weight

    @property
    def standard_error(self) -> Floats:
        """Standard error of the mean loss (Breiman et al. 1984, section 3.4.3)."""
        spread = self.squares - self.losses**2 / self.weight
        return np.asarray(np.sqrt(np.maximum(spread, 0.0)) / self.weight)

    def best_step(self, rule: str) -> int:
        """The place of the alpha that a rule takes; of equals the largest.

        "minimum" takes the least risk, "one_se" the largest alpha whose risk is at most
        one standard error above that.
        """
        risk = self.risk
        slack = 1e-12 * float(risk.max())
        least = int(np.flatnonzero(risk <= risk.min() + slack)[-1])
        if rule == "minimum":
            return least
        limit = risk[least] + self.standard_error[least]
        return int(np.flatnonzero(risk <= limit + slack)[-1])


def held_out_risk(
    path: PruningPath,
    alphas: Floats,
    rows: LabelledRows,
    target: Target,
    *,
    absolute: bool = False,
) -> HeldOutRisk:
    """Losses of the path's tree for each of some ascending alphas.

    `path`: of a tree that was not grown from the rows. `alphas`: ascending; infinity is
    the root alone. `rows`: the held-out rows. `target`: what is predicted. `absolute`:
    whether the loss of a number is its absolute error, not the squared one.
    """
    step_of_alpha = np.array([path.step_for(alpha) for alpha in alphas])
    first, behind = (
        np.searchsorted(step_of_alpha, steps, "left") for steps in path.stays()
    )
    parts = rows.placed(path.tree)
    parent = path.tree.parents().astype(np.int64)
    node, row, weight = parts.node.astype(np.int64), parts.row, parts.weight
    # a walk that ends at an inner node ends there in the whole tree, too
    start = np.zeros(len(node), np.int64)
    sums = np.zeros((2, len(alphas) + 1))
    while len(node):
        stop = np.maximum(behind[node], start)
        loss = _losses(path.tree, target, node, rows.target[row], absolute=absolute)
        for total, power in zip(sums, (1, 2), strict=True):
            amount = weight * loss**power
            np.add.at(total, start, amount)
            np.subtract.at(total, stop, amount)
        above = parent[node] >= 0
        node, row, weight = parent[node[above]], row[above], weight[above]
        start = np.maximum(first[node], stop[above])
    losses, squares = np.maximum(np.cumsum(sums, axis=1)[:, :-1], 0.0)
    return HeldOutRisk(losses, squares, float(parts.weight.sum()))


def between(alphas: Floats) -> Floats:
    """One alpha inside each step: the geometric mean of its ends; infinity behind all.

    A tree of other rows has other alphas; in the middle of a step the least depends on
    that (Breiman et al. 1984, section 3.4.2).
    """
    return np.append(np.sqrt(alphas[:-1] * alphas[1:]), np.inf)


def _losses(
    tree: Tree,
    target: Target,
    node: Ints,
    answer: npt.NDArray[np.generic],
    *,
    absolute: bool,
) -> Floats:
    """Loss of each row at its node, the mean over the outputs."""
    if target.kind == "classes":
        label = tree.label[node]  # NO_CLASS is wrong, also for an unknown class
        return np.asarray(((label != answer) | (label == NO_CLASS)).mean(axis=1))
    apart = np.abs(tree.value[node] - np.asarray(answer, np.float64))
    return np.asarray((apart if absolute else apart**2).mean(axis=1))
