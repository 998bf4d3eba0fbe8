"""A page as Markdown, with tables; in a quiz the key is folded away."""

from __future__ import annotations

import re
from collections.abc import Iterator

from treewright.render.chalk.chalk_page import (
    ChalkPage,
    ChalkTable,
    FormulaLines,
    Line,
    Listing,
    Name,
    PageWriter,
    QuizAnswer,
    Span,
)
from treewright.render.chalk.expression import Blanks
from treewright.render.fitting.markdown_signs import escaped, fence_of, table_row

_PIECES = " · "
_LIST_START = re.compile(r"^(?=[-+=])|^\d+(?=[.)](?: |$))")


def to_markdown(page: ChalkPage) -> str:
    """Return a page as Markdown, ending in a newline."""
    return "\n".join(_MarkdownWriter(page).lines()) + "\n"


class _MarkdownWriter(PageWriter):
    """Writes the blocks; keeps what a quiz has hidden."""

    def __init__(self, page: ChalkPage) -> None:
        super().__init__(page)
        self.speller = Blanks(quiz=page.quiz)

    def lines(self) -> Iterator[str]:
        """All lines of the page."""
        if self.page.title:
            yield f"# {self.spell(self.page.title)}"
        for block in self.page.blocks:
            if not (self.page.quiz and isinstance(block, QuizAnswer)):
                yield ""
                yield from self.block(block)
        yield from self._key()

    def span(self, span: Span) -> str:
        if isinstance(span, str | Name):
            return escaped(span if isinstance(span, str) else span.text)
        return escaped(self.speller.spell(span))

    def _heading(self, level: int, pieces: tuple[Line, ...]) -> Iterator[str]:
        yield f"{'#' * level} {_PIECES.join(map(self.spell, pieces))}"

    def _sentence(self, line: Line) -> Iterator[str]:
        # a name at the start of a line must not make a list
        yield _LIST_START.sub(lambda one: f"{one[0]}\\", self.spell(line))

    def _listing(self, text: str) -> Iterator[str]:
        # text as it is
        fence = fence_of(text)
        yield from [fence, *text.splitlines(), fence]

    def _table(self, table: ChalkTable) -> Iterator[str]:
        remarks = not self.page.quiz and any(row.remark for row in table.rows)
        titles = [self.spell(column.title) for column in table.columns]
        rules = ["---:" if column.right else "---" for column in table.columns]
        yield table_row([*titles, ""] if remarks else titles)
        yield table_row([*rules, "---"] if remarks else rules)
        for row in table.rows:
            cells = [_PIECES.join(map(self.spell, cell)) for cell in row.cells]
            if row.marked and not self.page.quiz:
                cells[0] = f"**{cells[0]}**"
            yield table_row([*cells, self.spell(row.remark)] if remarks else cells)

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
                    yield from self.block(block)
                else:
                    yield f"{self.spell(answer.about)}: {self.spell(block.spans)}"
        yield from ["", "</details>"]
