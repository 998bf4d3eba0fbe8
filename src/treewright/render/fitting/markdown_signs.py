"""Text in which nothing is Markdown, and what stands around it."""

from __future__ import annotations

import re
from collections.abc import Iterable

_ACTIVE = re.compile(r"([\\`*_\[\]<>#|~&$])")


def escaped(text: str) -> str:
    """Return a text in which nothing is Markdown or HTML."""
    return _ACTIVE.sub(r"\\\1", text)


def table_row(cells: Iterable[str]) -> str:
    """Return a row of a table; its cells are escaped already."""
    return f"| {' | '.join(cells)} |"


def fence_of(text: str, least: int = 3) -> str:
    """Return more backticks than a text has in a row."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    return "`" * max(least, longest + 1)
