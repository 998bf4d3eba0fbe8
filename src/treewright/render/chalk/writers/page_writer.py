"""What all writers do: they go through a page block by block."""

from __future__ import annotations

from collections.abc import Iterator

from treewright.render.chalk.chalk_page import (
    Block,
    ChalkPage,
    ChalkTable,
    FormulaLines,
    Heading,
    Line,
    Listing,
    QuizAnswer,
    Sentence,
    Span,
)


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
