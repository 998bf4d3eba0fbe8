"""What a page is told of rows: sums at the nodes, distributions, rows if asked for.

The distribution of each node's feature is by class, with what every cut would divide.
Counts only, never rows: at most `MOST_BINS` bars and `MOST_CUTS` cuts for a number, a
bar for each category otherwise. The largest nodes come first; `MOST_NUMBERS` ends it.

The statistics of a bar are the weights of the classes of the first output; for numbers
weight, sum and sum of squares of the target, counted from the root's mean.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.schema import Feature
from treewright.errors import SettingError
from treewright.prune.shape import left_to_right
from treewright.render.explorer.bound_rows import BoundRows
from treewright.render.json_text import packed
from treewright.tree.model import Model
from treewright.tree.structure.branch_words import branch_condition, category_text
from treewright.tree.structure.combination import terms_at
from treewright.tree.structure.tree import NodeKind, Tree

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

MOST_EMBEDDED = 2_000
MOST_BINS = 40
MOST_CUTS = 160
MOST_NUMBERS = 300_000  # in all distributions of a page
_FEW = 4  # rows: fewer are told by the node itself


def rows_data(model: Model, rows: BoundRows, embedded: int) -> dict[str, Any]:
    """Return what is known of the rows, as JSON data.

    `model`: whose page it is. `embedded`: how many of them the page itself has; the
    others are only counted.
    """
    is_classes = model.schema.target.kind == "classes"
    data: dict[str, Any] = {
        "n": len(rows.labelled),
        "areTraining": rows.are_training,
        "nodeWeights": short_floats(rows.node_weights),
        "ranges": [
            _range(feature, rows.labelled.cells[:, number])
            for number, feature in enumerate(model.schema.features)
        ],
        "distributions": distributions_data(model, rows),
    }
    if is_classes:
        data["classWeights"] = short_floats(rows.class_weights.ravel())
        data["confusion"] = rows.confusion
    else:
        data["error"] = _squared_error(rows)
    if embedded:
        data["embedded"] = _embedded(rows, embedded)
    return data


def check_embedded(embedded: Any) -> int:
    """Refuse a number of rows that a page does not take."""
    is_number = isinstance(embedded, int | np.integer) and not isinstance(
        embedded, bool
    )
    if not is_number or not 0 <= embedded <= MOST_EMBEDDED:
        raise SettingError(
            f"rows is {embedded!r}; it must be a whole number from 0 to "
            f"{MOST_EMBEDDED}: how many rows the page itself has"
        )
    return int(embedded)


def _range(feature: Feature, cells: Floats) -> Any:
    """Least, middle and largest number; the most common category."""
    known = cells[np.isfinite(cells)]
    if len(known) == 0:
        return None
    if feature.kind == "numeric":
        if feature.is_wide:  # the cells are places among the cuts
            return None
        middle = np.quantile(known, 0.5, method="inverted_cdf")
        return [float(known.min()), float(middle), float(known.max())]
    codes = known[known >= 0].astype(np.int64)
    return int(np.bincount(codes).argmax()) if len(codes) else None


def _squared_error(rows: BoundRows) -> float:
    """Mean squared error of the first output."""
    model, own = rows.model, rows.labelled
    answers = model.predict_at(model.ends(own.cells)).reshape(len(own), -1)
    apart = (answers - own.target)[:, 0]
    return float((apart**2 * own.weights).sum() / own.weights.sum())


def _embedded(rows: BoundRows, most: int) -> dict[str, Any]:
    """Some rows from the whole table: encoded cells, and the first output."""
    own = rows.labelled
    n_rows = len(own)
    which = np.unique(np.linspace(0, n_rows - 1, min(most, n_rows)).round().astype(int))
    return {
        "rows": which.tolist(),
        "cells": packed(own.cells[which], "f8"),
        "actual": own.target[which, 0].tolist(),
    }


def distributions_data(model: Model, rows: BoundRows) -> dict[str, Any]:
    """Return, by node number, how the node's feature is distributed there."""
    tree = model.trees[0]
    inner = np.flatnonzero(tree.kind != NodeKind.LEAF)
    inner = inner[np.argsort(-rows.node_weights[inner], kind="stable")]
    statistics = _statistics(model, rows)
    size = tree.subtree_sizes().astype(np.int64)
    place = left_to_right(tree, size)
    order = np.argsort(place[rows.parts.node], kind="stable")
    places = place[rows.parts.node][order]
    found: dict[str, Any] = {}
    budget = MOST_NUMBERS
    for node in inner.tolist():
        start, stop = np.searchsorted(places, [place[node], place[node] + size[node]])
        if stop - start < _FEW:
            continue
        here = order[start:stop]
        cells = _asked_cells(tree, node, rows.labelled.cells[rows.parts.row[here]])
        data = _distribution(model, tree, node, cells, statistics[here])
        budget -= sum(len(part) for part in data.values() if isinstance(part, list))
        if budget < 0:
            break
        found[str(node)] = data
    return found


def _asked_cells(tree: Tree, node: int, cells: Floats) -> Floats:
    """What a node asks of each row: a cell, or a weighted sum."""
    if tree.kind_of(node) != NodeKind.COMBINATION:
        return cells[:, tree.feature[node]]
    total = np.zeros(len(cells))
    for feature, weight in terms_at(tree, node):
        total += weight * cells[:, feature]
    return total


def _statistics(model: Model, rows: BoundRows) -> Floats:
    """The statistics of each part of a row."""
    target = model.schema.target
    answer = rows.labelled.target[rows.parts.row, 0]
    weight = rows.parts.weight
    if target.kind == "numbers":
        apart = answer - model.trees[0].value[0, 0]
        return np.column_stack([weight, weight * apart, weight * apart**2])
    n_classes = len(target.classes[0])
    table = np.zeros((len(answer), n_classes))
    known = np.flatnonzero(answer >= 0)
    table[known, answer[known]] = weight[known]
    return table


def _distribution(
    model: Model, tree: Tree, node: int, cells: Floats, statistics: Floats
) -> dict[str, Any]:
    """Bars, and cuts where the feature is a number."""
    feature = model.schema.features[tree.feature[node]]
    known = np.isfinite(cells) & ((cells >= 0) | (feature.kind == "numeric"))
    data: dict[str, Any] = {
        "missing": short_floats(statistics[np.isnan(cells)].sum(axis=0))
    }
    is_cut = tree.kind_of(node) in (NodeKind.CUT, NodeKind.COMBINATION)
    if is_cut and not feature.is_wide:
        return data | _numeric(cells[known], statistics[known], tree.threshold[node])
    if is_cut or feature.kind == "numeric":  # dates, and "is it known?"
        side = cells[known] > tree.threshold[node] if is_cut else np.isnan(cells[known])
        words = [
            branch_condition(model.schema, tree, node, branch).answer
            for branch in range(2)
        ]
        return data | _nominal(side.astype(np.int64), statistics[known], words)
    codes = cells[known].astype(np.int64)
    words = [category_text(feature, code) for code in range(len(feature.categories))]
    return data | _nominal(codes, statistics[known], words)


def _nominal(codes: Ints, statistics: Floats, words: list[str]) -> dict[str, Any]:
    """A bar for each category that occurs, in their order."""
    bars = np.zeros((len(words), statistics.shape[1]))
    np.add.at(bars, codes, statistics)
    occurs = np.unique(codes)[:MOST_CUTS]
    return {
        "categories": [words[code] for code in occurs],
        "codes": occurs.tolist(),
        "bars": short_floats(bars[occurs]),
    }


def _numeric(values: Floats, statistics: Floats, threshold: float) -> dict[str, Any]:
    """Bars of equal width, and what each cut has on its left."""
    if len(values) == 0:
        return {"low": 0.0, "high": 0.0, "bars": [], "cuts": [], "left": []}
    low, high = float(values.min()), float(values.max())
    different, rank = np.unique(values, return_inverse=True)
    n_bins = min(MOST_BINS, max(2 * len(different), 8))
    width = (high / 2 - low / 2) * 2 / n_bins or 1.0
    place = np.minimum(((values - low) / width).astype(np.int64), n_bins - 1)
    bars = np.zeros((n_bins, statistics.shape[1]))
    np.add.at(bars, place, statistics)
    at = np.zeros((len(different), statistics.shape[1]))
    np.add.at(at, rank, statistics)
    left = np.cumsum(at, axis=0)[:-1]
    cuts = different[:-1] / 2 + different[1:] / 2
    own = int(np.searchsorted(different, threshold, side="right")) - 1
    if 0 <= own < len(cuts):
        cuts[own] = threshold
    which = np.arange(len(cuts))
    if len(cuts) > MOST_CUTS:
        even = np.linspace(0, len(cuts) - 1, MOST_CUTS - 1).round().astype(int)
        which = np.unique(np.append(even, min(max(own, 0), len(cuts) - 1)))
    return {
        "low": low,
        "high": high,
        "bars": short_floats(bars),
        "cuts": cuts[which].tolist(),
        "left": short_floats(left[which]),
        "nCuts": len(cuts),
    }


def short_floats(table: Floats) -> list[float]:
    """Numbers row after row; whole ones as such."""
    return [
        int(value) if value.is_integer() else float(f"{value:.12g}")
        for value in table.ravel().tolist()
    ]
