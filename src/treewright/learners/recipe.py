"""The recipe that all tree learners share: an encoded table and a dialect give a model.

Read `id3.py` first: a learner is a row of switches, and this is what they switch.
"""

from __future__ import annotations

import functools
from typing import Any

from treewright.data.coded_cells import cells_by_code
from treewright.data.columns import Columns
from treewright.data.machine import keeping_to_n_jobs, thread_count
from treewright.data.schema import Schema
from treewright.grow.chalk.compared import Grown
from treewright.grow.dialect import Dialect
from treewright.grow.fill import Codes, common_codes, filled, with_common_branches
from treewright.grow.finish import finish, with_wide_cuts
from treewright.learners.admitted import admitted
from treewright.learners.choose_alpha import check_folds, grow_cross_validated
from treewright.learners.costs import grow_with_costs
from treewright.learners.growers import make_grower, statistics_of
from treewright.learners.watching import Watching
from treewright.prune.labelled_rows import (
    LabelledRows,
    Validation,
    check_validation,
    hold_out,
)
from treewright.prune.pruned import (
    Pruning,
    pruned,
    refuse_costs,
    refuse_several_outputs,
)
from treewright.sources.memory import KeptLists
from treewright.tree.model import Model
from treewright.tree.predict.vote import Smoothing
from treewright.tree.pruning_table import PruningTable
from treewright.tree.structure.tree import REASONS, Reason, Tree


@keeping_to_n_jobs
def grow_tree(
    columns: Columns,
    dialect: Dialect,
    *,
    n_jobs: int | None = None,
    validation: Validation = None,
    folds: Any = None,
    watch: Watching | None = None,
    lists: KeptLists | None = None,
) -> Model:
    """Grow one tree from an encoded table, and prune it as the dialect says.

    - `columns`: the table; see `treewright.data.encoding.encode`.
    - `dialect`: the algorithm, as a row of switches.
    - `n_jobs`: threads; -1 means all cores that the process may use, None too, unless
      `with_threads` says otherwise.
    - `validation`: rows that are not grown from, to prune by.
    - `folds`: the fold of each row, if alpha is chosen by cross-validation; else folds
      are made.
    - `watch`: is given the record of every calculation, for chalk.
    - `lists`: spares sorting the columns, if the same ones are grown from again and
      again.
    - Returns one tree with the schema of the table.
    """
    check_validation(validation, dialect)
    check_folds(folds, dialect)
    refuse_costs(columns.schema, dialect)
    if dialect.costs_in_growing:
        again = functools.partial(
            grow_tree, validation=validation, folds=folds, watch=watch
        )
        return grow_with_costs(columns, dialect, again)
    if dialect.alpha_choice == "cross_validation":
        return grow_cross_validated(columns, dialect, folds, grow_tree, watch)
    refuse_several_outputs(columns.schema, dialect)
    columns = admitted(columns, dialect)
    columns, held_out = hold_out(columns, dialect)
    columns, common = with_common_values(columns, dialect)
    statistics = statistics_of(columns, dialect)
    grower = make_grower(
        columns,
        dialect,
        statistics,
        n_threads=thread_count(None),
        watch=None if watch is None else watch.watch,
        lists=lists,
    )
    builder, kinds = grower.grow(), grower.kinds
    del grower  # what its source holds is free again
    grown = finish(builder, columns, statistics, dialect)
    schema, trees = with_wide_cuts(columns.schema, [grown])
    if watch is not None:
        watch.grown = Grown(trees[0], schema, columns, statistics, dialect, kinds)
    trees = tuple(answering_common(tree, schema, columns, common) for tree in trees)
    if held_out is not None:
        validated = LabelledRows.of_columns(held_out, schema)
    elif validation is not None:
        validated = LabelledRows.of_table(model_of(schema, trees, dialect), *validation)
    else:
        validated = None
    pruning = Pruning(
        schema,
        dialect,
        training=lambda: LabelledRows.of_columns(columns, schema),
        grown_from=True,
        held_out=validated,
        record=None if watch is None else watch.pruning,
    )
    tree, table = pruned(trees[0], pruning)
    notes = (*notes_of(columns, tree), *statistics.notes())
    return model_of(schema, (tree,), dialect, notes, table)


def with_common_values(
    columns: Columns, dialect: Dialect
) -> tuple[Columns, Codes | None]:
    """Return the table with missing values filled in, if the dialect does so.

    Besides, the code that each feature's missing values got.
    """
    if dialect.missing != "most_common":
        return columns, None
    common = common_codes(columns)
    return filled(columns, common), common


def answering_common(
    tree: Tree, schema: Schema, columns: Columns, common: Codes | None
) -> Tree:
    """Return a tree in which missing values go where those filled in went."""
    if common is None:
        return tree
    pairs = zip(schema.features, columns.features, strict=True)
    row = [
        float(cells_by_code(feature, column)[code])
        for (feature, column), code in zip(pairs, common, strict=True)
    ]
    return with_common_branches(tree, row)


def model_of(
    schema: Schema,
    trees: tuple[Tree, ...],
    dialect: Dialect,
    notes: tuple[str, ...] = (),
    pruning_table: PruningTable | None = None,
) -> Model:
    """Trees with what is needed to read them."""
    return Model(
        schema=schema,
        trees=trees,
        learner=dialect.name,
        settings=dialect.settings(),
        unseen=dialect.unseen,
        missing=dialect.missing,
        notes=notes,
        pruning_table=pruning_table,
        smoothing=Smoothing(dialect.probabilities, float(dialect.prior_weight)),
    )


def notes_of(columns: Columns, tree: Tree) -> tuple[str, ...]:
    """What a reader of the model should know about its training."""
    if tree.node_count > 1:
        return columns.notes
    why = REASONS[Reason(int(tree.reason[0]))]
    return (*columns.notes, f"the tree is a single leaf: {why}")
