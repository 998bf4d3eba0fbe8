"""The checker of pruning: numbers that follow from others, and every decision."""

from __future__ import annotations

import math
import re

from checker import chi_square_tail
from intervals import Interval, check_formula, exact, number, results_with
from printed import PrintedPart, PrintedRow

HALF = exact(0.5)


def check_prunings(parts: list[PrintedPart], decimals: int) -> int:
    """Check what every rule has printed; return how many nodes were judged."""
    n_judged = 0
    with results_with(decimals):
        for part in parts:
            if part.heading[0] == "Pruning":
                n_judged += _check(part)
    return n_judged


def _check(part: PrintedPart) -> int:
    rule = part.heading[1]
    settings = dict(piece.rsplit(" ", 1) for piece in part.heading[2:])
    for formula in part.formulas:
        check_formula(formula.text)
    tables = [one for one in part.tables if one.titles[0] == "node"]
    for table in part.tables:
        if table.titles[0] == "N":
            _check_added(part, table.rows, settings)
    n_judged = 0
    for table in tables:
        titles = [title for title in table.titles[2:] if title]
        for row in table.rows:
            cells = zip(titles, (cell[0] for cell in row.cells[2:]), strict=True)
            numbers = {title: number(text) for title, text in cells if text}
            allowed = _RULES[rule](numbers, settings)
            assert _decision(row) in allowed, (rule, row, allowed)
            n_judged += 1
        _check_estimates(part, table.rows, titles)
    return n_judged


def _check_estimates(part: PrintedPart, rows: list[PrintedRow], titles) -> None:
    """What is written out under a node is what its row says."""
    for title in ("as leaf", "as tree", "as largest branch"):
        for row in rows:
            node = f"node {row.cells[0][0]}"
            found = [
                one.text.rpartition(" = ")[2]
                for one in part.formulas
                if one.about == node and one.label == title
            ]
            if found and "again" not in node:
                assert row.cells[2 + titles.index(title)][0] in found


def _check_added(part: PrintedPart, rows: list[PrintedRow], settings) -> None:
    """U(N, E) is C4.5's, and every leaf of a formula has its own."""
    added = {(row.cells[1][0], row.cells[2][0]) for row in rows}
    for formula in part.formulas:
        left = formula.text.rpartition(" = ")[0]
        for pair in re.findall(r"([\d.e+-]+) \+ ([\d.]+)(?=\)|$)", left):
            assert pair in added, formula
    for row in rows:
        weight, errors, found = (number(cell[0]) for cell in row.cells)
        value = _added(weight.low, errors.low, settings)
        if value is not None:
            assert abs(value - (found.low + found.high) / 2) < 1e-3, row


def _added(weight: float, errors: float, settings) -> float | None:
    """Quinlan's estimate of errors to come: exact for none, else by the normal."""
    confidence, z = float(settings["confidence"]), float(settings["quantile"])
    none = weight * (1 - confidence ** (1 / weight)) if weight > 0 else 0.0
    if errors < 1e-6:
        return none
    if errors < 0.9999:
        one = _added(weight, 1.0, settings)
        return None if one is None else none + errors * (one - none)
    if errors + 0.5 >= weight:
        share = {"two_thirds": 0.67}.get(settings.get("mostly_wrong"))
        return None if share is None else share * (weight - errors)
    square, seen = z * z, errors + 0.5
    root = math.sqrt(square * (seen * (1 - seen / weight) + square / 4))
    return weight * (seen + square / 2 + root) / (weight + square) - errors


def _decision(row: PrintedRow) -> str:
    if row.remark == "kept":
        return "kept"
    return "raised" if "raises" in row.remark else "leaf"


def _error_based(of, settings) -> set[str]:
    slack = exact(float(settings["slack"]))
    tree = of["as tree"] + slack
    branch = of.get("as largest branch", exact(math.inf)) + slack
    as_leaf, as_branch = of["as leaf"], of.get("as largest branch", exact(math.inf))
    decisions = set()
    if as_leaf.low <= tree.high and as_leaf.low <= branch.high:
        decisions.add("leaf")
    if as_branch.low <= tree.high:
        decisions.add("raised")
    if tree.low <= max(as_leaf.high, as_branch.high) or tree.low <= as_leaf.high:
        decisions.add("kept")
    return decisions


def _pessimistic(of, settings) -> set[str]:
    assert (of["errors as leaf"] + HALF).meets(of["as leaf"])
    assert (of["errors as tree"] + of["leaves"] * HALF).meets(of["as tree"])
    tree, rows = of["as tree"], of["rows"]
    variance = tree * (rows - tree) / rows
    spread = Interval(math.sqrt(max(variance.low, 0)), math.sqrt(max(variance.high, 0)))
    assert spread.meets(of["standard error"])
    return _not_more(of["as leaf"], tree + of["standard error"])


def _chi_square(of, settings) -> set[str]:
    degrees = int(of["degrees"].low)
    ends = (of["chi-square"].high, of["chi-square"].low)
    chance = Interval(*(chi_square_tail(end, degrees) for end in ends))
    assert chance.meets(of["p-value"])
    return _not_more(exact(float(settings["level"])), of["p-value"])


def _cost_complexity(of, settings) -> set[str]:
    if "risk of branches" in of:
        own = of["risk as leaf"] - of["risk of branches"]
        assert (own / (of["leaves"] - exact(1.0))).meets(of["own alpha"])
    return {"leaf", "kept"}


def _collapse(of, settings) -> set[str]:
    tolerance = exact(float(settings["tolerance"]))
    return _not_more(of["errors as leaf"] - tolerance, of["errors as tree"])


def _reduced_error(of, settings) -> set[str]:
    if "whole tree" in of:  # the best step of a sequence decides
        return {"leaf", "kept"}
    return _not_more(of["as leaf"], of["as tree"])


def _not_more(one: Interval, other: Interval) -> set[str]:
    """A leaf if one is not more than the other; both where rounding hides it."""
    decisions = {"leaf"} if one.low <= other.high + 1e-9 else set()
    return decisions | ({"kept"} if one.high >= other.low - 1e-9 else set())


_RULES = {
    "error_based": _error_based,
    "pessimistic": _pessimistic,
    "chi_square": _chi_square,
    "cost_complexity": _cost_complexity,
    "collapse": _collapse,
    "reduced_error": _reduced_error,
    "global_pruning": lambda of, settings: {"leaf", "kept"},
    "small_branches": lambda of, settings: {"leaf", "kept"},
    "minimum_gain": lambda of, settings: _not_more(
        of["gain"], exact(float(settings["least"]))
    ),
}
