"""The shape of a CSV file, found before it is parsed: faults get their line number.

Words: a *record* is a row of the file, header included; it ends at a line end outside
quotes, so it may span several lines. A record without any character is *blank*.
Whether a byte is inside quotes is the parity of the quotes up to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from treewright.data.complaints import counted
from treewright.errors import FileReadError

MAX_RECORD_BYTES = 64 << 20
_QUOTE, _NEWLINE, _RETURN = b'"\n\r'


@dataclass(frozen=True, eq=False)
class CsvRecords:
    """Where the records of a file start."""

    lines: npt.NDArray[np.int64]  # the line in which each record starts, counted from 1
    blank: npt.NDArray[np.bool_]  # which records are blank


class RecordScanner:
    """Takes the blocks of a file one after the other and checks every record."""

    def __init__(self, path: Path, separator: str) -> None:
        self._path = path
        self._separator = ord(separator)
        self._quote_open = False
        self._line = 1  # of the next byte
        self._start_line = 1  # of the open record
        self._n_bytes = 0  # of the open record so far
        self._n_separators = 0  # of the open record so far
        self._last_byte = _NEWLINE
        self._n_cells = 0  # in the header, once it is known
        self._lines: list[npt.NDArray[np.int64]] = []
        self._blank: list[npt.NDArray[np.bool_]] = []

    def feed(self, block: bytes) -> None:
        """Check the records that end in this block."""
        if not block:
            return
        data = np.frombuffer(block, np.uint8)
        odd = np.cumsum(data == _QUOTE, dtype=np.int64) + self._quote_open & 1
        outside = odd == 0
        separators = np.flatnonzero((data == self._separator) & outside)
        newlines = np.flatnonzero(data == _NEWLINE)
        ends = newlines[outside[newlines]]
        self._close(data, ends, separators=separators, newlines=newlines)
        rest = int(ends[-1]) + 1 if len(ends) else 0
        self._n_bytes = len(data) - rest + (0 if len(ends) else self._n_bytes)
        n_rest = len(separators) - int(np.searchsorted(separators, rest))
        self._n_separators = n_rest + (0 if len(ends) else self._n_separators)
        if len(ends):
            self._start_line = self._line + int(np.searchsorted(newlines, rest))
        self._line += len(newlines)
        self._quote_open = bool(odd[-1])
        self._last_byte = int(data[-1])
        if self._n_bytes > MAX_RECORD_BYTES:
            self._refuse_long()

    @property
    def n_open_bytes(self) -> int:
        """How many bytes at the end belong to a record that goes on."""
        return self._n_bytes

    @property
    def n_cells(self) -> int:
        """How many cells every record has; 0 before the first."""
        return self._n_cells

    def take(self) -> CsvRecords:
        """Return where the records start that are closed by now, and forget them."""
        lines, blank = self._lines, self._blank
        self._lines, self._blank = [], []
        if not lines:
            return CsvRecords(np.empty(0, np.int64), np.empty(0, bool))
        return CsvRecords(np.concatenate(lines), np.concatenate(blank))

    def finish(self) -> CsvRecords:
        """Close the last record and return where all of them start."""
        if self._quote_open:
            self._fail(
                self._start_line, "a quote is opened and never closed", "close it"
            )
        if self._n_bytes:
            self.feed(b"\n")
        return self.take()

    def _close(
        self,
        data: npt.NDArray[np.uint8],
        ends: npt.NDArray[np.int64],
        *,
        separators: npt.NDArray[np.int64],
        newlines: npt.NDArray[np.int64],
    ) -> None:
        """Check the records that end at these positions."""
        if not len(ends):
            return
        starts = np.concatenate(([0], ends[:-1] + 1))
        lines = self._line + np.searchsorted(newlines, starts)
        lines[0] = self._start_line
        n_bytes = ends - starts
        n_bytes[0] += self._n_bytes
        before = np.where(ends > 0, data[ends - 1], self._last_byte)
        blank = (n_bytes == 0) | ((n_bytes == 1) & (before == _RETURN))
        n_cells = np.diff(np.searchsorted(separators, ends), prepend=0) + 1
        n_cells[0] += self._n_separators
        self._check_counts(n_cells, lines, blank)
        self._lines.append(lines)
        self._blank.append(blank)

    def _check_counts(
        self,
        n_cells: npt.NDArray[np.int64],
        lines: npt.NDArray[np.int64],
        blank: npt.NDArray[np.bool_],
    ) -> None:
        """Refuse a record with another number of cells than the header."""
        if not self._n_cells and not blank.all():
            self._n_cells = int(n_cells[np.argmin(blank)])
        wrong = np.flatnonzero((n_cells != self._n_cells) & ~blank)
        if not len(wrong):
            return
        first = int(wrong[0])
        next_line = lines[first + 1] if first + 1 < len(lines) else lines[first] + 1
        remedy = "give every line the same cells"
        if next_line - lines[first] > 1:
            remedy = f"a quote opened here is closed in line {next_line - 1}: check it"
        found = counted(int(n_cells[first]), "cell")
        what = f"{found}, but the header has {self._n_cells}"
        self._fail(int(lines[first]), what, remedy)

    def _refuse_long(self) -> None:
        size = f"{MAX_RECORD_BYTES >> 20} MiB"
        if self._quote_open:
            what = f"a quote is opened and not closed within {size}"
            self._fail(self._start_line, what, "close it")
        what = f"a line of more than {size}"
        self._fail(self._start_line, what, "check that this is a CSV file")

    def _fail(self, line: int, what: str, remedy: str) -> None:
        raise FileReadError(f"{self._path}, line {line}: {what}; {remedy}")
