"""Rows at prediction: any table becomes one float64 matrix in the model's terms.

A cell is the number itself; for a feature of wide storage the number of the trees' cuts
below it; for a nominal or ordinal feature the code of its category, or -1 for one that
training never saw; for intervals the code of the one that the number is in, or -1 if
there is none. NaN is missing. `schema.py` says why.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.complaints import (
    counted,
    first_row,
    missing_values,
    quoted,
    row_name,
    short,
    warn_of_others,
)
from treewright.data.encoding.wide import count_cuts_below, round_up_to_float
from treewright.data.intervals import OUTSIDE, Intervals
from treewright.data.labels import MISSING, CategoryTable
from treewright.data.schema import Feature, Schema
from treewright.data.sparse.bag_of_words import rows_with_words
from treewright.data.sparse.sparse_table import SparseTable, read_sparse
from treewright.data.tables.convert import (
    as_labels,
    as_numbers,
    refuse_objects,
    text_as_times,
)
from treewright.data.tables.frames import read_frame
from treewright.data.tables.raw import Labels, Mask, Numbers, RawColumn, Table
from treewright.errors import DataError

UNSEEN = -1.0  # the cell of a category that training never saw


def encode_rows(
    table: Any, schema: Schema, *, unseen: str, missing: str
) -> tuple[npt.NDArray[np.float64], list[str]]:
    """Encode the rows of a table as the model's trees compare them.

    - `table`: columns are matched by name where both sides have names, else by
      position. A mapping is not taken by position: its columns are in no particular
      order.
    - `schema`: the features of the training table.
    - `unseen` ({"stop", "missing", "error"}): what a category that training never saw
      becomes: -1, NaN or an error.
    - `missing`: "error" refuses missing values; every other rule leaves them to the
      trees.
    - Returns `matrix` (float64, shape (n_rows, n_features)): C-contiguous; the table
      itself if it already is such a matrix.
    - Returns `notes`: what a reader should know, for example which values were never
      seen.
    """
    notes: list[str] = []
    if _is_plain_matrix(table) and schema.all_float:
        _check_width(table.shape[1], schema)
        matrix: npt.NDArray[np.float64] = np.ascontiguousarray(table, np.float64)
    elif (sparse := read_sparse(table)) is not None:
        return _sparse_rows(sparse, schema, unseen=unseen, missing=missing)
    elif any(feature.word is not None for feature in schema.features):
        # texts, unless the table has a column for each word already
        read = read_frame(table)
        if not {*schema.names} - {*read.names}:
            return encode_rows(
                table, _without_words(schema), unseen=unseen, missing=missing
            )
        texts = rows_with_words(read, schema)
        return _sparse_rows(texts, schema, unseen=unseen, missing=missing)
    else:
        read = read_frame(table)
        in_order = not _is_mapping(table)
        matrix, notes = _dense_rows(read, schema, in_order=in_order, unseen=unseen)
    if missing == "error":
        _refuse_missing(matrix, schema)
    return matrix, notes


def _dense_rows(
    table: Table, schema: Schema, *, in_order: bool, unseen: str
) -> tuple[npt.NDArray[np.float64], list[str]]:
    """Encode the columns of a table, one after the other."""
    columns = _matched(table, schema, in_order=in_order)
    matrix = np.empty((table.n_rows, len(columns)))
    notes: list[str] = []
    for k, (feature, column) in enumerate(zip(schema.features, columns, strict=True)):
        matrix[:, k], note = cells_of(feature, column, unseen)
        notes += note
    return matrix, notes


def _sparse_rows(
    sparse: SparseTable, schema: Schema, *, unseen: str, missing: str
) -> tuple[npt.NDArray[np.float64], list[str]]:
    """Encode rows whose last columns are sparse, without making them dense."""
    n_others = len(schema.features) - len(sparse.features)
    if not any(feature.word is not None for feature in sparse.features):
        _check_width(len(sparse.all_names), schema)
    wide = [one.name for one in schema.features[n_others:] if one.kind != "numeric"]
    if wide:
        raise DataError(
            f"feature {wide[0]!r} was not a number in training, and is in a sparse "
            "matrix here; pass rows of the same kind"
        )
    cells = sparse.cells()
    notes: list[str] = []
    if n_others:
        own = replace(schema, features=schema.features[:n_others])
        dense, notes = _dense_rows(sparse.others, own, in_order=True, unseen=unseen)
        if missing == "error":
            _refuse_missing(dense, own)
        cells = cells.behind(dense)
    return cells.unless_few(), notes


def _without_words(schema: Schema) -> Schema:
    """The schema with words as mere numbers."""
    return replace(
        schema,
        features=tuple(replace(feature, word=None) for feature in schema.features),
    )


def _is_plain_matrix(table: Any) -> bool:
    """Tell whether every cell of the table is a number that float64 holds exactly."""
    return (
        type(table) is np.ndarray
        and table.ndim == 2
        and (table.dtype.kind == "f" or table.dtype.name in _SMALL_INTEGERS)
    )


_SMALL_INTEGERS = {"int8", "int16", "int32", "uint8", "uint16", "uint32"}


def _is_mapping(table: Any) -> bool:
    """Tell whether the table is a dict of columns or a list of dicts."""
    is_list = isinstance(table, list | tuple) and len(table) > 0
    return isinstance(table[0] if is_list else table, Mapping)


def _matched(table: Table, schema: Schema, *, in_order: bool) -> list[RawColumn]:
    """Return the columns in the order of the schema."""
    here = dict(zip(table.names, table.columns, strict=True))
    absent = [name for name in schema.names if name not in here]
    if absent and not table.named:
        _check_width(len(table.columns), schema)
        return list(table.columns)
    if not schema.has_names and len(absent) == len(schema.names):
        return _by_position(table, schema, in_order=in_order)
    if absent:
        them, their = ("it", "its") if len(absent) == 1 else ("them", "their")
        raise DataError(
            f"the table lacks {counted(len(absent), 'column')} that the model was "
            f"trained on: {quoted(absent, 20)}; add {them}, with empty cells "
            f"if {their} values are not known"
        )
    if not table.named:
        _check_width(len(table.columns), schema)
    known = set(schema.names)
    extra = [name for name in table.names if name not in known]
    if extra:
        warn_of_others(extra, stacklevel=8)
    return [here[name] for name in schema.names]


def _by_position(table: Table, schema: Schema, *, in_order: bool) -> list[RawColumn]:
    """Return the columns of a table whose names the model never had."""
    if not in_order:
        raise DataError(
            f"the model was trained without column names, and the table names "
            f"{quoted(table.names)}; pass the cells in the order of the training "
            f"table, or under the names {quoted(schema.names)}"
        )
    _check_width(len(table.columns), schema)
    warnings.warn(
        "the model was trained without column names: columns taken in order",
        UserWarning,
        stacklevel=8,
    )
    return list(table.columns)


def _check_width(n_columns: int, schema: Schema) -> None:
    if n_columns != len(schema.features):
        raise DataError(
            f"X has {n_columns} features, but treewright expects "
            f"{len(schema.features)} features as input: {quoted(schema.names)}"
        )


def cells_of(
    feature: Feature, column: RawColumn, unseen: str
) -> tuple[npt.NDArray[np.float64], list[str]]:
    """Return one column of the matrix and the notes on it."""
    if feature.intervals is not None:
        return _interval_cells(feature, feature.intervals, column, unseen)
    if feature.kind == "numeric":
        has_dates = feature.storage.startswith("datetime64")
        if has_dates and isinstance(column, Labels):
            numbers = text_as_times(feature.name, column)
        else:
            numbers = as_numbers(feature.name, column)
        return _number_cells(feature, numbers), []
    return _category_cells(feature, as_labels(column), unseen)


def _number_cells(feature: Feature, numbers: Numbers) -> npt.NDArray[np.float64]:
    """Return numbers as they are, or as positions among the cuts of a wide storage."""
    missing = numbers.is_missing()
    if not missing.all():
        _refuse_other_kind(feature, numbers)
    if feature.is_wide:
        cells = count_cuts_below(numbers, feature)
    else:
        cells = round_up_to_float(numbers.comparable())
    return np.where(missing, np.nan, cells)


def _refuse_other_kind(feature: Feature, numbers: Numbers) -> None:
    """Raise if numbers, dates and durations, or two clocks, would be compared."""
    was, now = _KINDS[feature.storage[:5]], _KINDS[numbers.storage()[:5]]
    if was != now:
        raise DataError(
            f"feature {feature.name!r} held {was} in training and holds {now} here; "
            f"convert the column to {was}"
        )
    if feature.zoned != numbers.zoned:
        one, other = ("with", "without") if feature.zoned else ("without", "with")
        remedy = (
            "give these their zone" if feature.zoned else "remove the zone of these"
        )
        raise DataError(
            f"feature {feature.name!r} held dates {one} a time zone in training and "
            f"holds dates {other} one here; {remedy}, in the clock of the training data"
        )


_KINDS = {"datet": "dates", "timed": "durations"}
_KINDS |= {"float": "numbers", "int64": "numbers", "uint6": "numbers"}


def _interval_cells(
    feature: Feature, intervals: Intervals, column: RawColumn, unseen: str
) -> tuple[npt.NDArray[np.float64], list[str]]:
    """Return the codes of the intervals that numbers are in."""
    numeric = feature.as_numeric
    cells, _ = cells_of(numeric, column, unseen)
    known = ~np.isnan(cells)
    if numeric.is_wide:  # the cells are the number of borders below
        pieces = np.where(known, cells, 0).astype(np.intp)
    else:
        pieces = np.searchsorted(intervals.cuts, cells, side="left")
        pieces[~known] = 0
    codes = intervals.codes_at(pieces)
    new = known & (codes == OUTSIDE)
    place = np.nan if unseen == "missing" else UNSEEN
    encoded = np.where(known, np.where(new, place, codes), np.nan)
    if not new.any():
        return encoded, []
    found = f"{counted(int(new.sum()), 'row')} in none of its intervals"
    values = quoted(as_labels(column.keep(new)).labels)
    if unseen == "error":
        raise DataError(
            f"feature {feature.name!r} has {found} {quoted(feature.categories)}: "
            f"{values}, first in {first_row(new)}; correct the cell, or set "
            "unseen='missing' to accept it"
        )
    names = quoted(feature.categories)
    return encoded, [f"feature {feature.name!r}: {found} {names}: {values}"]


def _category_cells(
    feature: Feature, labels: Labels, unseen: str
) -> tuple[npt.NDArray[np.float64], list[str]]:
    """Return the codes of the categories; one lookup per different label."""
    refuse_objects(feature.name, labels)
    table = feature.table
    codes: list[float] = [table.code(label) for label in labels.labels]
    if MISSING not in codes:
        return np.array([*codes, np.nan])[labels.codes], []
    new = np.array([*(code == MISSING for code in codes), False])[labels.codes]
    if unseen == "error" and new.any():
        row = int(np.argmax(new))
        label = labels.labels[labels.codes[row]]
        raise DataError(
            f"feature {feature.name!r}: {short(label)} in {row_name(row)} was not seen "
            f"in training, where the values are {quoted(feature.categories)}"
            f"{_hint(table, label)}; correct it, or set unseen='missing' to accept it"
        )
    place = np.nan if unseen == "missing" else UNSEEN
    codes = [place if code == MISSING else code for code in codes]
    cells = np.array([*codes, np.nan])[labels.codes]
    return cells, _unseen_notes(feature, labels, new)


def _unseen_notes(feature: Feature, labels: Labels, new: Mask) -> list[str]:
    """Say which values of the feature training never saw."""
    if not new.any():
        return []
    values = [labels.labels[code] for code in np.unique(labels.codes[new])]
    n_new = int(new.sum())
    have = "row has a value" if n_new == 1 else "rows have values"
    hints = "".join(_hint(feature.table, value) for value in values[:5])
    return [
        f"feature {feature.name!r}: {n_new:,} {have} not seen in training: "
        f"{quoted(sorted(values, key=str))}{hints}"
    ]


def _hint(table: CategoryTable, label: object) -> str:
    """Point out a known category that differs only in spaces."""
    known = table.lookalike(label)
    if known is None:
        return ""
    return f" ({short(label)} is {short(known)} but for spaces around it)"


def _refuse_missing(matrix: npt.NDArray[np.float64], schema: Schema) -> None:
    absent = np.isnan(matrix)
    if not absent.any():
        return
    feature = int(np.argmax(absent.any(axis=0)))
    what, them = missing_values(schema.names[feature], absent[:, feature])
    raise DataError(
        f"{what}; this model was grown with missing='error': fill {them} in, or train "
        "it with another rule for missing values"
    )
