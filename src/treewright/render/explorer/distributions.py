"""The distribution of each node's feature, by class, with what every cut would divide.

Counts only, never rows: at most `MOST_BINS` bars and `MOST_CUTS` cuts for a number, a
bar for each category otherwise. The largest nodes come first; `MOST_NUMBERS` ends it.

The statistics of a bar are the weights of the classes of the first output; for numbers
weight, sum and sum of squares of the target, counted from the root's mean.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.prune.shape import left_to_right
from treewright.render.explorer.bound_rows import BoundRows
from treewright.tree.model import Model
from treewright.tree.structure.branch_words import branch_condition, category_text
from treewright.tree.structure.combination import terms_at
from treewright.tree.structure.tree import NodeKind, Tree

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

MOST_BINS = 40
MOST_CUTS = 160
MOST_NUMBERS = 300_000  # in all distributions of a page
_FEW = 4  # rows: fewer are told by the node itself


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
