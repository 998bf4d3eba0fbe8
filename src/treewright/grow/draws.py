"""Draws: the few features that each node of a random tree looks at.

A node's features depend on its key alone, and its key on its tree's and on the branches
that lead to it: not on the nodes that are looked at with it, or before it. So a tree
comes out the same alone and among others.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from treewright import _core
from treewright.sources.source import ONE_VALUE, Candidates, Frontier, Source

Keys = npt.NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Draws:
    """How the trees draw.

    Attributes
    ----------
    keys : ndarray of uint64, shape (n_trees,)
        The key of each tree's root.
    n_features : int
        How many features a node looks at.
    """

    keys: Keys
    n_features: int

    def candidates(
        self, source: Source, frontier: Frontier, keys: Keys
    ) -> tuple[Frontier, Candidates]:
        """Find the best splits of the features that each node draws.

        Where all of them have a single value, more are drawn until one has not: a node
        is a leaf only if no feature can split it.
        """
        allowed = frontier.allowed
        frontier = replace(frontier, allowed=self._drawn(source, allowed, keys, 0))
        found = source.candidates(frontier)
        for first in range(self.n_features, source.n_features, self.n_features):
            stuck = np.flatnonzero(found.gain.max(axis=1) == ONE_VALUE)
            if len(stuck) == 0:
                break
            others = allowed[stuck] if allowed.size else allowed
            more = Frontier(
                frontier.handles[stuck],
                frontier.statistics[stuck],
                frontier.tolerances[stuck],
                self._drawn(source, others, keys[stuck], first),
            )
            frontier.allowed[stuck] |= more.allowed
            _put(found, stuck, source.candidates(more))
        return frontier, found

    def _drawn(
        self,
        source: Source,
        allowed: npt.NDArray[np.uint8],
        keys: Keys,
        first: int,
    ) -> npt.NDArray[np.uint8]:
        """The features of the next draw, as far as they may be looked at."""
        stop = first + self.n_features
        flags = _core.draw_features(keys, source.n_features, first, stop)
        return flags & allowed if allowed.size else flags


def _put(found: Candidates, nodes: npt.NDArray[np.intp], more: Candidates) -> None:
    """Write what was found later over what was found for these nodes before."""
    for name, later in vars(more).items():
        if later.size:
            getattr(found, name)[nodes] = later


def branch_keys(keys: Keys, n_branches: npt.NDArray[np.int64]) -> Keys:
    """Return the keys of the branches of nodes, node after node."""
    return _core.branch_keys(np.ascontiguousarray(keys), n_branches)
