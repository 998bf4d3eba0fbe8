"""How each tree of a forest was drawn: its seed, and its number among that seed's."""

from __future__ import annotations

from typing import Any

import numpy as np

from treewright.errors import SettingError
from treewright.learners.bags import Keys, tree_keys
from treewright.tree.model import Model

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
