"""The schema: what the columns are called and what kind they are.

It is made once, when a table is encoded, and travels with the model, so that every
output speaks in the names and values of the data. Read `columns.py` next.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Literal

import numpy as np
import numpy.typing as npt

from treewright.data.intervals import Intervals
from treewright.data.labels import CategoryTable

FeatureKind = Literal["numeric", "nominal", "ordinal"]
TargetKind = Literal["classes", "numbers"]
WORD_WEIGHTS = ("counts", "presence", "share")
Label = Hashable


@dataclass(frozen=True)
class Word:
    """The word of a text that a feature is about.

    `column` has the texts; `weights` says what the number is: how often the word is in
    the text ("counts"), whether it is ("presence"), or its share of the text's words.
    """

    column: str
    text: str
    weights: str


@dataclass(frozen=True, eq=False)
class Feature:
    """One input column."""

    name: str  # the column's name, as in the data
    # {"numeric", "nominal", "ordinal"}: ordinal columns are cut like numbers but speak
    # in their categories
    kind: FeatureKind
    # nominal and ordinal: the values in code order, declared ones that never occur
    # included. Empty for numeric columns.
    categories: tuple[Label, ...] = ()
    # numeric: the dtype in which values are compared. "float64" for nearly all;
    # "int64", "uint64", "datetime64[us]", "timedelta64[us]" (any unit) where float64
    # would round.
    storage: str = "float64"
    # numeric with a storage other than float64: the sorted thresholds that the trees
    # use, in that storage (int64 or uint64 numbers). The threshold in a tree is then an
    # index into this table, and a value `x` is encoded as the number of cuts below it,
    # so that `code <= index` says exactly `x <= cuts[index]`.
    cuts: npt.NDArray[np.int64] | npt.NDArray[np.uint64] | None = None
    # dates: whether they came with a time zone, and so are counted in UTC
    zoned: bool = False
    # nominal: the cells are numbers, and the categories are intervals of them
    intervals: Intervals | None = None
    # nominal: the declared text of cells that cannot have a value. It is the last
    # category then; listings call it "not applicable".
    not_applicable: str | None = None
    # numeric: the cells are made from texts; this is the word that they count
    word: Word | None = None

    @cached_property
    def table(self) -> CategoryTable:
        """The codes of the categories, by label."""
        return CategoryTable(self.categories)

    @property
    def is_wide(self) -> bool:
        """Whether values are compared as 64-bit integers rather than as floats."""
        return self.kind == "numeric" and self.storage != "float64"

    @property
    def holds_numbers(self) -> bool:
        """Whether the cells are numbers, also where intervals of them are asked for."""
        return self.kind == "numeric" or self.intervals is not None

    @cached_property
    def as_numeric(self) -> Feature:
        """The feature of the numbers whose intervals this one has."""
        if self.intervals is None:
            return self
        own = self.intervals
        return Feature(
            self.name, "numeric", storage=own.storage, cuts=own.cuts, zoned=own.zoned
        )


@dataclass(frozen=True)
class Target:
    """What is predicted: one or several outputs, all of one kind.

    `classes` holds, per output, the labels in class order (sorted); empty tuples for
    numbers. `weights` in a tree are laid out output after output. `costs` holds, for
    each class of the only output, what it costs to predict each of them instead; None:
    every wrong class costs the same.
    """

    kind: TargetKind
    names: tuple[str, ...] = ("target",)
    classes: tuple[tuple[Label, ...], ...] = ()
    costs: tuple[tuple[float, ...], ...] | None = None

    @property
    def n_outputs(self) -> int:
        """Number of outputs."""
        return len(self.names)

    @property
    def slots(self) -> list[slice]:
        """For each output, where its classes stand in a node's row of weights."""
        stops = accumulate(map(len, self.classes), initial=0)
        return [slice(start, stop) for start, stop in pairwise(stops)]


@dataclass(frozen=True, eq=False)
class Schema:
    """Features in column order and the target.

    `has_names` tells whether the training table named its columns; otherwise they are
    called x0, x1, ... here, and rows are matched by position.
    """

    features: tuple[Feature, ...]
    target: Target
    notes: tuple[str, ...] = field(default=())
    has_names: bool = True

    @property
    def names(self) -> tuple[str, ...]:
        """Feature names in column order."""
        return tuple(feature.name for feature in self.features)

    @cached_property
    def all_float(self) -> bool:
        """Whether every feature is numeric and compared as float64."""
        return all(
            feature.kind == "numeric" and not feature.is_wide
            for feature in self.features
        )
