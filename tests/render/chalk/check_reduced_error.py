"""Reduced-error pruning, both orders, from the held-out errors of each node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intervals import Interval, total
from pruned_tree import PrunedTree

if TYPE_CHECKING:
    from check_pruning import Judged, Stage


def check_reduced_error(stage: Stage, tree: PrunedTree) -> None:
    if not stage.is_whole:
        return
    assert {*stage.held_out} == {*tree.below(0, itself=True)}
    if "best cut first" in stage.settings:
        _check_best_first(stage, tree)
    else:
        _check_bottom_up(stage, tree)


def _below(stage: Stage, tree: PrunedTree, node: int) -> Interval:
    """Errors of a subtree: at its leaves, and of rows that stop on the way."""
    found = []
    for one in tree.below(node, itself=True):
        as_leaf, stopped = stage.held_out[one]
        found.append(stopped if tree.branches[one] else as_leaf)
    return total(found)


def _same(one: Judged, title: str, value: Interval) -> None:
    assert value.meets(one.of[title]), f"{one}, {title}: {value}"


def _check_bottom_up(stage: Stage, tree: PrunedTree) -> None:
    assert [one.node for one in stage.judged] == tree.inner()[::-1]
    for one in stage.judged:
        as_leaf, _ = stage.held_out[one.node]
        as_tree = _below(stage, tree, one.node)
        _same(one, "as leaf", as_leaf)
        _same(one, "as tree", as_tree)
        if not as_leaf.meets(as_tree) or as_leaf == as_tree:
            wanted = "leaf" if as_leaf.low <= as_tree.low else "kept"
            assert one.decision == wanted, one
        if one.decision == "leaf":
            tree.cut([one.node])


def _check_best_first(stage: Stage, tree: PrunedTree) -> None:
    """Each cut is the best there is; of the trees on the way the best is taken."""
    errors = [_below(stage, tree, 0)]
    branches = dict(tree.branches)
    for one in stage.judged:
        gains = {
            node: _below(stage, tree, node) - stage.held_out[node][0]
            for node in tree.inner()
        }
        most = max(gain.low for gain in gains.values())
        ties = [node for node in gains if gains[node].high >= most - 1e-9]
        assert one.node in ties, one
        if all(gains[node] == gains[ties[0]] for node in ties):  # nothing is hidden
            fewest = min(ties, key=lambda node: (len(tree.leaves(node)), node))
            assert one.node == fewest, (one, ties)
        _same(one, "as leaf", stage.held_out[one.node][0])
        _same(one, "as tree", _below(stage, tree, one.node))
        tree.cut([one.node])
        errors.append(_below(stage, tree, 0))
        _same(one, "whole tree", errors[-1])
    assert not tree.inner()
    cuts = [one.node for one in stage.judged if one.decision == "leaf"]
    assert [one.node for one in stage.judged[: len(cuts)]] == cuts
    least = min(one.high for one in errors)
    assert errors[len(cuts)].low <= least + 1e-9
    assert all(one.high >= least - 1e-9 for one in errors[len(cuts) + 1 :])
    if all(one.low == one.high for one in errors):
        assert all(one.low > least for one in errors[len(cuts) + 1 :])
    tree.branches = branches
    tree.cut(cuts)
