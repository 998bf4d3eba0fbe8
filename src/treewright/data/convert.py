"""Between the two forms of a raw column: labels as numbers, numbers as labels.

Used where a feature's kind is not the one that its column suggests, in training and at
prediction alike, so that both read a cell in the same way.
"""

from __future__ import annotations

import numpy as np

from treewright.data.cells import NESTED, from_cells, unusable
from treewright.data.complaints import row_name, short
from treewright.data.labels import MISSING, plain, text
from treewright.data.rank import rank
from treewright.data.raw import Labels, Numbers, RawColumn
from treewright.data.schema import Label
from treewright.errors import DataError, DataTypeError


def as_numbers(name: str, raw: RawColumn) -> Numbers:
    """Return a column as numbers; text is parsed, truth values become 0 and 1."""
    if isinstance(raw, Numbers):
        return raw
    numbers = [_parse(label) for label in raw.labels]
    for code, number in enumerate(numbers):
        if number is None and (raw.codes == code).any():
            raise DataError(
                f"feature {name!r} is numeric, but {row_name(raw.first_row(code))} "
                f"holds {short(raw.labels[code])}; correct the cell, empty it, or "
                "make the feature nominal before training"
            )
    parsed = from_cells(name, [number or 0 for number in numbers])
    if not isinstance(parsed, Numbers):  # no labels at all: every cell is missing
        return Numbers(np.full(len(raw), np.nan))
    missing = raw.is_missing()
    values = parsed.values[np.where(missing, 0, raw.codes)]
    return Numbers(values, missing if missing.any() else None)


def judged_again(name: str, raw: RawColumn) -> RawColumn:
    """Return labels as numbers if, after rows were left out, all of them are."""
    if isinstance(raw, Numbers) or raw.declared or not raw.labels:
        return raw
    if all(type(label) in (int, float) for label in raw.labels):
        return as_numbers(name, raw)
    return raw


def _parse(label: Label) -> int | float | None:
    """Return the number that a label stands for, or None."""
    if isinstance(label, int | float):
        return label + 0  # a truth value becomes an integer
    written = text(label)
    if "_" in written:  # Python's digit separator is no part of a number in data
        return None
    for number in (int, float):
        try:
            return number(written)
        except ValueError:
            continue
    return None


def as_labels(raw: RawColumn) -> Labels:
    """Return a column as labels; numbers become categories in ascending order."""
    if isinstance(raw, Labels):
        return raw
    ranks, distinct, _ = rank(raw.comparable(), raw.missing)
    if raw.unit:
        distinct = distinct.view(raw.unit).astype(str)
    elif raw.values.dtype.kind != "f" and distinct.dtype.kind == "f":
        distinct = distinct.astype(np.int64)
    codes = np.where(ranks == len(distinct), MISSING, ranks.astype(np.int64))
    return Labels(codes, tuple(map(plain, distinct.tolist())))


def refuse_nested(name: str, labels: Labels) -> None:
    """Raise if a cell of a feature holds several values."""
    for code, label in enumerate(labels.labels):
        if isinstance(label, NESTED):
            where = row_name(labels.first_row(code))
            what = f"a nested value of type {type(label).__name__} in {where}"
            raise DataTypeError(unusable(name, what))
