"""A part of a tree: some of its nodes, numbered anew."""

from __future__ import annotations

import dataclasses
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright import _core
from treewright.tree.structure.node_kind import HAVE_CODES
from treewright.tree.structure.surrogates import Surrogates, starts_of, stretches
from treewright.tree.structure.tree import Tree


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
    return starts_of(lengths), tree.set_codes[stretches(start, lengths)]


def trees_of_roots(tree: Tree, n_roots: int) -> list[Tree]:
    """Return the trees whose roots are the first nodes of one set of arrays.

    Their nodes are numbered level by level. They have parts of common arrays.
    """
    if n_roots == 1:
        return [tree]
    order, starts = _core.order_by_level(tree.first_child, tree.n_children, n_roots)
    taken = _taken(tree, order)
    number = np.empty(len(order), np.int32)  # in its own tree
    number[order] = np.arange(len(order)) - np.repeat(starts[:-1], np.diff(starts))
    first = number.take(taken["first_child"])
    first[taken["n_children"] == 0] = -1
    taken["first_child"] = first
    trees = []
    for start, stop in pairwise(starts.tolist()):
        nodes = order[start:stop]
        set_start, set_codes = _sets_of(tree, nodes)
        trees.append(
            Tree(
                **{name: array[start:stop] for name, array in taken.items()},
                set_start=set_start,
                set_codes=set_codes,
                surrogates=tree.surrogates.take(nodes),
            )
        )
    return trees


def on_its_own(tree: Tree) -> Tree:
    """Return the tree with arrays of its own, where it has parts of common ones.

    A tree that leaves its forest would else keep the memory of those grown beside it.
    """
    if tree.knows_shares:  # compact trees have what they need
        return tree
    own: dict[str, Any] = {}
    for field in dataclasses.fields(tree):
        array = getattr(tree, field.name)
        if isinstance(array, np.ndarray) and array.base is not None:
            own[field.name] = array.copy()
    return dataclasses.replace(tree, **own)


def _taken(tree: Tree, nodes: npt.NDArray[np.int64]) -> dict[str, npt.NDArray[Any]]:
    """The arrays of `nodes`, but for sets and surrogates, in one block of memory.

    The system hands out a large block in large pages: growing the forest of Covertype
    in `make bench` takes some 6 % less time.
    """
    arrays = {
        field.name: getattr(tree, field.name)
        for field in dataclasses.fields(tree)
        if field.name not in ("set_start", "set_codes", "surrogates")
    }
    widths = [array.itemsize * array[0].size for array in arrays.values()]
    lengths = [-(-len(nodes) * width // 64) * 64 for width in widths]  # aligned
    block = np.empty(sum(lengths), np.uint8)
    found: dict[str, npt.NDArray[Any]] = {}
    start = 0
    for (name, array), width, length in zip(
        arrays.items(), widths, lengths, strict=True
    ):
        bytes_of = block[start : start + len(nodes) * width]
        found[name] = bytes_of.view(array.dtype).reshape(len(nodes), *array.shape[1:])
        # all nodes are there, and numpy need not look before it writes
        array.take(nodes, axis=0, out=found[name], mode="clip")
        start += length
    return found
