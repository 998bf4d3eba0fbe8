"""Comma-separated values: checked, parsed as text, then typed column by column."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from treewright.data.readers.byte_blocks import byte_blocks
from treewright.data.readers.csv_scan import CsvRecords, RecordScanner
from treewright.data.readers.read_options import ReadOptions
from treewright.data.readers.table_file import TableFile
from treewright.data.readers.text_kinds import find_kind
from treewright.data.tables.frames import refuse_duplicates
from treewright.errors import FileReadError, SettingError

if TYPE_CHECKING:
    import polars as pl

NEWLINE = b"\n"


def read_csv(path: Path, options: ReadOptions) -> TableFile:
    """Read a CSV file, compressed or not. Blank lines are skipped."""
    tabs = path.name.lower().removesuffix(".gz").endswith(".tsv")
    separator = options.separator or ("\t" if tabs else ",")
    scanner = RecordScanner(path, separator)
    blocks = []
    for block in byte_blocks(path, options.encoding):
        scanner.feed(block)
        blocks.append(block)
    records = scanner.finish()
    n_records = int((~records.blank).sum())
    if n_records == 0:
        raise FileReadError(f"{path} is empty; a header and at least 1 row are needed")
    if n_records == 1:
        raise _no_rows(path, b"".join(blocks))
    text = _parse(path, b"".join(blocks), separator, records)
    lines = records.lines[~records.blank][1:]
    typed = [find_kind(column, options, lines) for column in text]
    frame = text.with_columns(series for series, _ in typed)
    return TableFile(frame, tuple(report for _, report in typed))


def _no_rows(path: Path, data: bytes) -> FileReadError:
    """Word the error about a file of one record."""
    if b"\r" in re.sub(rb'"[^"]*"', b"", data).strip().replace(b"\r\n", b""):
        return FileReadError(
            f"{path} ends its lines with CR alone, as old Macs did, and reads as one "
            "line; save it with LF or CRLF (in a shell: tr '\\r' '\\n' < FILE)"
        )
    return FileReadError(f"{path} has a header and 0 rows; at least 1 is needed")


def csv_header(path: Path, options: ReadOptions) -> list[str] | None:
    """Return the names in the first line of a file; None if it is no CSV, or unsure."""
    stem = path.name.lower().removesuffix(".gz")
    if stem.endswith(".arff"):
        return None
    separator = options.separator or ("\t" if stem.endswith(".tsv") else ",")
    try:
        start = next(byte_blocks(path, options.encoding), b"").lstrip(b"\r\n")
    except (FileReadError, SettingError):
        return None  # whoever reads all of it says what is wrong
    line, end, _ = start.partition(NEWLINE)
    if not end or b'"' in line:
        return None
    names = header_of(line, separator)
    is_sure = len(names) > 1 and len(set(names)) == len(names)
    return names if is_sure else None


def _parse(
    path: Path, data: bytes, separator: str, records: CsvRecords
) -> pl.DataFrame:
    """Return the rows below the header as text, under the names in the header."""
    names = header_of(data, separator)
    frame = parse_records(path, data, separator, records, n_cells=len(names))
    refuse_duplicates(names)
    frame.columns = names
    return frame[1:]


def parse_records(
    path: Path, data: bytes, separator: str, records: CsvRecords, *, n_cells: int
) -> pl.DataFrame:
    """Return the records of some bytes as text, without the blank ones."""
    import polars as pl  # noqa: PLC0415 - the package loads without polars

    # Polars takes the width from the first line, so the bytes must not begin blank.
    blank = records.blank[int(np.argmin(records.blank)) :]
    try:
        frame = pl.read_csv(
            data.lstrip(b"\r\n"),
            has_header=False,
            separator=separator,
            infer_schema=False,
        )
    except pl.exceptions.PolarsError:
        frame = pl.DataFrame()
    # If parser and scan differed in their records, rows would get wrong line numbers.
    if frame.shape != (len(blank), n_cells):
        raise _misplaced_quote(path, data, separator)
    return frame[np.flatnonzero(~blank)]


def _misplaced_quote(path: Path, data: bytes, separator: str) -> FileReadError:
    """Word the error about a file whose cells count right but do not parse."""
    sign = re.escape(separator.encode())
    spaced = rb'(?:^|%b)[ \t]+"|"[ \t]+(?:%b|\r?$)' % (sign, sign)
    found = re.search(spaced, data, re.MULTILINE)
    where = f", line {data.count(NEWLINE, 0, found.end()) + 1}" if found else ""
    return FileReadError(
        f"{path}{where}: cells and quotes do not match; a quoted cell must begin and "
        "end with its quotes, without spaces around them"
    )


def header_of(data: bytes, separator: str) -> list[str]:
    """Return the cells of the first record that is not blank."""
    lines = io.TextIOWrapper(io.BytesIO(data), "utf-8", newline="")
    return next(cells for cells in csv.reader(lines, delimiter=separator) if cells)
