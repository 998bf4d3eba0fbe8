"""A model of texts without the words that no tree asks about.

Training looks at every word of its texts, and a tree asks about few of them: a file
needs no others.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from treewright.tree.model import Model
from treewright.tree.structure.tree import NodeKind, Tree


def only_asked_words(model: Model) -> Model:
    """Return the model without the features of words that it never asks about."""
    features = model.schema.features
    if model.measures is not None or not any(feature.word for feature in features):
        return model  # measures are of all features
    kept = np.array([feature.word is None for feature in features])
    for tree in model.trees:
        if len(tree.surrogates.feature) or (tree.kind == NodeKind.COMBINATION).any():
            return model
        kept[tree.feature[tree.kind != NodeKind.LEAF]] = True
    if not any(kept[k] and feature.word for k, feature in enumerate(features)):
        kept[next(k for k, feature in enumerate(features) if feature.word)] = True
    number = np.cumsum(kept) - 1
    schema = replace(
        model.schema,
        features=tuple(f for f, keep in zip(features, kept, strict=True) if keep),
    )
    trees = tuple(_renumbered(tree, number) for tree in model.trees)
    return replace(model, schema=schema, trees=trees)


def _renumbered(tree: Tree, number: npt.NDArray[np.intp]) -> Tree:
    asks = tree.kind != NodeKind.LEAF
    feature = tree.feature.copy()
    feature[asks] = number[tree.feature[asks]]
    return replace(tree, feature=feature)
