"""A page for people, in no format, and its writers: HTML in one file, and Markdown."""

from treewright.render.document.blocks import (
    BulletList,
    Cell,
    Code,
    Command,
    Document,
    DocumentColumn,
    DocumentTable,
    Line,
    Paragraph,
    Picture,
    Section,
    Strong,
    named,
)
from treewright.render.document.html_text import to_html
from treewright.render.document.markdown_text import to_markdown

__all__ = [
    "BulletList",
    "Cell",
    "Code",
    "Command",
    "Document",
    "DocumentColumn",
    "DocumentTable",
    "Line",
    "Paragraph",
    "Picture",
    "Section",
    "Strong",
    "named",
    "to_html",
    "to_markdown",
]
