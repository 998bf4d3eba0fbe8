"""Every way with missing values, tried on one table: size, error and time.

All ways are tried on the same folds, so that they can be compared row by row: what
counts as noise is judged by the differences, which vary less than the errors.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from treewright.data.columns import Columns
from treewright.errors import SettingError, TreewrightError
from treewright.evaluation.cross_validation import (
    Floats,
    Ints,
    Mean,
    held_out_errors,
    weights_of,
)
from treewright.grow.dialect import MISSING_RULES, Dialect
from treewright.learners.choose_alpha import stratified_folds
from treewright.learners.recipe import grow_tree
from treewright.tree.model import Model

NOISE = 2.0  # standard errors of a difference that chance may well make
_NOTHING = Mean(0.0, 0.0)


@dataclass(frozen=True, eq=False)
class MissingWay:
    """One way with missing values, and what comes of it."""

    missing: str  # the way, one of `MISSING_RULES`
    # why it does not go with the data or the other switches; empty if it does. The
    # other attributes say nothing then.
    refused: str = ""
    # size of the tree of all rows
    n_nodes: int = 0
    n_leaves: int = 0
    seconds: float = 0.0  # time to grow that tree
    # cross-validated: the share of wrong rows; for numbers the root of the mean squared
    # error
    error: Mean = _NOTHING
    wrong: float = 0.0  # classes: how many rows (their weight) are wrong
    absolute: Mean = _NOTHING  # numbers: the mean absolute error
    # what the comparison is by: for each row whether it is wrong, or its squared (or
    # absolute) error
    losses: Floats | None = None
    is_noise: bool = False  # whether the difference to the best way may well be chance


def n_missing_cells(columns: Columns) -> int:
    """Return how many cells of the features are missing."""
    return sum(
        int(np.count_nonzero(column.codes == column.n_codes))
        for column in columns.features
    )


def compare_missing(
    columns: Columns,
    dialect: Dialect,
    *,
    n_folds: int = 10,
    prepare: Callable[[Columns], Columns] = lambda part: part,
    n_jobs: int | None = None,
    tell: Callable[[str], None] = lambda text: None,
) -> list[MissingWay]:
    """Try every way with missing values; the best first, the refused ones last.

    Parameters
    ----------
    columns : Columns
        The table; see `treewright.data.encoding.encode`.
    dialect : Dialect
        The algorithm; its own rule for missing values does not matter.
    n_folds : int
        Folds of the cross-validation, with the classes in proportion.
    prepare : callable
        What is learned of rows before a tree is grown from them, as intervals.
    n_jobs : int or None
        Threads.
    tell : callable
        Told what is being done.

    Examples
    --------
    >>> from treewright.data.encoding.encode import encode
    >>> from treewright.learners.dialects.c45 import C45
    >>> columns = encode({"x": [1, 2, None, 4]}, ["a", "a", "b", "b"], task="classes")
    >>> ways = compare_missing(columns, C45, n_folds=2)
    >>> ways[-1].missing, ways[-1].refused
    ('error', 'there are missing values')
    """
    folds = stratified_folds(columns, dialect.change(n_folds=n_folds))
    ways: list[MissingWay] = []
    complaints: list[TreewrightError] = []
    for rule in MISSING_RULES:
        if rule == "error":
            continue
        try:
            changed = dialect.change(missing=rule)
            grow = _Growing(changed, prepare, n_jobs, tell, n_folds)
            ways.append(_tried(columns, folds, grow))
        except TreewrightError as error:
            complaints.append(error)
            ways.append(MissingWay(rule, refused=_reason(error)))
    if len(complaints) == len(ways):
        raise complaints[0]  # it is not the missing values that are refused
    ways.append(MissingWay("error", refused="there are missing values"))
    return _ranked(ways, weights_of(columns))


@dataclass
class _Growing:
    """Grows trees in one way, and tells how far it is."""

    dialect: Dialect
    prepare: Callable[[Columns], Columns]
    n_jobs: int | None
    tell: Callable[[str], None]
    n_folds: int
    n_grown: int = 0

    def __call__(self, part: Columns) -> Model:
        where = f"fold {self.n_grown} of {self.n_folds}" if self.n_grown else "all rows"
        self.tell(f"missing={self.dialect.missing}, {where}")
        self.n_grown += 1
        return grow_tree(self.prepare(part), self.dialect, n_jobs=self.n_jobs)


def _tried(columns: Columns, folds: Ints, grow: _Growing) -> MissingWay:
    """Grow from all rows and from all but a fold, and count what goes wrong."""
    start = time.perf_counter()
    tree = grow(columns).trees[0]
    seconds = time.perf_counter() - start
    errors = held_out_errors(columns, folds, grow)
    weights = weights_of(columns)
    size = tree.node_count, tree.n_leaves
    way = MissingWay(grow.dialect.missing, "", *size, seconds)
    absolute = errors.mean(axis=1)
    if grow.dialect.task == "classes":
        error = Mean.of(absolute, weights)
        wrong = float(absolute @ weights)
        return replace(way, error=error, wrong=wrong, losses=absolute)
    squared = (errors**2).mean(axis=1)
    by_absolute = grow.dialect.criterion == "absolute_error"
    return replace(
        way,
        error=Mean.of(squared, weights).root(),
        absolute=Mean.of(absolute, weights),
        losses=absolute if by_absolute else squared,
    )


def _ranked(ways: list[MissingWay], weights: Floats) -> list[MissingWay]:
    """Return the ways by their error, then by size; each compared with the first."""
    done = [(way, way.losses) for way in ways if way.losses is not None]
    done.sort(key=lambda each: (float(each[1] @ weights), each[0].n_leaves))
    best = done[0][1]
    ranked = []
    for way, losses in done:
        apart = Mean.of(losses - best, weights)
        noise = apart.value <= NOISE * apart.standard_error
        ranked.append(replace(way, is_noise=noise))
    return [*ranked, *(way for way in ways if way.refused)]


def _reason(error: TreewrightError) -> str:
    """Return the first part of a complaint: what is wrong, without the remedy."""
    kind = "" if isinstance(error, SettingError) else "the data: "
    return kind + str(error).partition(";")[0]
