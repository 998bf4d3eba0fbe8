"""A numeric column as a tally: its different values and how the classes weigh there.

All that the ways of finding borders need to know of the training rows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import isfinite
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Column, Columns
from treewright.errors import DataError
from treewright.grow.finish import integer_midpoints, midpoints

MOST_CELLS = 2**28  # 2 GB

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ValueTally:
    """The known values of a column."""

    # shape (n_values,): the different values in ascending order: float64, or the int64
    # or uint64 numbers behind dates and large integers
    values: npt.NDArray[Any]
    # float64, shape (n_values, n_classes): weight of the rows with this value and class
    weights: Floats

    @cached_property
    def running(self) -> Floats:
        """Weight of each class below each value, and in the last line of all values."""
        start = np.zeros((1, self.weights.shape[1]))
        return np.cumsum(np.concatenate([start, self.weights]), axis=0)

    @cached_property
    def up_to(self) -> Floats:
        """Weight of all rows up to each value, itself included."""
        return np.asarray(self.running[1:].sum(axis=1))

    @property
    def is_wide(self) -> bool:
        """Whether the values are integers that float64 would round."""
        return bool(self.values.dtype.kind != "f")

    def midpoints_after(self, positions: npt.NDArray[np.intp]) -> list[Any]:
        """Return half way from each of these values to the next one, in few digits."""
        low, high = self.values[positions], self.values[positions + 1]
        if self.is_wide:
            return list(integer_midpoints(low, high).tolist())
        middles = midpoints(low, high).tolist()
        return [
            readable(middle, below, above, scale=above / 2 - below / 2)
            for middle, below, above in zip(
                middles, low.tolist(), high.tolist(), strict=True
            )
        ]


@dataclass(frozen=True, eq=False)
class KnownRows:
    """The rows of a column that have a value."""

    values: npt.NDArray[Any]  # the different values of the column in ascending order
    # for each row the position of its value, and its class
    codes: Ints
    classes: Ints
    n_classes: int  # number of classes; 1 if the target is not of classes
    weights: Floats | None  # weight of each row; None means 1
    name: str = ""  # what the column is called

    @classmethod
    def of(cls, columns: Columns, column: Column, name: str) -> KnownRows:
        """Return the known rows of a numeric column of the table."""
        known = column.codes < column.n_codes
        classes = joint_classes(columns)[known]
        return cls(
            values_of(column),
            column.codes[known].astype(np.int64),
            classes,
            int(classes.max(initial=0)) + 1,
            None if columns.weights is None else columns.weights[known],
            name,
        )

    def __len__(self) -> int:
        return len(self.codes)

    def at(self, rows: npt.NDArray[np.bool_]) -> KnownRows:
        """Return some of the rows."""
        weights = None if self.weights is None else self.weights[rows]
        codes, classes = self.codes[rows], self.classes[rows]
        return replace(self, codes=codes, classes=classes, weights=weights)

    def tally(self, *, by_class: bool = True) -> ValueTally:
        """Return the weight of each value that occurs, in one column or per class."""
        n_classes = self.n_classes if by_class else 1
        if len(self.values) * n_classes > MOST_CELLS:
            raise DataError(
                f"feature {self.name!r} has {len(self.values):,} different values and "
                f"the target {n_classes:,} classes, too many to count them all; round "
                "the values, or discretize by 'quantiles:k', 'equal_width' or borders"
            )
        place = self.codes * n_classes + (self.classes if by_class else 0)
        weights = self.weights
        if weights is not None:
            # in an order that does not depend on that of the rows: sums of floats do
            order = np.lexsort((weights, place))
            place, weights = place[order], weights[order]
        size = len(self.values) * n_classes
        sums = np.bincount(place, weights=weights, minlength=size)
        table = sums.astype(np.float64).reshape(len(self.values), n_classes)
        occurs = (table > 0).any(axis=1)
        return ValueTally(self.values[occurs], table[occurs])


def values_of(column: Column) -> npt.NDArray[Any]:
    """Return the different values of a numeric column in their storage."""
    assert column.values is not None
    is_wide = column.values.dtype.kind != "f"
    return column.values if is_wide else column.values.astype(np.float64)


def joint_classes(columns: Columns) -> Ints:
    """Return a class per row; several outputs are taken together."""
    target = columns.target
    if columns.schema.target.kind == "numbers":
        return np.zeros(columns.n_rows, np.int64)
    if target.shape[1] == 1:
        return target[:, 0].astype(np.int64)
    _, classes = np.unique(target, axis=0, return_inverse=True)
    return classes.reshape(-1).astype(np.int64)


def readable(exact: float, low: float, high: float, *, scale: float) -> float:
    """Return the shortest number x with low <= x < high, within scale/2000 of exact.

    A border may lie anywhere between two neighbouring values of the training rows. So
    it is written with the fewest digits that keep it there and near where it should be,
    3.35 rather than 3.3499999999999996; what a tree prints is then what it does.
    """
    if not isfinite(scale):  # beside an infinite value nothing is near
        return exact
    for digits in range(1, 17):
        short = float(f"{exact:.{digits}g}")
        if low <= short < high and abs(short - exact) <= scale / 2000:
            return short
    return exact
