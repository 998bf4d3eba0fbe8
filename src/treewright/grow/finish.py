"""Finishing: codes and sums become thresholds, predictions and labels.

The engine has grown the tree in integers; here, once per tree, they are looked up in
the tables of values and written in the data's own units.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Columns
from treewright.data.schema import Schema
from treewright.grow.builder import Builder
from treewright.sources.node_statistics import Statistics
from treewright.tree.tree import NodeKind, Reason, Tree

Floats = npt.NDArray[np.float64]


def finish(builder: Builder, columns: Columns, statistics: Statistics) -> Tree:
    """Turn grown arrays into a `Tree`; thresholds of wide features follow later.

    See `with_wide_cuts` for integers and dates that float64 would round.
    """
    n_nodes = builder.n_nodes
    parent = builder.parent[:n_nodes]
    sums = builder.statistics[:n_nodes]
    pure = builder.pure[:n_nodes]
    reason = builder.reason[:n_nodes].copy()
    value = statistics.value(sums, pure & (reason == Reason.PURE))
    impurity = np.where(pure, 0.0, statistics.impurity(sums))
    empty = np.flatnonzero(builder.n_rows[:n_nodes] == 0)
    value[empty] = value[parent[empty]]  # a branch without rows speaks for its parent
    is_classes = columns.schema.target.kind == "classes"
    set_start, set_codes = _sets(builder)
    return Tree(
        kind=builder.kind[:n_nodes].copy(),
        feature=builder.feature[:n_nodes].copy(),
        threshold=_thresholds(builder, columns),
        first_child=builder.first_child[:n_nodes].copy(),
        n_children=builder.n_children[:n_nodes].copy(),
        missing_branch=builder.missing_branch[:n_nodes].copy(),
        set_start=set_start,
        set_codes=set_codes,
        value=value,
        label=_labels(value, parent, columns.schema)
        if is_classes
        else np.zeros((n_nodes, 0), np.int32),
        n_rows=builder.n_rows[:n_nodes].copy(),
        weight=statistics.weight(sums),
        impurity=impurity,
        gain=builder.gain[:n_nodes].copy(),
        reason=reason,
    )


def _sets(builder: Builder) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    lengths = np.zeros(builder.n_nodes, np.int64)
    for node, codes in builder.sets.items():
        lengths[node] = len(codes)
    start = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    parts = [builder.sets[node] for node in sorted(builder.sets)]
    return start, np.concatenate([np.zeros(0, np.int32), *parts]).astype(np.int32)


def _thresholds(builder: Builder, columns: Columns) -> Floats:
    n_nodes = builder.n_nodes
    threshold = np.full(n_nodes, np.nan)
    kind = builder.kind[:n_nodes]
    order = np.flatnonzero(kind == NodeKind.ORDER)
    threshold[order] = builder.low[order]
    cuts = np.flatnonzero(kind == NodeKind.CUT)
    feature = builder.feature[cuts]
    for index in np.unique(feature):
        nodes = cuts[feature == index]
        values = columns.features[index].values
        assert values is not None
        if values.dtype != np.float64:  # with_wide_cuts replaces codes by cuts
            threshold[nodes] = builder.low[nodes]
            continue
        threshold[nodes] = midpoints(
            values[builder.low[nodes]], values[builder.high[nodes]]
        )
    return threshold


def midpoints(low: Floats, high: Floats) -> Floats:
    """Half way between neighbours, finite, at least `low` and below `high`."""
    with np.errstate(over="ignore", invalid="ignore"):
        middle = low + (high - low) / 2
        middle = np.where(np.isfinite(middle), middle, low / 2 + high / 2)
    # the middle of neighbouring doubles rounds to one of them: it must not be the upper
    middle = np.where((middle >= high) | (middle < low), low, middle)
    below_high = np.nextafter(high, -np.inf)
    middle = np.where(
        np.isneginf(low), np.where(np.isposinf(high), 0.0, below_high), middle
    )
    return np.asarray(np.where(np.isposinf(high) & np.isfinite(low), low, middle))


def with_wide_cuts(
    schema: Schema, columns: Columns, trees: list[Tree]
) -> tuple[Schema, list[Tree]]:
    """Give each wide feature its table of cuts, and its thresholds as indices into it.

    Half way between two integers may need one bit more than they have; the integer
    below it separates them as well.
    """
    features = list(schema.features)
    for index, feature in enumerate(features):
        if not feature.is_wide:
            continue
        values = columns.features[index].values
        assert values is not None
        nodes = [_cut_nodes(tree, index) for tree in trees]
        lows = [
            tree.threshold[where].astype(np.int64)
            for tree, where in zip(trees, nodes, strict=True)
        ]
        used = np.unique(np.concatenate(lows)) if lows else np.zeros(0, np.int64)
        low = values[used]
        gap = (values[used + 1] - low).astype(np.uint64) if len(used) else used
        cuts = low + (gap // np.uint64(2)).astype(low.dtype) if len(used) else low
        features[index] = dataclasses.replace(feature, cuts=cuts)
        trees = [
            _with_thresholds(tree, where, np.searchsorted(used, codes))
            for tree, where, codes in zip(trees, nodes, lows, strict=True)
        ]
    return dataclasses.replace(schema, features=tuple(features)), trees


def _cut_nodes(tree: Tree, feature: int) -> npt.NDArray[np.intp]:
    return np.flatnonzero((tree.kind == NodeKind.CUT) & (tree.feature == feature))


def _with_thresholds(
    tree: Tree, nodes: npt.NDArray[np.intp], indices: npt.NDArray[np.intp]
) -> Tree:
    threshold = tree.threshold.copy()
    threshold[nodes] = indices
    return dataclasses.replace(tree, threshold=threshold)


def _labels(
    value: Floats, parent: npt.NDArray[np.int32], schema: Schema
) -> npt.NDArray[np.int32]:
    """The heaviest class of each node and output.

    Equal weights: the class that is heavier in the nearest ancestor that decides, then
    the first in class order.
    """
    slots = schema.target.slots
    label = np.zeros((len(value), len(slots)), np.int32)
    for output, slot in enumerate(slots):
        weights = value[:, slot]
        tied = weights == weights.max(axis=1, keepdims=True)
        label[:, output] = np.argmax(tied, axis=1)
        node = np.flatnonzero(tied.sum(axis=1) > 1)
        left = tied[node]
        above = parent[node]
        while len(node):
            going = above >= 0
            node, left, above = node[going], left[going], above[going]
            masked = np.where(left, weights[above], -1.0)
            left = masked == masked.max(axis=1, keepdims=True)
            label[node, output] = np.argmax(left, axis=1)
            unsettled = left.sum(axis=1) > 1
            node, left, above = (
                node[unsettled],
                left[unsettled],
                parent[above[unsettled]],
            )
    return label
