"""Bags: the rows that each tree of a forest is grown from.

A bag depends on its tree's key alone, so a forest that is grown further, or in another
order, or by other threads, has the same trees.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright import _core
from treewright.errors import SettingError
from treewright.sources.source import Roots
from treewright.tree.model import Model

Keys = npt.NDArray[np.uint64]
Counts = npt.NDArray[np.uint32]

# streams of one seed that have nothing to do with each other
_OF_TREES, _OF_ROWS = 0, 1


def tree_keys(seed: int, trees: range) -> Keys:
    """Return the key of each tree, by its number in the forest."""
    keys = [
        np.random.SeedSequence(seed, spawn_key=(_OF_TREES, tree)).generate_state(
            1, np.uint64
        )[0]
        for tree in trees
    ]
    return np.array(keys, np.uint64)


@dataclass(frozen=True, eq=False)
class Bagging:
    """How the rows of a tree are drawn."""

    n_rows: int  # rows of the table
    n_drawn: int  # how many a tree gets
    replace: bool  # whether a row may be drawn again and again
    # int or None: draw from each class in proportion
    classes: npt.NDArray[np.integer] | None = None

    @property
    def takes_all(self) -> bool:
        """Whether every tree grows from every row."""
        return not self.replace and self.n_drawn == self.n_rows

    def check_leaves_rows(self, what: str) -> None:
        """Refuse bags of all rows: `what` is about rows that a tree has not seen."""
        if self.takes_all:
            raise SettingError(
                f"{what} needs rows that a tree has not seen, and every tree gets all "
                "of them; set bootstrap=True, or max_samples below 1.0"
            )

    def counts(self, key: np.uint64) -> Counts:
        """Return how often each row of the table is in a tree's bag."""
        if self.takes_all:
            return np.ones(self.n_rows, np.uint32)
        seed = np.random.SeedSequence(int(key), spawn_key=(_OF_ROWS,))
        random = np.random.Generator(np.random.PCG64(seed))
        if self.classes is None:
            return self._drawn(random, self.n_rows, self.n_drawn)
        counts = np.zeros(self.n_rows, np.uint32)
        for rows, n_drawn in zip(*self._strata(), strict=True):
            counts[rows] = self._drawn(random, len(rows), n_drawn)
        return counts

    def _drawn(self, random: np.random.Generator, n_rows: int, n_drawn: int) -> Counts:
        if self.replace:
            rows = random.integers(n_rows, size=n_drawn)
        else:
            rows = random.permutation(n_rows)[:n_drawn]
        return np.bincount(rows, minlength=n_rows).astype(np.uint32)

    def _strata(self) -> tuple[list[npt.NDArray[np.intp]], list[int]]:
        """The rows of each class, and how many of them are drawn: at least one."""
        assert self.classes is not None
        rows = [np.flatnonzero(self.classes == one) for one in np.unique(self.classes)]
        sizes = np.array([len(of_class) for of_class in rows])
        ends = np.rint(np.cumsum(sizes) * self.n_drawn / self.n_rows).astype(int)
        return rows, np.maximum(np.diff(ends, prepend=0), 1).tolist()

    def roots(self, keys: Keys, n_looked: int = 0) -> Roots:
        """Return the rows of several trees, for a source (`Roots`)."""
        rows, counts = [], []
        for key in keys:
            drawn, often = _core.rows_in_bag(self.counts(key))
            rows.append(drawn)
            counts.append(often)
        starts = np.cumsum([0, *map(len, rows)]).astype(np.int64)
        once = np.zeros(0, np.uint32)
        return Roots(
            np.concatenate(rows),
            np.concatenate(counts) if self.replace else once,
            starts,
            n_looked,
        )


# ---- How each tree of a forest was drawn: its seed, and its number among that seed's.

# [seed, first number, number behind the last] of trees that stand side by side; None:
# they were grown with different settings, and cannot be grown again
TREE_DRAWS = "tree_draws"

Draw = tuple[int, int]
_RUN = 3


def draws_of(model: Model) -> list[Draw]:
    """Return the seed and the number of each tree."""
    seed = model.settings.get("random_state")
    runs = model.settings.get(TREE_DRAWS, [[seed, 0, len(model.trees)]])
    if runs is None or seed is None:
        raise SettingError(
            "the trees of this forest come from forests with different settings, so "
            "that their rows cannot be drawn again"
        )
    _check(runs, len(model.trees))
    return [(run[0], number) for run in runs for number in range(run[1], run[2])]


def _check(runs: Any, n_trees: int) -> None:
    """Refuse what a damaged file may say."""

    def is_run(run: Any) -> bool:
        whole = isinstance(run, list) and len(run) == _RUN
        whole = whole and all(type(one) is int and one >= 0 for one in run)
        return bool(whole and run[1] < run[2] <= run[1] + n_trees)

    fits = isinstance(runs, list) and all(map(is_run, runs))
    if not fits or sum(run[2] - run[1] for run in runs) != n_trees:
        raise SettingError(
            f"the model says of {n_trees} trees that they were drawn as {runs!r:.60}, "
            "which cannot be; it is damaged: fit the forest again"
        )


def keys_of(model: Model) -> Keys:
    """Return the key of each tree."""
    keys = [tree_keys(seed, range(n, n + 1)) for seed, n in draws_of(model)]
    return np.concatenate(keys)
