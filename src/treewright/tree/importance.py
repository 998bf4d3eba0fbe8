"""How much each feature counts in a tree."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from treewright.tree.tree import Tree


def gained_shares(tree: Tree, n_features: int) -> npt.NDArray[np.float64]:
    """Return each feature's share in what the splits gain; 0 for all in a single leaf.

    A split counts by its gain times the weight of the rows that it divides.
    """
    inner = tree.feature >= 0
    gained = np.bincount(
        tree.feature[inner],
        weights=(tree.gain * tree.weight)[inner],
        minlength=n_features,
    )
    total = gained.sum()
    return np.asarray(gained / total if total > 0 else gained)


def mean_gained_shares(
    trees: Sequence[Tree],
    n_features: int,
    weights: npt.NDArray[np.float64] | None = None,
) -> npt.NDArray[np.float64]:
    """Return each feature's share in what the splits gain, the mean over trees."""
    shares = [gained_shares(tree, n_features) for tree in trees]
    mean = np.average(shares, axis=0, weights=weights)
    total = mean.sum()
    return np.asarray(mean / total if total > 0 else mean)
