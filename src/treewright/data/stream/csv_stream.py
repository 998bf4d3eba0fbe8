"""A CSV file, or standard input, as rows of text that come block by block.

Memory is bounded by the block: what was handed over is forgotten. Standard input may
have no end, and may pause: then what is there is handed over after half a second.
"""

from __future__ import annotations

import os
import select
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from treewright.data.readers.byte_blocks import BLOCK_BYTES, GZIP_MAGIC, byte_blocks
from treewright.data.readers.csv_reader import header_of, parse_records
from treewright.data.readers.csv_scan import CsvRecords, RecordScanner
from treewright.data.readers.read_options import ReadOptions
from treewright.data.tables.frames import refuse_duplicates
from treewright.errors import FileReadError

if TYPE_CHECKING:
    import polars as pl

STANDARD_INPUT = Path("standard input")
_PAUSE = 0.5  # seconds


@dataclass(frozen=True, eq=False)
class TextRows:
    """Some rows of a file."""

    frame: pl.DataFrame  # the cells as they are written
    lines: npt.NDArray[np.int64]  # the line in which each row starts, counted from 1


def csv_rows(path: Path | None, options: ReadOptions) -> Iterator[TextRows]:
    """Yield the rows of a file, or of standard input (None), under its header.

    Raises `FileReadError`: a row has another number of cells than the header; the bytes
    are damaged, or no text. What was yielded before stays good.
    """
    name = STANDARD_INPUT if path is None else path
    raw = None if path is not None else _arriving()
    tabs = name.name.lower().removesuffix(".gz").endswith(".tsv")
    separator = options.separator or ("\t" if tabs else ",")
    reader = _Reader(name, separator)
    for block in byte_blocks(name, options.encoding, raw):
        rows = reader.rows_in(block)
        if rows is not None:
            yield rows
    if reader.names is None:
        raise FileReadError(f"{name} is empty; a header and rows are needed")


class _Reader:
    """Cuts blocks of bytes into records, and these into cells."""

    def __init__(self, name: Path, separator: str) -> None:
        self._name = name
        self._separator = separator
        self._scanner = RecordScanner(name, separator)
        self._open = b""  # the begin of a record that goes on
        self.names: list[str] | None = None

    def rows_in(self, block: bytes) -> TextRows | None:
        """Return the rows that end in this block; an empty one is the last."""
        self._scanner.feed(block)
        records = self._scanner.take() if block else self._scanner.finish()
        data = self._open + block
        n_open = self._scanner.n_open_bytes if block else 0
        self._open = data[len(data) - n_open :]
        data = data[: len(data) - n_open]
        if records.blank.all():
            return None
        frame, lines = self._parsed(data, records)
        return TextRows(frame, lines) if len(lines) else None

    def _parsed(
        self, data: bytes, records: CsvRecords
    ) -> tuple[pl.DataFrame, npt.NDArray[np.int64]]:
        frame = parse_records(
            self._name, data, self._separator, records, n_cells=self._scanner.n_cells
        )
        lines = records.lines[~records.blank]
        if self.names is None:
            self.names = header_of(data, self._separator)
            refuse_duplicates(self.names)
            frame, lines = frame[1:], lines[1:]
        frame.columns = self.names
        return frame, lines


def _arriving() -> Iterator[bytes]:
    """Yield what comes from standard input, unpacked; an empty block marks the end."""
    unpack: Any = None
    for number, block in enumerate(_blocks_of_input()):
        if number == 0 and block.startswith(GZIP_MAGIC):
            unpack = zlib.decompressobj(wbits=31)
        if unpack is None:
            yield block
            continue
        try:
            rest = block
            while rest:
                plain = unpack.decompress(rest)
                if plain:
                    yield plain
                rest = unpack.unused_data  # files may be joined
                if unpack.eof:
                    unpack = zlib.decompressobj(wbits=31)
        except zlib.error as error:
            raise FileReadError(
                f"{STANDARD_INPUT}: the gzip data is damaged ({error}); fetch it again"
            ) from None
    yield b""


def _blocks_of_input() -> Iterator[bytes]:
    """Yield what there is to read, up to a block, and not later than after a pause."""
    stream = sys.stdin.buffer
    try:
        number = stream.fileno()
    except OSError:  # no file behind it, as in tests
        yield stream.read()
        return
    parts: list[bytes] = []
    while True:
        size = sum(map(len, parts))
        waits = bool(parts) and os.name == "posix"
        is_there = not waits or bool(select.select([number], [], [], _PAUSE)[0])
        part = os.read(number, BLOCK_BYTES) if is_there else b""
        parts.append(part)
        if size + len(part) >= BLOCK_BYTES or not part:
            yield b"".join(parts)
            parts = []
        if is_there and not part:
            return
