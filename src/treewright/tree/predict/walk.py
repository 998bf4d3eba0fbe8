"""The walk: from the root to the node where a row's questions end.

Rows are float64 cells, one column per feature of the schema: numbers as they are (wide
ones as the number of cuts below them), categories as their codes, NaN for missing, a
negative code for a category that training never saw. A walk ends at a leaf, or earlier
at a node whose question the row cannot answer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from treewright import _core
from treewright.data.machine import thread_count
from treewright.data.sparse.sparse_cells import SparseCells
from treewright.tree.structure.combination import sum_of_terms
from treewright.tree.structure.tree import NodeKind, Tree

_NUMERIC = (NodeKind.CUT, NodeKind.COMBINATION)
Cells = npt.NDArray[np.float64]
Nodes = npt.NDArray[np.int32]
Ints = npt.NDArray[np.int64]
SurrogateArrays = tuple[
    Ints, Nodes, npt.NDArray[np.uint8], Cells, Nodes, Ints, Nodes, Nodes
]
TreeArrays = tuple[
    npt.NDArray[np.uint8],
    Nodes,
    Cells,
    Nodes,
    Nodes,
    Nodes,
    Ints,
    Nodes,
    SurrogateArrays,
]


def walk(tree: Tree, cells: Cells, *, n_threads: int | None = None) -> Nodes:
    """Return the node where each row ends.

    `tree`: a valid tree: the compiled walk does not check it again. `cells` (float64,
    shape (n_rows, n_features), or SparseCells): encoded rows. `n_threads`: the cores
    that the process may use, if not given.
    """
    if isinstance(cells, SparseCells):
        found = [walk(tree, block, n_threads=n_threads) for block in cells.blocks()]
        return np.concatenate([np.zeros(0, np.int32), *found])
    nodes: Nodes = _core.walk(
        tree_arrays(tree),
        np.ascontiguousarray(cells, np.float64),
        thread_count(None) if n_threads is None else n_threads,
    )
    return nodes


def tree_arrays(tree: Tree) -> TreeArrays:
    """The arrays that the compiled walk reads."""
    surrogates = tree.surrogates
    return (
        tree.kind,
        tree.feature,
        tree.threshold,
        tree.first_child,
        tree.n_children,
        tree.missing_branch,
        tree.set_start,
        tree.set_codes,
        (
            surrogates.start,
            surrogates.feature,
            surrogates.kind,
            surrogates.threshold,
            surrogates.branch,
            surrogates.set_start,
            surrogates.set_codes,
            surrogates.set_branch,
        ),
    )


def walk_slow(tree: Tree, cells: Cells) -> Nodes:
    """Return what `walk` returns, in plain Python: the oracle of its tests."""
    return np.asarray([_end(tree, row) for row in cells.tolist()], np.int32)


def visited(tree: Tree, ends: Nodes) -> tuple[npt.NDArray[np.int64], Nodes]:
    """Return every row's path from the root to its end, as `(indptr, indices)`.

    `indices[indptr[row]:indptr[row + 1]]` are the nodes of a row, the root first.
    """
    parent = tree.parents()
    indptr = np.concatenate([[0], np.cumsum(tree.depths()[ends] + 1, dtype=np.int64)])
    indices = np.empty(int(indptr[-1]), np.int32)
    # all rows climb together, each filling its part from the back
    node, position = ends, indptr[1:] - 1
    while len(node):
        indices[position] = node
        above = parent[node] >= 0
        node, position = parent[node[above]], position[above] - 1
    return indptr, indices


def _end(tree: Tree, row: list[float]) -> int:
    """Node where one row ends."""
    node = 0
    while tree.kind_of(node) != NodeKind.LEAF:
        branch = branch_of_row(tree, node, row)
        if branch < 0:
            break
        node = int(tree.first_child[node]) + branch
    return node


def branch_of_row(tree: Tree, node: int, row: Sequence[float]) -> int:
    """Branch that a row takes at an inner node; -1 to stop there."""
    cell = asked_cell(tree, node, row)
    if math.isnan(cell):
        surrogate = speaking_surrogate(tree, node, row)
        if surrogate is not None:
            own = row[tree.surrogates.feature[surrogate]]
            return tree.surrogates.branch_of(surrogate, own)
    return _branch(tree, node, cell)


def asked_cell(tree: Tree, node: int, row: Sequence[float]) -> float:
    """The cell that an inner node asks about, or the weighted sum of several."""
    if tree.kind_of(node) == NodeKind.COMBINATION:
        return sum_of_terms(tree, node, row)
    return float(row[tree.feature[node]])


def speaking_surrogate(tree: Tree, node: int, row: Sequence[float]) -> int | None:
    """The surrogate of a node that a row without its value follows; None: none."""
    surrogates = tree.surrogates
    for surrogate in surrogates.of(node):
        cell = row[surrogates.feature[surrogate]]
        if surrogates.branch_of(surrogate, cell) >= 0:
            return surrogate
    return None


def _branch(tree: Tree, node: int, cell: float) -> int:
    """Branch that a cell takes at an inner node; -1 to stop there."""
    kind = tree.kind_of(node)
    if kind == NodeKind.KNOWN:
        return int(math.isnan(cell))
    if math.isnan(cell):
        return int(tree.missing_branch[node])
    if kind not in _NUMERIC and cell < 0:
        return -1
    if kind in (*_NUMERIC, NodeKind.ORDER):
        return int(cell > tree.threshold[node])
    if kind == NodeKind.MULTIWAY:
        return int(cell)
    own = tree.subset(node)
    return int(own[int(cell)] if kind == NodeKind.GROUPS else cell not in own)
