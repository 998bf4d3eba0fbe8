"""Validation of surrogates: what the compiled walk takes for granted about them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.schema import Feature, Schema
from treewright.errors import ModelFileError
from treewright.tree.surrogates import PER_SURROGATE, Surrogates
from treewright.tree.tree import NodeKind, Tree

_KINDS = {
    "numeric": NodeKind.CUT,
    "ordinal": NodeKind.ORDER,
    "nominal": NodeKind.SUBSET,
}


def validate_surrogates(tree: Tree, schema: Schema, *, number: int = 0) -> None:
    """Raise `ModelFileError` if the surrogates of a tree break an invariant.

    Parameters
    ----------
    tree : Tree
        A tree that is valid but for its surrogates.
    schema : Schema
        A valid schema.
    number : int
        The tree's number in its model, for the message.
    """
    own = tree.surrogates
    _check_arrays(own, tree.node_count, number)
    if len(own) == 0:
        return
    check = _Checker(tree, number)
    counts = np.diff(own.start)
    asks = np.isin(tree.kind, (NodeKind.CUT, NodeKind.ORDER, NodeKind.SUBSET))
    bad = (counts > 0) & ~(asks & (tree.n_children == 2) & (tree.missing_branch >= 0))
    check.refuse(
        bad[check.node], "its node has no two branches to choose from", own.feature
    )
    n_features = len(schema.features)
    outside = (own.feature < 0) | (own.feature >= n_features)
    check.refuse(outside, f"feature must be 0 to {n_features - 1}", own.feature)
    same = own.feature == tree.feature[check.node]
    check.refuse(same, "it asks about the feature of its node", own.feature)
    wanted = np.asarray([_KINDS[each.kind] for each in schema.features])[own.feature]
    check.refuse(own.kind != wanted, "its feature is not asked like that", own.kind)
    for name in ("agreement", "adjusted"):
        share = getattr(own, name)
        bad_share = ~((share >= 0) & (share <= 1))
        check.refuse(bad_share, f"{name} must be from 0 to 1", share)
    check.refuse(~np.isin(own.branch, (0, 1)), "branch must be 0 or 1", own.branch)
    _check_thresholds(own, schema, check)
    _check_sets(own, schema, check)


class _Checker:
    """Raises the error for the first surrogate at which something is wrong."""

    def __init__(self, tree: Tree, number: int) -> None:
        self.start = tree.surrogates.start
        self.node = np.repeat(np.arange(tree.node_count), np.diff(self.start))
        self.number = number

    def refuse(
        self, bad: npt.NDArray[np.bool_], rule: str, found: npt.NDArray[Any]
    ) -> None:
        """Raise if any is bad; `found` has the value to show for each."""
        wrong = np.flatnonzero(bad)
        if len(wrong):
            first = int(wrong[0])
            node = int(self.node[first])
            raise ModelFileError(
                f"tree {self.number}, node {node}, surrogate "
                f"{first - self.start[node]}: {rule}, found {found[first]}"
            )


def _check_arrays(own: Surrogates, n_nodes: int, number: int) -> None:
    """Lengths and dtypes, and stretches that divide them."""
    n_own, n_codes = len(own.feature), len(own.set_codes)
    dtypes = dict(PER_SURROGATE, start="int64", set_start="int64")
    dtypes |= {"set_codes": "int32", "set_branch": "int32"}
    lengths = dict.fromkeys(PER_SURROGATE, n_own)
    lengths |= {"set_start": n_own + 1, "set_codes": n_codes, "set_branch": n_codes}
    lengths["start"] = n_nodes + 1 if n_own or len(own.start) else 0
    for name, dtype in dtypes.items():
        array = getattr(own, name)
        if array.dtype != dtype or array.shape != (lengths[name],):
            raise ModelFileError(
                f"tree {number}: {name} of the surrogates must be {dtype} of shape "
                f"{(lengths[name],)}, found {array.dtype} of shape {array.shape}"
            )
    for name, total in (("start", n_own), ("set_start", n_codes)):
        starts = getattr(own, name)
        if len(starts) == 0:
            continue
        rises = starts[0] == 0 and starts[-1] == total and (np.diff(starts) >= 0).all()
        if not rises:
            raise ModelFileError(
                f"tree {number}: {name} of the surrogates must rise from 0 to {total}"
            )


def _n_cuts(feature: Feature) -> int:
    """How many thresholds there are to look up; -1: any number is one."""
    if feature.is_wide:
        return 0 if feature.cuts is None else len(feature.cuts)
    return len(feature.categories) - 1 if feature.kind == "ordinal" else -1


def _check_thresholds(own: Surrogates, schema: Schema, check: _Checker) -> None:
    """Finite where one compares, an index where it looks up, NaN elsewhere."""
    compares = own.kind != NodeKind.SUBSET
    threshold = own.threshold
    check.refuse(
        compares & ~np.isfinite(threshold), "threshold must be finite", threshold
    )
    check.refuse(~compares & ~np.isnan(threshold), "threshold must be NaN", threshold)
    n_cuts = np.asarray([_n_cuts(each) for each in schema.features])[own.feature]
    index = np.where(compares & (n_cuts >= 0), threshold, 0.0)
    bad = (index != np.floor(index)) | (index < 0) | (index >= np.maximum(n_cuts, 1))
    bad |= compares & (n_cuts == 0)
    check.refuse(bad, "threshold must be the number of a cut", threshold)


def _check_sets(own: Surrogates, schema: Schema, check: _Checker) -> None:
    """Codes only where sets are asked about: ascending, known, with a branch each."""
    size = np.diff(own.set_start)
    subset = own.kind == NodeKind.SUBSET
    check.refuse(~subset & (size > 0), "only a subset question has a set", size)
    check.refuse(subset & (size == 0), "a subset question needs a set", size)
    which = np.repeat(np.arange(len(own)), size)
    n_values = np.asarray([len(each.categories) for each in schema.features])
    codes = own.set_codes
    bad = (codes < 0) | (codes >= n_values[own.feature[which]])
    bad[1:] |= (which[1:] == which[:-1]) & (codes[1:] <= codes[:-1])
    bad |= (own.set_branch < 0) | (own.set_branch > 1)
    flags = np.zeros(len(own), np.bool_)
    flags[which[bad]] = True
    check.refuse(
        flags, "set codes must be ascending codes with a branch 0 or 1", own.feature
    )
