"""A page for people, in no format: what the writers of HTML and Markdown spell.

    Document    a title, what to know in short, and sections
    Section     a heading, and blocks one below the other
    block       Paragraph, Items, Table, Picture, Command
    span        what a line is made of: words, a Name from the data, Strong, Code

Names come from data and are escaped by each writer, as all words are: nothing in a page
acts. No writer knows what a tree is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from treewright.render.chalk.chalk_page import Name
from treewright.render.fitting.safe_text import clip, visible

_LONGEST_NAME = 60  # of the names that stand in sentences and tables


@dataclass(frozen=True)
class Strong:
    """Words that a reader who is in a hurry should see."""

    text: str


@dataclass(frozen=True)
class Code:
    """Something to type."""

    text: str


Span = str | Name | Strong | Code
Line = tuple[Span, ...]


def named(text: object, most: int = _LONGEST_NAME) -> Name:
    """Return a name that is safe to show: nothing that does not print, not too long."""
    words = str(text)
    return Name(clip(visible(words[: 4 * most + 64]), most))


def joined(pieces: Iterable[Line], between: str = ", ") -> Line:
    """Return pieces one after the other."""
    line: list[Span] = []
    for place, piece in enumerate(pieces):
        line += [between, *piece] if place else piece
    return tuple(line)


def listed(names: Sequence[str], most: int = 10) -> Line:
    """Return names with commas, the first few of them if there are many."""
    line = joined([(named(name, 40),) for name in names[:most]])
    more = len(names) - most
    return (*line, f" and {more:,} more") if more > 0 else line


@dataclass(frozen=True)
class Paragraph:
    """A few sentences."""

    line: Line


@dataclass(frozen=True)
class BulletList:
    """Lines that stand on their own."""

    lines: tuple[Line, ...]


@dataclass(frozen=True)
class DocumentColumn:
    """A column of a table: its title, whether it is of figures, or of long texts."""

    title: Line
    right: bool = True
    long: bool = False


def titled(
    words: Iterable[Span] = (), figures: Iterable[Span] = ()
) -> tuple[DocumentColumn, ...]:
    """Return columns by their titles: those of words, then those of figures."""
    return (
        *(DocumentColumn((title,), right=False) for title in words),
        *(DocumentColumn((title,)) for title in figures),
    )


@dataclass(frozen=True)
class Cell:
    """A cell with a tone.

    `tone` is "" for none, or "good" or "bad" and how much of it there is, 1 to 4: the
    colour behind the text, which never says more than the text does.
    """

    line: Line
    tone: str = ""


@dataclass(frozen=True)
class DocumentTable:
    """Rows under titles; the first cell of a row says what the row is of."""

    caption: Line  # what the table shows
    columns: tuple[DocumentColumn, ...]  # titles
    rows: tuple[tuple[Line | Cell, ...], ...]  # a cell for each column
    strong: tuple[int, ...] = ()  # the rows that a reader should see first


@dataclass(frozen=True)
class Picture:
    """A picture as SVG text."""

    # one word, for the name of a file beside a page that cannot hold pictures
    name: str
    svg: str  # the picture
    alt: Line  # what it shows, for who cannot see it
    caption: Line = ()  # what stands below it


@dataclass(frozen=True)
class Command:
    """A command to copy, and what it is for."""

    about: Line
    text: str


Block = Paragraph | BulletList | DocumentTable | Picture | Command


@dataclass(frozen=True)
class Section:
    """A heading and what stands under it; `key` is its place in the page."""

    key: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Document:
    """A whole page."""

    title: Line  # its title
    short: tuple[Line, ...]  # what to know if nothing else is read
    sections: tuple[Section, ...]  # the rest
    foot: Line = ()  # the last line

    @property
    def pictures(self) -> list[Picture]:
        """All pictures, in order."""
        blocks = (block for section in self.sections for block in section.blocks)
        return [block for block in blocks if isinstance(block, Picture)]


def cell_of(cell: Line | Cell) -> Cell:
    """Return a cell, without a tone if it is a line only."""
    return cell if isinstance(cell, Cell) else Cell(cell)


def plain(line: Line) -> str:
    """Return a line as words alone."""
    return "".join(span if isinstance(span, str) else span.text for span in line)
