"""A page as plain text, not wider than asked; in a quiz with numbered blanks and a key.

Names are cut where they are long, numbers never: a line of many long ones is longer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from treewright.render.chalk.blanks import Blanks
from treewright.render.chalk.chalk_page import (
    Block,
    ChalkPage,
    ChalkTable,
    FormulaLines,
    Heading,
    Line,
    Listing,
    Name,
    QuizAnswer,
    Sentence,
    Span,
)
from treewright.render.chalk.writers.text_table import TableText
from treewright.render.fitting.safe_text import clip, display_width, pad, visible

_NUMBER = re.compile(r"-?\d{1,20}(\.\d{1,20})?(e[-+]\d+)?")
_INDENT = "  "
_APART = "   "  # between the pieces of a heading
_LONGEST_NAME = 40
_LONGEST_LABEL = 20


def to_text(page: ChalkPage, *, width: int = 100, ascii: bool = False) -> str:
    """Return a page as lines without a newline at the end."""
    writer = _TextWriter(page, width, ascii=ascii)
    return "\n".join(line.rstrip() for line in writer.lines())


class _TextWriter:
    """Writes the blocks; keeps what a quiz has hidden."""

    def __init__(self, page: ChalkPage, width: int, *, ascii: bool) -> None:
        self.page = page
        self.width = width
        self.ascii = ascii
        self.speller = Blanks(quiz=page.quiz)
        self.answers: list[tuple[str, tuple[Sentence | Listing, ...]]] = []

    def lines(self) -> Iterator[str]:
        """All lines of the page."""
        yield from self.wrapped(self.spell(self.page.title), "")
        if self.page.hint:
            yield from self.wrapped(self.spell(self.page.hint), _INDENT, _INDENT)
        before: Block | None = None
        for block in self.page.blocks:
            if self.page.quiz and isinstance(block, QuizAnswer):
                self.answers.append((self.spell(block.about), block.blocks))
                continue
            if _is_apart(before, block):
                yield ""
            yield from self._block(block)
            before = block
        yield from self._key()

    def spell(self, line: Line, longest: int = _LONGEST_NAME) -> str:
        """Return the text of a line; names no longer than this."""
        return "".join(self._span(span, longest) for span in line)

    def wrapped(self, text: str, indent: str, further: str = "") -> Iterator[str]:
        """Yield a text in lines; `further` indents those after the first."""
        yield from broken(text.split(" "), self.width, indent, indent + further)

    def _span(self, span: Span, longest: int) -> str:
        if isinstance(span, str):
            return visible(span, ascii=self.ascii)
        if isinstance(span, Name):
            text = visible(span.text, ascii=self.ascii)
            if _NUMBER.fullmatch(text):  # a threshold
                return text
            return clip(text, longest, ascii=self.ascii)
        return self.speller.spell(span)

    def _block(self, block: Block) -> Iterator[str]:
        match block:
            case Heading(level, pieces):
                yield from self._heading(level, pieces)
            case Sentence(spans):
                yield from self.wrapped(self.spell(spans), _INDENT, _INDENT)
            case ChalkTable():
                yield from TableText(self, block).lines()
            case FormulaLines():
                yield from self._formulas(block)
            case Listing(text):
                yield from text.splitlines()
            case QuizAnswer(_, blocks):
                for one in blocks:
                    yield from self._block(one)

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
        for about, blocks in self.answers:
            for block in blocks:
                if isinstance(block, Listing):
                    yield from ["", *self._block(block)]
                else:
                    text = f"{about}: {self.spell(block.spans)}"
                    yield from self.wrapped(text, _INDENT, _INDENT)


_ABOUT_WIDTH = 12


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
