"""Placing: where rows end if those without a value go down every branch, in shares.

A walk follows one branch and stops where a node divides a row (`EVERY_BRANCH`). From
there on a row has several parts, each with a share of its weight; the shares are those
of the branches' training weights, or of the rows that are placed together.

A row may have as many parts as there are leaves. The parts of many rows are therefore
found again, a block of rows at a time, whenever they are needed (`DividedRows`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright import _core
from treewright.data.machine import thread_count
from treewright.data.sparse.sparse_cells import SparseCells
from treewright.tree.predict.walk import Cells, Ints, Nodes, tree_arrays, visited, walk
from treewright.tree.structure.tree import EVERY_BRANCH, NodeKind, Tree

Floats = npt.NDArray[np.float64]

_NO_WEIGHTS: Floats = np.zeros(0)

MOST_PARTS = 1 << 22  # that are held at once, unless a single row has more


@dataclass(frozen=True, eq=False)
class Parts:
    """Parts of rows: whose they are, where they ended, how much of the row they are.

    Weights are of the type that was placed.
    """

    row: Ints
    node: Nodes
    weight: npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class DividedRows:
    """The rows that one tree divides, and their parts."""

    tree: Tree
    cells: Cells  # float64, shape (n_rows, n_features): all encoded rows
    rows: Ints  # the divided rows, in order of `tops`
    tops: Nodes  # where each of them is divided first

    def blocks(self) -> Iterator[Parts]:
        """Yield the parts, those of a row in one block and in the same order."""
        borders = self._borders
        if len(borders) == 2:
            yield self._only_block
            return
        for start, stop in pairwise(borders):
            yield self._parts(start, stop)

    @cached_property
    def _only_block(self) -> Parts:
        return self._parts(0, len(self.rows))

    @cached_property
    def _borders(self) -> list[int]:
        """Where the blocks of rows start, and the end."""
        if len(self.rows) * self.tree.node_count <= MOST_PARTS:
            return [0, len(self.rows)]
        most = self.tree.subtree_sizes()[self.tops].tolist()
        borders, so_far = [0], 0
        for row, parts in enumerate(most):
            if so_far > 0 and so_far + parts > MOST_PARTS:
                borders.append(row)
                so_far = 0
            so_far += parts
        return [*borders, len(self.rows)]

    def _parts(self, start: int, stop: int) -> Parts:
        rows = self.rows[start:stop]
        tops, starts = np.unique(self.tops[start:stop], return_index=True)
        starts = np.append(starts, len(rows)).astype(np.int64)
        parts = place(
            self.tree,
            self.cells,
            tops,
            starts,
            rows,
            np.ones(len(rows)),
            node_weights=self.tree.weight,
        )
        return Parts(rows[parts.row], parts.node, parts.weight)


@dataclass(frozen=True, eq=False)
class Ends:
    """Where rows end in each tree of a model."""

    # int32, shape (n_rows, n_trees): the node where each row's walk ends; a row that is
    # divided ends where that happens first
    nodes: Nodes
    # for each tree the divided rows; None if there are none
    divided: tuple[DividedRows | None, ...]

    def __len__(self) -> int:
        return len(self.nodes)


def ends_of(trees: tuple[Tree, ...], cells: Cells) -> Ends:
    """Where each encoded row ends in each tree."""
    nodes = [walk(tree, cells) for tree in trees]
    divided = [
        _divided(tree, cells, end) for tree, end in zip(trees, nodes, strict=True)
    ]
    return Ends(np.stack(nodes, axis=1), tuple(divided))


def _divided(tree: Tree, cells: Cells, ends: Nodes) -> DividedRows | None:
    """The rows that a walk has left at a node that divides them."""
    stopped = np.flatnonzero(tree.missing_branch[ends] == EVERY_BRANCH)
    stopped = stopped[np.isnan(cells[stopped, tree.feature[ends[stopped]]])]
    if len(stopped) == 0:
        return None
    stopped = stopped[np.argsort(ends[stopped], kind="stable")]
    return DividedRows(tree, cells, stopped, ends[stopped])


def visited_in_parts(
    tree: Tree, nodes: Nodes, divided: DividedRows | None
) -> tuple[Ints, Nodes]:
    """Return every row's nodes as `visited` does; of divided rows, of all parts."""
    if divided is None:
        return visited(tree, nodes)
    found = [_visited_by_parts(tree, parts) for parts in divided.blocks()]
    whole = np.setdiff1d(np.arange(len(nodes)), divided.rows)
    starts, path = visited(tree, nodes[whole])
    found.append((whole, np.diff(starts), path))
    indptr = np.zeros(len(nodes) + 1, np.int64)
    for rows, counts, _ in found:
        indptr[rows + 1] = counts
    np.cumsum(indptr, out=indptr)
    indices = np.empty(indptr[-1], np.int32)
    for rows, counts, path in found:
        before = np.cumsum(counts) - counts
        place_in_row = np.arange(len(path)) - np.repeat(before, counts)
        indices[np.repeat(indptr[rows], counts) + place_in_row] = path
    return indptr, indices


def _visited_by_parts(tree: Tree, parts: Parts) -> tuple[Ints, Ints, Nodes]:
    """Rows, how many nodes their parts visited, and these in ascending order."""
    starts, path = visited(tree, parts.node)
    row = np.repeat(parts.row, np.diff(starts))
    # sorted here: NumPy's unique() goes by hashes, which takes ten times as long
    pairs = np.sort(row * tree.node_count + path)
    pairs = pairs[np.append(True, pairs[1:] != pairs[:-1])]
    row, path = np.divmod(pairs, tree.node_count)
    first = np.flatnonzero(np.append(True, row[1:] != row[:-1]))
    counts = np.diff(np.append(first, len(row)))
    return row[first], counts, path.astype(np.int32)


def place(
    tree: Tree,
    cells: Cells,
    tops: Nodes,
    starts: Ints,
    rows: Ints,
    weights: Floats | Ints,
    *,
    node_weights: Floats | None = None,
    min_share: float = 0.0,
) -> Parts:
    """Send groups of rows down from nodes; divided rows end in several.

    - `tree`: a valid tree.
    - `cells` (float64, shape (n_rows, n_features)): encoded rows.
    - `tops` (int32, shape (n_groups,)): where each group starts.
    - `starts` (int64, shape (n_groups + 1,)): group g has the items `starts[g]` up to
      `starts[g + 1]`.
    - `rows`, `weights` (shape (n_items,)): the row of `cells` and the weight of each
      item. Weights are floats, or integers (fixed point), whose sums do not depend on
      the order of the rows.
    - `node_weights` (float64, shape (n_nodes,)): shares are in proportion to them
      (weights must be floats); else to the items that have a value.
    - `min_share`: branches with a smaller share get no part, unless none has a larger
      one.
    - Returns `row` is the item.
    """
    if isinstance(cells, SparseCells):
        tree, cells = _only_asked(tree, cells)
    item, node, weight = _core.place(
        tree_arrays(tree),
        _NO_WEIGHTS if node_weights is None else node_weights,
        np.ascontiguousarray(cells, np.float64),
        np.ascontiguousarray(tops, np.int32),
        starts,
        np.ascontiguousarray(rows, np.int64),
        weights,
        min_share,
        thread_count(None),
    )
    return Parts(item, node, weight)


def _only_asked(tree: Tree, cells: SparseCells) -> tuple[Tree, Cells]:
    """The tree over the columns that it asks about, and these."""
    if len(tree.surrogates.feature) or (tree.kind == NodeKind.COMBINATION).any():
        return tree, np.asarray(cells)
    asks = tree.kind != NodeKind.LEAF
    columns, place_of = np.unique(tree.feature[asks], return_inverse=True)
    feature = tree.feature.copy()
    feature[asks] = place_of
    return replace(tree, feature=feature), cells.only(columns)
