"""Raw columns: the two forms that every column takes before its kind is decided.

`frames.py` brings any table to these forms, `data/encoding/encode.py` (for training)
and `data/encoding/encode_rows.py` (for prediction) read them; so nothing further on
asks where a table came from.

Numbers : a column with an order and a distance. Values stay in the type they came in
    and may be views of the caller's memory; they are converted once, in `comparable`.
Labels : a column of things, dictionary encoded: a code per row into a tuple of labels.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from treewright.data.labels import MISSING
from treewright.data.schema import Label

Mask: TypeAlias = npt.NDArray[np.bool_]

LARGEST_EXACT = 2**53  # every integer up to here is a float64


@dataclass(frozen=True, eq=False)
class Numbers:
    """A column of numbers."""

    # any real dtype: NaN is missing. Dates and durations are the int64 numbers behind
    # them.
    values: npt.NDArray[Any]
    missing: Mask | None = None  # which cells are missing besides NaN
    # "datetime64[us]", "timedelta64[s]", ... for dates and durations, else empty
    unit: str = ""
    note: str = ""  # what was changed in reading the column, if anything
    # dates: whether they came with a time zone; they are counted in UTC then
    zoned: bool = False
    # `date`, `datetime` or `timedelta` if the cells were Python objects of it
    scalar: type | None = None

    def __len__(self) -> int:
        return len(self.values)

    def keep(self, rows: Mask) -> Numbers:
        """Return the column with only these rows."""
        missing = None if self.missing is None else self.missing[rows]
        return replace(self, values=self.values[rows], missing=missing)

    def is_missing(self) -> Mask:
        """Tell for each row whether it is missing."""
        if self.values.dtype.kind == "f":
            absent: Mask = np.isnan(self.values)
            return absent if self.missing is None else absent | self.missing
        return np.zeros(len(self), bool) if self.missing is None else self.missing

    def storage(self) -> str:
        """Name the type in which no two of the values are confused."""
        if self.unit:
            return self.unit
        if self.values.dtype.kind == "f" or self.values.dtype.itemsize < 8:
            return "float64"
        known = self.values if self.missing is None else self.values[~self.missing]
        if not known.size or (
            int(known.max()) <= LARGEST_EXACT and int(known.min()) >= -LARGEST_EXACT
        ):
            return "float64"
        return "uint64" if self.values.dtype.kind == "u" else "int64"

    def comparable(self) -> npt.NDArray[Any]:
        """Return the values in their storage: float64 with NaN, int64 or uint64."""
        storage = self.storage()
        if storage != "float64":
            return self.values.astype(np.uint64 if storage == "uint64" else np.int64)
        floats: npt.NDArray[np.float64] = np.ascontiguousarray(self.values, np.float64)
        if self.missing is not None:
            floats = np.where(self.missing, np.nan, floats)
        return floats


@dataclass(frozen=True, eq=False)
class Labels:
    """A column of labels."""

    codes: npt.NDArray[np.int64]  # index into `labels`, or `MISSING`
    # different from each other; in no particular order unless `declared`
    labels: tuple[Label, ...]
    # the labels were listed beforehand: their order and those that do not occur are
    # part of the data
    declared: bool = False
    ordered: bool = False  # the declared order is meant as small to large

    def __len__(self) -> int:
        return len(self.codes)

    def keep(self, rows: Mask) -> Labels:
        """Return the column with only these rows, and only their labels."""
        return replace(self, codes=self.codes[rows]).compact()

    def is_missing(self) -> Mask:
        """Tell for each row whether it is missing."""
        absent: Mask = self.codes == MISSING
        return absent

    def compact(self) -> Labels:
        """Drop the labels that do not occur, unless they were declared."""
        if self.declared:
            return self
        occurs = self.occur()
        return self if occurs.all() else self.in_order(np.flatnonzero(occurs))

    def occur(self) -> Mask:
        """Tell for each label whether some row holds it."""
        occurs = np.zeros(len(self.labels) + 1, bool)
        occurs[self.codes] = True  # MISSING sets the extra cell at the end
        return occurs[:-1]

    def in_order(self, order: npt.ArrayLike) -> Labels:
        """Return the column with the labels of these codes, in this order."""
        positions = np.asarray(order, np.int64)
        places = positions.tolist()
        if places == list(range(len(self.labels))):
            return self
        new_codes = np.full(len(self.labels), MISSING)
        new_codes[positions] = np.arange(len(places))
        return self.relabel(new_codes, tuple(self.labels[k] for k in places))

    def relabel(
        self, new_codes: npt.NDArray[np.int64], labels: tuple[Label, ...]
    ) -> Labels:
        """Return the column over other labels; `new_codes` has one per present code."""
        table = np.empty(len(new_codes) + 1, np.int64)
        table[:-1] = new_codes
        table[-1] = MISSING
        return Labels(table[self.codes], labels, self.declared, self.ordered)

    def through(self, of_label: npt.ArrayLike, missing: float) -> npt.NDArray[Any]:
        """Return what stands for each row's label, or for a missing cell."""
        return np.append(of_label, missing)[self.codes]

    def first_row(self, code: int) -> int:
        """Return the first row that holds the label with this code."""
        return int(np.argmax(self.codes == code))


RawColumn: TypeAlias = Numbers | Labels


@dataclass(frozen=True, eq=False)
class Table:
    """A table as raw columns."""

    names: tuple[str, ...]  # column names, all different
    columns: tuple[RawColumn, ...]  # one per name, all of the same length
    n_rows: int
    # whether the names came with the data and are text; columns without names are
    # called x0, x1, ...
    named: bool

    def keep(self, rows: Mask) -> Table:
        """Return the table with only these rows."""
        columns = tuple(column.keep(rows) for column in self.columns)
        return replace(self, columns=columns, n_rows=int(rows.sum()))
