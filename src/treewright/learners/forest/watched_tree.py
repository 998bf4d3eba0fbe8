"""One tree of a forest, grown once more and watched: for chalk.

Its bag and the features of each node are drawn again from its key.
"""

from __future__ import annotations

import numpy as np

from treewright.data.columns import Columns
from treewright.errors import DataError, SettingError
from treewright.grow.chalk.compared import Grown
from treewright.grow.chalk.growing_record import Drawn
from treewright.grow.draws import Draws
from treewright.grow.finish import finish, with_wide_cuts
from treewright.learners.forest.bags import Keys, keys_of
from treewright.learners.forest.forest import Growing
from treewright.learners.forest.handling import growing_of
from treewright.learners.growers import make_grower
from treewright.learners.recipe import answering_common, model_of
from treewright.learners.watching import Watching
from treewright.tree.model import Model
from treewright.tree.one_tree import one_tree


def watch_tree(
    model: Model,
    number: int,
    columns: Columns,
    *,
    depth: int | None = None,
    node: int | None = None,
) -> tuple[Watching, Model]:
    """Return what is seen when a tree of a forest grows again, and the tree's model.

    `model`: a forest. `number`: the tree; the first one is 1. `columns`: the table that
    the forest was grown from. `depth`, `node`: as for `Watching`.
    """
    alone = one_tree(model, number)
    growing = growing_of(model, columns)
    watching = Watching(depth=depth, node=node)
    key = keys_of(model)[number - 1 : number]
    again = watch_growing(growing, key, number, watching)
    if again.fingerprint() != alone.fingerprint():
        raise DataError(
            f"tree {number} does not grow from these rows; chalk needs the table and "
            "weights that the forest was fitted with"
        )
    return watching, alone


def watch_growing(
    growing: Growing, key: Keys, number: int, watching: Watching
) -> Model:
    """Grow the tree of a key, watch it, and return it."""
    if growing.cells is not None:
        drawn = "extra trees draw theirs"
        if not growing.draws_cuts:
            drawn = "combined_features cuts sums of several"
        raise SettingError(
            f"chalk shows how the best cut of a feature is found, and {drawn}; it "
            "shows trees of other forests"
        )
    columns, dialect, statistics = growing.columns, growing.dialect, growing.statistics
    grower = make_grower(
        columns,
        dialect,
        statistics,
        n_threads=1,
        roots=growing.bagging.roots(key),
        draws=Draws(key, growing.n_features),
        watch=watching.watch,
    )
    builder, kinds = grower.grow(), grower.kinds
    schema, trees = with_wide_cuts(
        columns.schema, [finish(builder, columns, statistics, dialect)]
    )
    watching.grown = Grown(trees[0], schema, columns, statistics, dialect, kinds)
    counts = growing.bagging.counts(key[0])
    rows = np.flatnonzero(counts)
    watching.drawn = Drawn(
        number,
        len(counts),
        tuple((rows + 1).tolist()),
        tuple(counts[rows].tolist()),
        growing.n_features,
        len(columns.features),
    )
    tree = answering_common(trees[0], schema, columns, growing.common)
    return model_of(schema, (tree,), dialect)
