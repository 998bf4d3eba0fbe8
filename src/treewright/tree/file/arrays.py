"""The trees of a model as one set of named arrays, and back.

All trees stand one after the other in each array: a forest of a thousand small trees is
fifteen arrays, not fifteen thousand. `tree_start` says where each begins.

Surrogates are only there if a tree has any, and compact trees have arrays of their own
(those of `tree/structure/compact_tree.py`, all trees one after the other, with one
table of answers). A section of the header says so in both cases: a reader that does not
know it would send rows elsewhere, so it must refuse the file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.schema import Feature
from treewright.errors import ModelFileError
from treewright.tree.file.strict_json import take
from treewright.tree.structure.compact_tree import PER_NODE, CompactTree
from treewright.tree.structure.surrogates import (
    PER_SURROGATE,
    Surrogates,
    joined,
    starts_of,
)
from treewright.tree.structure.tree import EVERY_BRANCH, Tree

Arrays = Mapping[str, npt.NDArray[Any]]


# The dtype of every array of a tree. `set_start` is stored as sizes, which do not
# depend on where a tree begins.
DTYPES: dict[str, str] = {
    "kind": "uint8",
    "feature": "int32",
    "threshold": "float64",
    "first_child": "int32",
    "n_children": "int32",
    "missing_branch": "int32",
    "set_start": "int64",
    "set_codes": "int32",
    "value": "float64",
    "label": "int32",
    "n_rows": "int64",
    "weight": "float64",
    "impurity": "float64",
    "gain": "float64",
    "reason": "uint8",
}
MATRICES = ("value", "label")
_PER_NODE = [name for name in DTYPES if name not in ("set_start", "set_codes")]


def arrays_of_trees(trees: Sequence[Tree]) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of all trees, one after the other."""
    out: dict[str, npt.NDArray[Any]] = {
        name: np.concatenate([getattr(tree, name) for tree in trees])
        for name in [*_PER_NODE, "set_codes"]
    }
    out["set_size"] = np.concatenate([np.diff(tree.set_start) for tree in trees])
    out["tree_start"] = starts_of(np.array([tree.node_count for tree in trees]))
    return out


def trees_of_arrays(
    arrays: Mapping[str, npt.NDArray[Any]], *, n_trees: int, n_nodes: int
) -> tuple[Tree, ...]:
    """Return the trees, if the arrays have the lengths that the header states."""
    lengths: dict[str, int | None] = dict.fromkeys([*_PER_NODE, "set_size"], n_nodes)
    lengths |= {"tree_start": n_trees + 1, "set_codes": None}
    for name, length in lengths.items():
        ndim = 2 if name in MATRICES else 1
        dtype = DTYPES.get(name, "int64")
        _checked(arrays, name, (dtype,), length, ndim=ndim, is_promised=True)
    tree_start, size = arrays["tree_start"], arrays["set_size"]
    _check_starts(tree_start, n_nodes, "tree_start")
    n_codes = len(arrays["set_codes"])
    bad = np.flatnonzero((size < 0) | (size > n_codes))
    if len(bad):
        number = int(np.searchsorted(tree_start, bad[0], side="right")) - 1
        raise ModelFileError(
            f"damaged model file: tree {number}, node {bad[0] - tree_start[number]}: "
            f"its set must have 0 to {n_codes} codes"
        )
    if not adds_up(size, n_codes):
        raise ModelFileError("damaged model file: 'set_size' does not divide the codes")
    set_start = starts_of(size)
    trees = []
    for start, stop in pairwise(tree_start.tolist()):
        own: dict[str, Any] = {name: arrays[name][start:stop] for name in _PER_NODE}
        own["set_start"] = set_start[start : stop + 1] - set_start[start]
        own["set_codes"] = arrays["set_codes"][set_start[start] : set_start[stop]]
        trees.append(Tree(**own))
    return tuple(trees)


def adds_up(sizes: npt.NDArray[Any], total: int) -> bool:
    """Tell whether stretches of these sizes divide so many entries among them."""
    # each size alone is looked at first: a sum of wild ones could wrap around
    is_wild = ((sizes < 0) | (sizes > total)).any()
    return not is_wild and int(sizes.sum()) == total


def _check_starts(starts: npt.NDArray[Any], n_nodes: int, name: str) -> None:
    """Refuse starts of trees that do not divide the nodes."""
    # equal starts would be a tree without a root
    ordered = bool((starts[1:] > starts[:-1]).all())
    if not ordered or starts[0] != 0 or starts[-1] != n_nodes:
        raise ModelFileError(f"damaged model file: {name!r} does not divide the nodes")


def arrays_of_cuts(features: Sequence[Feature]) -> dict[str, npt.NDArray[Any]]:
    """Return the tables of thresholds of the wide features, by feature number."""
    return {
        f"cuts.{number}": feature.cuts
        for number, feature in enumerate(features)
        if feature.is_wide and feature.cuts is not None
    }


def cuts_of_arrays(
    arrays: Mapping[str, npt.NDArray[Any]], number: int, storage: str
) -> npt.NDArray[Any] | None:
    """Return the table of thresholds of a wide feature; None if it has none."""
    cuts = arrays.get(f"cuts.{number}")
    if cuts is None:
        return None
    dtype = "uint64" if storage == "uint64" else "int64"
    if cuts.dtype != dtype or cuts.ndim != 1:
        raise ModelFileError(
            f"damaged model file: the cuts of feature {number} are {cuts.ndim}-"
            f"dimensional {cuts.dtype}, not {dtype}"
        )
    return cuts


# `start` and `set_start` are stored as sizes, as the sets of the nodes are
_SURROGATE_DTYPES = {
    **PER_SURROGATE,
    "count": "int64",
    "set_size": "int64",
    "set_codes": "int32",
    "set_branch": "int32",
}


def surrogates_data(trees: Sequence[Tree]) -> dict[str, Any]:
    """Return the section of the header; empty if no tree has surrogates."""
    total = sum(len(tree.surrogates) for tree in trees)
    return {"n_surrogates": total} if total else {}


def arrays_of_surrogates(trees: Sequence[Tree]) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of all trees, one after the other; none if there are none."""
    if not surrogates_data(trees):
        return {}
    counts = [tree.node_count for tree in trees]
    all_ = joined([tree.surrogates for tree in trees], counts)
    arrays = {name: getattr(all_, name) for name in PER_SURROGATE}
    arrays["count"] = np.diff(all_.start)
    arrays["set_size"] = np.diff(all_.set_start)
    arrays["set_codes"], arrays["set_branch"] = all_.set_codes, all_.set_branch
    return {f"surrogate_{name}": array for name, array in arrays.items()}


def with_surrogates(
    trees: tuple[Tree, ...], section: Mapping[str, Any], arrays: Arrays
) -> tuple[Tree, ...]:
    """Return the trees with the surrogates that a file has."""
    if not section:
        return trees
    n_surrogates = take(section, "n_surrogates", int)
    n_nodes = sum(tree.node_count for tree in trees)
    lengths = dict.fromkeys([*PER_SURROGATE, "set_size"], n_surrogates)
    lengths["count"] = n_nodes
    lengths["set_branch"] = np.size(arrays.get("surrogate_set_codes", ()))
    own = {
        name: _checked(arrays, f"surrogate_{name}", (dtype,), lengths.get(name))
        for name, dtype in _SURROGATE_DTYPES.items()
    }
    all_ = Surrogates(
        **{name: own[name] for name in PER_SURROGATE},
        start=_starts(own["count"], n_surrogates, "count"),
        set_start=_starts(own["set_size"], len(own["set_codes"]), "set_size"),
        set_codes=own["set_codes"],
        set_branch=own["set_branch"],
    )
    edges = starts_of(np.asarray([tree.node_count for tree in trees]))
    return tuple(
        tree.asking(all_.take(np.arange(start, stop)))
        for tree, (start, stop) in zip(trees, pairwise(edges.tolist()), strict=True)
    )


def _starts(sizes: npt.NDArray[Any], total: int, name: str) -> npt.NDArray[np.int64]:
    """Where each stretch starts, if the sizes add up."""
    if not adds_up(sizes, total):
        raise ModelFileError(
            f"damaged model file: 'surrogate_{name}' does not add up to {total}"
        )
    return starts_of(sizes)


_COMPACT_FLOATS = ("threshold", "weight", "answers")
_COMPACT_OPTIONAL = ("set_size", "weight")


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
    return {f"compact_{name}": array for name, array in own.items()}


def compact_of_arrays(
    section: Mapping[str, Any], arrays: Arrays, *, n_trees: int, n_nodes: int
) -> tuple[Tree, ...]:
    """Return the compact trees, if the arrays are what the header states."""
    n_answers = take(section, "n_answers", int)
    start = _compact_array(arrays, "tree_start", n_trees + 1)
    _check_starts(start, n_nodes, "compact_tree_start")
    answers = _compact_array(arrays, "answers", n_answers, ndim=2)
    labels = _compact_array(arrays, "labels", n_answers, ndim=2).astype(np.int32)
    own = {
        name: _compact_array(arrays, name, n_nodes)
        for name in PER_NODE
        if name not in _COMPACT_OPTIONAL or f"compact_{name}" in arrays
    }
    codes = _compact_array(arrays, "set_codes", None)
    sizes = own.get("set_size", np.zeros(n_nodes, np.int8)).astype(np.int64)
    if not adds_up(sizes, len(codes)):
        raise ModelFileError(
            "damaged model file: 'compact_set_size' does not divide the codes"
        )
    code_start = starts_of(sizes)
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


def _compact_array(
    arrays: Arrays, name: str, length: int | None, *, ndim: int = 1
) -> npt.NDArray[Any]:
    """An array of one of the types that such an array may have."""
    dtypes: tuple[str, ...] = ("int8", "int16", "int32", "int64")
    if name in _COMPACT_FLOATS:
        dtypes = ("float64",)
    elif name == "kind":
        dtypes = ("uint8",)
    return _checked(arrays, f"compact_{name}", dtypes, length, ndim=ndim)


def _checked(
    arrays: Arrays,
    name: str,
    dtypes: tuple[str, ...],
    length: int | None,
    *,
    ndim: int = 1,
    is_promised: bool = False,
) -> npt.NDArray[Any]:
    """An array of the expected type and length, None for any length.

    `is_promised`: whether the length is one that the header states as it is.
    """
    array = arrays.get(name)
    if array is None:
        raise ModelFileError(f"damaged model file: it has no array {name!r}")
    if array.dtype.name not in dtypes or array.ndim != ndim:
        raise ModelFileError(
            f"damaged model file: array {name!r} is {array.ndim}-dimensional "
            f"{array.dtype}, not {dtypes[0]}"
        )
    if length is not None and len(array) != length:
        wanted = " where the header promises" if is_promised else ", not"
        raise ModelFileError(
            f"damaged model file: array {name!r} has {len(array)} entries{wanted} "
            f"{length}"
        )
    return array
