"""A document as Markdown; its pictures are files beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from treewright.render.chalk.chalk_page import Name
from treewright.render.document.blocks import (
    Block,
    BulletList,
    Code,
    Command,
    Document,
    DocumentColumn,
    DocumentTable,
    Line,
    Paragraph,
    Picture,
    Span,
    Strong,
    cell_of,
    plain,
)
from treewright.render.fitting.markdown_signs import escaped, fence_of, table_row
from treewright.render.fitting.safe_text import display_width, pad, visible

_MOST_PADDED = 40  # columns: a wider one is not filled up with blanks


def to_markdown(document: Document, files: Mapping[str, str]) -> str:
    """Return a document as Markdown.

    `document`: the page. `files`: for each picture's name, the file that holds it.
    """
    lines = [f"# {_line(document.title)}", ""]
    if document.short:
        lines += ["## In short", "", *_items(document.short), ""]
    for section in document.sections:
        lines += [f"## {escaped(section.title)}", ""]
        for block in section.blocks:
            lines += [*_block(block, files), ""]
    if document.foot:
        lines += ["---", "", _line(document.foot), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _block(block: Block, files: Mapping[str, str]) -> Iterator[str]:
    match block:
        case Paragraph():
            yield _sentence(block.line)
        case BulletList():
            yield from _items(block.lines)
        case DocumentTable():
            yield from _table(block)
        case Picture():
            file = files[block.name]
            yield f"![{_line(block.alt)}](<{_address(file)}>)"
            if block.caption:
                yield ""
                yield _sentence(block.caption)
        case Command():
            yield _sentence(block.about)
            yield ""
            fence = fence_of(block.text)
            yield f"{fence}sh"
            yield from map(visible, block.text.split("\n"))
            yield fence


def _items(lines: tuple[Line, ...]) -> Iterator[str]:
    for line in lines:
        yield f"- {_sentence(line)}"


def _table(table: DocumentTable) -> Iterator[str]:
    yield f"**{escaped(_words(plain(table.caption)))}**"
    yield ""
    heads = [_line(column.title) for column in table.columns]
    rows = [_marked(table, number) for number in range(len(table.rows))]
    widths = [
        min(max(map(display_width, cells)), _MOST_PADDED)
        for cells in zip(heads, *rows, strict=True)
    ]
    widths = [max(width, 3) for width in widths]
    yield _row(heads, widths, table.columns)
    rules = [
        "-" * (width - 1) + ":" if column.right else "-" * width
        for column, width in zip(table.columns, widths, strict=True)
    ]
    yield table_row(rules)
    for row in rows:
        yield _row(row, widths, table.columns)


def _marked(table: DocumentTable, number: int) -> list[str]:
    """The cells of a row; bold if the row, or the cell, is to be seen first."""
    cells = []
    for cell in map(cell_of, table.rows[number]):
        text = _line(cell.line)
        is_bold = number in table.strong or cell.tone.startswith("good")
        # what is bold already stays as it is
        bold = is_bold and text and not text.startswith("**")
        cells.append(f"**{text}**" if bold else text)
    return cells


def _row(
    cells: list[str], widths: list[int], columns: tuple[DocumentColumn, ...]
) -> str:
    return table_row(
        pad(cell, width, right=column.right)
        for cell, width, column in zip(cells, widths, columns, strict=True)
    )


def _line(line: Line) -> str:
    """A line of a table."""
    return "".join(map(_span, line))


def _sentence(line: Line) -> str:
    """A line of running text: names stand out, so that they are not read as words."""
    return "".join(
        f"*{_span(span)}*"
        if isinstance(span, Name) and _has_edges(span)
        else _span(span)
        for span in line
    )


def _has_edges(name: Name) -> bool:
    """Whether a name may stand between stars: it must not begin or end with a blank."""
    return name.text != "" and name.text == name.text.strip()


def _span(span: Span) -> str:
    match span:
        case Name(text):
            return escaped(_words(text))
        case Strong(text):
            return f"**{escaped(_words(text))}**"
        case Code(text):
            # a pipe ends a cell of a table even within code
            fence = fence_of(text, least=1)
            blank = " " if "`" in text else ""
            return f"{fence}{blank}{visible(text)}{blank}{fence}".replace("|", "\\|")
    return escaped(_words(span))


def _words(text: str) -> str:
    """Words in one line, with nothing in them that does not print."""
    return visible(text.replace("\n", " "))


def _address(file: str) -> str:
    """Return the name of a file as it may stand between < and >."""
    return re.sub(r"([\\<>])", r"\\\1", file)
