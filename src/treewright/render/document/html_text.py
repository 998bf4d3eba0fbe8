"""A document as one HTML file: nothing is fetched, nothing runs, every name is text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import resources

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
    Section,
    Span,
    Strong,
    cell_of,
    plain,
)
from treewright.render.picture.svg import escaped

_MOST_SHRUNK = 0.7
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def to_html(document: Document) -> str:
    """Return a document as the text of an HTML file."""
    style = resources.files(__package__).joinpath("page.css").read_text("utf-8")
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en">',
            '<head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            f"<title>{escaped(plain(document.title))}</title>",
            f"<style>\n{style}</style></head>",
            "<body>",
            *_body(document),
            "</body></html>\n",
        ]
    )


def _body(document: Document) -> Iterator[str]:
    yield f"<header><h1>{_line(document.title)}</h1></header>"
    yield '<nav aria-label="Contents"><ul>'
    for section in document.sections:
        yield f'<li><a href="#{section.key}">{escaped(section.title)}</a></li>'
    yield "</ul></nav>"
    yield "<main>"
    if document.short:
        yield '<section class="short" aria-labelledby="short">'
        yield '<h2 id="short">In short</h2>'
        yield from _items(document.short)
        yield "</section>"
    for section in document.sections:
        yield from _section(section)
    yield "</main>"
    if document.foot:
        yield f"<footer>{_line(document.foot)}</footer>"


def _section(section: Section) -> Iterator[str]:
    yield f'<section aria-labelledby="{section.key}">'
    yield f'<h2 id="{section.key}">{escaped(section.title)}</h2>'
    for block in section.blocks:
        yield from _block(block)
    yield "</section>"


def _block(block: Block) -> Iterator[str]:
    match block:
        case Paragraph():
            yield f"<p>{_line(block.line)}</p>"
        case BulletList():
            yield from _items(block.lines)
        case DocumentTable():
            yield from _table(block)
        case Picture():
            yield from _picture(block)
        case Command():
            yield f'<p class="about">{_line(block.about)}</p>'
            yield f"<pre><code>{escaped(block.text)}</code></pre>"


def _items(lines: tuple[Line, ...]) -> Iterator[str]:
    yield "<ul>"
    for line in lines:
        yield f"<li>{_line(line)}</li>"
    yield "</ul>"


def _table(table: DocumentTable) -> Iterator[str]:
    # wide tables are scrolled on their own, also by those who have no mouse
    label = escaped(plain(table.caption))
    yield f'<div class="wide" tabindex="0" role="region" aria-label="{label}">'
    yield f"<table><caption>{_line(table.caption)}</caption>"
    heads = "".join(
        f'<th scope="col"{_side(column)}>{_line(column.title)}</th>'
        for column in table.columns
    )
    yield f"<thead><tr>{heads}</tr></thead>"
    yield "<tbody>"
    for number, row in enumerate(table.rows):
        first, *others = map(cell_of, row)
        cells = f'<th scope="row"{_side(table.columns[0])}>{_line(first.line)}</th>'
        for column, cell in zip(table.columns[1:], others, strict=True):
            cells += f"<td{_side(column, cell.tone)}>{_line(cell.line)}</td>"
        mark = ' class="strong"' if number in table.strong else ""
        yield f"<tr{mark}>{cells}</tr>"
    yield "</tbody></table></div>"


def _side(column: DocumentColumn, tone: str = "") -> str:
    """The classes of a cell, if it has some."""
    kind = "figure" if column.right else "text" if column.long else ""
    names = " ".join(filter(None, [kind, tone]))
    return f' class="{names}"' if names else ""


def _picture(picture: Picture) -> Iterator[str]:
    label = escaped(plain(picture.alt))
    yield "<figure>"
    yield f'<div class="wide" tabindex="0" role="region" aria-label="{label}">'
    yield _shrinking(picture.svg.rstrip("\n"))
    yield "</div>"
    if picture.caption:
        yield f"<figcaption>{_line(picture.caption)}</figcaption>"
    yield "</figure>"


def _shrinking(svg: str) -> str:
    """Return a picture that shrinks with the page, but not until nobody reads it."""
    width = re.match(r'<svg [^>]*?\bwidth="([\d.]+)"', svg)
    if width is None:
        return svg
    least = round(_MOST_SHRUNK * float(width[1]))
    return svg.replace("<svg ", f'<svg style="min-width:{least}px" ', 1)


def _line(line: Line) -> str:
    return "".join(map(_span, line))


def _span(span: Span) -> str:
    match span:
        case Name(text):
            # names of other scripts must not turn the sentence around them
            return f"<bdi>{escaped(text)}</bdi>"
        case Strong(text):
            return f"<strong>{escaped(text)}</strong>"
        case Code(text):
            return f"<code>{escaped(text)}</code>"
    return escaped(span)
