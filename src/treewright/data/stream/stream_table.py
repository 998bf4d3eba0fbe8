"""The features of a stream: tables that come one after the other become cells.

What is known of the columns grows: a kind is found when a column has its first value,
and a category gets the next code when it comes up, so codes do not depend on how the
rows are cut into batches. A `StreamTable` does not change; `encode` returns the one
that knows the batch, too, so that a batch can be refused after all. `stream_target.py`
does the same for the answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from treewright.data.complaints import (
    counted,
    no_column,
    quoted,
    row_name,
    short,
    warn_of_others,
)
from treewright.data.labels import MISSING, family, family_words
from treewright.data.schema import Label
from treewright.data.tables.convert import as_labels, as_numbers, refuse_objects
from treewright.data.tables.raw import Labels, Numbers, RawColumn, Table
from treewright.errors import DataError, SettingError

Cells = npt.NDArray[np.float64]
Where = Callable[[int], str]
NEVER_SEEN = -1.0
_KINDS = ("numeric", "nominal")


@dataclass(frozen=True, eq=False)
class StreamFeature:
    """What is known of a column."""

    name: str
    # {"", "numeric", "nominal"}: empty as long as all of its cells are missing
    kind: str = ""
    # whether the user said of which kind it is; then text may be read as numbers, and
    # numbers as categories
    is_declared: bool = False
    # nominal: the code of each category, in the order in which they came up
    codes: dict[Label, int] = field(default_factory=dict)
    # nominal: whether there were more categories than are told apart
    is_full: bool = False

    @cached_property
    def are_text(self) -> bool:
        """Whether all categories are text."""
        return all(type(label) is str for label in self.codes)

    @cached_property
    def quick_lookup(self) -> dict[Label, float]:
        """The cell of each label that is text, and of none; empty if there are others.

        Labels that are equal and not alike, as 1 and True, need a closer look.
        """
        if self.kind != "nominal" or not self.are_text:
            return {}
        # pandas' own NaN is always this one
        return {**self.codes, None: np.nan, np.nan: np.nan}


@dataclass(frozen=True, eq=False)
class StreamTable:
    """What is known of the columns; see `start` and `encode`."""

    features: tuple[StreamFeature, ...]
    has_names: bool
    max_categories: int

    @classmethod
    def start(
        cls, table: Table, kinds: Mapping[str, Any] | None, max_categories: int
    ) -> StreamTable:
        """Return what is known of the columns of a first table: their names."""
        kinds = dict(kinds or {})
        for name, kind in kinds.items():
            if name not in table.names:
                raise SettingError(no_column("feature_kinds", name, table.names))
            if kind not in _KINDS:
                raise SettingError(
                    f"feature {name!r} cannot be of kind {kind!r} in a stream; use "
                    "'numeric' or 'nominal'"
                )
        features = tuple(
            StreamFeature(name, kinds.get(name, ""), name in kinds)
            for name in table.names
        )
        return cls(features, table.named, max_categories)

    @cached_property
    def all_numeric(self) -> bool:
        """Whether every column holds numbers."""
        return all(feature.kind == "numeric" for feature in self.features)

    @cached_property
    def lookups(self) -> tuple[tuple[str, dict[Label, float] | None], ...]:
        """The name of each column, with the cells of its categories if it has any.

        A column that needs a closer look has no cells at all.
        """
        return tuple(
            (one.name, None if one.kind == "numeric" else one.quick_lookup)
            for one in self.features
        )

    @cached_property
    def n_codes(self) -> npt.NDArray[np.int64]:
        """The number of categories of each column; 0 if it holds numbers."""
        return np.array([len(feature.codes) for feature in self.features], np.int64)

    @cached_property
    def is_nominal(self) -> list[bool]:
        """Whether each column holds categories."""
        return [feature.kind == "nominal" for feature in self.features]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(feature.name for feature in self.features)

    def encode(
        self, table: Table, where: Where = row_name, *, learns: bool = True
    ) -> tuple[Cells, StreamTable]:
        """Return the cells of a table, and what is known of the columns after it.

        - `table`: columns are matched by name where both sides have names.
        - `where`: names a row, for messages.
        - `learns`: whether new categories get codes. Otherwise they are NEVER_SEEN.
        - Returns `cells` (float64, shape (n_rows, n_features)): numbers, and codes of
          categories; NaN is missing.
        - Returns `known`: this one, if there is nothing new.
        """
        columns = self._matched(table, learns=learns)
        cells = np.empty((table.n_rows, len(self.features)))
        raw = dict(enumerate(columns))
        return cells, self.fill_in(cells, raw, where, learns=learns)

    def fill_in(
        self,
        out: Cells,
        columns: Mapping[int, RawColumn],
        where: Where,
        *,
        learns: bool,
    ) -> StreamTable:
        """Write some columns into a table's cells; return what is known after them."""
        features = list(self.features)
        for k, column in columns.items():
            out[:, k], features[k] = _encoded(
                features[k], column, where, self.max_categories if learns else 0
            )
        changed = any(features[k] is not self.features[k] for k in columns)
        return replace(self, features=tuple(features)) if changed and learns else self

    def _matched(self, table: Table, *, learns: bool) -> list[RawColumn]:
        """Return the columns in the order of the first table."""
        names = self.names
        if table.names == names or not (table.named and self.has_names):
            if len(table.columns) != len(names):
                raise DataError(
                    f"X has {len(table.columns)} features, but {len(names)} are "
                    f"expected as input: {quoted(names)}"
                )
            return list(table.columns)
        here = dict(zip(table.names, table.columns, strict=True))
        absent = [name for name in names if name not in here]
        extra = [name for name in here if name not in set(names)]
        if absent:
            new = f", and has {quoted(extra)} that it lacked before" if extra else ""
            raise DataError(
                f"the table lacks {counted(len(absent), 'column')} of the stream so "
                f"far: {quoted(absent)}{new}; pass the same columns, with empty cells "
                "where values are not known"
            )
        if extra and learns:
            raise DataError(
                f"the table has {counted(len(extra), 'column')} that the stream so far "
                f"lacked: {quoted(extra)}; leave out what is new, or start anew with "
                "all columns"
            )
        if extra:
            warn_of_others(extra, stacklevel=7)
        return [here[name] for name in names]


def _encoded(
    feature: StreamFeature, column: RawColumn, where: Where, max_categories: int
) -> tuple[Cells, StreamFeature]:
    """Return the cells of a column, and what is known of it now."""
    if not feature.kind:
        if column.is_missing().all():
            return np.full(len(column), np.nan), feature
        kind = "numeric" if isinstance(column, Numbers) else "nominal"
        feature = replace(feature, kind=kind)
    if feature.kind == "numeric":
        return _number_cells(feature, column, where), feature
    return _category_cells(feature, column, where, max_categories)


def _number_cells(feature: StreamFeature, column: RawColumn, where: Where) -> Cells:
    if isinstance(column, Labels):
        if column.labels and not feature.is_declared:
            _refuse_other_kind(feature, column, where)
        column = as_numbers(feature.name, column)
    if column.unit:
        raise DataError(
            f"column {feature.name!r} holds {column.unit} values, which a stream does "
            "not take; turn them into numbers (days since a date, say), or leave the "
            "column out"
        )
    if column.storage() != "float64":
        raise DataError(
            f"column {feature.name!r} holds whole numbers beyond 2^53, which float64 "
            "would round; divide the column, turn it into text, or leave it out"
        )
    return column.comparable()


def _category_cells(
    feature: StreamFeature, column: RawColumn, where: Where, max_categories: int
) -> tuple[Cells, StreamFeature]:
    """Return the codes of the categories; new ones get the next if there is room."""
    if isinstance(column, Numbers):
        if not feature.is_declared and not column.is_missing().all():
            _refuse_other_kind(feature, column, where)
        column = as_labels(column)
    known = feature.codes
    codes: list[float] = [known.get(label, MISSING) for label in column.labels]
    new = [code for code, found in enumerate(codes) if found == MISSING]
    if new:
        found = _new_codes(feature, column, new, where, max_categories)
        for code, place in found.items():
            codes[code] = place
        feature = _with_categories(feature, column, found)
    return column.through(codes, np.nan), feature


def _new_codes(
    feature: StreamFeature,
    column: Labels,
    new: list[int],
    where: Where,
    max_categories: int,
) -> dict[int, float]:
    """Return the place of each label that is new, by its code in the column."""
    if max_categories == 0:
        occur = column.occur()
        return {code: NEVER_SEEN for code in new if occur[code]}
    refuse_objects(feature.name, column)
    known = next(iter(feature.codes), None)
    what = f"column {feature.name!r}", "cells"
    codes = in_order_of_rows(what, column, new, known, where)
    places = enumerate(codes, len(feature.codes))
    return {code: place if place < max_categories else np.nan for place, code in places}


def in_order_of_rows(
    what: tuple[str, str],
    column: Labels,
    new: list[int],
    known: Label | None,
    where: Where,
) -> list[int]:
    """Return the new labels that occur, in the order in which they came up.

    All are of one family: that of a label which is known, or of the first. `what` is
    how messages call the column, and its cells.
    """
    occur = column.occur()
    first = sorted((column.first_row(code), code) for code in new if occur[code])
    for row, code in first:
        label = column.labels[code]
        known = label if known is None else known
        if family(label) is not family(known):
            raise DataError(
                f"{what[0]} held {family_words(known)} so far and holds {short(label)} "
                f"in {where(row)}; pass {what[1]} of one kind, for example as text. "
                f"{NOTHING_LEARNED}"
            )
    return [code for _, code in first]


def _with_categories(
    feature: StreamFeature, column: Labels, found: Mapping[int, float]
) -> StreamFeature:
    """Return the feature with the categories that got a code."""
    kept = {
        column.labels[code]: int(place) for code, place in found.items() if place >= 0
    }
    is_full = feature.is_full or any(np.isnan(place) for place in found.values())
    if not kept and is_full == feature.is_full:
        return feature
    return replace(feature, codes={**feature.codes, **kept}, is_full=is_full)


NOTHING_LEARNED = "Nothing of this batch was learned"


def _refuse_other_kind(
    feature: StreamFeature, column: RawColumn, where: Where
) -> NoReturn:
    """Refuse text among numbers, or numbers among text."""
    labels = as_labels(column)
    occur = labels.occur()
    # numbers may stand among text, and are not what is wrong then
    own = float if feature.kind == "numeric" else None
    others = [k for k, label in enumerate(labels.labels) if family(label) is not own]
    row = min(labels.first_row(k) for k in others if occur[k])
    cell = short(labels.labels[labels.codes[row]])
    if feature.kind == "numeric":
        was, remedy = "numbers", "correct the cell or empty it, or start anew with"
        other = "nominal"
    else:
        was, remedy = "categories", "pass text, or start anew with"
        other = "nominal" if isinstance(column, Numbers) else "numeric"
    raise DataError(
        f"column {feature.name!r} held {was} so far and holds {cell} in {where(row)}; "
        f"{remedy} feature_kinds={{{feature.name!r}: {other!r}}}. {NOTHING_LEARNED}"
    )
