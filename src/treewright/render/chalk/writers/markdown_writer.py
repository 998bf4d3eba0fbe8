"""A page as Markdown, with tables; in a quiz the key is folded away."""

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
    QuizAnswer,
    Sentence,
    Span,
)
from treewright.render.chalk.expression import Blanks
from treewright.render.fitting.markdown_signs import escaped

_PIECES = " · "
_LIST_START = re.compile(r"^(?=[-+=])|^\d+(?=[.)](?: |$))")


def to_markdown(page: ChalkPage) -> str:
    """Return a page as Markdown, ending in a newline."""
    return "\n".join(_MarkdownWriter(page).lines()) + "\n"


class _MarkdownWriter:
    """Writes the blocks; keeps what a quiz has hidden."""

    def __init__(self, page: ChalkPage) -> None:
        self.page = page
        self.speller = Blanks(quiz=page.quiz)
        self.answers: list[QuizAnswer] = []

    def lines(self) -> Iterator[str]:
        """All lines of the page."""
        if self.page.title:
            yield f"# {self.spell(self.page.title)}"
        for block in self.page.blocks:
            if self.page.quiz and isinstance(block, QuizAnswer):
                self.answers.append(block)
                continue
            yield ""
            yield from self._block(block)
        yield from self._key()

    def spell(self, line: Line) -> str:
        """Return a line in which names do not act."""
        return "".join(map(self._span, line))

    def _span(self, span: Span) -> str:
        if isinstance(span, str):
            return escaped(span)
        if isinstance(span, Name):
            return escaped(span.text)
        return escaped(self.speller.spell(span))

    def _block(self, block: Block) -> Iterator[str]:
        match block:
            case Heading(level, pieces):
                yield f"{'#' * level} {_PIECES.join(map(self.spell, pieces))}"
            case Sentence(spans):
                # a name at the start of a line must not make a list
                yield _LIST_START.sub(lambda one: f"{one[0]}\\", self.spell(spans))
            case ChalkTable():
                yield from self._table(block)
            case FormulaLines():
                yield from self._formulas(block)
            case Listing(text):
                yield from _fenced(text)
            case QuizAnswer(_, blocks):
                for one in blocks:
                    yield from self._block(one)

    def _table(self, table: ChalkTable) -> Iterator[str]:
        remarks = not self.page.quiz and any(row.remark for row in table.rows)
        titles = [self.spell(column.title) for column in table.columns]
        rules = ["---:" if column.right else "---" for column in table.columns]
        yield _row([*titles, ""] if remarks else titles)
        yield _row([*rules, "---"] if remarks else rules)
        for row in table.rows:
            cells = [_PIECES.join(map(self.spell, cell)) for cell in row.cells]
            if row.marked and not self.page.quiz:
                cells[0] = f"**{cells[0]}**"
            yield _row([*cells, self.spell(row.remark)] if remarks else cells)

    def _formulas(self, block: FormulaLines) -> Iterator[str]:
        if block.about:
            yield from [f"{self.spell(block.about)}:", ""]
        for label, formula in block.lines:
            yield f"- {self.spell(label)}: `{self.speller.spell(formula)}`"

    def _key(self) -> Iterator[str]:
        hidden = self.speller.hidden
        if not hidden and not self.answers:
            return
        self.speller = Blanks(quiz=False)
        yield from ["", f"<details><summary>{self.page.words['key']}</summary>", ""]
        pairs = enumerate(hidden, 1)
        yield _PIECES.join(f"({place}) {text}" for place, text in pairs)
        for answer in self.answers:
            for block in answer.blocks:
                yield ""
                if isinstance(block, Listing):
                    yield from _fenced(block.text)
                else:
                    yield f"{self.spell(answer.about)}: {self.spell(block.spans)}"
        yield from ["", "</details>"]


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _fenced(text: str) -> list[str]:
    """Text as it is; the fence is longer than any in it."""
    ticks = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(ticks + 1, 3)
    return [fence, *text.splitlines(), fence]
