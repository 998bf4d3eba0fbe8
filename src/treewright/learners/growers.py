"""What grows the trees of a dialect: its switches, put together for a table.

`recipe.py` uses it for one tree, `forest.py` for many at once.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from treewright.data.columns import Columns
from treewright.data.schema import Feature
from treewright.grow.chalk.watch import Watch
from treewright.grow.choose import Choosing
from treewright.grow.dialect import Dialect
from treewright.grow.draws import Draws
from treewright.grow.grower import Grower
from treewright.grow.stopping import Stopping
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
from treewright.tree.structure.tree import NodeKind

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
    choosing = _choosing(columns, dialect, splits, statistics.weight_scale)
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
    kinds = np.array([_KINDS[kind].value for kind in splits], np.uint8)
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
    choosing = _choosing(columns, dialect, splits, 1.0)
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


def _choosing(
    columns: Columns, dialect: Dialect, splits: list[str], weight_scale: float
) -> Choosing:
    """How a dialect compares features."""
    pairs = list(zip(splits, columns.features, strict=True))
    many = ("multiway", "groups")
    # features with very many values would spoil the average of the gains
    few = [
        kind in ("cut", "order", "groups") or one.n_codes < 0.3 * columns.n_rows
        for kind, one in pairs
    ]
    target = columns.schema.target
    n_classes = sum(map(len, target.classes)) / target.n_outputs
    return Choosing(
        np.array([kind in ("cut", "order") for kind in splits], bool),
        np.array(few, bool) if any(few) else np.ones(len(few), bool),
        np.array([one.n_codes if kind in many else 2 for kind, one in pairs], np.int64),
        rows_per_class=columns.n_rows / n_classes if n_classes else 0.0,
        weight_scale=weight_scale,
        by_ratio=dialect.criterion == "gain_ratio",
        guard=dialect.gain_guard,
        cost=dialect.threshold_cost is not None,
        charge=dialect.grouping == "c50",
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
