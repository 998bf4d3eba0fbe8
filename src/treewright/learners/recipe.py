"""The recipe that all tree learners share: an encoded table and a dialect give a model.

Read `id3.py` first: a learner is a row of switches, and this is what they switch.
"""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import numpy as np

from treewright.data.coded_cells import cells_by_code
from treewright.data.columns import Columns
from treewright.data.schema import Feature, Schema
from treewright.data.threads import thread_count
from treewright.grow.chalk.compared import Grown
from treewright.grow.chalk.watch import Watch
from treewright.grow.choose import Choosing
from treewright.grow.dialect import Dialect
from treewright.grow.draws import Draws
from treewright.grow.fill import Codes, common_codes, filled, with_common_branches
from treewright.grow.finish import finish, with_wide_cuts
from treewright.grow.grower import Grower
from treewright.grow.guards import Guard
from treewright.grow.stopping import Stopping
from treewright.learners.admitted import admitted
from treewright.learners.cal_dialect import CALDialect
from treewright.learners.cal_grow import grow_cal
from treewright.learners.choose_alpha import check_folds, grow_cross_validated
from treewright.learners.costs import grow_with_costs
from treewright.learners.watching import Watching
from treewright.prune.labelled_rows import LabelledRows, hold_out
from treewright.prune.pruned import (
    Pruning,
    pruned,
    refuse_costs,
    refuse_several_outputs,
)
from treewright.prune.validation import (
    Validation,
    check_validation,
    validation_rows,
)
from treewright.sources.class_statistics import ClassStatistics
from treewright.sources.memory import KeptLists, MemorySource, SplitRule
from treewright.sources.node_statistics import CLASS_CRITERIA, Statistics
from treewright.sources.number_statistics import NumberStatistics
from treewright.sources.source import Roots, Source
from treewright.sources.sparse import (
    SparseSource,
    has_sparse,
    refuse_large,
    takes_sparse,
)
from treewright.tree.model import Model
from treewright.tree.tree import REASONS, NodeKind, Reason, Tree
from treewright.tree.vote import Smoothing

_KINDS = {
    "cut": NodeKind.CUT,
    "order": NodeKind.ORDER,
    "multiway": NodeKind.MULTIWAY,
    "subset": NodeKind.SUBSET,
    "one_value": NodeKind.SUBSET,
    "groups": NodeKind.GROUPS,
    "drawn_set": NodeKind.SUBSET,
}
# what extra trees draw instead of searching for the best two sets of values
_DRAWN = {"subset": "drawn_set", "one_value": "drawn_set"}


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

    Parameters
    ----------
    columns : Columns
        The table; see `treewright.data.encode`.
    dialect : Dialect
        The algorithm, as a row of switches.
    n_jobs : int or None
        Threads; None and -1 mean all cores that the process may use.
    validation : (X, y) or (X, y, sample_weight), optional
        Rows that are not grown from, to prune by.
    folds : array-like of int, optional
        The fold of each row, if alpha is chosen by cross-validation; else folds are
        made.
    watch : Watching, optional
        Is given the record of every calculation, for chalk.
    lists : KeptLists, optional
        Spares sorting the columns, if the same ones are grown from again and again.

    Returns
    -------
    Model
        One tree with the schema of the table.
    """
    check_validation(validation, dialect)
    check_folds(folds, dialect)
    if isinstance(dialect, CALDialect):
        return grow_cal(columns, dialect, None if watch is None else watch.cal)
    refuse_costs(columns.schema, dialect)
    if dialect.costs_in_growing:
        again = functools.partial(
            grow_tree, n_jobs=n_jobs, validation=validation, folds=folds, watch=watch
        )
        return grow_with_costs(columns, dialect, again)
    if dialect.alpha_choice == "cross_validation":
        grow = functools.partial(grow_tree, n_jobs=n_jobs)
        return grow_cross_validated(columns, dialect, folds, grow, watch)
    refuse_several_outputs(columns.schema, dialect)
    columns = admitted(columns, dialect)
    columns, held_out = hold_out(columns, dialect)
    columns, common = with_common_values(columns, dialect)
    statistics = statistics_of(columns, dialect)
    grower = make_grower(
        columns,
        dialect,
        statistics,
        n_threads=thread_count(n_jobs),
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
    model = model_of(schema, trees, dialect)
    pruning = Pruning(
        schema,
        dialect,
        training=lambda: LabelledRows.of_columns(columns, schema),
        held_out=validation_rows(model, held_out, validation),
        record=None if watch is None else watch.pruning,
    )
    tree, table = pruned(trees[0], pruning)
    notes = (*notes_of(columns, tree), *statistics.notes())
    return dataclasses.replace(model, trees=(tree,), notes=notes, pruning_table=table)


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


def model_of(schema: Schema, trees: tuple[Tree, ...], dialect: Dialect) -> Model:
    """Trees with what is needed to read them."""
    return Model(
        schema=schema,
        trees=trees,
        learner=dialect.name,
        settings=dialect.settings(),
        unseen=dialect.unseen,
        missing=dialect.missing,
        smoothing=Smoothing(dialect.probabilities, float(dialect.prior_weight)),
    )


def make_grower(
    columns: Columns,
    dialect: Dialect,
    statistics: Statistics,
    *,
    n_threads: int,
    watch: Watch | None = None,
    roots: Roots | None = None,
    draws: Draws | None = None,
    lists: KeptLists | None = None,
) -> Grower:
    """Put together what grows the trees of a dialect, from rows in memory."""
    splits = [_split_kind(feature, dialect) for feature in columns.schema.features]
    cells = None if draws is None else draws.cells
    if cells is not None:
        splits = [_DRAWN.get(kind, kind) for kind in splits]
    n_rows, weight = float(columns.n_rows), columns.total_weight
    if roots is not None:  # limits that are shares are shares of a tree's own rows
        n_drawn = roots.counts.sum() if len(roots.counts) else len(roots.rows)
        share = n_drawn / (len(roots.starts) - 1) / n_rows
        n_rows, weight = n_rows * share, weight * share
    stopping = Stopping.of(dialect, round(n_rows), weight)
    rule = _split_rule(columns, dialect, stopping)
    if cells is not None:  # what compares the cuts of a feature has one to look at
        rule = dataclasses.replace(
            rule, min_gap=0.0, cuts_by_range=False, count_values=False
        )
    choosing = _choosing(columns, dialect, splits)
    candidates = ["cut" if kind == "order" else kind for kind in splits]
    plain = cells is None and watch is None
    source: Source
    if plain and _takes_sparse(columns, dialect, candidates, rule, choosing):
        source = SparseSource(
            columns, statistics, rule=rule, n_threads=n_threads, roots=roots
        )
    else:
        refuse_large(columns, f"{dialect.name} with these switches or columns")
        source = MemorySource(
            columns,
            statistics,
            candidates=candidates,
            rule=rule,
            n_threads=n_threads,
            roots=roots,
            lists=lists,
            cells=cells,
        )
    kinds = np.array([_KINDS[kind] for kind in splits], np.uint8)
    if cells is not None and cells.n_combined:
        kinds[:] = NodeKind.COMBINATION
    return Grower(
        source,
        statistics,
        stopping,
        kinds=kinds,
        choosing=choosing,
        reuse_features=dialect.reuse_features,
        watch=watch,
        draws=draws,
    )


def refuse_too_large(columns: Columns, dialect: Dialect) -> None:
    """Raise if a sparse table is too large for a dialect, before anything is grown."""
    if not has_sparse(columns):
        return
    splits = [_split_kind(feature, dialect) for feature in columns.schema.features]
    stopping = Stopping.of(dialect, columns.n_rows, columns.total_weight)
    rule = _split_rule(columns, dialect, stopping)
    choosing = _choosing(columns, dialect, splits)
    if not _takes_sparse(columns, dialect, splits, rule, choosing):
        refuse_large(columns, f"{dialect.name} with these switches or columns")


def _takes_sparse(
    columns: Columns,
    dialect: Dialect,
    candidates: list[str],
    rule: SplitRule,
    choosing: Choosing,
) -> bool:
    """Whether trees of a dialect grow from the sparse columns as they are."""
    by_gain = not choosing.by_worth and dialect.reuse_features
    return by_gain and takes_sparse(columns, candidates, rule, dialect.criterion)


def _has_fractional_rows(columns: Columns, dialect: Dialect) -> bool:
    """Whether rows will be divided among branches."""
    some_missing = any(column.has_missing for column in columns.features)
    return dialect.missing == "fractional" and some_missing


def _split_rule(columns: Columns, dialect: Dialect, stopping: Stopping) -> SplitRule:
    """Which splits a dialect admits."""
    missing = dialect.missing
    if missing == "fractional" and not _has_fractional_rows(columns, dialect):
        missing = "error"  # rows are not divided, so they need no weights
    if missing == "most_common":
        missing = "majority"  # only features without any value have holes left
    return SplitRule(
        missing=missing,
        max_surrogates=dialect.max_surrogates,
        surrogate_sets=dialect.surrogate_sets,
        discounts_missing=dialect.discount_missing,
        min_rows=stopping.min_rows_in_leaf,
        min_weight=stopping.min_weight_in_leaf,
        two_branches=dialect.large_branches == "two",
        most_per_side=25.0 if dialect.cut_minimum == "tenth_per_class" else 0.0,
        # in 32 bits a cut inside a run of one class may gain as much as that at its end
        every_cut=dialect.tolerance > 0
        or dialect.threshold_cost is not None
        or _rounds_information(dialect),
        count_values=dialect.threshold_cost == "distinct_values",
        cuts_by_range=dialect.threshold_cost == "c50",
        min_share=dialect.min_share,
        min_gap=dialect.min_gap,
        single_precision=dialect.single_precision,
        slack=stopping.slack,
        wants_information=dialect.criterion == "gain_ratio",
        charges_groups=dialect.grouping == "c50",
    )


def _choosing(columns: Columns, dialect: Dialect, splits: list[str]) -> Choosing:
    """How a dialect compares features."""
    is_cut = np.array([kind in ("cut", "order") for kind in splits], bool)
    n_codes = np.array([column.n_codes for column in columns.features], np.int64)
    is_groups = np.array([kind == "groups" for kind in splits], bool)
    is_multiway = np.array([kind == "multiway" for kind in splits], bool) | is_groups
    guard = None
    if dialect.gain_guard is not None:
        # features with very many values would spoil the average of the gains
        few = (n_codes < 0.3 * columns.n_rows) | is_cut | is_groups
        target = columns.schema.target
        n_classes = sum(map(len, target.classes)) / target.n_outputs
        guard = Guard(
            dialect.gain_guard,
            few_valued=few if few.any() else np.ones(len(few), bool),
            rows_per_class=columns.n_rows / n_classes,
        )
    return Choosing(
        by_ratio=dialect.criterion == "gain_ratio",
        guard=guard,
        cost=dialect.threshold_cost is not None,
        charge=dialect.grouping == "c50",
        is_cut=is_cut,
        n_branches=np.where(is_multiway, n_codes, 2),
        tolerance=dialect.tolerance,
        single_precision=_rounds_information(dialect),
        accepts_no_gain=dialect.zero_gain,
        min_split_information=dialect.min_split_information,
    )


def statistics_of(columns: Columns, dialect: Dialect) -> Statistics:
    """The sums that a criterion needs of the table's target."""
    fractional = _has_fractional_rows(columns, dialect)
    if dialect.criterion in CLASS_CRITERIA:
        return ClassStatistics.of(
            columns,
            dialect.criterion,
            fractional=fractional,
            single_precision=_rounds_information(dialect),
        )
    return NumberStatistics.of(columns, dialect.criterion, fractional=fractional)


def _rounds_information(dialect: Dialect) -> bool:
    """Whether sums of information are 32-bit floats.

    Only for splits as Release 8 makes them: a search for sets or groups of values, and
    C5.0's choice of the simplest of equals, need to know what is equal.
    """
    return (
        dialect.single_precision
        and dialect.criterion == "gain_ratio"
        and dialect.nominal_splits == "multiway"
        and dialect.grouping is None
        and dialect.gain_guard != "c50"
    )


def _split_kind(feature: Feature, dialect: Dialect) -> str:
    """How a dialect splits a feature: a key of `_KINDS`."""
    if feature.kind == "numeric":
        return "cut"
    if feature.kind == "ordinal" and dialect.nominal_splits == "subset":
        return "order"
    if dialect.grouping is not None and len(feature.categories) > 2:
        return "groups"  # of two values there is nothing to join
    return dialect.nominal_splits


def notes_of(columns: Columns, tree: Tree) -> tuple[str, ...]:
    """What a reader of the model should know about its training."""
    if tree.node_count > 1:
        return columns.notes
    why = REASONS[Reason(int(tree.reason[0]))]
    return (*columns.notes, f"the tree is a single leaf: {why}")
