"""Finishing: codes and sums become thresholds, predictions and labels.

The engine has grown the tree in integers; here, once per tree, they are looked up in
the tables of values and written in the data's own units.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright import _core
from treewright.data.columns import Columns
from treewright.data.schema import Schema
from treewright.grow.builder import Builder
from treewright.grow.dialect import Dialect
from treewright.grow.finish_surrogates import CodedSurrogates, coded_surrogates
from treewright.sources.node_statistics import Statistics
from treewright.tree.structure.surrogates import NO_SURROGATES
from treewright.tree.structure.tree import (
    EVERY_BRANCH,
    NO_CLASS,
    NodeKind,
    Reason,
    Tree,
)

Floats = npt.NDArray[np.float64]

_HAS_THRESHOLD = np.isin(  # by kind
    np.arange(len(NodeKind)), (NodeKind.CUT, NodeKind.ORDER, NodeKind.COMBINATION)
)
# feature -> the nodes that cut it and their cuts, as integers; surrogates are numbered
# behind the nodes
WideCuts = dict[int, tuple[npt.NDArray[np.intp], npt.NDArray[Any]]]


def finish(
    builder: Builder, columns: Columns, statistics: Statistics, dialect: Dialect
) -> tuple[Tree, WideCuts]:
    """Turn grown arrays into a `Tree`, and the cuts that float64 would round.

    All trees of a model share one table of such cuts: see `with_wide_cuts`.
    """
    n_nodes = builder.n_nodes
    parent = builder.parent[:n_nodes]
    sums = builder.statistics[:n_nodes]
    pure = builder.pure[:n_nodes]
    reason = builder.reason[:n_nodes].copy()
    value = statistics.value(sums, pure & (reason == Reason.PURE.value))
    impurity = np.zeros(n_nodes)
    mixed = (~pure).nonzero()[0]
    impurity[mixed] = statistics.impurity(sums.take(mixed, axis=0))
    empty = (builder.n_rows[:n_nodes] == 0).nonzero()[0]
    value[empty] = value[parent[empty]]  # a branch without rows speaks for its parent
    is_classes = columns.schema.target.kind == "classes"
    label = np.zeros((n_nodes, 0), np.int32)
    if is_classes:
        label = class_labels(value, parent, columns.schema, ties=dialect.label_ties)
        value, label = empty_answers(value, label, empty, columns.schema, dialect)
    set_start, set_codes = _sets(builder)
    coded = coded_surrogates(builder, columns.schema)
    threshold, wide = _thresholds(builder, coded, columns, dialect)
    missing_branch = builder.missing_branch[:n_nodes].copy()
    if dialect.missing == "fractional":  # also if no training row was without a value
        missing_branch[builder.n_children[:n_nodes] > 0] = EVERY_BRANCH
    tree = Tree(
        kind=builder.kind[:n_nodes].copy(),
        feature=builder.feature[:n_nodes].copy(),
        threshold=threshold[:n_nodes],
        first_child=builder.first_child[:n_nodes].copy(),
        n_children=builder.n_children[:n_nodes].copy(),
        missing_branch=missing_branch,
        set_start=set_start,
        set_codes=set_codes,
        value=value,
        label=label,
        n_rows=builder.n_rows[:n_nodes].copy(),
        weight=statistics.weight(sums),
        impurity=impurity,
        gain=builder.gain[:n_nodes].copy(),
        reason=reason,
        surrogates=dataclasses.replace(coded.surrogates, threshold=threshold[n_nodes:])
        if len(coded.surrogates)
        else NO_SURROGATES,
    )
    return tree, wide


def _sets(builder: Builder) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    ends = np.zeros(builder.n_nodes + 1, np.int64)
    for node, codes in builder.sets.items():
        ends[node + 1] = len(codes)
    parts = [builder.sets[node] for node in sorted(builder.sets)]
    set_codes = np.concatenate([np.zeros(0, np.int32), *parts])
    return ends.cumsum(), set_codes.astype(np.int32, copy=False)


def _thresholds(
    builder: Builder, coded: CodedSurrogates, columns: Columns, dialect: Dialect
) -> tuple[Floats, WideCuts]:
    """The thresholds of the nodes, and behind them those of the surrogates."""
    n_nodes = builder.n_nodes
    wide: WideCuts = {}
    asked = coded.surrogates
    own = builder.kind[:n_nodes]
    if not len(asked) and not _HAS_THRESHOLD[own].any():
        return np.full(n_nodes, np.nan), wide
    kind = np.concatenate((own, asked.kind))
    feature = np.concatenate((builder.feature[:n_nodes], asked.feature))
    low_code = np.concatenate((builder.low[:n_nodes], coded.low))
    high_code = np.concatenate((builder.high[:n_nodes], coded.high))
    threshold = np.full(len(kind), np.nan)
    order = kind == NodeKind.ORDER.value
    threshold[order] = low_code[order]
    cuts = (kind == NodeKind.CUT.value).nonzero()[0]
    # the values on both sides of each cut, and what is chosen; NaN where it is wide
    asked_of, values = feature.take(cuts), [one.values for one in columns.features]
    below, above = low_code.take(cuts), high_code.take(cuts)
    low = _core.values_of_codes(values, asked_of, below)
    high = _core.values_of_codes(values, asked_of, above)
    chosen = low
    by_value = dialect.numeric_splits == "training_value"
    if by_value:
        chosen = low.copy()
    if by_value or any(one.is_wide for one in columns.schema.features):
        for index, which in by_feature(asked_of, len(columns.features)):
            table: Any = values[index]
            sides = table.take(below.take(which)), table.take(above.take(which))
            if columns.schema.features[index].is_wide:
                wide[index] = cuts.take(which), integer_midpoints(*sides)
            elif by_value:
                chosen[which] = _values_below(table, *sides, dialect)
    if len(cuts):
        threshold[cuts] = _cut_values(low, high, chosen, dialect)
    for nodes, drawn in builder.thresholds:
        # wide ones have no threshold of their own, nor have other kinds of splits
        is_cut = ~np.isnan(threshold[nodes]) & ~np.isnan(drawn)
        is_cut |= kind[nodes] == NodeKind.COMBINATION
        threshold[nodes[is_cut]] = drawn[is_cut]
    return threshold, wide


def by_feature(
    feature: npt.NDArray[np.int32], n_features: int
) -> Iterator[tuple[int, npt.NDArray[np.intp]]]:
    """Yield each feature that occurs, and where it does."""
    # small numbers are sorted in two passes
    small = feature.astype(np.uint16) if n_features < 1 << 16 else feature
    order = small.argsort(kind="stable")
    counts = np.bincount(feature)
    ends = counts.cumsum()
    for index in counts.nonzero()[0].tolist():
        yield index, order[ends[index] - counts[index] : ends[index]]


def thresholds_between(
    columns: Columns,
    feature: int,
    low: npt.NDArray[np.int64],
    high: npt.NDArray[np.int64],
    dialect: Dialect,
) -> Floats:
    """Where cuts between codes lie, as floats; a rank if the feature has no numbers."""
    values = columns.features[feature].values
    if values is None:
        return low.astype(np.float64)
    if columns.schema.features[feature].is_wide:
        return integer_midpoints(values[low], values[high]).astype(np.float64)
    below, above = values[low], values[high]
    chosen = below
    if dialect.numeric_splits == "training_value":
        chosen = _values_below(values, below, above, dialect)
    return _cut_values(below.astype(float), above.astype(float), chosen, dialect)


def _cut_values(
    low: Floats, high: Floats, chosen: npt.NDArray[Any], dialect: Dialect
) -> Floats:
    """Where the dialect cuts between neighbours; a finite number that parts them.

    `chosen`: what `_values_below` gives, for a dialect that takes training values.
    """
    middle = midpoints(low, high)
    if dialect.numeric_splits == "lower_value":
        chosen = low
    elif dialect.numeric_splits == "below_midpoint":
        chosen = _below_midpoints(low, high)
    elif dialect.numeric_splits != "training_value":
        return middle
    # the lower of the two may be -inf, which is a value but no threshold
    return np.asarray(np.where(np.isfinite(chosen), chosen, middle))


def _values_below(
    values: npt.NDArray[Any],
    low: npt.NDArray[Any],
    high: npt.NDArray[Any],
    dialect: Dialect,
) -> npt.NDArray[Any]:
    """The largest of all values that is not above the middle of two neighbours."""
    kind = np.float32 if dialect.single_precision else np.float64
    middle = midpoints(low.astype(float), high.astype(float))
    # large numbers are infinite in 32 bits; what comes of it is put right below
    with np.errstate(over="ignore", invalid="ignore"):
        if dialect.single_precision:
            middle = (low.astype(kind) + high.astype(kind)) / kind(2)
        below = np.searchsorted(
            values.astype(kind), middle + kind(dialect.tolerance), side="right"
        )
    chosen = values[np.maximum(below - 1, 0)]
    # rounding must not take the cut out of the gap between the two
    return np.asarray(np.where((chosen < low) | (chosen >= high), low, chosen))


def midpoints(low: Floats, high: Floats) -> Floats:
    """Half way between neighbours, finite, at least `low` and below `high`."""
    # halves first: their sum is rounded once and cannot overflow
    with np.errstate(over="ignore", invalid="ignore"):
        middle = low / 2 + high / 2
    # the middle of neighbouring doubles rounds to one of them: it must not be the upper
    # (inf / 2 is the upper one, too)
    middle = np.where((middle >= high) | (middle < low), low, middle)
    from_below = low == -np.inf
    if not from_below.any():
        return middle
    with np.errstate(over="ignore"):
        middle[from_below] = np.nextafter(high[from_below], -np.inf)
    middle[from_below & (high == np.inf)] = 0.0
    # no float parts -inf from the lowest one: then both go left
    return np.maximum(middle, np.finfo(np.float64).min)


def _below_midpoints(low: Floats, high: Floats) -> Floats:
    """The largest float below half way, as rpart rounds that, and at least `low`."""
    with np.errstate(over="ignore", invalid="ignore"):
        middle = (low + high) / 2
        middle = np.where(np.isfinite(middle), middle, midpoints(low, high))
        return np.asarray(np.maximum(np.nextafter(middle, -np.inf), low))


def integer_midpoints(
    low: npt.NDArray[Any], high: npt.NDArray[Any]
) -> npt.NDArray[Any]:
    """The integer half way between neighbours, or below; it separates them as well."""
    # the distance of two int64 may need 64 bits, and wraps to the right number
    gap = high.astype(np.uint64) - low.astype(np.uint64)
    return np.asarray(low + (gap // np.uint64(2)).astype(low.dtype))


def with_wide_cuts(
    schema: Schema, grown: Sequence[tuple[Tree, WideCuts]]
) -> tuple[Schema, tuple[Tree, ...]]:
    """Give each wide feature its table of cuts, and its thresholds as places in it."""
    if not any(feature.is_wide for feature in schema.features):
        return schema, tuple(tree for tree, _ in grown)
    features = list(schema.features)
    thresholds = [
        np.append(tree.threshold, tree.surrogates.threshold) for tree, _ in grown
    ]
    for index, feature in enumerate(features):
        if not feature.is_wide:
            continue
        empty = np.zeros(0, np.uint64 if feature.storage == "uint64" else np.int64)
        used = [wide[index][1] for _, wide in grown if index in wide]
        cuts: npt.NDArray[Any] = np.unique(np.concatenate([empty, *used]))
        features[index] = dataclasses.replace(feature, cuts=cuts)
        for threshold, (_, wide) in zip(thresholds, grown, strict=True):
            if index in wide:
                nodes, own = wide[index]
                threshold[nodes] = np.searchsorted(cuts, own)
    trees = [
        dataclasses.replace(
            tree,
            threshold=threshold[: tree.node_count],
            surrogates=dataclasses.replace(
                tree.surrogates, threshold=threshold[tree.node_count :]
            ),
        )
        for threshold, (tree, _) in zip(thresholds, grown, strict=True)
    ]
    return dataclasses.replace(schema, features=tuple(features)), tuple(trees)


def class_labels(
    value: Floats,
    parent: npt.NDArray[np.int32],
    schema: Schema,
    *,
    ties: str = "ancestor",
) -> npt.NDArray[np.int32]:
    """The heaviest class of each node and output, or the one that costs least.

    Equal weights: the class that is heavier in the nearest ancestor that decides (if
    `ties` is "ancestor"), then the first in class order.
    """
    slots = schema.target.slots
    label = np.zeros((len(value), len(slots)), np.int32)
    for output, slot in enumerate(slots):
        weights = value[:, slot]
        if schema.target.costs is not None:
            weights = _savings(weights, np.asarray(schema.target.costs))
        label[:, output] = _core.heaviest_classes(
            np.ascontiguousarray(weights), parent, ties == "ancestor"
        )
    return label


def _savings(weights: Floats, costs: Floats) -> Floats:
    """What each answer saves beside the dearest one, as a share of the most."""
    # shares: products of large weights and costs could be out of range
    heaviest = np.maximum(weights.max(axis=1, keepdims=True), 1e-300)
    expected = (weights / heaviest) @ (costs / costs.max())
    dearest = expected.max(axis=1, keepdims=True)
    spread = dearest - expected.min(axis=1, keepdims=True)
    # sums of rounded products are equal if they differ by no more than rounding
    differ = spread > 1e-12 * dearest
    saved = (dearest - expected) / np.where(differ, spread, 1.0)
    return np.asarray(np.where(differ, np.round(saved, 12), 0.0))


def empty_answers(
    value: Floats,
    label: npt.NDArray[np.int32],
    empty: npt.NDArray[np.intp],
    schema: Schema,
    dialect: Dialect,
) -> tuple[Floats, npt.NDArray[np.int32]]:
    """Class weights and labels, those of branches without rows as the dialect says.

    `value` has there the weights of their parents, and `label` their classes.
    """
    if dialect.empty_branch == "parent_distribution" or len(empty) == 0:
        return value, label
    out = value.copy()
    out[empty] = 0.0
    if dialect.empty_branch == "unclassified":
        label = label.copy()
        label[empty] = NO_CLASS
        return out, label
    for output, slot in enumerate(schema.target.slots):
        total = value[empty, slot].sum(axis=1)
        out[empty, slot.start + label[empty, output]] = total
    return out, label
