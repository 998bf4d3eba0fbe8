"""The trees of a model as one set of named arrays, and back.

All trees stand one after the other in each array: a forest of a thousand small trees is
fifteen arrays, not fifteen thousand. `tree_start` says where each begins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.schema import Feature
from treewright.errors import ModelFileError
from treewright.tree.tree import Tree

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
