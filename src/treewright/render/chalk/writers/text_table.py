"""Tables in plain text: what does not fit goes on below, or at the side if short."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Protocol

from treewright.render.chalk.chalk_page import (
    ChalkColumn,
    ChalkPage,
    ChalkTable,
    Line,
    Name,
    Row,
)
from treewright.render.fitting.safe_text import clip, display_width, pad

_GAP = "  "
_INDENT = "  "
_MARK = "> "
_LONGEST_NAME = 24
_LEAST_ROOM = 16  # of the column that may go on below
_GOOD_ROOM = 36
_LEAST_NAME = 6
_BETWEEN = "   |  "
_BELOW = " " * 6


class Spelling(Protocol):
    """What a table needs of the writer of its page."""

    page: ChalkPage
    width: int
    ascii: bool

    def spell(self, line: Line, longest: int = ...) -> str:
        """Return the text of a line."""


class TableText:
    """Lays out one table."""

    def __init__(self, writer: Spelling, table: ChalkTable) -> None:
        self.writer = writer
        self.table = table
        self.quiz = writer.page.quiz
        self.wide = [place for place, one in enumerate(table.columns) if one.pieces]
        self.least_room = max([_LEAST_ROOM, *self._unbroken_widths()])
        self.titles = [[writer.spell(one.title)] for one in table.columns]
        # in reading order, because a quiz numbers its blanks as they are spelled
        self.cells = [
            [_GAP.join(self._piece(piece) for piece in cell) for cell in row.cells]
            for row in table.rows
        ]
        self.remarks = [
            "" if self.quiz else writer.spell(row.remark, _LONGEST_NAME)
            for row in table.rows
        ]

    def lines(self) -> Iterator[str]:
        """The lines of the table."""
        if self.table.folded:
            yield from self._folded()
            return
        widths, below = self._layout()
        yield from self._title_lines(widths)
        for row, cells, remark in zip(
            self.table.rows, self.cells, self.remarks, strict=True
        ):
            yield from self._row(row, cells, widths, remark, below=below)

    def _layout(self) -> tuple[list[int], bool]:
        """Widths of the columns, and whether remarks go below their rows."""
        widths = self._widths()
        if not self.wide:
            return widths, False
        (wide,) = self.wide
        beside = max(map(display_width, self.remarks), default=0)
        beside += len(_GAP) if beside else 0
        if self._room(widths, beside) < min(widths[wide], _GOOD_ROOM):
            self.titles = [
                _in_two_lines(title) if column.right else [title]
                for (title,), column in zip(
                    self.titles, self.table.columns, strict=True
                )
            ]
            widths = self._widths()
        room = self._room(widths, beside)
        below = room < min(widths[wide], self.least_room)
        if below:
            room = self._room(widths, 0)
        if room >= min(widths[wide], self.least_room):
            widths[wide] = min(room, widths[wide])
            return widths, below
        widths[wide] = 0  # no column: its pieces go below each row
        over = max(self._total(widths) - self.writer.width, 0)
        if widths[0] - over < _LEAST_NAME:  # titles are cut before the line is longer
            widths = self._widths(titled=False)
            widths[wide] = 0
            over = max(self._total(widths) - self.writer.width, 0)
        if widths[0] - over >= _LEAST_NAME:
            widths[0] -= over
        else:  # the line is longer than asked whatever is cut
            widths[0] = min(widths[0], _LONGEST_NAME)
        return widths, self._total(widths) + beside > self.writer.width

    def _title_lines(self, widths: list[int]) -> Iterator[str]:
        height = max(map(len, self.titles))
        for line in range(height):
            texts = [([""] * height + one)[-height:][line] for one in self.titles]
            cut = [
                clip(text, width, ascii=self.writer.ascii)
                for text, width in zip(texts, widths, strict=True)
            ]
            yield self._joined(cut, widths, "  ")

    def _row(
        self, row: Row, cells: list[str], widths: list[int], remark: str, *, below: bool
    ) -> Iterator[str]:
        mark = _MARK if row.marked and not self.quiz else "  "
        texts = [[cell] for cell in cells]
        under: list[str] = []
        for place in self.wide:
            room = widths[place] or self.writer.width - len(_BELOW)
            texts[place] = self._wrapped(row.cells[place], room, cells[place])
            if not widths[place]:
                under, texts[place] = texts[place], [""]
        first = [lines[0] for lines in texts]
        line = self._joined(first, widths, mark)
        if remark and not below:
            line = f"{pad(line, self._total(widths))}{_GAP}{remark}"
        yield line
        for count in range(1, max(map(len, texts))):
            more = [lines[count] if count < len(lines) else "" for lines in texts]
            yield self._joined(more, widths, "  ")
        yield from (_BELOW + text for text in under if text)
        if remark and below:
            yield _BELOW + remark

    def _folded(self) -> Iterator[str]:
        """Short rows in several blocks side by side."""
        widths = self._widths()
        rows = [
            self._joined(cells, widths, _MARK if row.marked and not self.quiz else "  ")
            for row, cells in zip(self.table.rows, self.cells, strict=True)
        ]
        title = self._joined([one for (one,) in self.titles], widths, "  ")
        width = self._total(widths)
        room = self.writer.width + len(_BETWEEN)
        if width > self.writer.width:
            yield from self._unfolded()
            return
        n_blocks = max(1, min(room // (width + len(_BETWEEN)), len(rows)))
        height = -(-len(rows) // n_blocks)
        blocks = [rows[start : start + height] for start in range(0, len(rows), height)]
        yield _BETWEEN.join(pad(title, width) for _ in blocks)
        for count in range(height):
            lines = [block[count] for block in blocks if count < len(block)]
            yield _BETWEEN.join(pad(line, width) for line in lines)

    def _unfolded(self) -> Iterator[str]:
        """Rows that are too long, each over several lines."""
        for row, cells in zip(self.table.rows, self.cells, strict=True):
            mark = _MARK if row.marked and not self.quiz else "  "
            yield f"{_INDENT}{mark}{cells[0]}{_GAP}{cells[-1]}"
            for cell in cells[1:-1]:
                for line in _cut_at_slashes(cell, self.writer.width - len(_BELOW)):
                    yield _BELOW + line

    def _widths(self, *, titled: bool = True) -> list[int]:
        columns = zip(*self.cells, strict=True)
        return [
            max(map(display_width, (*(titles if titled else ()), *column)))
            for titles, column in zip(self.titles, columns, strict=True)
        ]

    def _room(self, widths: list[int], beside: int) -> int:
        others = [one for place, one in enumerate(widths) if place not in self.wide]
        gaps = len(_GAP) * len(others)
        return self.writer.width - len(_INDENT + _MARK) - sum(others) - gaps - beside

    def _total(self, widths: list[int]) -> int:
        shown = [width for width in widths if width]
        return len(_INDENT + _MARK) + sum(shown) + len(_GAP) * (len(shown) - 1)

    def _joined(self, cells: list[str], widths: list[int], mark: str) -> str:
        texts = [
            pad(self._cell(cell, width, column), width, right=column.right)
            for cell, width, column in zip(
                cells, widths, self.table.columns, strict=True
            )
            if width
        ]
        return f"{_INDENT}{mark}{_GAP.join(texts)}"

    def _cell(self, cell: str, width: int, column: ChalkColumn) -> str:
        """A name cut to a width; a number as it is."""
        return cell if column.right else clip(cell, width, ascii=self.writer.ascii)

    def _unbroken_widths(self) -> Iterator[int]:
        """Of what cannot be broken in the columns that may go on below."""
        for row in self.table.rows:
            for place in self.wide:
                for piece in row.cells[place]:
                    for span in piece:
                        if isinstance(span, str | Name):
                            text = self.writer.spell((span,), _LEAST_NAME)
                            yield from map(display_width, re.split("[/ ]", text))

    def _piece(self, piece: Line, longest: int = _LONGEST_NAME) -> str:
        return self.writer.spell(piece, longest)

    def _wrapped(self, pieces: tuple[Line, ...], room: int, text: str) -> list[str]:
        """The pieces in lines of a width; a long one loses of its name first."""
        if display_width(text) <= room:
            return [text]
        lines: list[str] = []
        for piece in pieces:
            for part in self._fitting(piece, room):
                together = f"{lines[-1]}{_GAP}{part}" if lines else ""
                if lines and display_width(together) <= room:
                    lines[-1] = together
                else:
                    lines.append(part)
        return lines

    def _fitting(self, piece: Line, room: int) -> list[str]:
        whole = self._piece(piece)
        over = display_width(whole) - room
        if over <= 0:
            return [whole]
        names = [self.writer.spell((span,)) for span in piece if isinstance(span, Name)]
        longest = max(map(display_width, names), default=0)
        shorter = self._piece(
            piece, max(min(longest, _LONGEST_NAME) - over, _LEAST_NAME)
        )
        if display_width(shorter) <= room:
            return [shorter]
        return _cut_at_slashes(shorter, room)


def _cut_at_slashes(text: str, room: int) -> list[str]:
    """Many counts in lines of a width, each but the last ending in a slash."""
    lines = [""]
    for token in re.findall(r"[^/ ]+[/ ]*|[/ ]+", text):
        if lines[-1] and display_width(lines[-1] + token.rstrip()) > room:
            lines.append("")
        lines[-1] += token
    return [line.rstrip() for line in lines]


def _in_two_lines(title: str) -> list[str]:
    """A title broken at the blank that is nearest to its middle."""
    if " " not in title:
        return [title]
    blanks = [place for place, sign in enumerate(title) if sign == " "]
    middle = min(blanks, key=lambda place: abs(place - len(title) / 2))
    return [title[:middle], title[middle + 1 :]]
