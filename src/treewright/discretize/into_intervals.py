"""A table with numeric columns becomes one with columns of intervals.

Only the rows of the table, which are those of training, have a say in where learned
borders are. What happens to a feature is kept in its `Intervals`.
"""

from __future__ import annotations

import dataclasses
from itertools import pairwise

import numpy as np

from treewright.data.columns import Column, Columns, DenseColumn
from treewright.data.complaints import counted, quoted
from treewright.data.encoding.feature_kinds import smallest_codes
from treewright.data.intervals import OUTSIDE, Intervals
from treewright.data.schema import Feature
from treewright.data.sparse.sparse_cells import refuse_dense
from treewright.data.sparse.sparse_columns import SparseColumn
from treewright.data.tables.raw import Mask
from treewright.discretize.chosen_way import METHODS, choose
from treewright.discretize.given import intervals_of_borders, intervals_of_ranges
from treewright.discretize.plan import (
    Borders,
    IntervalPlan,
    LearnedBorders,
    Ranges,
    Rule,
)
from treewright.discretize.tally import KnownRows, values_of
from treewright.errors import DataError, SettingError
from treewright.tree.structure.branch_words import cut_text, number_text

_WITH_CLASSES = ("mdl", "cv")
ANY = "any value"  # the name of an interval without ends


def into_intervals(
    columns: Columns, plan: IntervalPlan, *, unseen: str = "stop"
) -> Columns:
    """Return the table with the columns of the plan as intervals.

    `columns`: the training rows. `plan`: which columns, and by which rule. `unseen`:
    training values outside of all given ranges are missing if it is "missing", else an
    error.
    """
    if not plan.columns and plan.others is None:
        return columns
    _refuse_words(columns, plan)
    plan.check_names(columns.schema.names)
    features, encoded = list(columns.schema.features), list(columns.features)
    notes = list(columns.notes)
    for number, feature in enumerate(columns.schema.features):
        rule = _rule_for(feature, plan)
        if rule is None:
            continue
        _refuse_without_classes(feature, rule, columns)
        column = encoded[number]
        features[number], note = _with_intervals(columns, feature, column, rule)
        encoded[number] = _coded(features[number], column, unseen)
        notes += note
    schema = dataclasses.replace(columns.schema, features=tuple(features))
    return dataclasses.replace(
        columns, schema=schema, features=tuple(encoded), notes=tuple(notes)
    )


def _refuse_words(columns: Columns, plan: IntervalPlan) -> None:
    """Refuse intervals of words, and of sparse columns too large to be made dense."""
    words = [one for one in columns.schema.features if one.word is not None]
    texts = {one.word.column for one in words if one.word is not None}
    for name in plan.columns:
        if name in texts or any(name == one.name for one in words):
            raise SettingError(
                f"discretize names {name!r}, and words of texts have no intervals; "
                "leave it out of discretize"
            )
    is_sparse = any(isinstance(column, SparseColumn) for column in columns.features)
    if is_sparse and not words:
        n_columns = len(columns.features)
        refuse_dense(columns.n_rows, n_columns, "dividing into intervals")


def _rule_for(feature: Feature, plan: IntervalPlan) -> Rule | None:
    """Return the rule of a feature, or refuse one for a feature without numbers."""
    if feature.word is not None:
        return None  # the rule for all others is about the columns of the table
    if feature.kind == "numeric":
        return plan.columns.get(feature.name, plan.others)
    if feature.name in plan.columns:
        raise SettingError(
            f"discretize names the column {feature.name!r}, which is {feature.kind}, "
            f"with the values {quoted(feature.categories)}; only numbers have "
            "intervals: leave it out of discretize, or declare it numeric"
        )
    return None


def _refuse_without_classes(feature: Feature, rule: Rule, columns: Columns) -> None:
    if columns.schema.target.kind == "classes" or not isinstance(rule, LearnedBorders):
        return
    if rule.method in _WITH_CLASSES:
        raise SettingError(
            f"discretize of {feature.name!r} is {rule.method!r}, which looks at "
            "classes, and the target is a number; choose 'equal_width', 'quantiles:k' "
            "or borders"
        )


def _with_intervals(
    columns: Columns, feature: Feature, column: Column, rule: Rule
) -> tuple[Feature, list[str]]:
    """Return the feature with its intervals, and what a reader should know of them."""
    notes: list[str] = []
    if isinstance(rule, Ranges):
        intervals, names = intervals_of_ranges(feature, rule)
    elif isinstance(rule, Borders):
        intervals = intervals_of_borders(feature, rule)
        names = interval_names(intervals)
    else:
        rows = KnownRows.of(columns, column, feature.name)
        intervals, notes = _learned(feature, rows, rule)
        names = interval_names(intervals)
    made = Feature(feature.name, "nominal", names, intervals=intervals)
    return made, [f"feature {feature.name!r}: {note}" for note in notes]


def _learned(
    feature: Feature, rows: KnownRows, rule: LearnedBorders
) -> tuple[Intervals, list[str]]:
    """Return the intervals that a method finds, and the notes on them."""
    chosen = rule
    if rule.method == "cv":
        chosen = LearnedBorders(*choose(rows))
    tally = rows.tally(by_class=chosen.method in _WITH_CLASSES)
    borders = METHODS[chosen.method](tally, chosen.n_intervals)
    n_found = len(borders) + 1
    intervals = Intervals(
        tuple(borders), tuple(range(n_found)), feature.storage, feature.zoned
    )
    if len(tally.values) == 0:
        return intervals, []  # reading the column has said so
    if len(tally.values) == 1:
        return intervals, ["it has a single value, so it is one interval"]
    if n_found == 1:
        return intervals, [f"{chosen} finds no border, so it is one interval"]
    if chosen is not rule:
        found = f"{n_found} intervals by {chosen}"
        return intervals, [f"{found}, chosen by cross-validation"]
    if chosen.n_intervals > n_found:
        found = counted(n_found, "interval")
        return intervals, [f"{chosen} gives {found}: many rows have the same value"]
    return intervals, []


def interval_names(intervals: Intervals) -> tuple[str, ...]:
    """Return the names of intervals by their borders: <= 2, (2, 5], > 5."""
    if not intervals.borders:
        return (ANY,)
    texts = [_text(intervals.storage, border) for border in intervals.borders]
    inner = [f"({low}, {high}]" for low, high in pairwise(texts)]
    return (f"<= {texts[0]}", *inner, f"> {texts[-1]}")


def _text(storage: str, number: float) -> str:
    """Return a number of a column as trees write it; dates in ISO form."""
    if storage == "float64":
        return number_text(number)
    one = Intervals((number,), (0, 1), storage)
    return cut_text(Feature("", "numeric", storage=storage, cuts=one.cuts), 0)


def _coded(feature: Feature, column: Column, unseen: str) -> Column:
    """Return the column with the interval of each value as its code."""
    assert feature.intervals is not None
    assert column.values is not None
    intervals, n_codes = feature.intervals, len(feature.categories)
    code_of_value = intervals.codes_of(values_of(column))
    outside = np.append(code_of_value == OUTSIDE, False)[column.codes]
    if outside.any() and unseen != "missing":
        _refuse_outside(feature, column, outside)
    table = np.append(
        np.where(code_of_value == OUTSIDE, n_codes, code_of_value), n_codes
    )
    codes = smallest_codes(table[column.codes], n_codes)
    missing = column.has_missing or bool(outside.any())
    return DenseColumn(codes, n_codes, values=None, has_missing=missing)


def _refuse_outside(feature: Feature, column: Column, outside: Mask) -> None:
    """Raise for training values that are in none of the given ranges."""
    assert feature.intervals is not None
    assert column.values is not None
    value = column.values[column.codes[outside].min()]
    written = _text(feature.intervals.storage, value)
    n_rows = int(outside.sum())
    raise DataError(
        f"feature {feature.name!r} has {counted(n_rows, 'row')} in none of its "
        f"intervals {quoted(feature.categories)}, for example {written}; widen an "
        "interval (None for no end), add one, or set unseen='missing' to take such "
        "values as missing"
    )
