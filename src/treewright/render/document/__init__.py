"""A page for people, in no format, and its writers: HTML in one file, and Markdown."""

from treewright.render.document.blocks import (
    Cell,
    Code,
    Column,
    Command,
    Document,
    Items,
    Line,
    Paragraph,
    Picture,
    Section,
    Strong,
    Table,
    named,
)
from treewright.render.document.html_text import to_html
from treewright.render.document.markdown_text import to_markdown

__all__ = [
    "Cell",
    "Code",
    "Column",
    "Command",
    "Document",
    "Items",
    "Line",
    "Paragraph",
    "Picture",
    "Section",
    "Strong",
    "Table",
    "named",
    "to_html",
    "to_markdown",
]
