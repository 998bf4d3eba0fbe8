"""A table as CAL2 and CAL3 read it: categories, classes, and how often a row comes."""

from __future__ import annotations

import dataclasses

import numpy as np

from treewright.data.columns import Column, Columns, DenseColumn
from treewright.data.complaints import counted, quoted
from treewright.data.schema import Feature
from treewright.errors import DataError, SettingError
from treewright.learners.admitted import admitted
from treewright.learners.cal_settings import CALSettings

MOST_WHOLE = 20  # different whole numbers that are taken as categories
_LARGEST = 2**53


def cal_columns(columns: Columns, dialect: CALSettings) -> Columns:
    """Return the rows with all features nominal; refuse what cannot be learned from."""
    _check_target(columns, dialect)
    pairs = zip(columns.schema.features, columns.features, strict=True)
    read = [_as_categories(feature, column) for feature, column in pairs]
    schema = dataclasses.replace(
        columns.schema, features=tuple(feature for feature, _ in read)
    )
    whole = [
        now.name
        for was, now in zip(columns.schema.features, schema.features, strict=True)
        if was.kind == "numeric" != now.kind
    ]
    notes = columns.notes
    if whole:
        holds = "holds" if len(whole) == 1 else "hold"
        notes += (
            f"{quoted(whole)} {holds} whole numbers, taken as names of categories",
        )
    columns = dataclasses.replace(
        columns, schema=schema, features=tuple(one for _, one in read), notes=notes
    )
    return admitted(columns, dialect.shape)


def times_of(columns: Columns, dialect: CALSettings) -> list[int] | None:
    """Return how often each row comes in a pass: its weight, a whole number."""
    if columns.weights is None:
        return None
    odd = np.flatnonzero(columns.weights != np.round(columns.weights))
    if len(odd):
        raise DataError(
            f"{counted(len(odd), 'row weight')} of {columns.n_rows:,} "
            f"{'is no whole number' if len(odd) == 1 else 'are no whole numbers'} "
            f"(one is {columns.weights[odd[0]]:g}), and {dialect.name} takes a weight "
            "as the number of times that a row comes; round or multiply the weights, "
            "or leave them out"
        )
    return [int(weight) for weight in columns.weights.tolist()]


def _as_categories(feature: Feature, column: Column) -> tuple[Feature, Column]:
    """Return whole numbers and ordered categories as plain ones; others as they are."""
    if feature.kind == "ordinal":
        return dataclasses.replace(feature, kind="nominal"), column
    values = column.values
    if feature.kind != "numeric" or values is None or feature.storage[:4] in _DATES:
        return feature, column
    if feature.word is not None:  # rows that come later have texts, not categories
        return feature, column
    few = 0 < len(values) <= MOST_WHOLE
    # also of integers: an infinity is no whole number, and has no category
    if not few or not all(float(v).is_integer() and abs(v) < _LARGEST for v in values):
        return feature, column
    names = tuple(int(value) for value in values.tolist())
    made = Feature(feature.name, "nominal", names)
    return made, DenseColumn(column.codes, len(names), None, column.has_missing)


_DATES = ("date", "time")


def _check_target(columns: Columns, dialect: CALSettings) -> None:
    """Refuse what has no single class: numbers, several outputs; and costs."""
    target, name = columns.schema.target, dialect.name
    if target.kind != "classes":
        raise DataError(
            f"the target holds numbers, and {name} is for classes; use cart, or "
            "declare the target nominal"
        )
    if target.n_outputs != 1:
        raise DataError(
            f"the target has {target.n_outputs} columns, and {name} predicts one; fit "
            "one model for each"
        )
    if target.costs is not None:
        raise SettingError(
            f"{name} replaces classes row by row and knows no costs of wrong ones; "
            "leave them out"
        )
