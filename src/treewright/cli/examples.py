"""Commands at the end of a help page, one per line."""

from __future__ import annotations


def examples(*commands: str) -> str:
    """Return commands as an epilog; the backspace keeps click from joining lines."""
    return "\n".join(("\b", *commands))
