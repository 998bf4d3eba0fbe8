"""Error-based pruning: Quinlan's estimate of every leaf, their sums, the decisions."""

from __future__ import annotations

import math
import re
from itertools import pairwise
from statistics import NormalDist
from typing import TYPE_CHECKING

from intervals import Interval, exact, number, total, weight
from pruned_tree import PrunedTree

if TYPE_CHECKING:
    from check_pruning import Judged, Stage

# C4.5's table: confidence against the quantile of the normal distribution
_TABLE = ((0.0, 4.0), (0.001, 3.09), (0.005, 2.58), (0.01, 2.33), (0.05, 1.65),
          (0.1, 1.28), (0.2, 0.84), (0.4, 0.25), (1.0, 0.0))  # fmt: skip


def check_error_based(stage: Stage, tree: PrunedTree) -> None:
    _check_quantile(stage)
    _check_added(stage)
    _check_formulas(stage)
    pools = any(name.startswith("branches below") for name in stage.settings)
    now: dict[int, Interval | None] = {}  # estimates of subtrees; None: not known
    for node in tree.below(0, itself=True):
        now[node] = _of_node(stage, tree, node)
    for one in stage.judged:
        _check_decision(stage, one)
        if one.again or tree.has_raised or pools:
            now[one.node] = None
        branches = [now[branch] for branch in tree.branches[one.node]]
        as_leaf = now[one.node]
        if as_leaf is not None:
            assert as_leaf.meets(one.of["as leaf"]), (one, as_leaf)
        as_tree = one.of["as tree"]
        if None not in branches and not pools:
            mine = total(branches)
            assert mine.meets(as_tree), (one, mine)
            as_tree = mine
        if one.decision == "raised":
            tree.raise_branch(one.node, one.branch)
            for below in tree.below(one.node, itself=True):
                now[below] = None
        elif one.decision == "leaf":
            tree.cut([one.node])
        elif as_leaf is not None:
            now[one.node] = as_tree


def _check_quantile(stage: Stage) -> None:
    """The quantile of the normal distribution, exact or from the table."""
    confidence = float(stage.settings["confidence"])
    value = NormalDist().inv_cdf(1 - confidence)
    if "from C4.5's table" in stage.settings:
        for (low, one), (high, other) in pairwise(_TABLE):
            if low <= confidence <= high:
                value = one + (other - one) * (confidence - low) / (high - low)
    assert exact(value).meets(stage.setting("quantile")), stage.settings


def _of_node(stage: Stage, tree: PrunedTree, node: int) -> Interval | None:
    """E + U(N, E) of a node as its step has it."""
    if tree.has_raised:
        return None
    rows = tree.nodes[node].rows
    if tree.nodes[node].n_rows == 0:
        return exact(0.0)
    errors = tree.wrong(node)
    return errors + _added(rows.weight, errors, stage)


def _added(size: Interval, errors: Interval, stage: Stage) -> Interval:
    """U(N, E) of all that the printed numbers stand for: it is found at a corner."""
    confidence = float(stage.settings["confidence"])
    quantile = stage.setting("quantile")
    found = [
        _added_to(n, max(e, 0.0), confidence, z, stage)
        for n in (size.low, size.high)
        for e in (errors.low, errors.high)
        for z in (quantile.low, quantile.high)
    ]
    return Interval(min(found), max(found))


def _added_to(n: float, e: float, confidence: float, z: float, stage: Stage) -> float:
    """Exact for no errors, else by the normal; between 0 and 1 on the line."""
    share = 0.67 if "nearly all wrong: 0.67 of the rest" in stage.settings else 1.0
    none = n * (1 - confidence ** (1 / n)) if n > 0 else 0.0
    if e < 1:
        if e < 1e-9:
            return none
        one = share * max(n - 1, 0.0) if n <= 1.5 else _limit(n, 1.0, z)
        return none + e * (one - none)
    if e + 0.5 >= n:
        return share * max(n - e, 0.0)
    return _limit(n, e, z)


def _limit(n: float, e: float, z: float) -> float:
    seen, square = e + 0.5, z * z
    root = z * math.sqrt(seen * (1 - seen / n) + square / 4)
    return n * (seen + square / 2 + root) / (n + square) - e


def _check_added(stage: Stage) -> None:
    """Every U(N, E) of the table, and every leaf of a formula is in it."""
    rows = [
        row for one in stage.part.tables if one.titles[0] == "N" for row in one.rows
    ]
    for row in rows:
        size, errors = (weight(row.cells[k][0]) for k in (0, 1))
        value = _added(size, errors, stage)
        # the limit jumps where nearly all is wrong: a rounded number says nothing
        if (errors + exact(0.5)).meets(size) or (errors.low < 1 < errors.high):
            continue
        assert value.meets(number(row.cells[2][0])), (row, value)
    pairs = {(row.cells[1][0], row.cells[2][0]) for row in rows}
    for formula in stage.part.formulas:
        if "sum over" not in formula.label:
            left = formula.text.rpartition(" = ")[0]
            for pair in re.findall(r"([\d.e+-]+) \+ ([\d.]+)(?=\)|$)", left):
                assert pair in pairs, formula


def _check_formulas(stage: Stage) -> None:
    """What is written out under a node is what its row says."""
    rounds: dict[tuple[str, str], int] = {}
    for formula in stage.part.formulas:
        title = formula.label.partition(",")[0]
        key = formula.about, title
        judged = [one for one in stage.judged if f"node {one.node}" == formula.about]
        one = judged[rounds.get(key, 0)]
        rounds[key] = rounds.get(key, 0) + 1
        assert formula.text.rpartition(" = ")[2] == one.text[title], (formula, one)


def _check_decision(stage: Stage, one: Judged) -> None:
    """The leaf if not worse than both, else the branch if not worse than the tree."""
    slack = stage.setting("slack")
    nothing = exact(math.inf)
    tree, branch = one.of["as tree"], one.of.get("as largest branch", nothing)
    leaf = one.of["as leaf"]
    may = set()
    if leaf.low <= (tree + slack).high and leaf.low <= (branch + slack).high:
        may.add("leaf")
    leaf_may_lose = leaf.high >= (tree + slack).low or leaf.high >= (branch + slack).low
    if leaf_may_lose and branch.low <= (tree + slack).high:
        may.add("raised")
    if leaf_may_lose and branch.high >= (tree + slack).low:
        may.add("kept")
    assert one.decision in may, (one, may)
