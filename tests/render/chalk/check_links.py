"""Weakest links: cost-complexity pruning, Breiman's and rpart's, and global pruning."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

from check_rows import standard_error
from intervals import Interval, exact, total
from pruned_tree import PrunedTree

if TYPE_CHECKING:
    from check_pruning import Judged, Stage

ONE = exact(1.0)


def _middle(one: Interval) -> float:
    return (one.low + one.high) / 2


def _same(one: Judged, title: str, value: Interval) -> None:
    assert value.meets(one.of[title]), f"{one}, {title}: {value}"


def _check_own(one: Judged) -> None:
    """alpha = (risk as a leaf - risk of the branches) / (leaves - 1)."""
    gained = one.of["risk as leaf"] - one.of["risk of branches"]
    _same(one, "own alpha", gained / (one.of["leaves"] - ONE))


def _check_alphas(stage: Stage, tree: PrunedTree, floor: Interval | None) -> None:
    """No node goes after its parent; the weakest link comes first."""
    found = {one.node: one for one in stage.judged}
    for one in stage.judged:
        above = [
            found[node].of["alpha"]
            for node in found
            if node != one.node and one.node in tree.below(node)
        ]
        own = one.of.get("own alpha", floor)
        if floor is not None:
            own = Interval(max(own.low, floor.low), max(own.high, floor.high))
        ends = [*above, own]
        least = Interval(min(e.low for e in ends), min(e.high for e in ends))
        _same(one, "alpha", least)
    alphas = [one.of["alpha"] for one in stage.judged]
    for one, after in pairwise(alphas):
        assert one.low <= after.high, stage.rule


def check_cost_complexity(stage: Stage, tree: PrunedTree) -> None:
    alpha = stage.setting("alpha")
    risks = {node: _risk(stage, tree, node) for node in tree.below(0, itself=True)}
    for one in stage.judged:
        if risks[one.node] is not None:
            _same(one, "risk as leaf", risks[one.node])
    if stage.is_whole and None not in risks.values():
        if "alphas as rpart finds them" in stage.settings:
            _check_one_pass(stage, tree, risks, alpha)
        else:
            _check_frontiers(stage, tree, risks)
            _check_alphas(stage, tree, None)
    for one in stage.judged:
        if not one.of["alpha"].meets(alpha):
            wanted = "leaf" if one.of["alpha"].low < alpha.low else "kept"
            assert one.decision == wanted, one
        elif one.of["alpha"] == alpha:
            assert one.decision == "leaf", one
    tree.cut([one.node for one in stage.judged if one.decision == "leaf"])


def _risk(stage: Stage, tree: PrunedTree, node: int) -> Interval | None:
    """Per row of the whole table: wrong rows, or what the measure says."""
    one, whole = tree.nodes[node], tree.nodes[0].rows.weight
    if one.n_rows == 0:
        return exact(0.0)
    if "risk: impurity" in stage.settings:
        return one.rows.weight * one.rows.spread / whole
    if len(one.rows.counts) != 1:
        return None
    return tree.wrong(node) / whole


def _frontier(
    tree: PrunedTree, node: int, alpha: Interval, alphas, risks, *, loose: bool
) -> tuple[Interval, int]:
    """Risk and leaves of the subtree under a node in which weaker links are cut."""
    risk, n_leaves = exact(0.0), 0
    stack = list(tree.branches[node])
    while stack:
        one = stack.pop()
        own = alphas.get(one)
        cut = own is None or (own.low <= alpha.high if loose else own.high < alpha.low)
        if cut or not tree.branches[one]:
            risk, n_leaves = risk + risks[one], n_leaves + 1
        else:
            stack += tree.branches[one]
    return risk, n_leaves


def _check_frontiers(stage: Stage, tree: PrunedTree, risks) -> None:
    """The risk of the branches, with those nodes cut that are weaker links."""
    assert {one.node for one in stage.judged} == {*tree.inner()}
    alphas = {one.node: one.of["own alpha"] for one in stage.judged}
    for one in stage.judged:
        _check_own(one)
        alpha = one.of["own alpha"]
        found = [
            _frontier(tree, one.node, alpha, alphas, risks, loose=loose)
            for loose in (False, True)
        ]
        (risk, most), (other, fewest) = found
        assert fewest <= one.of["leaves"].low <= most, (one, found)
        # nodes that go at the same alpha cost as much before and after
        n = one.of["leaves"]
        cost = one.of["risk of branches"] + alpha * n
        if n.low in (most, fewest):
            _same(one, "risk of branches", risk if n.low == most else other)
        else:
            costs = [risk + alpha * exact(most), other + alpha * exact(fewest)]
            assert any(cost.meets(each) for each in costs), (one, found)


def _check_one_pass(stage: Stage, tree: PrunedTree, risks, floor: Interval) -> None:
    """rpart's one walk, from the risks of the nodes and the order of the branches."""
    walk = _OnePass(tree, {node: _middle(one) for node, one in risks.items()}, floor)
    walk.run()
    for one in stage.judged:
        if "own alpha" in one.of:
            _check_own(one)
        if walk.doubtful:  # a comparison that rounding decides
            continue
        if "bound" in one.of:
            _same(one, "bound", _about(walk.refused[one.node]))
        else:
            below, n_leaves = walk.judged[one.node]
            _same(one, "risk of branches", _about(below))
            _same(one, "leaves", exact(float(n_leaves)))
    if not walk.doubtful:
        assert {one.node for one in stage.judged} == {*walk.judged, *walk.refused}
    _check_alphas(stage, tree, floor)


def _about(value: float) -> Interval:
    return Interval(value - 1e-12, value + 1e-12)


class _OnePass:
    """The walk of rpart's `partition`, written down again as recursion."""

    def __init__(self, tree: PrunedTree, risk: dict[int, float], floor) -> None:
        self.tree, self.risk, self.floor = tree, risk, _middle(floor)
        self.judged: dict[int, tuple[float, int]] = {}
        self.refused: dict[int, float] = {}
        self.alpha: dict[int, float] = {}
        self.kept: dict[int, tuple[float, int]] = {}  # risk and splits of a subtree
        self.doubtful = False

    def run(self) -> None:
        self._visit(0, self.risk[0])

    def _more(self, one: float, other: float) -> bool:
        if one != other and abs(one - other) < 1e-3 * max(abs(one), abs(other), 1e-9):
            self.doubtful = True
        if abs(one - other) < 1e-12:  # which side of equal floats is rpart's affair
            self.doubtful = self.doubtful or one != other
        return one > other

    def _order(self, node: int) -> float:
        rows = self.tree.nodes[node].rows
        if rows.middles:
            return _middle(rows.middles[0])
        counts = [_middle(one) for one in rows.counts[0]]
        return sum(k * one for k, one in enumerate(counts)) / max(sum(counts), 1e-300)

    def _visit(self, node: int, bound: float) -> None:
        self.alpha[node], self.kept[node] = self.floor, (self.risk[node], 0)
        bound = min(bound, self.risk[node])
        if not self.tree.branches[node]:
            return
        if not self._more(bound, self.floor):
            self.refused[node] = bound
            return
        one, other = self.tree.branches[node]
        left, right = (
            (one, other) if self._order(one) < self._order(other) else (other, one)
        )
        self._visit(left, bound - self.floor)
        below, n_splits = self.kept[left]
        so_far = (self.risk[node] - below) / (n_splits + 1)
        most = max(so_far, self.risk[node] - self.risk[left])
        self._visit(right, min(most, bound) - self.floor)
        self._judge(node, left, right)

    def _judge(self, node: int, left: int, right: int) -> None:
        first, second = left, right
        if not self._more(self.alpha[second], self.alpha[first]):
            first, second = second, first
        collapsed: list[int] = []
        for branch in (first, second):
            if self._more(self._worth(node, collapsed), self.alpha[branch]):
                collapsed.append(branch)
            else:
                break
        below, n_splits = self._subtree(node, collapsed)
        self.judged[node] = below, n_splits + 1
        worth = self._worth(node, collapsed)
        if self._more(worth, self.floor):
            self.alpha[node], self.kept[node] = worth, (below, n_splits)

    def _worth(self, node: int, collapsed: list[int]) -> float:
        below, n_splits = self._subtree(node, collapsed)
        return (self.risk[node] - below) / n_splits

    def _subtree(self, node: int, collapsed: list[int]) -> tuple[float, int]:
        below, n_splits = 0.0, 1
        for branch in self.tree.branches[node]:
            risk, splits = self.kept[branch]
            below += self.risk[branch] if branch in collapsed else risk
            n_splits += 0 if branch in collapsed else splits
        return below, n_splits


def check_global(stage: Stage, tree: PrunedTree) -> None:
    """Weakest links by training errors, within a standard error of the whole tree."""
    errors, limit = stage.setting("errors"), stage.setting("limit")
    whole = tree.nodes[0].rows.weight
    assert (errors + standard_error(errors, whole)).meets(limit), stage.settings
    if not stage.is_whole or not stage.judged:
        return
    assert {one.node for one in stage.judged} == {*tree.inner()}
    own = {one.node: one.of["own alpha"] for one in stage.judged}
    risks = {one.node: one.of["risk as leaf"] for one in stage.judged}
    for one in stage.judged:
        _check_own(one)
        if not tree.has_raised:
            _same(one, "risk as leaf", tree.wrong(one.node))
    _check_alphas(stage, tree, None)
    leaves = _errors_at_leaves(stage, tree, own, risks)
    assert total([*leaves.values()]).meets(errors), (leaves, errors)
    _check_reached(stage, tree, leaves, risks, limit)


def _errors_at_leaves(
    stage: Stage, tree: PrunedTree, own, risks
) -> dict[int, Interval]:
    """Errors of the leaves right under each node, which its risk of branches has."""
    found: dict[int, Interval] = {}
    judged = {one.node: one for one in stage.judged}
    for node in tree.inner()[::-1]:
        alpha, rest = own[node], exact(0.0)
        inner = [one for one in tree.branches[node] if tree.branches[one]]
        while inner:
            one = inner.pop()
            if _middle(own[one]) <= _middle(alpha):
                rest = rest + risks[one]
            else:
                rest = rest + found[one]
                inner += [each for each in tree.branches[one] if tree.branches[each]]
        found[node] = judged[node].of["risk of branches"] - rest
        if not tree.has_raised:
            own_leaves = [one for one in tree.branches[node] if not tree.branches[one]]
            mine = total([tree.wrong(leaf) for leaf in own_leaves])
            # a link of the same alpha may count as cut or not, at the same cost
            ties = [one for one in tree.inner_below(node) if own[one].meets(alpha)]
            assert ties or mine.meets(found[node]), (judged[node], mine)
            found[node] = mine
    return found


def _check_reached(stage: Stage, tree: PrunedTree, leaves, risks, limit) -> None:
    """Errors after the cuts are within the limit; with the next ones they are not."""
    cut = {one.node for one in stage.judged if one.decision == "leaf"}
    kept = [one for one in stage.judged if one.decision == "kept"]
    for one in stage.judged:
        if one.decision == "leaf":
            assert all(one.of["alpha"].low <= each.of["alpha"].high for each in kept), (
                one
            )
    if tree.has_raised and _has_ties(stage):
        tree.cut([*cut])
        return
    assert _errors(tree, cut, leaves, risks).low <= limit.high + 1e-9, stage.settings
    if kept:
        least = min(one.of["alpha"].low for one in kept)
        highest = min(one.of["alpha"].high for one in kept)
        more = cut | {one.node for one in kept if one.of["alpha"].low <= highest}
        assert math.isfinite(least)
        assert _errors(tree, more, leaves, risks).high > limit.low - 1e-9, (
            stage.settings
        )
    tree.cut([*cut])


def _has_ties(stage: Stage) -> bool:
    alphas = [one.of["own alpha"] for one in stage.judged]
    return any(one.meets(other) for k, one in enumerate(alphas) for other in alphas[:k])


def _errors(tree: PrunedTree, cut: set[int], leaves, risks) -> Interval:
    if 0 in cut:
        return risks[0]
    found, stack = [], [0]
    while stack:
        node = stack.pop()
        found.append(leaves[node])
        for one in tree.branches[node]:
            if one in cut:
                found.append(risks[one])
            elif tree.branches[one]:
                stack.append(one)
    return total(found)
