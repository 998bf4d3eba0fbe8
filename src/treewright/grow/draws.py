"""Draws: the few features that each node of a random tree looks at.

A node's features depend on its key alone, and its key on its tree's and on the branches
that lead to it: not on the nodes that are looked at with it, or before it. So a tree
comes out the same alone and among others. Where cuts are drawn as well (extra trees),
they depend on the node's key and the feature (`core/draw.hpp`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright import _core
from treewright.sources.drawn_cells import DrawnCells
from treewright.sources.source import (
    ONE_VALUE,
    Candidates,
    Drawing,
    Frontier,
    Keys,
)


@dataclass(frozen=True, eq=False)
class Draws:
    """How the trees draw."""

    keys: Keys  # uint64, shape (n_trees,): the key of each tree's root
    n_features: int  # how many features a node looks at
    # what cuts are drawn from, one for each feature that a node looks at; None: the
    # best cut is searched for
    cells: DrawnCells | None = None

    @property
    def counts_constant(self) -> bool:
        """Whether features with a single value at a node count among those drawn.

        They do in a random forest: only where all have one value, more are drawn until
        one has two. Extra trees draw among the others (Geurts et al. 2006, table 1).
        """
        return self.cells is None

    def drawing(self, keys: Keys, constant: Keys) -> Drawing:
        """Return what nodes with these keys draw."""
        return Drawing(keys, constant, self.n_features, self.counts_constant)


def branch_keys(keys: Keys, n_branches: npt.NDArray[np.int64]) -> Keys:
    """Return the keys of the branches of nodes, node after node."""
    return _core.branch_keys(np.ascontiguousarray(keys), n_branches)


def by_feature(
    frontier: Frontier, found: Candidates, constant: Keys, n_features: int
) -> tuple[Frontier, Candidates]:
    """Return what was drawn with a place for every feature, as trees without draws.

    Features that were not drawn are not allowed. Of `constant` ones, known to have a
    single value, it does not matter whether they were.
    """
    nodes, places = np.nonzero(found.feature >= 0)
    features = found.feature[nodes, places]
    bits = constant.astype("<u8").view(np.uint8)
    allowed = np.unpackbits(bits, axis=1, bitorder="little")[:, :n_features].copy()
    allowed[nodes, features] = 1

    def spread(values: npt.NDArray[Any], usual: float) -> npt.NDArray[Any]:
        if values.size == 0:
            return values
        wide = np.full(allowed.shape, usual, values.dtype)
        wide[nodes, features] = values[nodes, places]
        return wide

    every = Candidates(
        spread(found.gain, ONE_VALUE),
        spread(found.position, 0),
        spread(found.n_cuts, 0),
        spread(found.split_information, 0),
        spread(found.charge, 0),
    )
    return replace(frontier, allowed=allowed), every
