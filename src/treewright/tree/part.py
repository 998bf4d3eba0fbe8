"""A part of a tree: some of its nodes, numbered anew."""

from __future__ import annotations

import dataclasses
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright import _core
from treewright.tree.node_kind import HAVE_CODES
from treewright.tree.surrogates import Surrogates
from treewright.tree.tree import Tree


def part_of(
    tree: Tree, nodes: npt.NDArray[np.integer[Any]], surrogates: Surrogates
) -> Tree:
    """Return the tree that is made of `nodes`, in their order, the root first.

    With a node all its branches must be there, one after the other. `surrogates` are
    those of the new nodes.
    """
    number = np.full(tree.node_count, -1, np.int32)
    number[nodes] = np.arange(len(nodes), dtype=np.int32)
    first = number.take(tree.first_child.take(nodes))
    first[tree.n_children.take(nodes) == 0] = -1
    set_start, set_codes = _sets_of(tree, nodes)
    same = {
        # short rows are taken many times as fast as by an index in brackets
        field.name: getattr(tree, field.name).take(nodes, axis=0)
        for field in dataclasses.fields(tree)
        if field.name not in ("first_child", "set_start", "set_codes", "surrogates")
    }
    return Tree(
        **same,
        first_child=first,
        set_start=set_start,
        set_codes=set_codes,
        surrogates=surrogates,
    )


def _sets_of(
    tree: Tree, nodes: npt.NDArray[np.integer[Any]]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """Where the sets of `nodes` start, and their codes."""
    if len(tree.set_codes) == 0:
        return np.zeros(len(nodes) + 1, np.int64), tree.set_codes
    start = tree.set_start[nodes]
    # a node that was cut, or took another's place, may have lost its set
    has_set = np.isin(tree.kind[nodes], HAVE_CODES)
    lengths = np.where(has_set, tree.set_start[nodes + 1] - start, 0)
    ends = np.cumsum(lengths)
    codes = np.arange(ends[-1]) + np.repeat(start - (ends - lengths), lengths)
    return np.concatenate([[0], ends]).astype(np.int64), tree.set_codes[codes]


def trees_of_roots(tree: Tree, n_roots: int) -> list[Tree]:
    """Return the trees whose roots are the first nodes of one set of arrays.

    Their nodes are numbered level by level.
    """
    if n_roots == 1:
        return [tree]
    order, starts = _core.order_by_level(tree.first_child, tree.n_children, n_roots)
    parts = (order[a:b] for a, b in pairwise(starts.tolist()))
    return [part_of(tree, nodes, tree.surrogates.take(nodes)) for nodes in parts]
