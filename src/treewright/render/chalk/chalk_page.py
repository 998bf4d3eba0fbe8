"""A page of chalk, in no format: what the writers of text, Markdown, LaTeX, HTML spell.

    Page        blocks, one below the other
    block       Heading, Sentence, Table, Formulas, Listing, Answer
    span        what a line is made of: words, a Name from the data, a Number, or an
                expression (`expression.py`)

Words are in the reader's language already. Names come from data and are escaped by
each writer; numbers that a student would work out are marked, so that a quiz can hide
them. No writer knows what a tree is; `PageWriter` is what all of them do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from treewright.render.chalk.expression import Expression, Number
from treewright.render.fitting.safe_text import clip, visible

_LONGEST_NAME = 200  # nobody reads on


@dataclass(frozen=True)
class Name:
    """A name or value from the data; nothing in it acts."""

    text: str


def listed(pieces: Iterable[Span | Line], between: str = ", ") -> Line:
    """Pieces one after the other, with commas or another sign."""
    line: list[Span] = []
    for place, piece in enumerate(pieces):
        line += [between] if place else []
        line += piece if isinstance(piece, tuple) else [piece]
    return tuple(line)


def name(text: str) -> Name:
    """Return a name that is safe to show: what does not print is escaped."""
    return Name(clip(visible(text[: 4 * _LONGEST_NAME]), _LONGEST_NAME))


Span = str | Name | Number | Expression
Line = tuple[Span, ...]


@dataclass(frozen=True)
class Heading:
    """A title; `pieces` stand apart from each other and are not broken."""

    level: int
    pieces: tuple[Line, ...]


@dataclass(frozen=True)
class Sentence:
    """Running text."""

    spans: Line


@dataclass(frozen=True)
class ChalkColumn:
    """A column of a table: words at the left, or numbers at the right.

    A cell of a `pieces` column has several lines of spans side by side, which may go on
    below where there is no room.
    """

    title: Line
    right: bool = True
    pieces: bool = False


@dataclass(frozen=True)
class Row:
    """A row of a table: a cell per column; the winner is marked.

    A cell has one line, or several in a `pieces` column. Mark and remark are answers,
    which a quiz hides.
    """

    cells: tuple[tuple[Line, ...], ...]
    marked: bool = False
    remark: Line = ()


@dataclass(frozen=True)
class ChalkTable:
    """Rows under titles; a `folded` table of short rows may go on at its right side."""

    columns: tuple[ChalkColumn, ...]
    rows: tuple[Row, ...]
    folded: bool = False


@dataclass(frozen=True)
class FormulaLines:
    """Equations, each with a label; `about` says what comes out."""

    lines: tuple[tuple[Line, Expression], ...]
    about: Line = ()


@dataclass(frozen=True)
class Listing:
    """Text that is laid out already; as wide as it is."""

    text: str


@dataclass(frozen=True)
class QuizAnswer:
    """What a quiz does not show before it is asked; `about` says what this answers."""

    about: Line
    blocks: tuple[Sentence | Listing, ...]


Block = Heading | Sentence | ChalkTable | FormulaLines | Listing | QuizAnswer


@dataclass(frozen=True)
class ChalkPage:
    """Blocks in order, and the words that writers need of their own.

    `hint` is for those who read on a screen: how to see less.
    """

    title: Line
    blocks: tuple[Block, ...]
    language: str
    quiz: bool
    words: dict[str, str]
    hint: Line = ()


class PageWriter:
    """Spells the blocks of a page; `answers` are what a quiz does not show."""

    def __init__(self, page: ChalkPage) -> None:
        self.page = page
        answers = [one for one in page.blocks if isinstance(one, QuizAnswer)]
        self.answers = answers if page.quiz else []

    def spell(self, line: Line) -> str:
        """Return a line in which names do not act."""
        return "".join(map(self.span, line))

    def span(self, span: Span) -> str:
        """Return a part of a line."""
        raise NotImplementedError

    def _heading(self, level: int, pieces: tuple[Line, ...]) -> Iterator[str]:
        raise NotImplementedError

    def _sentence(self, line: Line) -> Iterator[str]:
        raise NotImplementedError

    def _table(self, table: ChalkTable) -> Iterator[str]:
        raise NotImplementedError

    def _formulas(self, block: FormulaLines) -> Iterator[str]:
        raise NotImplementedError

    def _listing(self, text: str) -> Iterator[str]:
        raise NotImplementedError

    def block(self, block: Block) -> Iterator[str]:
        """Yield the lines of a block."""
        match block:
            case Heading(level, pieces):
                yield from self._heading(level, pieces)
            case Sentence(line):
                yield from self._sentence(line)
            case ChalkTable():
                yield from self._table(block)
            case FormulaLines():
                yield from self._formulas(block)
            case Listing(text):
                yield from self._listing(text)
            case QuizAnswer():
                yield from self._answer(block)

    def _answer(self, answer: QuizAnswer) -> Iterator[str]:
        for block in answer.blocks:
            yield from self.block(block)
