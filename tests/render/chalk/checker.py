"""An independent checker: every printed number, recomputed from the printed counts.

It reads the page and nothing else; the formulas here are its own. What is right is
decided by intervals: a printed number stands for all that round to it.
"""

from __future__ import annotations

from dataclasses import dataclass

from check_step import CheckedStep
from check_tree import Node, check_tree, read_tree
from intervals import check_formula, number, results_with
from printed import PrintedPart


@dataclass(frozen=True)
class Expected:
    """What the checker is told besides the page."""

    classes: tuple[tuple[str, ...], ...]
    winners: dict[int, str]  # the feature of each inner node of the grown tree
    discounts: bool = True  # gains are multiplied by the share of known rows
    compares_largest: bool = True
    divides: bool = False  # rows without a value stand in several branches
    keeps_all: bool = True  # every row of a node is in one of its branches
    is_quiz: bool = False
    is_whole: bool = True  # every step is on the page
    decimals: int | None = None


def check_page(parts: list[PrintedPart], expected: Expected) -> int:
    """Check every step of a page; return how many numbers were compared."""
    with results_with(expected.decimals, fixed=bool(expected.classes)):
        nodes = read_tree(parts, expected.classes)
        assert nodes
        n_checked = check_tree(
            nodes, divides=expected.divides, keeps_all=expected.keeps_all
        )
        for part in parts:
            for formula in part.formulas:
                check_formula(formula.text)
                n_checked += 1
        for node in nodes.values():
            n_checked += CheckedStep(
                node, discounts=expected.discounts, is_quiz=expected.is_quiz
            ).check()
            n_checked += _check_winner(node, expected)
    return n_checked


def _check_winner(node: Node, expected: Expected) -> int:
    """The marked feature is the node's, and nothing compared is worth more."""
    table = node.part.comparison
    if table is None:
        return 0
    marked = [row for row in table.rows if row.marked]
    if expected.is_quiz:
        assert not marked
        return 0
    winner = expected.winners.get(node.node)
    if winner is not None:
        assert [row.cells[0][0] for row in marked] == [winner]
    if not marked or not expected.compares_largest:
        return 0
    worths = [
        number(row.cells[-1][0])
        for row in table.rows
        if not row.remark or row.remark.startswith(("tie", "<-"))
    ]
    best = number(marked[0].cells[-1][0])
    assert all(one.low <= best.high for one in worths)
    return 1
