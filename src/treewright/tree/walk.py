"""The walk: from the root to the node where a row's questions end.

Rows are float64 cells, one column per feature of the schema: numbers as they are (wide
ones as the number of cuts below them), categories as their codes, NaN for missing, a
negative code for a category that training never saw. A walk ends at a leaf, or earlier
at a node whose question the row cannot answer.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from treewright import _core
from treewright.data.threads import thread_count
from treewright.tree.tree import NodeKind, Tree

Cells = npt.NDArray[np.float64]
Nodes = npt.NDArray[np.int32]
Ints = npt.NDArray[np.int64]
TreeArrays = tuple[
    npt.NDArray[np.uint8], Nodes, Cells, Nodes, Nodes, Nodes, Ints, Nodes
]


def walk(tree: Tree, cells: Cells, *, n_threads: int | None = None) -> Nodes:
    """Return the node where each row ends.

    Parameters
    ----------
    tree : Tree
        A valid tree: the compiled walk does not check it again.
    cells : ndarray of float64, shape (n_rows, n_features)
        Encoded rows.
    n_threads : int, optional
        The cores that the process may use, if not given.
    """
    nodes: Nodes = _core.walk(
        tree_arrays(tree),
        np.ascontiguousarray(cells, np.float64),
        thread_count(None) if n_threads is None else n_threads,
    )
    return nodes


def tree_arrays(tree: Tree) -> TreeArrays:
    """The arrays that the compiled walk reads."""
    return (
        tree.kind,
        tree.feature,
        tree.threshold,
        tree.first_child,
        tree.n_children,
        tree.missing_branch,
        tree.set_start,
        tree.set_codes,
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
        branch = _branch(tree, node, row[tree.feature[node]])
        if branch < 0:
            break
        node = int(tree.first_child[node]) + branch
    return node


def _branch(tree: Tree, node: int, cell: float) -> int:
    """Branch that a cell takes at an inner node; -1 to stop there."""
    kind = tree.kind_of(node)
    if kind == NodeKind.KNOWN:
        return int(math.isnan(cell))
    if math.isnan(cell):
        return int(tree.missing_branch[node])
    if kind != NodeKind.CUT and cell < 0:
        return -1
    if kind in (NodeKind.CUT, NodeKind.ORDER):
        return int(cell > tree.threshold[node])
    if kind == NodeKind.MULTIWAY:
        return int(cell)
    return int(cell not in tree.subset(node))
