"""The surrogates of all trees of a model as named arrays, and back.

They are only there if a tree has any. A section of the header says how many there are;
a reader that does not know it would send rows without a value elsewhere, so it must
refuse the file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.errors import ModelFileError
from treewright.tree.strict_json import take
from treewright.tree.surrogates import PER_SURROGATE, Surrogates, joined, starts_of
from treewright.tree.tree import Tree

Arrays = Mapping[str, npt.NDArray[Any]]

# `start` and `set_start` are stored as sizes, as the sets of the nodes are
_DTYPES = {
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
    return {_name(name): array for name, array in arrays.items()}


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
    lengths["set_branch"] = len(_array(arrays, "set_codes", None))
    own = {name: _array(arrays, name, lengths.get(name)) for name in _DTYPES}
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


def _name(name: str) -> str:
    return f"surrogate_{name}"


def _starts(sizes: npt.NDArray[Any], total: int, name: str) -> npt.NDArray[np.int64]:
    """Where each stretch starts, if the sizes add up."""
    # each size alone is checked first: a sum of wild ones could wrap around
    if ((sizes < 0) | (sizes > total)).any() or int(sizes.sum()) != total:
        raise ModelFileError(
            f"damaged model file: {_name(name)!r} does not add up to {total}"
        )
    return starts_of(sizes)


def _array(arrays: Arrays, name: str, length: int | None) -> npt.NDArray[Any]:
    """An array of the expected dtype and length."""
    array = arrays.get(_name(name))
    if array is None:
        raise ModelFileError(f"damaged model file: it has no array {_name(name)!r}")
    if array.dtype != _DTYPES[name] or array.ndim != 1:
        raise ModelFileError(
            f"damaged model file: array {_name(name)!r} is {array.ndim}-dimensional "
            f"{array.dtype}, not {_DTYPES[name]}"
        )
    if length is not None and len(array) != length:
        raise ModelFileError(
            f"damaged model file: array {_name(name)!r} has {len(array)} entries, not "
            f"{length}"
        )
    return array
