"""A page as plain text, not wider than asked; in a quiz with numbered blanks and a key.

Names are cut where they are long, numbers never: a line of many long ones is longer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from treewright.render.chalk.chalk_page import (
    Block,
    ChalkPage,
    ChalkTable,
    FormulaLines,
    Heading,
    Line,
    Listing,
    Name,
    PageWriter,
    QuizAnswer,
    Row,
    Sentence,
    Span,
)
from treewright.render.chalk.expression import Blanks
from treewright.render.fitting.safe_text import clip, display_width, pad, visible

_NUMBER = re.compile(r"-?\d{1,20}(\.\d{1,20})?(e[-+]\d+)?")
_INDENT = "  "
_APART = "   "  # between the pieces of a heading
_LONGEST_NAME = 40
_LONGEST_LABEL = 20
_ABOUT_WIDTH = 12
# of tables
_GAP = "  "
_MARK = "> "
_LONGEST_IN_TABLE = 24
_LEAST_ROOM = 16  # of the column that may go on below
_GOOD_ROOM = 36
_LEAST_NAME = 6
_BETWEEN = "   |  "
_BELOW = " " * 6


def to_text(page: ChalkPage, *, width: int = 100, ascii: bool = False) -> str:
    """Return a page as lines without a newline at the end."""
    writer = _TextWriter(page, width, ascii=ascii)
    return "\n".join(line.rstrip() for line in writer.lines())


class _TextWriter(PageWriter):
    """Writes the blocks; keeps what a quiz has hidden."""

    def __init__(self, page: ChalkPage, width: int, *, ascii: bool) -> None:
        super().__init__(page)
        self.width = width
        self.ascii = ascii
        self.speller = Blanks(quiz=page.quiz)

    def lines(self) -> Iterator[str]:
        """All lines of the page."""
        yield from self.wrapped(self.spell(self.page.title), "")
        if self.page.hint:
            yield from self.wrapped(self.spell(self.page.hint), _INDENT, _INDENT)
        before: Block | None = None
        for block in self.page.blocks:
            if self.page.quiz and isinstance(block, QuizAnswer):
                continue
            if _is_apart(before, block):
                yield ""
            yield from self.block(block)
            before = block
        yield from self._key()

    def spell(self, line: Line, longest: int = _LONGEST_NAME) -> str:
        """Return the text of a line; names no longer than this."""
        return "".join(self.span(span, longest) for span in line)

    def wrapped(self, text: str, indent: str, further: str = "") -> Iterator[str]:
        """Yield a text in lines; `further` indents those after the first."""
        yield from broken(text.split(" "), self.width, indent, indent + further)

    def span(self, span: Span, longest: int = _LONGEST_NAME) -> str:
        if isinstance(span, str):
            return visible(span, ascii=self.ascii)
        if isinstance(span, Name):
            text = visible(span.text, ascii=self.ascii)
            if _NUMBER.fullmatch(text):  # a threshold
                return text
            return clip(text, longest, ascii=self.ascii)
        return self.speller.spell(span)

    def _sentence(self, line: Line) -> Iterator[str]:
        return self.wrapped(self.spell(line), _INDENT, _INDENT)

    def _table(self, table: ChalkTable) -> Iterator[str]:
        return _TableText(self, table).lines()

    def _listing(self, text: str) -> Iterator[str]:
        yield from text.splitlines()

    def _heading(self, level: int, pieces: tuple[Line, ...]) -> Iterator[str]:
        texts = [self.spell(piece) for piece in pieces]
        room = self.width - 4
        shown: list[str] = []
        for text in texts:
            if display_width(text) <= room:
                shown.append(text)
                continue
            # many classes, or a long way
            for part in broken(text.split("  "), room, "", "", "  "):
                shown += broken(part.split(" "), room, "", "")
        yield from broken(shown, self.width, "", " " * 4, _APART)

    def _formulas(self, block: FormulaLines) -> Iterator[str]:
        about = self.spell(block.about, _LONGEST_LABEL)
        labels = [self.spell(label, _LONGEST_LABEL) for label, _ in block.lines]
        width = max(map(display_width, labels))
        for place, (_, formula) in enumerate(block.lines):
            front = f"{_INDENT}{pad(about, _ABOUT_WIDTH - 2)}  " if about else _INDENT
            if place:
                front = " " * display_width(front)
            front += pad(labels[place], width) + "  "
            terms = re.split(r" (?=[-+=] )", self.speller.spell(formula))
            rest = " " * (display_width(front) + 2)
            yield from broken(terms, self.width, front, rest)

    def _key(self) -> Iterator[str]:
        """What the quiz has hidden: the numbers in order, then the answers."""
        hidden = self.speller.hidden
        if not hidden and not self.answers:
            return
        self.speller = Blanks(quiz=False)
        yield from ["", self.page.words["key"], ""]
        texts = [f"{place} {text}" for place, text in enumerate(hidden, 1)]
        width = max(map(display_width, texts), default=0)
        texts = [pad(text, width) for text in texts]
        if texts:
            yield from broken(texts, self.width, _INDENT, _INDENT, _APART)
        for answer in self.answers:
            for block in answer.blocks:
                if isinstance(block, Listing):
                    yield from ["", *self.block(block)]
                else:
                    text = f"{self.spell(answer.about)}: {self.spell(block.spans)}"
                    yield from self.wrapped(text, _INDENT, _INDENT)


class _TableText:
    """Lays out one table: what does not fit goes on below, or at the side if short."""

    def __init__(self, writer: _TextWriter, table: ChalkTable) -> None:
        self.writer = writer
        self.table = table
        self.quiz = writer.page.quiz
        self.wide = [place for place, one in enumerate(table.columns) if one.pieces]
        self.least_room = max([_LEAST_ROOM, *self._unbroken_widths()])
        self.titles = [[writer.spell(one.title)] for one in table.columns]
        # in reading order, because a quiz numbers its blanks as they are spelled
        self.cells = [
            [
                _GAP.join(writer.spell(piece, _LONGEST_IN_TABLE) for piece in cell)
                for cell in row.cells
            ]
            for row in table.rows
        ]
        self.remarks = [
            "" if self.quiz else writer.spell(row.remark, _LONGEST_IN_TABLE)
            for row in table.rows
        ]

    def lines(self) -> Iterator[str]:
        """The lines of the table."""
        if self.table.folded:
            yield from self._folded()
            return
        widths, below = self._layout()
        yield from self._title_lines(widths)
        rows = zip(self.table.rows, self.cells, self.remarks, strict=True)
        for row, cells, remark in rows:
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
            widths[0] = min(widths[0], _LONGEST_IN_TABLE)
        return widths, self._total(widths) + beside > self.writer.width

    def _title_lines(self, widths: list[int]) -> Iterator[str]:
        height = max(map(len, self.titles))
        for line in range(height):
            texts = [([""] * height + one)[-height:][line] for one in self.titles]
            cut = [*map(self._clip, texts, widths)]
            yield self._joined(cut, widths, "  ")

    def _row(
        self, row: Row, cells: list[str], widths: list[int], remark: str, *, below: bool
    ) -> Iterator[str]:
        texts = [[cell] for cell in cells]
        under: list[str] = []
        for place in self.wide:
            room = widths[place] or self.writer.width - len(_BELOW)
            texts[place] = self._wrapped(row.cells[place], room, cells[place])
            if not widths[place]:
                under, texts[place] = texts[place], [""]
        first = [lines[0] for lines in texts]
        line = self._joined(first, widths, self._mark(row))
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
            self._joined(cells, widths, self._mark(row))
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
            yield f"{_INDENT}{self._mark(row)}{cells[0]}{_GAP}{cells[-1]}"
            for cell in cells[1:-1]:
                for line in _cut_at_slashes(cell, self.writer.width - len(_BELOW)):
                    yield _BELOW + line

    def _mark(self, row: Row) -> str:
        return _MARK if row.marked and not self.quiz else "  "

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
        texts = []
        for cell, width, column in zip(cells, widths, self.table.columns, strict=True):
            if width:
                # a name is cut to the width, a number never
                cut = cell if column.right else self._clip(cell, width)
                texts.append(pad(cut, width, right=column.right))
        return f"{_INDENT}{mark}{_GAP.join(texts)}"

    def _clip(self, text: str, width: int) -> str:
        return clip(text, width, ascii=self.writer.ascii)

    def _unbroken_widths(self) -> Iterator[int]:
        """Of what cannot be broken in the columns that may go on below."""
        for row in self.table.rows:
            for place in self.wide:
                for piece in row.cells[place]:
                    for span in piece:
                        if isinstance(span, str | Name):
                            text = self.writer.spell((span,), _LEAST_NAME)
                            yield from map(display_width, re.split("[/ ]", text))

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
        whole = self.writer.spell(piece, _LONGEST_IN_TABLE)
        over = display_width(whole) - room
        if over <= 0:
            return [whole]
        names = [self.writer.spell((span,)) for span in piece if isinstance(span, Name)]
        longest = max(map(display_width, names), default=0)
        shown = max(min(longest, _LONGEST_IN_TABLE) - over, _LEAST_NAME)
        shorter = self.writer.spell(piece, shown)
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


def broken(
    texts: list[str], width: int, first: str, further: str, gap: str = " "
) -> Iterator[str]:
    """Yield texts side by side in lines of a width, none of them broken."""
    line, empty = first, True
    for text in texts:
        together = line + text if empty else f"{line}{gap}{text}"
        if not empty and display_width(together) > width:
            yield line
            together = further + text
        line, empty = together, False
    yield line


def _is_apart(before: Block | None, block: Block) -> bool:
    """Whether a blank line stands before a block."""
    match before, block:
        case (Heading(level=3), Heading(level=3)):
            return False
        case (Heading(), FormulaLines() | Sentence() | QuizAnswer()):
            return False
        case (Sentence() | QuizAnswer(), Sentence() | QuizAnswer()):
            return False
        case (Sentence(), ChalkTable(folded=True)):
            return False
        case (Sentence(), FormulaLines()) | (
            FormulaLines(),
            FormulaLines() | Sentence(),
        ):
            return False
        case _:
            return True
