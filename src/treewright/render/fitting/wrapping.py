"""Paragraphs that fit: like `textwrap`, but by the columns that characters take."""

from __future__ import annotations

import re
from collections.abc import Iterator

from treewright.render.fitting.safe_text import display_width


def wrapped(text: str, width: int, *, indent: int = 0) -> Iterator[str]:
    """Yield the lines of a paragraph; all but the first are indented.

    Blanks at the start of the text indent the first line. A word that is too long for a
    line is broken. Several blanks between words stay, as names from data may have them.
    """
    words = re.findall(r" *[^ ]+", re.sub(r"[^\S ]+", " ", text).strip())
    line = " " * (len(text) - len(text.lstrip()))
    is_fresh = True
    while words:
        word = words.pop(0)
        if is_fresh:
            word = word.lstrip()
        candidate = line + word
        if display_width(candidate) <= width:
            line, is_fresh = candidate, False
            continue
        if is_fresh:
            head = _head(word, width - display_width(line))
            line, word = line + head, word[len(head) :]
        yield line
        line, is_fresh = " " * indent, True
        words.insert(0, word)
    yield line


def _head(word: str, room: int) -> str:
    """Return as much of a word as there is room for; at least one character."""
    used = 0
    for place, sign in enumerate(word):
        used += display_width(sign)
        if used > room:
            return word[: max(place, 1)]
    return word
