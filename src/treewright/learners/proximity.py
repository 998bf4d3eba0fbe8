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
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from treewright import _core
from treewright.data.given_rows import GivenRows
from treewright.data.machine import available_bytes, bytes_in_words
from treewright.errors import DataError, SettingError
from treewright.learners.grown_from import GrownFrom
from treewright.tree.predict.walk import Cells, walk
from treewright.tree.structure.tree import Tree

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.uint8]

_BYTES_OF_SHARE = 8
_BYTES_OF_NEIGHBOUR = 16
_BYTES_OF_END = 16  # of a row in a tree, while the proximities are counted


class Neighbours(NamedTuple):
    """The nearest rows of each row.

    Attributes
    ----------
    rows : int64, shape (n_rows, n_neighbours)
        The nearest first, of equally near ones the first in the table; -1 where fewer
        rows end with a row in any tree.
    proximities : float64, shape (n_rows, n_neighbours)
        Theirs; 0 where there is no row.
    """

    rows: npt.NDArray[np.int64]
    proximities: Floats


class Rows(NamedTuple):
    """Rows whose proximities are asked for.

    Attributes
    ----------
    cells : float64, shape (n_rows, n_features)
        The rows, encoded.
    asked : uint8, shape (n_trees, n_rows), or None
        Whether a row counts in a tree; None: all do.
    given : GivenRows or None
        Which rows of a table these are: answers are by the rows of that table.
    """

    cells: Cells
    asked: Flags | None = None
    given: GivenRows | None = None


def proximity_matrix(trees: Sequence[Tree], rows: Rows, *, n_threads: int) -> Floats:
    """Return the proximities of all pairs of rows.

    Parameters
    ----------
    trees : sequence of Tree
        The forest.
    rows : Rows
        A pair that no tree counts has NaN, and so has one that is not among them.
    n_threads : int
        The matrix is the same for any number.

    Raises
    ------
    DataError
        If the matrix would not fit into memory; before any work.
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
    trees: Sequence[Tree], rows: Rows, n_neighbours: int, *, n_threads: int
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
