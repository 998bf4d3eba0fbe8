"""A forest in figures: it is too large to be read tree by tree."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from treewright.render.words import display_width, pad, short_number, visible
from treewright.tree.importance import mean_gained_shares
from treewright.tree.model import Model

MOST_FEATURES = 20
_BAR = 30  # signs for a share of 1


def forest_lines(model: Model, *, ascii: bool = False) -> Iterator[str]:
    """Yield the size of a forest's trees, and which features count in them."""
    trees = model.trees
    nodes = np.array([tree.node_count for tree in trees])
    leaves = np.array([tree.n_leaves for tree in trees])
    depths = np.array([tree.depth for tree in trees])
    whose = model.settings.get("dialect", model.learner)
    target = model.schema.target
    names = ", ".join(target.names)
    how = "their mean share" if target.kind == "classes" else "their mean"
    if model.voting.is_by_class:
        how = "the class with the most votes"
    if model.voting.kind == "confidence":
        how += ", by confidence"
    count = f"{len(trees):,} tree{'s' if len(trees) > 1 else ''}"
    yield f"{count} of {whose} for {names}; the answer is {how}"
    yield f"  nodes   {_spread(nodes)}, {int(nodes.sum()):,} in all"
    yield f"  leaves  {_spread(leaves)}"
    yield f"  depth   {_spread(depths)}"
    if model.voting.weights is not None:
        yield f"  votes   {_votes(model.voting.weights)}"
    yield ""
    yield "share of what the splits gain"
    yield from _share_lines(model, ascii=ascii)


def _votes(weights: tuple[float, ...]) -> str:
    low, high = short_number(min(weights)), short_number(max(weights))
    return low if low == high else f"{low} to {high}"


def _spread(values: np.ndarray[tuple[int], np.dtype[np.int64]]) -> str:
    low, high = int(values.min()), int(values.max())
    if low == high:
        return f"{low:,}"
    return f"{low:,} to {high:,}, mean {float(values.mean()):,.1f}"


def _share_lines(model: Model, *, ascii: bool) -> Iterator[str]:
    votes = model.voting.weights
    weights = None if votes is None else np.array(votes)
    shares = mean_gained_shares(model.trees, len(model.schema.features), weights)
    order = np.argsort(-shares, kind="stable")[:MOST_FEATURES].tolist()
    names = {index: visible(model.schema.names[index], ascii=ascii) for index in order}
    width = max(map(display_width, names.values()), default=0)
    sign = "#" if ascii else "█"
    for index in order:
        bar = sign * round(_BAR * float(shares[index]))
        line = f"  {pad(names[index], width)}  {100 * shares[index]:5.1f} %  {bar}"
        yield line.rstrip()
    if len(shares) > len(order):
        yield f"  and {len(shares) - len(order):,} more features"
