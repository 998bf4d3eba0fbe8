"""Combinations: a node that asks about a weighted sum of a few numeric features.

The terms stand in the node's stretch of `Tree.set_codes`, three integers for each: the
feature, and the two halves of the weight's 64 bits, the lower one first. So whatever
carries sets along carries them too. Terms are added up in this order wherever that is
done, one product after the other, so that every sum has the same bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treewright.tree.structure.node_kind import NodeKind
from treewright.tree.structure.tree import Tree

PER_TERM = 3  # integers


@dataclass(frozen=True, eq=False)
class Terms:
    """What is added up: weight times feature, each of the node beside it."""

    node: npt.NDArray[np.int64]
    feature: npt.NDArray[np.int32]
    weight: npt.NDArray[np.float64]


def is_combination(tree: Tree) -> npt.NDArray[np.bool_]:
    """Whether each node asks about a weighted sum."""
    return np.asarray(tree.kind == NodeKind.COMBINATION)


def terms_of(tree: Tree) -> Terms:
    """Return the terms of all combinations of a tree, node after node."""
    owner = np.repeat(np.arange(tree.node_count), np.diff(tree.set_start))
    own = is_combination(tree)[owner]
    feature, weight = _decoded(tree.set_codes[own])
    return Terms(owner[own][::PER_TERM], feature, weight)


def terms_at(tree: Tree, node: int) -> list[tuple[int, float]]:
    """Return the features of a node's combination and their weights."""
    feature, weight = _decoded(tree.subset(node))
    return list(zip(feature.tolist(), weight.tolist(), strict=True))


def sum_of_terms(tree: Tree, node: int, row: Sequence[float]) -> float:
    """Return the sum that a node asks about; NaN if a value is missing."""
    total = 0.0
    for feature, weight in terms_at(tree, node):
        total += weight * row[feature]
    return total


def _decoded(
    codes: npt.NDArray[np.int32],
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]:
    parts = codes[: len(codes) // PER_TERM * PER_TERM].reshape(-1, PER_TERM)
    low, high = (parts[:, half].astype(np.uint32).astype(np.uint64) for half in (1, 2))
    return parts[:, 0], (high << np.uint64(32) | low).view(np.float64)
