"""Rows of text in the kinds that their columns have in a stream.

The first rows decide, as for a whole file, whether a column holds numbers; from then on
it does. All else are categories as they are written: a truth value or a date is one.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from treewright.data.complaints import short
from treewright.data.readers.read_options import ReadOptions
from treewright.data.readers.table_file import ColumnReport, describe
from treewright.data.readers.text_kinds import as_written_numbers, find_kind
from treewright.data.stream.csv_stream import TextRows
from treewright.data.stream.stream_table import NOTHING_LEARNED
from treewright.errors import FileReadError

if TYPE_CHECKING:
    import polars as pl


def first_kinds(
    rows: TextRows, options: ReadOptions
) -> tuple[dict[str, str], tuple[ColumnReport, ...]]:
    """Return the kind of each column by its first rows, and the facts about them.

    A kind is "numeric", "nominal", or empty if all cells are missing.
    """
    kinds, reports = {}, []
    for cells in rows.frame:
        typed, report = find_kind(cells, options, rows.lines)
        if typed.null_count() == len(typed):
            kinds[cells.name] = ""
        else:
            kinds[cells.name] = "numeric" if typed.dtype.is_numeric() else "nominal"
        if typed.dtype.is_temporal():
            report = describe(
                _text(cells, options),
                "dates, taken as categories: leave the column out if they never return",
            )
        reports.append(report)
    return kinds, tuple(reports)


def typed_rows(
    rows: TextRows, kinds: Mapping[str, str], options: ReadOptions, path: Path
) -> pl.DataFrame:
    """Return the columns that have a kind, as numbers and text.

    `rows`: the cells as written. `kinds`: the kind of each column that is wanted; an
    empty one is found from these rows. `options`: what is missing, and how numbers are
    written. `path`: the file, for messages.
    """
    columns = []
    for name, kind in kinds.items():
        text = _text(rows.frame[name], options)
        if kind == "nominal":
            columns.append(text)
            continue
        numbers = as_written_numbers(text.str.strip_chars(), options)
        bad = (numbers.is_null() & text.is_not_null()).to_numpy()
        if not bad.any():
            columns.append(numbers)
        elif kind == "numeric":
            row = int(np.argmax(bad))
            raise FileReadError(
                f"{path}, line {rows.lines[row]}: column {name!r} held numbers so far "
                f"and holds {short(text[row])}; correct the cell or empty it, or start "
                f"anew with feature_kinds={{{name!r}: 'nominal'}}. {NOTHING_LEARNED}"
            )
        else:
            columns.append(text)
    import polars as pl  # noqa: PLC0415 - the package loads without polars

    return pl.DataFrame(columns)


def _text(cells: pl.Series, options: ReadOptions) -> pl.Series:
    """Return cells as they are written; null where they are missing."""
    written = cells.fill_null("")
    missing = written.str.strip_chars().is_in(options.missing_in(cells.name))
    return written.set(missing, None)
