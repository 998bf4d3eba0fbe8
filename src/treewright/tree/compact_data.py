"""Compact trees as named arrays, and back.

A section of the header says that the trees are compact; the arrays are those of
`compact_tree.py`, all trees one after the other, with one table of answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.errors import ModelFileError
from treewright.tree.compact_tree import PER_NODE, CompactTree
from treewright.tree.strict_json import take
from treewright.tree.tree import EVERY_BRANCH, Tree

Arrays = Mapping[str, npt.NDArray[Any]]

_FLOATS = ("threshold", "weight", "answers")
_OPTIONAL = ("set_size", "weight")


def compact_data(trees: Sequence[Tree]) -> dict[str, Any]:
    """Return the section of the header; empty if the trees are not compact."""
    first = trees[0]
    return {"n_answers": len(first.answers)} if isinstance(first, CompactTree) else {}


def arrays_of_compact(trees: Sequence[Tree]) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of compact trees, one after the other."""
    compact = [tree for tree in trees if isinstance(tree, CompactTree)]
    own: dict[str, npt.NDArray[Any]] = {
        "answers": compact[0].answers,
        "labels": compact[0].labels,
        "tree_start": np.cumsum([0, *(tree.node_count for tree in trees)]),
    }
    for name in (*PER_NODE, "set_codes"):
        if any(name in tree.arrays for tree in compact):
            parts = [
                tree.arrays.get(name, np.zeros(tree.node_count, np.int8))
                for tree in compact
            ]
            own[name] = np.concatenate(parts)
    return {_name(name): array for name, array in own.items()}


def compact_of_arrays(
    section: Mapping[str, Any], arrays: Arrays, *, n_trees: int, n_nodes: int
) -> tuple[Tree, ...]:
    """Return the compact trees, if the arrays are what the header states."""
    n_answers = take(section, "n_answers", int)
    start = _array(arrays, "tree_start", n_trees + 1)
    if start[0] != 0 or start[-1] != n_nodes or not (start[1:] > start[:-1]).all():
        raise ModelFileError(
            f"damaged model file: {_name('tree_start')!r} does not divide the nodes"
        )
    answers = _array(arrays, "answers", n_answers, ndim=2)
    labels = _array(arrays, "labels", n_answers, ndim=2).astype(np.int32)
    own = {
        name: _array(arrays, name, n_nodes)
        for name in PER_NODE
        if name not in _OPTIONAL or _name(name) in arrays
    }
    codes = _array(arrays, "set_codes", None)
    sizes = own.get("set_size", np.zeros(n_nodes, np.int8)).astype(np.int64)
    # each size alone is checked first: a sum of wild ones could wrap around
    is_wild = ((sizes < 0) | (sizes > len(codes))).any()
    if is_wild or int(sizes.sum()) != len(codes):
        raise ModelFileError(
            f"damaged model file: {_name('set_size')!r} does not divide the codes"
        )
    code_start = np.concatenate([[0], np.cumsum(sizes)])
    trees = []
    for first, last in pairwise(start.tolist()):
        part = {name: array[first:last] for name, array in own.items()}
        part["set_codes"] = codes[code_start[first] : code_start[last]]
        if not len(part["set_codes"]):
            part.pop("set_size", None)
        if not (part["missing_branch"] == EVERY_BRANCH).any():
            part.pop("weight", None)
        trees.append(CompactTree(part, answers, labels))
    return tuple(trees)


def _name(name: str) -> str:
    return f"compact_{name}"


def _array(
    arrays: Arrays, name: str, length: int | None, *, ndim: int = 1
) -> npt.NDArray[Any]:
    """An array of the expected type and length."""
    array = arrays.get(_name(name))
    if array is None:
        raise ModelFileError(f"damaged model file: it has no array {_name(name)!r}")
    kinds = ["int8", "int16", "int32", "int64"]
    if name in _FLOATS:
        kinds = ["float64"]
    elif name == "kind":
        kinds = ["uint8"]
    if array.dtype.name not in kinds or array.ndim != ndim:
        raise ModelFileError(
            f"damaged model file: array {_name(name)!r} is {array.ndim}-dimensional "
            f"{array.dtype}, not {kinds[0]}"
        )
    if length is not None and len(array) != length:
        raise ModelFileError(
            f"damaged model file: array {_name(name)!r} has {len(array)} entries, not "
            f"{length}"
        )
    return array
