"""Chi-square: whether the branches of a split could differ by chance alone.

    deviation = sum over branches and classes of (observed - expected)^2 / expected
    expected  = weight of the branch * weight of the class / weight of the node

If class and branch had nothing to do with each other, the deviation would have a
chi-square distribution with (branches - 1)(classes - 1) degrees of freedom, where only
branches and classes with rows at the node count. Its upper tail is the *chance* of a
split: how often one that tells nothing deviates as much. The test stops growing
(Quinlan 1986) and prunes (`prune/methods/twigs.py`).

References
----------
Quinlan, J. R. (1986). Induction of decision trees. Machine Learning 1, 81-106.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_TINY = 1e-300


def chances(branch_weights: Floats, n_branches: npt.NDArray[np.integer]) -> Floats:
    """The chance of each split.

    `branch_weights` (shape (sum of n_branches, n_classes)): class weights of the
    branches, node after node. `n_branches` (shape (n_nodes,)): how many branches each
    node has, at least one.
    """
    return tail(*deviations(branch_weights, n_branches))


def deviations(
    branch_weights: Floats, n_branches: npt.NDArray[np.integer]
) -> tuple[Floats, npt.NDArray[np.int64]]:
    """The deviation of each split, and its degrees of freedom."""
    if len(n_branches) == 0:
        return np.zeros(0), np.zeros(0, np.int64)
    starts = np.cumsum(n_branches) - n_branches
    owner = np.repeat(np.arange(len(n_branches)), n_branches)
    of_node = np.add.reduceat(branch_weights, starts, axis=0)
    of_branch = branch_weights.sum(axis=1)
    share = of_node / np.maximum(of_node.sum(axis=1, keepdims=True), _TINY)
    expected = share[owner] * of_branch[:, None]
    parts = np.divide(
        (branch_weights - expected) ** 2,
        expected,
        out=np.zeros_like(expected),
        where=expected > 0,
    )
    deviation = np.add.reduceat(parts.sum(axis=1), starts)
    filled = np.add.reduceat((of_branch > 0).astype(np.int64), starts)
    present = (of_node > 0).sum(axis=1)
    degrees = np.maximum(filled - 1, 0) * np.maximum(present - 1, 0)
    return np.asarray(deviation), np.asarray(degrees, np.int64)


def tail(deviation: npt.ArrayLike, degrees: npt.ArrayLike) -> Floats:
    """The chance that a chi-square variable is at least `deviation`, for each.

    Examples
    --------
    >>> round(float(tail(3.841, 1)), 3)
    0.05
    """
    from scipy.special import chdtrc  # noqa: PLC0415 - slow to import

    deviation, degrees = np.asarray(deviation), np.asarray(degrees)
    chance = chdtrc(np.maximum(degrees, 1), np.maximum(deviation, 0.0))
    return np.where(degrees > 0, chance, 1.0)  # nothing deviates in one branch
