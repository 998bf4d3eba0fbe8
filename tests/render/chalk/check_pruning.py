"""The checker of pruning: every number, and every decision, of every rule."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from check_error_based import check_error_based
from check_links import check_cost_complexity, check_global
from check_reduced_error import check_reduced_error
from check_rows import chi_square, chi_square_tail, standard_error
from check_tree import Node, read_tree
from checker import Expected
from intervals import Interval, exact, number, results_with, total, weight
from printed import PrintedPart, PrintedRow
from pruned_tree import PrunedTree

HALF = exact(0.5)


@dataclass
class Judged:
    """A row of a rule's table."""

    node: int
    again: bool
    of: dict[str, Interval]  # the numbers by the titles of their columns
    text: dict[str, str]
    decision: str
    branch: int | None  # that takes its place


@dataclass
class Stage:
    """What one rule has printed."""

    rule: str
    settings: dict[str, str]
    judged: list[Judged]
    part: PrintedPart
    nodes: dict[int, Node]
    is_whole: bool  # every judgement is shown
    held_out: dict[int, tuple[Interval, Interval]] = field(default_factory=dict)

    def setting(self, name: str) -> Interval:
        """A setting, which has six digits or two more than results."""
        text = self.settings[name]
        return number(text) if "e" in text or "." in text else exact(float(text))


# these are counted, and printed as weights are
_WEIGHTS = ("rows", "leaves", "degrees", "heaviest beside it", "errors as leaf",
            "errors as tree")  # fmt: skip
_WEIGHTS_OF = {
    "reduced-error": ("as leaf", "as tree", "whole tree", "held-out errors",
                      "stopping here"),
    "global": ("risk as leaf", "risk of branches"),
}  # fmt: skip


def check_prunings(parts: list[PrintedPart], expected: Expected) -> int:
    """Check what every rule has printed; return how many nodes were judged."""
    n_judged = 0
    with results_with(expected.decimals, fixed=bool(expected.classes)):
        nodes = read_tree(parts, expected.classes)
        tree = PrunedTree(nodes)
        for part in parts:
            if part.heading[0] != "Pruning":
                continue
            stage = read_stage(part, nodes, has_classes=bool(expected.classes))
            if expected.is_whole:
                _RULES[stage.rule](stage, tree)
            n_judged += len(stage.judged)
    return n_judged


def read_stage(
    part: PrintedPart, nodes: dict[int, Node], *, has_classes: bool
) -> Stage:
    settings = {}
    for piece in part.heading[2:]:
        found = re.fullmatch(r"(.*?) ?(-?[\d.]+(?:e[-+]?\d+)?)(?: as one leaf)?", piece)
        settings[found[1] if found else piece] = found[2] if found else ""
    rule = part.heading[1]
    told = " ".join(part.sentences)
    is_whole = not re.search(r"The first \d+ of \d+ (judgements|nodes)", told)
    stage = Stage(rule, settings, [], part, nodes, is_whole)
    counted = (*_WEIGHTS, *_WEIGHTS_OF.get(rule, ())) if has_classes else _WEIGHTS[:4]
    for table in part.tables:
        if table.titles[0] != "node":
            continue
        titles = [title for title in table.titles[2:] if title]
        for row in table.rows:
            texts = dict(zip(titles, (cell[0] for cell in row.cells[2:]), strict=True))
            of = {
                title: weight(text) if title in counted else number(text)
                for title, text in texts.items()
                if text != "-"
            }
            node = _node_of(row, nodes)
            if "held-out errors" in titles:
                nothing = exact(0.0)
                stage.held_out[node] = (
                    of["held-out errors"],
                    of.get("stopping here", nothing),
                )
                continue
            again = "again" in row.cells[0][0]
            decision, branch = _decision(row)
            stage.judged.append(Judged(node, again, of, texts, decision, branch))
    return stage


def _node_of(row: PrintedRow, nodes: dict[int, Node]) -> int:
    """The node of a row, whose way there is that of the step."""
    node = int(row.cells[0][0].removesuffix(" again"))
    way = ", ".join(row.cells[1])
    assert way == (nodes[node].path or "root"), row
    return node


def _decision(row: PrintedRow) -> tuple[str, int | None]:
    raised = re.search(r"raises node (\d+)", row.remark)
    if raised:
        return "raised", int(raised[1])
    decision = {"kept": "kept", "<- leaf": "leaf"}[row.remark]
    assert row.marked == (decision == "leaf"), row
    return decision, None


def allowed(one: Interval, other: Interval, *, strictly: bool = False) -> set[str]:
    """A leaf if one is not more than the other; both where rounding hides it."""
    slack = 1e-11 * max(1.0, abs(one.low))
    decisions = set()
    if one.low <= other.high + (-slack if strictly else slack):
        decisions.add("leaf")
    if one.high >= other.low - slack:
        decisions.add("kept")
    return decisions


def same(one: Interval, other: Interval, what: object) -> None:
    assert one.meets(other), f"{what}: {one} is not {other}"


def _collapse(stage: Stage, tree: PrunedTree) -> None:
    """Every inner node: its own errors, and those of the leaves as grown."""
    tolerance = stage.setting("tolerance")
    if stage.is_whole:
        assert {one.node for one in stage.judged} == {*tree.inner()}
    for one in stage.judged:
        leaves = total([tree.wrong(leaf) for leaf in tree.leaves(one.node)])
        same(tree.nodes[one.node].rows.weight, one.of["rows"], one)
        same(tree.wrong(one.node), one.of["errors as leaf"], one)
        same(leaves, one.of["errors as tree"], one)
        assert one.decision in allowed(tree.wrong(one.node) - tolerance, leaves), one
    tree.cut([one.node for one in stage.judged if one.decision == "leaf"])


def _pessimistic(stage: Stage, tree: PrunedTree) -> None:
    """From the root down, until a node is cut."""
    assert float(stage.settings["per leaf"]) == 0.5
    cut = {one.node for one in stage.judged if one.decision == "leaf"}
    if stage.is_whole:
        wanted = [node for node in tree.inner() if not tree.is_below(node, cut)]
        assert [one.node for one in stage.judged] == wanted
    for one in stage.judged:
        of, leaves = one.of, tree.leaves(one.node)
        rows = tree.nodes[one.node].rows.weight
        errors = total([tree.wrong(leaf) for leaf in leaves])
        as_leaf = tree.wrong(one.node) + HALF
        as_tree = errors + exact(0.5 * len(leaves))
        spread = standard_error(as_tree, rows)
        for mine, title in (
            (rows, "rows"), (tree.wrong(one.node), "errors as leaf"),
            (as_leaf, "as leaf"), (errors, "errors as tree"),
            (exact(float(len(leaves))), "leaves"), (as_tree, "as tree"),
            (spread, "standard error"),
        ):  # fmt: skip
            same(mine, of[title], (title, one))
        assert one.decision in allowed(as_leaf, as_tree + spread), one
    tree.cut([*cut])


def _chi_square(stage: Stage, tree: PrunedTree) -> None:
    level = stage.setting("level")
    for one in _twigs(stage, tree):
        branches = [tree.nodes[branch] for branch in tree.branches[one.node]]
        deviation, degrees = chi_square(
            [branch.rows.counts[0] for branch in branches if branch.n_rows]
        )
        same(deviation, one.of["chi-square"], one)
        same(exact(float(degrees)), one.of["degrees"], one)
        ends = (deviation.high, deviation.low)
        chance = Interval(*(chi_square_tail(end, degrees) for end in ends))
        same(chance, one.of["p-value"], one)
        # above the level it is cut
        flipped = {"leaf": "kept", "kept": "leaf"}
        assert flipped[one.decision] in allowed(chance, level), one


def _minimum_gain(stage: Stage, tree: PrunedTree) -> None:
    least = stage.setting("at least")
    for one in _twigs(stage, tree):
        (row,) = (
            row for row in tree.nodes[one.node].part.comparison.rows if row.marked
        )
        same(number(row.cells[3][0]), one.of["gain"], one)
        assert one.decision in allowed(one.of["gain"], least, strictly=True), one


def _twigs(stage: Stage, tree: PrunedTree) -> list[Judged]:
    """Judged are the nodes that have only leaves below once it is their turn."""
    cut = {one.node for one in stage.judged if one.decision == "leaf"}
    if stage.is_whole:
        wanted = [
            node
            for node in reversed(tree.inner())
            if all(below in cut for below in tree.inner_below(node))
        ]
        assert [one.node for one in stage.judged] == wanted, stage.rule
    for one in stage.judged:
        assert all(below in cut for below in tree.inner_below(one.node)), one
    return stage.judged


def _small_branches(stage: Stage, tree: PrunedTree) -> None:
    """What is small goes, unless all branches of its parent are small."""
    least = stage.setting("at least")
    for one in stage.judged:
        assert one.of["rows"].low < least.high, one
        wanted = "leaf" if one.of["heaviest beside it"].low >= least.low else "kept"
        assert one.decision == wanted, one


_RULES: dict[str, Callable[[Stage, PrunedTree], None]] = {
    "collapsing": _collapse,
    "error-based": check_error_based,
    "pessimistic": _pessimistic,
    "chi-square": _chi_square,
    "minimum gain": _minimum_gain,
    "cost-complexity": check_cost_complexity,
    "global": check_global,
    "reduced-error": check_reduced_error,
    "small branches": _small_branches,
}
