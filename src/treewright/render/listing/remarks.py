"""What a reader of a tree must know besides its nodes, in sentences.

Where rows without a value go, what wrong answers cost, how probabilities are made: only
what is not as everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from treewright.data.schema import Target
from treewright.render.fitting.safe_text import short_number, weight_text
from treewright.tree.model import DISTILLED_FROM, Model
from treewright.tree.structure.branch_words import label_text
from treewright.tree.structure.tree import EVERY_BRANCH, NodeKind, Tree

EVERY_BRANCH_WORDS = "missing values: all branches, in shares"
SURROGATE_WORDS = (
    "if missing: the first of these with a known value decides, for the first branch "
    "if it holds, else for the second"
)
_MOST_COSTS = 6


def weight_words(model: Model, tree: Tree) -> str:
    """Say what class weights are if they are not numbers of rows; else nothing."""
    if model.schema.target.kind == "numbers" or np.array_equal(
        tree.weight, tree.n_rows
    ):
        return ""
    root = tree.class_weights()[0]
    whole = np.array_equal(root, np.rint(root)) and tree.weight[0] == tree.n_rows[0]
    is_boosted = "learning_rate" in model.settings  # the weights of its round
    if whole and not is_boosted and model.settings.get("class_weight") is None:
        return "in shares of rows"
    return "by weight"


def remarks(model: Model, tree: Tree) -> Iterator[str]:
    """Yield the sentences that hold for a tree of a model."""
    if DISTILLED_FROM in model.settings:
        yield (
            "rows and errors are of rows that were made for this tree, with the "
            "answers of a forest; its error on real rows is larger"
        )
    if weight_words(model, tree) == "by weight":
        total = weight_text(float(tree.weight[0]))
        yield f"class columns and errors are sums of row weights ({total} in all)"
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


def root_cost(target: Target, tree: Tree) -> float:
    """Return what the best answer for all training rows costs."""
    costs = np.asarray(target.costs)[:, tree.label[0, 0]]
    return float(tree.class_weights()[0] @ costs)


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
