"""Text in which nothing is Markdown."""

from __future__ import annotations

import re

_ACTIVE = re.compile(r"([\\`*_\[\]<>#|~&$])")


def escaped(text: str) -> str:
    """Return a text in which nothing is Markdown or HTML."""
    return _ACTIVE.sub(r"\\\1", text)
