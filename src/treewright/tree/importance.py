"""How much each feature counts in a tree."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from treewright.tree.structure.combination import is_combination, terms_of
from treewright.tree.structure.tree import Tree


def gained_shares(tree: Tree, n_features: int) -> npt.NDArray[np.float64]:
    """Return each feature's share in what the splits gain; 0 for all in a single leaf.

    A split counts by its gain times the weight of the rows that it divides; if it asks
    about a weighted sum, its features have equal parts of that.
    """
    inner = (tree.feature >= 0) & ~is_combination(tree)
    counts = tree.gain * tree.weight
    gained = np.zeros(n_features)
    gained += np.bincount(
        tree.feature[inner], weights=counts[inner], minlength=n_features
    )
    terms = terms_of(tree)
    n_terms = np.bincount(terms.node, minlength=tree.node_count)
    parts = counts[terms.node] / n_terms[terms.node]
    gained += np.bincount(terms.feature, weights=parts, minlength=n_features)
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
