"""A page as a LaTeX document: `booktabs` tables, `align*` formulas, answers at the end.

It compiles with pdfLaTeX; a page with Chinese or Korean characters wants XeLaTeX (or
the package CJKutf8). Nothing in a name acts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from treewright.render.chalk.chalk_page import (
    Block,
    ChalkPage,
    ChalkTable,
    FormulaLines,
    Heading,
    Line,
    Name,
    PageWriter,
    QuizAnswer,
    Sentence,
    Span,
)
from treewright.render.chalk.expression import (
    Blanks,
    Fraction,
    Logarithm,
    Number,
    Quotient,
    Square,
)

_LONGEST_FORMULA = 74  # signs of a line, beside a short label
_SHORT_LABEL = 8
_SHORTEST_FORMULA = 40
_MOST_TERMS = 4  # of a line
_PIECES = r"\quad "
_PLAIN_SIGNS = str.maketrans({"├": "|", "└": "`", "─": "-", "│": "|", "…": "~"})


def to_latex(page: ChalkPage) -> str:
    """Return a page as a whole document."""
    lines = list(_LatexWriter(page).lines())
    return document("\n".join(lines), page.language)


class _LatexSpeller(Blanks):
    """Expressions in math mode."""

    times = r"\cdot "

    def blank(self, place: int) -> str:
        """A line to write on."""
        return rf"\blank{{{place}}}"

    def shown(self, text: str) -> str:
        """Digits; a power of ten as such."""
        digits, _, power = text.partition("e")
        return rf"{digits}\cdot 10^{{{int(power)}}}" if power else text

    def fraction(self, one: Fraction) -> str:
        """Small, so that lines stay low."""
        top, bottom = self.shown(one.top), self.shown(one.bottom)
        return rf"\tfrac{{{top}}}{{{bottom}}}"

    def quotient(self, one: Quotient) -> str:
        """One over the other; two numbers on a line."""
        if isinstance(one.top, Number) and isinstance(one.bottom, Number):
            return f"{self.spell(one.top)} / {self.spell(one.bottom)}"
        return rf"\frac{{{self.spell(one.top)}}}{{{self.spell(one.bottom)}}}"

    def logarithm(self, one: Logarithm) -> str:
        """With the base below."""
        of = self.spell(one.of)
        return rf"\log_2 {of}" if isinstance(one.of, Fraction) else rf"\log_2({of})"

    def square(self, one: Square) -> str:
        """With the power above."""
        return rf"\bigl({self.spell(one.of)}\bigr)^2"


class _LatexWriter(PageWriter):
    """Writes the blocks; keeps what a quiz has hidden."""

    def __init__(self, page: ChalkPage) -> None:
        super().__init__(page)
        self.speller = _LatexSpeller(quiz=page.quiz)

    def lines(self) -> Iterator[str]:
        """All lines of the body."""
        if self.page.title:
            yield rf"\section*{{{self.spell(self.page.title)}}}"
        following = (*self.page.blocks[1:], None)
        for block, after in zip(self.page.blocks, following, strict=True):
            if self.page.quiz and isinstance(block, QuizAnswer):
                continue
            yield from self.block(block)
            if _belongs_to(block, after):
                yield r"\nopagebreak"
        yield from self._key()

    def span(self, span: Span) -> str:
        if isinstance(span, str | Name):
            return escaped(span if isinstance(span, str) else span.text)
        return f"${self.speller.spell(span)}$"

    def _heading(self, level: int, pieces: tuple[Line, ...]) -> Iterator[str]:
        first, *rest = map(self.spell, pieces)
        skip = r"\bigskip" if level == 2 else r"\smallskip"
        text = _PIECES.join([rf"\textbf{{{first}}}", *rest])
        yield rf"{skip}\noindent\begin{{step}}{text}\end{{step}}"

    def _sentence(self, line: Line) -> Iterator[str]:
        yield rf"\noindent {self.spell(line)}\par"

    def _listing(self, text: str) -> Iterator[str]:
        yield r"\begin{flushleft}\scriptsize\ttfamily"
        for line in text.translate(_PLAIN_SIGNS).splitlines():
            text = escaped(line).replace(" ", "~").replace("-", "{-}")
            # a sign of mathematics takes as much room as any other; \$ is a text's own
            text = re.sub(r"(?<!\\)\$[^$]*\$", r"\\makebox[0.525em]{\g<0>}", text)
            yield text + r"\mbox{}\\"
        yield r"\end{flushleft}"

    def _table(self, table: ChalkTable) -> Iterator[str]:
        remarks = not self.page.quiz and any(row.remark for row in table.rows)
        n_numbers = sum(column.right for column in table.columns)
        width = max(0.45 - 0.065 * (n_numbers - 2), 0.3)
        kinds = [
            rf">{{\raggedright\arraybackslash}}p{{{width:.2f}\linewidth}}"
            if column.pieces
            else ("r" if column.right else "l")
            for column in table.columns
        ]
        # a table of many columns is made smaller rather than run off the page
        yield r"\begin{center}\small\resizebox{\ifdim\width>\linewidth\linewidth"
        yield rf"\else\width\fi}}{{!}}{{\begin{{tabular}}{{{''.join(kinds)}l}}"
        titles = [self.spell(column.title) for column in table.columns]
        yield rf"\toprule {' & '.join(titles)} & \\ \midrule"
        for row in table.rows:
            cells = [
                _PIECES.join(rf"\mbox{{{self.spell(piece)}}}" for piece in cell)
                for cell in row.cells
            ]
            if row.marked and not self.page.quiz:
                cells[0] = rf"\textbf{{{cells[0]}}}"
            remark = self.spell(row.remark) if remarks else ""
            yield rf"{' & '.join(cells)} & {remark} \\"
        yield r"\bottomrule\end{tabular}}\end{center}"

    def _formulas(self, block: FormulaLines) -> Iterator[str]:
        if block.about:
            yield rf"\noindent {self.spell(block.about)}:\nopagebreak"
        yield r"\begin{align*}"
        rows = []
        labels = [self.spell(label) for label, _ in block.lines]
        over = max(map(_length, labels)) - _SHORT_LABEL
        room = max(_LONGEST_FORMULA - max(over, 0), _SHORTEST_FORMULA)
        for label, (_, formula) in zip(labels, block.lines, strict=True):
            first, *more = _broken(self.speller.spell(formula), room)
            rows.append(rf"\text{{{label}}}\quad & {first}")
            rows += [rf"& \qquad {part}" for part in more]
        yield " \\\\\n".join(rows)
        yield r"\end{align*}"

    def _key(self) -> Iterator[str]:
        hidden = self.speller.hidden
        if not hidden and not self.answers:
            return
        self.speller = _LatexSpeller(quiz=False)
        yield rf"\clearpage\section*{{{escaped(self.page.words['key'])}}}"
        shown = [
            rf"\mbox{{\textbf{{{place}}} ${self.speller.shown(text)}$}}"
            for place, text in enumerate(hidden, 1)
        ]
        yield rf"\begin{{flushleft}}{_PIECES.join(shown)}\end{{flushleft}}"
        for answer in self.answers:
            for block in answer.blocks:
                if isinstance(block, Sentence):
                    yield rf"\noindent {self.spell(answer.about)}:"
                yield from self.block(block)


def _belongs_to(block: Block, after: Block | None) -> bool:
    """Whether the next block must be on the same page."""
    match block, after:
        case (Heading(level=2), Sentence() | ChalkTable() | FormulaLines()):
            return True
        case (Sentence(), ChalkTable()):
            return True
        case _:
            return False


def _broken(formula: str, room: int) -> list[str]:
    """A formula in lines, broken before a sign that is not inside anything."""
    lines, n_terms = [""], 0
    for term in _terms(formula):
        together = f"{lines[-1]} {term}".strip()
        n_terms += not term.startswith("= ")
        if lines[-1] and (n_terms > _MOST_TERMS or _length(together) > room):
            lines.append(term)
            n_terms = 1
        else:
            lines[-1] = together
    return lines


def _terms(formula: str) -> list[str]:
    terms, depth = [""], 0
    for token in re.split(r"( (?=[-+=] )|[{}])", formula):
        depth += {"{": 1, "}": -1}.get(token, 0)
        if token == " " and depth == 0:
            terms.append("")
        else:
            terms[-1] += token
    return terms


def _length(formula: str) -> int:
    """About how many signs wide a formula is; small fractions are half as wide."""
    text = re.sub(r"\\tfrac\{([^}]*)\}\{([^}]*)\}", _wider, formula)
    return len(re.sub(r"\\[a-z]+|[{}\\ ]", "", text)) + text.count(" - ")


def _wider(fraction: re.Match[str]) -> str:
    return "0" * max(len(fraction[1]), len(fraction[2]))


_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    "…": r"\dots{}",
    "–": r"\textendash{}",
    "—": r"\textemdash{}",
    "±": r"$\pm$",
    "×": r"$\times$",
    "·": r"$\cdot$",
    "°": r"$^\circ$",
    "≤": r"$\le$",
    "≥": r"$\ge$",
    "≠": r"$\neq$",
    "→": r"$\to$",
    "€": r"\texteuro{}",
    "£": r"\textsterling{}",
    "µ": r"$\mu$",
}
_CJK = re.compile("[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7a3\uff00-\uffef]")
_HANGUL = re.compile("[\uac00-\ud7a3]")

_HEAD = r"""\documentclass[10pt]{article}
\usepackage[a4paper,margin=1.6cm]{geometry}
\usepackage{iftex}
\usepackage{amsmath,array,booktabs,graphicx}
\ifPDFTeX
  \usepackage[T1]{fontenc}
  \usepackage[utf8]{inputenc}
  \usepackage{textcomp}
\fi
% a character that pdfTeX has no glyph of is shown by its number
\ifPDFTeX\newcommand{\uni}[2]{\texttt{[#1]}}\else\newcommand{\uni}[2]{#2}\fi
\newcommand{\blank}[1]{\underline{\makebox[2.6em]{\scriptsize\strut\textsf{#1}}}}
\newenvironment{step}{\begin{minipage}[t]{\linewidth}\raggedright}{\end{minipage}\par}
\allowdisplaybreaks
% a table stays with the line above it
\makeatletter\@beginparpenalty=10000\makeatother
\raggedbottom
"""
_CJK_HEAD = r"""\ifPDFTeX
  \IfFileExists{CJKutf8.sty}{\usepackage{CJKutf8}}
    {\errmessage{Chinese or Korean characters: compile this page with XeLaTeX}}
\else\ifXeTeX
  \usepackage{xeCJK}
  \IfFontExistsTF{FONT}{\setCJKmainfont{FONT}\setCJKmonofont{FONT}}
    {\setCJKmainfont{FandolSong-Regular.otf}\setCJKmonofont{FandolSong-Regular.otf}}
\else
  \usepackage{luatexja-fontspec}
\fi\fi
"""


def escaped(text: str) -> str:
    """Return a text in which nothing acts."""
    return "".join(map(_sign, text))


def document(body: str, language: str) -> str:
    """Return a body as a document, ready for the characters that it has."""
    if not _CJK.search(body):
        return f"{_HEAD}\\begin{{document}}\n{body}\n\\end{{document}}\n"
    korean = language == "ko" or (language != "zh" and _HANGUL.search(body))
    font = "Noto Serif CJK KR" if korean else "Noto Serif CJK SC"
    head = _HEAD + _CJK_HEAD.replace("FONT", font)
    encoding = "mj" if korean else "gbsn"
    begin = rf"\ifPDFTeX\begin{{CJK*}}{{UTF8}}{{{encoding}}}\fi"
    end = r"\ifPDFTeX\end{CJK*}\fi"
    return f"{head}\\begin{{document}}\n{begin}\n{body}\n{end}\n\\end{{document}}\n"


def _sign(sign: str) -> str:
    if sign in _SPECIAL:
        return _SPECIAL[sign]
    if " " <= sign <= "~" or _CJK.match(sign):
        return sign
    is_letter = unicodedata.category(sign).startswith("L")
    if is_letter and "\u00c0" <= sign <= "\u017f":
        return sign
    return rf"\uni{{{ord(sign):04X}}}{{{sign}}}"
