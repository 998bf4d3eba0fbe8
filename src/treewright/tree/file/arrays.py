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
    counts = [tree.node_count for tree in trees]
    out["tree_start"] = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return out


def trees_of_arrays(
    arrays: Mapping[str, npt.NDArray[Any]], *, n_trees: int, n_nodes: int
) -> tuple[Tree, ...]:
    """Return the trees, if the arrays have the lengths that the header states."""
    lengths = dict.fromkeys([*_PER_NODE, "set_size"], n_nodes)
    lengths["tree_start"] = n_trees + 1
    for name, length in lengths.items():
        _check_array(arrays, name, length)
    _check_array(arrays, "set_codes", None)
    tree_start = arrays["tree_start"]
    # equal starts would be a tree without a root
    ordered = bool((tree_start[1:] > tree_start[:-1]).all())
    if not ordered or tree_start[0] != 0 or tree_start[-1] != n_nodes:
        raise ModelFileError(
            "damaged model file: 'tree_start' does not divide the nodes"
        )
    size = arrays["set_size"]
    n_codes = len(arrays["set_codes"])
    # each size alone is checked first: a sum of wild ones could wrap around
    bad = np.flatnonzero((size < 0) | (size > n_codes))
    if len(bad):
        raise ModelFileError(_set_message(tree_start, int(bad[0]), n_codes))
    set_start = np.concatenate([[0], np.cumsum(size, dtype=np.int64)])
    if set_start[-1] != n_codes:
        raise ModelFileError("damaged model file: 'set_size' does not divide the codes")
    return tuple(
        _one_tree(arrays, set_start, int(start), int(stop))
        for start, stop in pairwise(tree_start)
    )


def arrays_of_cuts(features: Sequence[Feature]) -> dict[str, npt.NDArray[Any]]:
    """Return the tables of thresholds of the wide features, by feature number."""
    return {
        cuts_name(number): feature.cuts
        for number, feature in enumerate(features)
        if feature.is_wide and feature.cuts is not None
    }


def cuts_of_arrays(
    arrays: Mapping[str, npt.NDArray[Any]], number: int, storage: str
) -> npt.NDArray[Any] | None:
    """Return the table of thresholds of a wide feature; None if it has none."""
    cuts = arrays.get(cuts_name(number))
    if cuts is None:
        return None
    dtype = "uint64" if storage == "uint64" else "int64"
    if cuts.dtype != dtype or cuts.ndim != 1:
        raise ModelFileError(
            f"damaged model file: the cuts of feature {number} are {cuts.ndim}-"
            f"dimensional {cuts.dtype}, not {dtype}"
        )
    return cuts


def cuts_name(number: int) -> str:
    """Name of the array with the cuts of a wide feature."""
    return f"cuts.{number}"


def _one_tree(
    arrays: Mapping[str, npt.NDArray[Any]],
    set_start: npt.NDArray[np.int64],
    start: int,
    stop: int,
) -> Tree:
    """The tree whose nodes are `start` to `stop` of all nodes."""
    first_code = set_start[start]
    parts: dict[str, Any] = {name: arrays[name][start:stop] for name in _PER_NODE}
    return Tree(
        **parts,
        set_start=set_start[start : stop + 1] - first_code,
        set_codes=arrays["set_codes"][first_code : set_start[stop]],
    )


def _check_array(
    arrays: Mapping[str, npt.NDArray[Any]], name: str, length: int | None
) -> None:
    """Refuse an array that is absent or not of the expected dtype and length."""
    if name not in arrays:
        raise ModelFileError(f"damaged model file: it has no array {name!r}")
    array = arrays[name]
    dtype = DTYPES.get(name, "int64")
    if array.dtype != dtype or array.ndim != (2 if name in MATRICES else 1):
        raise ModelFileError(
            f"damaged model file: array {name!r} is {array.ndim}-dimensional "
            f"{array.dtype}, not {dtype}"
        )
    if length is not None and len(array) != length:
        raise ModelFileError(
            f"damaged model file: array {name!r} has {len(array)} entries where the "
            f"header promises {length}"
        )


def _set_message(tree_start: npt.NDArray[np.int64], position: int, n_codes: int) -> str:
    """The message for a set that reaches outside of the table of codes."""
    number = int(np.searchsorted(tree_start, position, side="right")) - 1
    return (
        f"damaged model file: tree {number}, node {position - tree_start[number]}: "
        f"its set must have 0 to {n_codes} codes"
    )


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
    return {_surrogate_name(name): array for name, array in arrays.items()}


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
    own = {
        name: _checked(arrays, _surrogate_name(name), (dtype,), lengths.get(name))
        for name, dtype in _SURROGATE_DTYPES.items()
    }
    _check_length(
        own["set_branch"], _surrogate_name("set_branch"), len(own["set_codes"])
    )
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


def _surrogate_name(name: str) -> str:
    return f"surrogate_{name}"


def _starts(sizes: npt.NDArray[Any], total: int, name: str) -> npt.NDArray[np.int64]:
    """Where each stretch starts, if the sizes add up."""
    # each size alone is checked first: a sum of wild ones could wrap around
    if ((sizes < 0) | (sizes > total)).any() or int(sizes.sum()) != total:
        raise ModelFileError(
            f"damaged model file: {_surrogate_name(name)!r} does not add up to {total}"
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
    return {_compact_name(name): array for name, array in own.items()}


def compact_of_arrays(
    section: Mapping[str, Any], arrays: Arrays, *, n_trees: int, n_nodes: int
) -> tuple[Tree, ...]:
    """Return the compact trees, if the arrays are what the header states."""
    n_answers = take(section, "n_answers", int)
    start = _compact_array(arrays, "tree_start", n_trees + 1)
    if start[0] != 0 or start[-1] != n_nodes or not (start[1:] > start[:-1]).all():
        raise ModelFileError(
            f"damaged model file: {_compact_name('tree_start')!r} does not divide "
            "the nodes"
        )
    answers = _compact_array(arrays, "answers", n_answers, ndim=2)
    labels = _compact_array(arrays, "labels", n_answers, ndim=2).astype(np.int32)
    own = {
        name: _compact_array(arrays, name, n_nodes)
        for name in PER_NODE
        if name not in _COMPACT_OPTIONAL or _compact_name(name) in arrays
    }
    codes = _compact_array(arrays, "set_codes", None)
    sizes = own.get("set_size", np.zeros(n_nodes, np.int8)).astype(np.int64)
    # each size alone is checked first: a sum of wild ones could wrap around
    is_wild = ((sizes < 0) | (sizes > len(codes))).any()
    if is_wild or int(sizes.sum()) != len(codes):
        raise ModelFileError(
            f"damaged model file: {_compact_name('set_size')!r} does not divide "
            "the codes"
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


def _compact_name(name: str) -> str:
    return f"compact_{name}"


def _compact_array(
    arrays: Arrays, name: str, length: int | None, *, ndim: int = 1
) -> npt.NDArray[Any]:
    """An array of one of the types that such an array may have."""
    dtypes: tuple[str, ...] = ("int8", "int16", "int32", "int64")
    if name in _COMPACT_FLOATS:
        dtypes = ("float64",)
    elif name == "kind":
        dtypes = ("uint8",)
    return _checked(arrays, _compact_name(name), dtypes, length, ndim=ndim)


def _checked(
    arrays: Arrays,
    name: str,
    dtypes: tuple[str, ...],
    length: int | None,
    *,
    ndim: int = 1,
) -> npt.NDArray[Any]:
    """An array of the expected type and length, None for any length."""
    array = arrays.get(name)
    if array is None:
        raise ModelFileError(f"damaged model file: it has no array {name!r}")
    if array.dtype.name not in dtypes or array.ndim != ndim:
        raise ModelFileError(
            f"damaged model file: array {name!r} is {array.ndim}-dimensional "
            f"{array.dtype}, not {dtypes[0]}"
        )
    if length is not None:
        _check_length(array, name, length)
    return array


def _check_length(array: npt.NDArray[Any], name: str, length: int) -> None:
    if len(array) != length:
        raise ModelFileError(
            f"damaged model file: array {name!r} has {len(array)} entries, not {length}"
        )
