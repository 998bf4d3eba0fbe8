"""Proximities: the share of the trees in which two rows end at the same node.

Rows that a forest takes for alike are near each other, whatever their values are. All
pairs make a matrix of rows x rows; the nearest few of each row take rows x neighbours.
A row that a tree divides among branches ends where that happens first, as `apply` says.
The work is in `core/proximity.hpp`.

References
----------
Breiman, L. (2003). Manual: setting up, using, and understanding random forests V4.0.
"""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from treewright import _core
from treewright.data.columns import Column
from treewright.data.given_rows import GivenRows
from treewright.data.machine import available_bytes, bytes_in_words
from treewright.data.schema import Feature
from treewright.errors import DataError, SettingError
from treewright.learners.forest.grown_from import GrownFrom
from treewright.render.listing.forest_text import prototype_lines
from treewright.tree.model import Model
from treewright.tree.predict.walk import Cells, walk
from treewright.tree.structure.tree import Tree

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.uint8]

_BYTES_OF_SHARE = 8
_BYTES_OF_NEIGHBOUR = 16
_BYTES_OF_END = 16  # of a row in a tree, while the proximities are counted


class Neighbours(NamedTuple):
    """The nearest rows of each row."""

    # int64, shape (n_rows, n_neighbours): the nearest first, of equally near ones the
    # first in the table; -1 where fewer rows end with a row in any tree
    rows: npt.NDArray[np.int64]
    # float64, shape (n_rows, n_neighbours): theirs; 0 where there is no row
    proximities: Floats


class ComparedRows(NamedTuple):
    """Rows whose proximities are asked for."""

    cells: Cells  # float64, shape (n_rows, n_features): the rows, encoded
    # uint8, shape (n_trees, n_rows), or None: whether a row counts in a tree; None: all
    # do
    asked: Flags | None = None
    # which rows of a table these are: answers are by the rows of that table
    given: GivenRows | None = None


def proximity_matrix(
    trees: Sequence[Tree], rows: ComparedRows, *, n_threads: int
) -> Floats:
    """Return the proximities of all pairs of rows.

    `trees`: the forest. `rows`: a pair that no tree counts has NaN, and so has one that
    is not among them. `n_threads`: the matrix is the same for any number. Raises
    `DataError`: if the matrix would not fit into memory; before any work.
    """
    cells, asked, given = rows
    n_given = 0 if given is None else given.n_rows
    _refuse_large(
        len(cells),
        len(cells) * (len(trees) * _BYTES_OF_END + len(cells) * _BYTES_OF_SHARE)
        + n_given**2 * _BYTES_OF_SHARE,
        "ask for the nearest rows of each row only: neighbours=10, say",
    )
    matrix = _ends(trees, cells, asked, n_threads).matrix()
    if given is None:
        return matrix
    whole = np.full((n_given, n_given), np.nan)
    whole[np.ix_(given.numbers, given.numbers)] = matrix
    return whole


def nearest_rows(
    trees: Sequence[Tree], rows: ComparedRows, n_neighbours: int, *, n_threads: int
) -> Neighbours:
    """Return the nearest rows of each row; parameters as of `proximity_matrix`."""
    cells, asked, given = rows
    check_neighbours(n_neighbours, len(cells) - 1)
    _refuse_large(
        len(cells),
        len(cells)
        * (len(trees) * _BYTES_OF_END + int(n_neighbours) * _BYTES_OF_NEIGHBOUR),
        "ask for fewer neighbours, or about fewer rows",
    )
    near = Neighbours(*_ends(trees, cells, asked, n_threads).nearest(int(n_neighbours)))
    if given is None:
        return near
    return Neighbours(
        given.spread(given.numbers_of(near.rows), -1),
        given.spread(near.proximities, 0.0),
    )


def squared_within(
    trees: Sequence[Tree], cells: Cells, groups: npt.NDArray[Any], *, n_threads: int
) -> Floats:
    """Return for each row the sum of squared proximities to the rows of its group.

    Its own, which is 1, is one of them.
    """
    near = _ends(trees, cells, None, n_threads)
    counts = near.squares_within(np.ascontiguousarray(groups, np.int32))
    return np.asarray(counts / float(len(trees)) ** 2)


def asked_out_of_bag(grown: GrownFrom) -> Flags:
    """Return for each tree which rows it was not grown from."""
    grown.bagging.check_leaves_rows("out_of_bag=True")
    bags = [grown.bagging.counts(key) == 0 for key in grown.keys]
    return np.stack(bags).astype(np.uint8)


def check_neighbours(given: Any, most: int) -> None:
    """Refuse a number of neighbours that no row can have."""
    is_whole = isinstance(given, numbers.Integral) and not isinstance(given, bool)
    if not is_whole or not 1 <= given <= most:
        raise SettingError(
            f"neighbours is {given!r}; it must be a whole number from 1 to {most:,}, "
            f"for {most + 1:,} rows"
        )


def _refuse_large(n_rows: int, needed: int, way_out: str) -> None:
    free = available_bytes()
    if free is not None and needed > free:
        raise DataError(
            f"the proximities of {n_rows:,} rows take {bytes_in_words(needed)}, and "
            f"{bytes_in_words(free)} of memory are available; {way_out}"
        )


def _ends(
    trees: Sequence[Tree], cells: Cells, asked: Flags | None, n_threads: int
) -> _core.Proximities:
    ends = np.empty((len(trees), len(cells)), np.int32)
    for number, tree in enumerate(trees):
        ends[number] = walk(tree, cells, n_threads=n_threads)
    flags = np.zeros(0, np.uint8) if asked is None else asked
    return _core.Proximities(ends, flags, n_threads)


# ---- Outliers: rows that are near few others of their class.
# raw = rows of the class / sum of squared proximities to rows of the class
#     outlier measure = (raw - median of raw) / absolute deviation of raw
#         (median and deviation of the class)
#
# Above 10 a row is worth a look, Breiman writes.


def outlier_measures(model: Model, grown: GrownFrom, *, n_threads: int) -> Floats:
    """Return how far each training row stands apart from its class.

    The deviation is the median absolute one; where that is 0, because most rows of a
    class are alike, the mean. Numbers have one class: all rows.
    """
    rows = grown.rows(model.schema)
    groups: npt.NDArray[Any] = np.zeros(len(rows), np.int32)
    if model.schema.target.kind == "classes":
        # of several outputs: rows that agree in all of them
        groups = np.unique(rows.target, axis=0, return_inverse=True)[1].ravel()
    sums = squared_within(model.trees, rows.cells, groups, n_threads=n_threads)
    measures = np.empty(len(rows))
    for group in range(int(groups.max()) + 1):
        its = np.flatnonzero(groups == group)
        measures[its] = _standardized(len(its) / sums[its])
    return measures


def _standardized(raw: Floats) -> Floats:
    apart = raw - np.median(raw)
    deviation = np.median(np.abs(apart)) or np.abs(apart).mean() or 1.0
    return np.asarray(apart / deviation)


# ---- Prototypes: what the rows of a class look like where they stand close together.
# For each class the row that has the most rows of the class among its nearest ones, by
# proximity, is found; the rows of the class among these speak for the class: the median
# of each number, the most common category.

Ints = npt.NDArray[np.int64]

_MOST_NEIGHBOURS = 100  # unless the user says otherwise
_QUARTILES = (0.25, 0.5, 0.75)


@dataclass(frozen=True, eq=False)
class Prototype:
    """What the rows of a class look like where they stand close together."""

    label: Any  # the class
    # the row with the most rows of the class among its nearest ones; its number, as
    # those of `members`, is that in the table as it was given
    row: int
    # these rows of the class, the nearest first; `row` itself too, if it is one
    members: Ints
    # for each feature the median of the members, or their most common category; None if
    # it is missing in all of them
    values: dict[str, Any]
    # for each numeric and ordinal feature the lower and upper quartile
    quartiles: dict[str, tuple[Any, Any]]
    # for each nominal feature the share of the members that have the category
    shares: dict[str, float]


class Prototypes(list[Prototype]):
    """A prototype of each class, in class order; printed, they are a listing."""

    def __repr__(self) -> str:
        return "\n".join(prototype_lines(self))


def class_prototypes(
    model: Model, grown: GrownFrom, n_nearest: int | None = None, *, n_threads: int
) -> Prototypes:
    """Return a prototype of each class.

    `model`: the forest. `grown`: its training rows. `n_nearest`: how many rows count as
    near, the row itself included; as many as the smallest class has, but no more than
    100, if not given. `n_threads`: the prototypes are the same for any number.
    """
    target = model.schema.target
    if target.kind != "classes" or target.n_outputs > 1:
        what = "numbers" if target.kind != "classes" else "several outputs"
        raise SettingError(
            f"prototypes are of one column of classes, and this forest has {what}"
        )
    rows = grown.rows(model.schema)
    classes = rows.target[:, 0]
    if n_nearest is None:
        n_nearest = min(int(np.bincount(classes).min()), _MOST_NEIGHBOURS, len(rows))
        n_nearest = max(n_nearest, 1)
    check_neighbours(n_nearest, len(rows))
    near = _with_itself(model, rows.cells, n_nearest, n_threads)
    return Prototypes(
        _prototype(grown, near, classes, code, label)
        for code, label in enumerate(target.classes[0])
        if (classes == code).any()
    )


def _with_itself(
    model: Model, cells: npt.NDArray[np.float64], n_nearest: int, n_threads: int
) -> Neighbours:
    """The nearest rows of each row, itself the first of them."""
    itself = np.arange(len(cells))[:, None]
    ones = np.ones((len(cells), 1))
    if n_nearest == 1:
        return Neighbours(itself, ones)
    others = nearest_rows(
        model.trees, ComparedRows(cells), n_nearest - 1, n_threads=n_threads
    )
    return Neighbours(
        np.hstack([itself, others.rows]), np.hstack([ones, others.proximities])
    )


def _prototype(
    grown: GrownFrom, near: Neighbours, classes: Ints, code: int, label: Any
) -> Prototype:
    of_class = (near.rows >= 0) & (classes[near.rows] == code)
    n_members = of_class.sum(axis=1)
    # of equally many the nearer ones, then the first row
    closeness = (near.proximities * of_class).sum(axis=1)
    row = int(np.lexsort((-closeness, -n_members))[0])
    members = near.rows[row, of_class[row]]
    values: dict[str, Any] = {}
    quartiles: dict[str, tuple[Any, Any]] = {}
    shares: dict[str, float] = {}
    columns = grown.columns
    for feature, column in zip(columns.schema.features, columns.features, strict=True):
        codes = np.sort(column.codes[members])
        codes = codes[codes < column.n_codes]
        name = feature.name
        if len(codes) == 0:
            values[name] = None
        elif feature.kind == "nominal":
            counts = np.bincount(codes)
            values[name] = feature.categories[int(counts.argmax())]
            shares[name] = float(counts.max() / len(members))
        else:
            low, values[name], high = _of_ranks(feature, column, codes)
            quartiles[name] = (low, high)
    if columns.given_rows is not None:
        members = columns.given_rows.numbers[members]
        row = int(columns.given_rows.numbers[row])
    return Prototype(label, row, members, values, quartiles, shares)


def _of_ranks(feature: Feature, column: Column, codes: npt.NDArray[Any]) -> list[Any]:
    """The quartiles of a feature whose codes are in the order of its values."""
    if column.values is not None and not feature.is_wide:
        known = column.values[codes].astype(np.float64)
        # between two infinities nothing can be averaged
        if np.isfinite(known).all():
            quartiles = np.quantile(known, _QUARTILES)
        else:
            quartiles = np.quantile(known, _QUARTILES, method="lower")
        return [float(value) for value in quartiles]
    # what cannot be averaged: the lower of two values in the middle
    chosen = [int(codes[int((len(codes) - 1) * share)]) for share in _QUARTILES]
    if column.values is None:
        return [feature.categories[code] for code in chosen]
    return list(np.asarray(column.values)[chosen].astype(feature.storage))
