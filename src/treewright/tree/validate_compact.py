"""Validation of what compact trees have of their own: lengths, and answers."""

from __future__ import annotations

import numpy as np

from treewright.data.schema import Target
from treewright.errors import ModelFileError
from treewright.tree.compact_tree import CompactTree, can_end
from treewright.tree.tree import EVERY_BRANCH, NO_CLASS, NodeKind
from treewright.tree.validate_groups import Checker


def check_compact_arrays(tree: CompactTree, target: Target, number: int) -> None:
    """Refuse arrays of the wrong lengths, and numbers that are out of range."""
    n_nodes = len(tree.arrays["kind"])
    if not 1 <= n_nodes < 2**31:
        raise ModelFileError(f"tree {number}: {n_nodes} nodes; at least 1 is needed")
    for name, array in tree.arrays.items():
        is_whole = array.dtype.kind == "i"
        if (
            is_whole
            and len(array)
            and not -(2**31) <= array.min() <= array.max() < 2**31
        ):
            raise ModelFileError(f"tree {number}: {name} must fit into 32 bits")
        if name != "set_codes" and len(array) != n_nodes:
            raise ModelFileError(
                f"tree {number}: {name} must have {n_nodes} entries, found {len(array)}"
            )
    classes = target.kind == "classes"
    n_slots = sum(map(len, target.classes)) if classes else target.n_outputs
    widths = {"answers": n_slots, "labels": target.n_outputs * classes}
    for name, width in widths.items():
        shape = getattr(tree, name).shape
        if len(shape) != 2 or shape[1] != width:
            raise ModelFileError(
                f"tree {number}: {name} must have {width} columns, found {shape}"
            )
    divides = (tree.missing_branch == EVERY_BRANCH).any()
    if divides and "weight" not in tree.arrays:
        raise ModelFileError(f"tree {number}: a node divides rows, without weights")


def check_compact_answers(tree: CompactTree, target: Target, check: Checker) -> None:
    """Refuse nodes that lack an answer where a walk can end, and wrong answers."""
    place = tree.arrays["place"]
    n_answers = len(tree.answers)
    outside = (place < -1) | (place >= n_answers) | (can_end(tree) & (place < 0))
    check.refuse(outside, f"place must be one of {n_answers} answers", place)
    if "weight" in tree.arrays:
        weight = tree.weight
        bad = ~np.isfinite(weight) | (weight < 0)
        check.refuse(bad, "weight must be finite and not negative", weight)
    used = np.maximum(place, 0)
    finite = np.asarray(np.isfinite(tree.answers).all(axis=1))
    check.refuse((place >= 0) & ~finite[used], "every answer must be finite", place)
    if target.kind != "classes":
        return
    negative = np.asarray((tree.answers < 0).any(axis=1))
    check.refuse((place >= 0) & negative[used], "shares must not be negative", place)
    sizes = np.asarray([len(labels) for labels in target.classes])
    none = (tree.labels == NO_CLASS).all(axis=1) & ~tree.answers.any(axis=1)
    wrong = ((tree.labels < 0) | (tree.labels >= sizes)).any(axis=1) & ~none
    check.refuse(
        (place >= 0) & wrong[used], f"labels must be codes below {sizes}", place
    )
    inner = tree.kind != NodeKind.LEAF
    silent = (place >= 0) & none[used] & inner
    check.refuse(silent, "only a leaf gives no class", place)
