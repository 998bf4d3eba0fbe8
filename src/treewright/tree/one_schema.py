"""Trees that were grown one after the other from one table, under one schema.

Where numbers are wide (dates, large whole numbers), a tree's thresholds are places in
its schema's table of cuts, and each tree came with a table of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.schema import Feature, Schema
from treewright.tree.tree import NodeKind, Tree


def in_one_schema(
    grown: Sequence[tuple[Schema, Tree]],
) -> tuple[Schema, tuple[Tree, ...]]:
    """Return the schema with the cuts of all trees, and the trees that read it."""
    first = grown[0][0]
    trees = [tree for _, tree in grown]
    features = list(first.features)
    for index, feature in enumerate(first.features):
        if not feature.is_wide:
            continue
        own = [_cuts(schema.features[index]) for schema, _ in grown]
        cuts = np.unique(np.concatenate(own))
        features[index] = replace(feature, cuts=cuts)
        places = [np.searchsorted(cuts, each) for each in own]
        trees = [
            _moved(tree, index, place)
            for tree, place in zip(trees, places, strict=True)
        ]
    return replace(first, features=tuple(features)), tuple(trees)


def _cuts(feature: Feature) -> npt.NDArray[Any]:
    assert feature.cuts is not None
    return feature.cuts


def _moved(tree: Tree, index: int, places: npt.NDArray[np.intp]) -> Tree:
    """The tree with each cut of a feature at its new place."""
    surrogates = tree.surrogates
    return replace(
        tree,
        threshold=_new_places(tree, index, places),
        surrogates=replace(
            surrogates, threshold=_new_places(surrogates, index, places)
        ),
    )


def _new_places(
    asked: Any, index: int, places: npt.NDArray[np.intp]
) -> npt.NDArray[np.float64]:
    cut = (asked.feature == index) & (asked.kind == NodeKind.CUT)
    threshold: npt.NDArray[np.float64] = asked.threshold.copy()
    threshold[cut] = places[threshold[cut].astype(np.intp)]
    return threshold
