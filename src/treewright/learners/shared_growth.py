"""Trees that differ in their cost-complexity pruning alone are grown once.

Who tries several prices of a leaf needs one grown tree, and prunes it for each.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

from treewright.data.columns import Columns
from treewright.errors import TreewrightError
from treewright.grow.dialect import Dialect
from treewright.learners.dialects.unpruned import UNPRUNED
from treewright.learners.recipe import grow_tree
from treewright.prune.pruned import Pruning, pruned
from treewright.tree.model import Model

# what a leaf costs, and how that is counted: nothing that growing asks about
_OF_PRUNING = ("pruning", "ccp_alpha", "cp", "complexity_by", "weakest_links")


@dataclass(frozen=True, eq=False)
class SharedGrowth:
    """How a tree is grown, and how it is pruned then."""

    key: Hashable  # the same for all whose grown trees are the same
    # makes a model that is not pruned of a part of a table, with some threads
    grow: Callable[[Columns, int | None], Model]
    prune: Callable[[Model], Model]  # makes a smaller model of it


def shared_growth(
    dialect: Dialect,
    settings: dict[str, Any],
    prepare: Callable[[Columns], Columns],
) -> SharedGrowth | None:
    """Return how a tree's growth can be shared; None if it cannot.

    `dialect`: the switches, with the settings. `settings`: what differs from others
    with whom growth may be shared. `prepare`: makes intervals and weights, before
    growing.
    """
    if not dialect.prunes_by_complexity or dialect.costs_in_growing:
        return None
    if dialect.alpha_choice != "fixed" or dialect.collapse is not None:
        return None
    try:
        grown = dialect.change(**UNPRUNED)
    except TreewrightError:
        return None  # it cannot do without

    def prune(model: Model) -> Model:
        tree, _ = pruned(model.trees[0], Pruning(model.schema, dialect))
        return dataclasses.replace(model, trees=(tree,))

    others = {name: settings[name] for name in settings if name not in _OF_PRUNING}
    return SharedGrowth(
        (grown, repr(sorted(others.items()))),
        lambda part, n_jobs: grow_tree(prepare(part), grown, n_jobs=n_jobs),
        prune,
    )
