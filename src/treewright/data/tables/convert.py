"""Between the two forms of a raw column: labels as numbers, numbers as labels.

Used where a feature's kind is not the one that its column suggests, in training and at
prediction alike, so that both read a cell in the same way.
"""

from __future__ import annotations

import datetime as dt
import re
from decimal import Decimal
from enum import Enum
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.complaints import row_name, short
from treewright.data.labels import MISSING, plain, text
from treewright.data.rank import rank
from treewright.data.schema import Label
from treewright.data.tables.cells import NESTED, from_cells, from_times, unusable
from treewright.data.tables.raw import Labels, Numbers, RawColumn
from treewright.errors import DataError, DataTypeError

ISO_DATE = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
ISO_CLOCK = r"[ T][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?"
ISO_TIME = f"{ISO_DATE}({ISO_CLOCK})?"
_WRITTEN = str | bytes | int | float | Decimal | Enum | dt.date | dt.timedelta
_WRITTEN |= np.generic


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
    codes, distinct = _ranked(raw)
    if raw.unit:
        distinct = distinct.view(raw.unit).astype(str)
    elif raw.values.dtype.kind != "f" and distinct.dtype.kind == "f":
        distinct = distinct.astype(np.int64)
    return Labels(codes, tuple(map(plain, distinct.tolist())))


def as_time_labels(times: Numbers) -> Labels:
    """Return dates or durations as labels of the type in which they were given."""
    codes, distinct = _ranked(times)
    values = distinct.view(times.unit)
    if times.zoned:
        moments = values.astype("datetime64[us]").tolist()
        return Labels(codes, tuple(one.replace(tzinfo=dt.UTC) for one in moments))
    if times.scalar is None:
        return Labels(codes, tuple(values))
    if times.scalar is dt.date:
        values = values.astype("datetime64[D]")
    return Labels(codes, tuple(values.tolist()))


def _ranked(numbers: Numbers) -> tuple[npt.NDArray[np.int64], npt.NDArray[Any]]:
    """Return a code per row and the distinct values in ascending order."""
    ranks, distinct, _ = rank(numbers.comparable(), numbers.missing)
    codes = np.where(ranks == len(distinct), MISSING, ranks.astype(np.int64))
    return codes, distinct


def text_as_times(name: str, raw: Labels) -> Numbers:
    """Return dates that are written in ISO form as the microseconds behind them."""
    times = [_parse_time(label) for label in raw.labels]
    bad = [code for code, time in enumerate(times) if time is None]
    rows = [raw.first_row(code) for code in bad if (raw.codes == code).any()]
    if rows:
        row = min(rows)
        raise DataError(
            f"feature {name!r} holds dates, but {row_name(row)} holds "
            f"{short(raw.labels[raw.codes[row]])}; write it as YYYY-MM-DD or "
            "YYYY-MM-DDTHH:MM:SS, or empty the cell"
        )
    table = np.array([*times, None], "datetime64[us]")  # MISSING is the last entry
    return from_times(table[raw.codes])


def _parse_time(label: Label) -> np.datetime64 | None:
    """Return the date that a label is in ISO form, or None."""
    if not isinstance(label, str) or not re.fullmatch(ISO_TIME, label.strip()):
        return None
    try:
        return np.datetime64(label.strip().replace(" ", "T"), "us")
    except ValueError:  # there is no such day
        return None


def refuse_objects(name: str, labels: Labels) -> None:
    """Raise if a cell of a feature holds several values, or a thing without a text."""
    for code, label in enumerate(labels.labels):
        nested = "a nested value" if isinstance(label, NESTED) else "an object"
        if nested == "a nested value" or not _has_text(label):
            where = row_name(labels.first_row(code))
            what = f"{nested} of type {type(label).__name__} in {where}"
            raise DataTypeError(unusable(name, what))


def _has_text(label: Label) -> bool:
    """Tell whether the text of a label says what it is, in every process alike."""
    return isinstance(label, _WRITTEN) or _is_of_pandas(label)


def _is_of_pandas(label: Label) -> bool:
    """Tell whether a label is an interval or a period."""
    return type(label).__module__.partition(".")[0] == "pandas"
