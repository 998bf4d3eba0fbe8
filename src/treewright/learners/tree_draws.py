"""How each tree of a forest was drawn: its seed, and its number among that seed's."""

from __future__ import annotations

import numpy as np

from treewright.errors import SettingError
from treewright.learners.bags import Keys, tree_keys
from treewright.tree.model import Model

# [seed, first number, number behind the last] of trees that stand side by side; None:
# they were grown with different settings, and cannot be grown again
TREE_DRAWS = "tree_draws"

Draw = tuple[int, int]


def draws_of(model: Model) -> list[Draw]:
    """Return the seed and the number of each tree."""
    seed = model.settings.get("random_state")
    runs = model.settings.get(TREE_DRAWS, [[seed, 0, len(model.trees)]])
    if runs is None or seed is None:
        raise SettingError(
            "the trees of this forest come from forests with different settings, so "
            "that their rows cannot be drawn again"
        )
    return [(run[0], number) for run in runs for number in range(run[1], run[2])]


def keys_of(model: Model) -> Keys:
    """Return the key of each tree."""
    keys = [tree_keys(seed, range(n, n + 1)) for seed, n in draws_of(model)]
    return np.concatenate(keys)
