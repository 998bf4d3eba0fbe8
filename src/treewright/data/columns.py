"""Columns: every feature as small integer codes, ready for the engine.

Nominal and ordinal: the code of the category. Numeric: the rank among the column's
distinct values, with the table of values beside it; so the engine sees integers only,
nothing is rounded, and a threshold is looked up at the end. The code `n_codes` is
reserved for missing, so missing values sort last.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from treewright.data.given_rows import GivenRows
from treewright.data.schema import Schema

Codes = npt.NDArray[np.uint8] | npt.NDArray[np.uint16] | npt.NDArray[np.uint32]


class Column(Protocol):
    """One encoded feature: what is asked of a column, whether it is dense or sparse.

    What is made of a column is a `DenseColumn`, so that nobody changes a part of one
    whose other parts come from elsewhere.
    """

    @property
    def codes(self) -> Codes:
        """The codes of all rows, in the smallest type that holds `n_codes` too."""

    @property
    def n_codes(self) -> int:
        """Number of codes that are not missing. The code `n_codes` means missing."""

    @property
    def values(self) -> npt.NDArray[Any] | None:
        """Numeric: the distinct values in ascending order; None of categories.

        They are float64; float32 where the data are; the int64/uint64 numbers behind a
        wide storage.
        """

    @property
    def has_missing(self) -> bool:
        """Whether any row is missing."""

    def take(self, rows: npt.NDArray[np.intp], taken: dict[int, Any]) -> Column:
        """Some of the rows; `taken` is shared by the columns of a table."""


@dataclass(frozen=True, eq=False)
class DenseColumn:
    """A column with a code for each row; see `Column`."""

    codes: Codes
    n_codes: int
    values: npt.NDArray[Any] | None
    has_missing: bool

    def take(self, rows: npt.NDArray[np.intp], taken: dict[int, Any]) -> DenseColumn:
        """Some of the rows."""
        return dataclasses.replace(self, codes=self.codes.take(rows))


@dataclass(frozen=True, eq=False)
class Columns:
    """A whole table: the encoded features, the target and the row weights."""

    schema: Schema  # names and kinds; `schema.features[k]` describes `features[k]`
    features: tuple[Column, ...]  # the encoded input columns
    # shape (n_rows, n_outputs): class codes as int32, or float64 numbers
    target: npt.NDArray[Any]
    # row weights, all positive and finite; None means 1 for each row
    weights: npt.NDArray[np.float64] | None = None
    # what a reader should know about how the table was read
    notes: tuple[str, ...] = ()
    # what the rows count for in an error, where `weights` are others: class weights say
    # what to learn, not how many rows there are. None: `weights`.
    given_weights: npt.NDArray[np.float64] | None = None
    # which rows of the table these are, as it was given; None: all, in their order
    given_rows: GivenRows | None = None

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.target.shape[0])

    @property
    def total_weight(self) -> float:
        """Sum of the row weights."""
        return float(self.n_rows if self.weights is None else self.weights.sum())

    def take(self, rows: npt.NDArray[np.intp]) -> Columns:
        """Some of the rows; codes and tables of values stay as they are."""
        taken: dict[int, Any] = {}
        features = tuple(column.take(rows, taken) for column in self.features)
        weights = None if self.weights is None else self.weights[rows]
        counted = None if self.given_weights is None else self.given_weights[rows]
        given = self.given_rows or GivenRows(np.arange(self.n_rows), self.n_rows)
        return dataclasses.replace(
            self,
            features=features,
            target=self.target[rows],
            weights=weights,
            given_weights=counted,
            given_rows=given.take(rows),
        )

    def only(self, names: Sequence[str]) -> Columns:
        """Some of the features, by name; a model may know fewer words of a text."""
        if len(names) == len(self.features):
            return self
        place = {feature.name: k for k, feature in enumerate(self.schema.features)}
        kept = [place[name] for name in names]
        features = tuple(self.schema.features[k] for k in kept)
        return dataclasses.replace(
            self,
            schema=dataclasses.replace(self.schema, features=features),
            features=tuple(self.features[k] for k in kept),
        )

    def by_given_rows(self, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return values of these rows by the rows as given; NaN for the others."""
        given = self.given_rows
        return values if given is None else given.spread(values, np.nan)
