"""Leaks: columns that decide the target by themselves, or nearly.

A column that knows the answer was often made from it, after the fact. For each column a
tree is grown from it alone and asked about rows that it was not grown from. Growing
10,000 trees would take long, so a quick look goes first: the column's values in bins,
each row answered by the other rows of its bin. Only columns that come near the limit
get their tree.

    left = error of the one-column tree / error of always the same answer
    a leak: left <= 0.05 (classes); of the variance of the target's ranks, for numbers
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.checks.chance import few_wrong, is_chance
from treewright.checks.finding import Finding
from treewright.checks.single_columns import identifies
from treewright.checks.table import Checked, CheckedTable, Goal, Ints, ignoring, percent
from treewright.data.columns import Columns
from treewright.data.schema import Schema, Target
from treewright.evaluation.cross_validation import held_out_errors
from treewright.learners.choose_alpha import stratified_folds
from treewright.learners.dialects.cart import CART, CART_NUMBERS
from treewright.learners.recipe import grow_tree

LEAK = 0.05  # of the error of always the same answer
MOST_ROWS = 20_000  # that the trees are grown from
MOST_TREES = 100  # columns that get one
N_FOLDS = 5
_CAUTION = 10  # answers about rows of one table are not quite independent
_MOST_BINS = 256
_ROWS_PER_BIN = 10
_MOST_CELLS = 4_000_000  # of a table of bins and classes


def leaks(table: CheckedTable) -> Iterator[Finding]:
    """Yield the columns that decide an output by themselves."""
    if table.n_rows < 2 * N_FOLDS:
        return
    for goal in table.goals:
        usual = _usual_error(goal)
        if usual <= 0:
            continue
        near: list[tuple[float, int]] = []
        for number, one in enumerate(table.features):
            if one.is_constant or (one.is_nominal and identifies(one)):
                continue
            error, slack = _quick_error(one, goal)
            if error <= LEAK * usual + slack:
                near.append((error, number))
        near.sort()
        for _, number in near[:MOST_TREES]:
            yield from _confirmed(table, number, goal)


def _usual_error(goal: Goal) -> float:
    """Return the error of always the same answer; of numbers the ranks' variance."""
    if goal.ranks is None:
        return float(1 - goal.counts.max() / len(goal.codes))
    return float(goal.ranks.var())


def _bins(one: Checked, n_bins: int) -> tuple[Ints, int]:
    """Return the bin of each code, the last for missing, and how many there are."""
    n_codes = one.column.n_codes
    if one.is_nominal or n_codes <= n_bins:
        return np.arange(n_codes + 1), n_codes + 1
    known = one.counts[:-1]
    places = (np.cumsum(known) - known / 2) / max(one.n_known, 1)
    bins = np.minimum((places * n_bins).astype(np.int64), n_bins - 1)
    return np.append(bins, n_bins), n_bins + 1


def _quick_error(one: Checked, goal: Goal) -> tuple[float, float]:
    """Return the error of answering rows by others of their bin, and what bins cost."""
    n_rows, n_classes = len(goal.codes), len(goal.labels)
    most = max(2, min(_MOST_BINS, n_rows // _ROWS_PER_BIN, _MOST_CELLS // n_classes))
    bin_of_code, n_bins = _bins(one, most)
    if goal.ranks is None and n_bins * n_classes > 10 * _MOST_CELLS:
        return 1.0, 0.0
    bins = bin_of_code[one.column.codes]
    # a border between two bins may be half a bin off, and there is one per class
    coarse = 0.0 if n_bins == one.column.n_codes + 1 else 0.5 / most
    if goal.ranks is not None:
        return _left_of_ranks(bins, n_bins, goal), coarse * _usual_error(goal)
    table = np.bincount(bins * n_classes + goal.codes, minlength=n_bins * n_classes)
    table = table.reshape(n_bins, n_classes)
    top = np.partition(table, n_classes - 2, axis=1)[:, -2:]
    right = np.where((top[:, 1] > 1) & (top[:, 1] > top[:, 0]), top[:, 1], 0)
    return 1 - float(right.sum()) / n_rows, coarse * min(n_classes - 1, 8)


def _left_of_ranks(bins: Ints, n_bins: int, goal: Goal) -> float:
    """Return the mean squared error of the mean of the other rows in the bin."""
    assert goal.ranks is not None
    ranks = goal.ranks - goal.ranks.mean()
    sizes = np.bincount(bins, minlength=n_bins)
    sums = np.bincount(bins, weights=ranks, minlength=n_bins)
    squares = np.bincount(bins, weights=ranks**2, minlength=n_bins)
    within = squares - np.divide(sums**2, sizes, where=sizes > 0, out=np.zeros(n_bins))
    others = np.maximum(sizes - 1, 1)
    left = np.where(sizes > 1, within * (sizes / others) ** 2, squares)
    return float(left.sum()) / len(ranks)


def _confirmed(table: CheckedTable, number: int, goal: Goal) -> Iterator[Finding]:
    """Grow the column's own tree and yield a finding if it is as good."""
    one = table.features[number]
    part = _alone(table, number, goal)
    start = CART if goal.ranks is None else CART_NUMBERS
    dialect = start.change(
        min_samples_leaf=2, missing="own_branch", n_folds=N_FOLDS, random_state=0
    )
    folds = stratified_folds(part, dialect)
    off = held_out_errors(part, folds, lambda rows: grow_tree(rows, dialect, n_jobs=1))
    error = float((off**2).mean())
    usual = _usual_error(goal)
    left = error / usual
    n_tests = _CAUTION * len(table.features) * len(table.goals)
    share = usual if goal.ranks is None else 0.5
    wrong = error if goal.ranks is None else share * left
    if left > LEAK or is_chance(few_wrong(wrong * len(off), len(off), share), n_tests):
        return
    yield _finding(one, goal, error=error, usual=usual, n_rows=part.n_rows)


def _alone(table: CheckedTable, number: int, goal: Goal) -> Columns:
    """Return one feature and one output, of some of the rows if there are many."""
    columns = table.columns
    if goal.ranks is None:
        classes = (tuple(range(len(goal.labels))),)
        target = Target("classes", (goal.name,), classes)
        answers: npt.NDArray[Any] = goal.codes.astype(np.int32)[:, None]
    else:
        target, answers = Target("numbers", (goal.name,)), goal.ranks[:, None]
    alone = dataclasses.replace(
        columns,
        schema=Schema((columns.schema.features[number],), target),
        features=(columns.features[number],),
        target=answers,
        weights=None,
        given_rows=None,
    )
    if table.n_rows <= MOST_ROWS:
        return alone
    drawn = np.random.default_rng(0).choice(table.n_rows, MOST_ROWS, replace=False)
    return alone.take(np.sort(drawn))


def _finding(
    one: Checked, goal: Goal, *, error: float, usual: float, n_rows: int
) -> Finding:
    left = error / usual
    if goal.ranks is None:
        how = (
            f"a tree of it alone is wrong in {round(error * n_rows):,} of {n_rows:,} "
            f"rows that it was not grown from ({percent(error)}; always the same "
            f"answer: {percent(usual)})"
        )
        figures = {"error": error, "usual_error": usual}
    else:
        how = (
            f"a tree of it alone leaves {percent(left)} of the variance of the "
            "target's ranks, on rows that it was not grown from"
        )
        figures = {"variance_left": left}
    decides = "decides" if error == 0 else "nearly decides"
    return Finding(
        "leak",
        (one.name,),
        n_rows,
        0.95 - left,
        f"{one.name!r} {decides} {goal.name!r} by itself: {how}",
        f"is it known before the answer is? if not: {ignoring([one])}",
        {**figures, "limit": LEAK},
    )
