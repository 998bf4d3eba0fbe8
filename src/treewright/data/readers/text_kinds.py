"""Columns of text become numbers, truth values, dates or categories, with a remark.

The kind is decided here and not in the CSV parser, so that the cells which decided it
can be named. Nothing is guessed: a decimal comma or a thousands sign is read as such
only when the caller says so.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from treewright.data.complaints import counted
from treewright.data.readers.number_doubts import doubt, number_pattern
from treewright.data.readers.read_options import ReadOptions
from treewright.data.readers.table_file import ColumnReport, describe
from treewright.data.tables.convert import ISO_CLOCK, ISO_DATE, ISO_TIME

if TYPE_CHECKING:
    import polars as pl


def find_kind(
    cells: pl.Series, options: ReadOptions, lines: npt.NDArray[np.int64]
) -> tuple[pl.Series, ColumnReport]:
    """Return a column of text in the type that its cells have, and the facts about it.

    `cells`: the cells as written. `options`: what is missing and how numbers are
    written. `lines`: the line of each cell, for the remark.
    """
    written = cells.fill_null("")
    trimmed = written.str.strip_chars()
    missing = trimmed.is_in(options.missing_in(cells.name))
    remark = _missing_remark(trimmed.filter(missing))
    known = trimmed.set(missing, None)
    numbers = as_written_numbers(known, options)
    bad = numbers.is_null() & ~missing
    if missing.all():
        typed = known
    elif not bad.any():
        loss = _number_remark(known, numbers)
        if loss and cells.name in options.nominal:
            typed = written.set(missing, None)
        else:
            typed, remark = numbers, _join(remark, loss)
    elif known.str.to_lowercase().is_in(["true", "false"]).sum() == (~missing).sum():
        typed = known.str.to_lowercase() == "true"
    elif cells.name not in options.nominal and (dates := _as_dates(known)) is not None:
        typed, remark = dates, _join(remark, "dates")
    else:
        typed = written.set(missing, None)
        remark = _join(
            remark,
            doubt(trimmed, bad, missing=missing, lines=lines, options=options),
        )
    return typed, describe(typed, remark)


def as_written_numbers(known: pl.Series, options: ReadOptions) -> pl.Series:
    """Return the cells as integers if all are, else as floats; null where none."""
    import polars as pl  # noqa: PLC0415 - the package loads without polars

    text = known
    if options.thousands:
        # The sign counts only between groups of three digits: 12.5 is not 125.
        grouped = text.str.contains(number_pattern(options.decimal, options.thousands))
        plain = ~text.str.contains(options.thousands, literal=True)
        text = text.set(~(grouped | plain).fill_null(value=True), "\0")
        text = text.str.replace_all(options.thousands, "", literal=True)
    if options.decimal != ".":
        # A point is no decimal sign then: it must not slip through as one.
        text = text.str.replace_all(".", "\0", literal=True)
        text = text.str.replace_all(options.decimal, ".", literal=True)
    for dtype in (pl.Int64, pl.UInt64):
        integers = text.cast(dtype, strict=False)
        if integers.null_count() == text.null_count():
            return integers
    return text.cast(pl.Float64, strict=False)


def _as_dates(known: pl.Series) -> pl.Series | None:
    """Return the cells as dates, or as dates with times, if all are in ISO form."""
    text = known.drop_nulls()
    if re.fullmatch(ISO_TIME, text[0]) is None:  # spares a look at every cell
        return None
    if text.str.contains(f"^{ISO_DATE}$").all():
        dates = known.str.to_date("%Y-%m-%d", strict=False)
    elif text.str.contains(f"^{ISO_DATE}{ISO_CLOCK}$").all():
        spaced = known.str.replace("T", " ", literal=True)
        minutes = spaced.str.to_datetime("%Y-%m-%d %H:%M", time_unit="us", strict=False)
        seconds = spaced.str.to_datetime(
            "%Y-%m-%d %H:%M:%S%.f", time_unit="us", strict=False
        )
        dates = seconds.zip_with(seconds.is_not_null(), minutes)
    else:
        return None
    # a day that does not exist keeps the column text
    return dates if dates.null_count() == known.null_count() else None


def _missing_remark(missing: pl.Series) -> str:
    """Say which cells were read as missing."""
    counts = missing.alias("cell").value_counts().sort("cell").rows()
    parts = [
        f"{counted(number, 'cell')} {text!r}" if text else counted(number, "empty cell")
        for text, number in counts
    ]
    return f"{' and '.join(parts)} read as missing" if parts else ""


def _number_remark(known: pl.Series, numbers: pl.Series) -> str:
    """Say where reading cells as numbers loses how they are written."""
    zeros = known.str.contains(r"^[+-]?0\d").fill_null(value=False)
    if zeros.any():
        return (
            f"leading zeros as in {known.filter(zeros)[0]!r} are lost in numbers; "
            "say nominal if these are codes"
        )
    if numbers.dtype.is_float() and known.str.contains(r"^[+-]?\d{17,}$").any():
        return "integers beyond 64 bits are rounded to float64"
    return ""


def _join(first: str, second: str) -> str:
    return f"{first}; {second}" if first and second else first or second
