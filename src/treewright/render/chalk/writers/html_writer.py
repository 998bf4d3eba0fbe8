"""A page as HTML: nothing is fetched, nothing runs; a quiz opens on click."""

from __future__ import annotations

import html
from collections.abc import Iterator
from importlib import resources

from treewright.render.chalk.chalk_page import (
    ChalkPage,
    ChalkTable,
    FormulaLines,
    Line,
    Name,
    PageWriter,
    QuizAnswer,
    Sentence,
    Span,
)
from treewright.render.chalk.expression import (
    Fraction,
    Logarithm,
    Number,
    Speller,
    Square,
)

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def to_html(page: ChalkPage) -> str:
    """Return a page as a whole document."""
    style = resources.files(__package__).joinpath("page.css").read_text("utf-8")
    writer = _HtmlWriter(page)
    title = writer.spell(page.title)
    return "\n".join(
        [
            "<!doctype html>",
            f'<html lang="{page.language}">',
            '<head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title>",
            f"<style>\n{style}</style></head>",
            f'<body><main class="chalk">\n<h1>{title}</h1>',
            *writer.lines(),
            "</main></body></html>\n",
        ]
    )


def to_html_fragment(page: ChalkPage) -> str:
    """Return a page to be put into another one, with its style."""
    style = resources.files(__package__).joinpath("page.css").read_text("utf-8")
    lines = "\n".join(_HtmlWriter(page).lines())
    return f'<style>\n{style}</style>\n<div class="chalk">\n{lines}\n</div>\n'


class _HtmlSpeller(Speller):
    """Expressions with the signs of print."""

    minus, gap, times = "−", "&nbsp;", "·"

    def __init__(self, *, quiz: bool) -> None:
        self.quiz = quiz

    def number(self, one: Number) -> str:
        """Digits, in a quiz behind a click."""
        if self.quiz and one.hidden:
            return f"<details><summary>?</summary>{one.text}</details>"
        return one.text.replace("-", "−") if one.text.startswith("-") else one.text

    def fraction(self, one: Fraction) -> str:
        """Not broken at the end of a line."""
        return f"<b>{one.top}/{one.bottom}</b>"

    def logarithm(self, one: Logarithm) -> str:
        """With the base below."""
        return f"log<sub>2</sub>({self.spell(one.of)})"

    def square(self, one: Square) -> str:
        """With the power above."""
        return f"({self.spell(one.of)})<sup>2</sup>"


class _HtmlWriter(PageWriter):
    """Writes the blocks."""

    def __init__(self, page: ChalkPage) -> None:
        super().__init__(page)
        self.speller = _HtmlSpeller(quiz=page.quiz)

    def lines(self) -> Iterator[str]:
        """All blocks, below a hint."""
        if self.page.hint:
            yield from self.block(Sentence(self.page.hint))
        for block in self.page.blocks:
            yield from self.block(block)

    def span(self, span: Span) -> str:
        if isinstance(span, str):
            return html.escape(span).replace("  ", "&ensp; ")
        if isinstance(span, Name):
            return html.escape(span.text)
        return self.speller.spell(span)

    def _heading(self, level: int, pieces: tuple[Line, ...]) -> Iterator[str]:
        spans = [f"<span>{self.spell(piece)}</span>" for piece in pieces]
        yield f"<h{level}>{' '.join(spans)}</h{level}>"

    def _sentence(self, line: Line) -> Iterator[str]:
        # not <p>, in which no <details> may stand
        yield f'<div class="s">{self.spell(line)}</div>'

    def _listing(self, text: str) -> Iterator[str]:
        yield f"<pre>{html.escape(text)}</pre>"

    def _answer(self, answer: QuizAnswer) -> Iterator[str]:
        if self.page.quiz:
            show = f"{self.spell(answer.about)}: {html.escape(self.page.words['show'])}"
            yield f'<details class="answer"><summary>{show}</summary>'
            self.speller.quiz = False  # the answer has no blanks of its own
        yield from super()._answer(answer)
        self.speller.quiz = self.page.quiz
        if self.page.quiz:
            yield "</details>"

    def _table(self, table: ChalkTable) -> Iterator[str]:
        remarks = not self.page.quiz and any(row.remark for row in table.rows)
        kinds = ["n" if column.right else "w" for column in table.columns]
        titles = [self.spell(column.title) for column in table.columns]
        heads = [
            f'<th class="{kind}" scope="col">{title}</th>'
            for kind, title in zip(kinds, titles, strict=True)
        ]
        heads += ["<th></th>"] if remarks else []
        yield f'<div class="wide"><table><thead><tr>{"".join(heads)}</tr></thead>'
        yield "<tbody>"
        for row in table.rows:
            best = ' class="best"' if row.marked and not self.page.quiz else ""
            cells = [
                f'<td class="{kind}">{self._cell(cell)}</td>'
                for kind, cell in zip(kinds, row.cells, strict=True)
            ]
            said = self.spell(row.remark).replace("&lt;-", "←")
            remark = f'<td class="r">{said}</td>' if remarks else ""
            yield f"<tr{best}>{''.join(cells)}{remark}</tr>"
        yield "</tbody></table></div>"

    def _cell(self, pieces: tuple[Line, ...]) -> str:
        if len(pieces) == 1:
            return self.spell(pieces[0])
        return " ".join(f"<span>{self.spell(piece)}</span>" for piece in pieces)

    def _formulas(self, block: FormulaLines) -> Iterator[str]:
        yield '<div class="sums"><table class="formulas">'
        if block.about:
            yield f"<caption>{self.spell(block.about)}</caption>"
        for label, formula in block.lines:
            left, right = self.spell(label), self.speller.spell(formula)
            yield f'<tr><th scope="row">{left}</th><td>{right}</td></tr>'
        yield "</table></div>"
