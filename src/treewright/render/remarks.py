"""What a reader of a tree must know besides its nodes, in sentences.

Where rows without a value go, what wrong answers cost, how probabilities are made: only
what is not as everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from treewright.data.schema import Target
from treewright.render.words import short_number
from treewright.tree.condition import label_text
from treewright.tree.model import Model
from treewright.tree.tree import EVERY_BRANCH, NodeKind, Tree

EVERY_BRANCH_WORDS = "missing values: all branches, in shares"
SURROGATE_WORDS = (
    "if missing: the first of these with a known value decides, for the first branch "
    "if it holds, else for the second"
)
_MOST_COSTS = 6


def remarks(model: Model, tree: Tree) -> Iterator[str]:
    """Yield the sentences that hold for a tree of a model."""
    if len(tree.surrogates):
        yield SURROGATE_WORDS
    if (tree.missing_branch == EVERY_BRANCH).any():
        yield EVERY_BRANCH_WORDS
    if model.schema.target.costs is not None:
        yield _cost_words(model.schema.target, tree)
    if model.smoothing.kind == "laplace":
        yield "probabilities: Laplace, (weight + 1) / (total + classes)"
    if model.smoothing.kind == "m_estimate":
        m = short_number(model.smoothing.prior_weight)
        yield (
            f"probabilities: m-estimate, (weight + {m} x the root's share) / "
            f"(total + {m})"
        )


def training_cost(target: Target, tree: Tree) -> float:
    """Return what the leaves' answers cost on the training rows."""
    assert target.costs is not None
    leaf = tree.kind == NodeKind.LEAF
    costs = np.asarray(target.costs)[:, tree.label[leaf, 0]]
    return float((tree.class_weights()[leaf].T * costs).sum())


def _cost_words(target: Target, tree: Tree) -> str:
    """The costs, and what the answers cost in training."""
    assert target.costs is not None
    names = [label_text(label) for label in target.classes[0]]
    pairs = [
        f"{actual} as {predicted} {short_number(cost)}"
        for actual, row in zip(names, target.costs, strict=True)
        for predicted, cost in zip(names, row, strict=True)
        if cost > 0
    ]
    more = len(pairs) - _MOST_COSTS
    shown = ", ".join(pairs[:_MOST_COSTS]) + (f" and {more} more" if more > 0 else "")
    total = short_number(training_cost(target, tree))
    return f"costs: {shown}; the least expected cost decides, in training {total}"
