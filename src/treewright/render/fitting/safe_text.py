"""Text that may go anywhere: escaped, measured and cut by what a reader sees.

A Chinese character takes two columns, an accent none, and an emoji may be made of
several code points. Names come from data: a newline or a terminal's escape sequence in
one must not act.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

_JOINER = "\u200d"
# Characters of one column that stand alone: Latin, Greek, Cyrillic, arrows, boxes.
_NARROW = re.compile(
    "[ -~\u00a1-\u02ff\u0370-\u0482\u048a-\u052f"
    "\u2010-\u2026\u2190-\u22ff\u2500-\u257f]*"
)
# What `visible` writes for a code point is cut as little as a character is.
_TOKEN = re.compile(r"\\(?:x..|u....|U........)|.", re.DOTALL)
_ESCAPED_KINDS = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_MARKS = {"Mn", "Me", "Mc"}


def visible(text: str, *, ascii: bool = False) -> str:
    """Return text with everything that does not print, or not in ASCII, escaped."""
    if not text.isprintable():
        text = "".join(_escaped(sign) for sign in text)
    return text.encode("ascii", "backslashreplace").decode() if ascii else text


def display_width(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    if text.isascii() or _NARROW.fullmatch(text):
        return len(text)
    return sum(_cluster_width(cluster) for cluster in _clusters(text))


def clip(text: str, width: int, *, ascii: bool = False) -> str:
    """Return a text cut to a width, with an ellipsis, never inside a character."""
    # four columns at most per code point: no need to measure all of a huge name
    text = text[: 4 * width + 64]
    if display_width(text) <= width:
        return text
    ellipsis = "..." if ascii else "…"
    room = width - len(ellipsis)
    if room < 1:
        return ellipsis[: max(width, 0)]
    kept, used = [], 0
    for cluster in _clusters(text):
        used += _cluster_width(cluster)
        if used > room:
            break
        kept.append(cluster)
    return "".join(kept).rstrip() + ellipsis


def pad(text: str, width: int, *, right: bool = False) -> str:
    """Return a text filled with blanks to a width, at its left if `right`."""
    blanks = " " * (width - display_width(text))
    return blanks + text if right else text + blanks


def aligned(lines: Sequence[Sequence[str]], *, gap: str = "  ") -> list[str]:
    """Return lines of cells in columns: the first to the left, the others to the right.

    No line ends in blanks.
    """
    widths = [max(map(display_width, column)) for column in zip(*lines, strict=True)]
    return [
        gap.join(
            pad(cell, width, right=place > 0)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]


def weight_text(weight: float) -> str:
    """Return a weight: a whole number as such, any other with two digits."""
    if abs(weight) >= 1e15:
        return f"{weight:.6g}"
    if abs(weight - round(weight)) < 0.005:
        return str(round(weight))
    return f"{weight:.2f}"


def short_number(number: float) -> str:
    """Return a number for people: five significant digits, but no power below 1e9."""
    if 1e5 <= abs(number) < 1e9:
        return f"{number:.0f}"
    return f"{number:.{5 if abs(number) < 1e5 else 6}g}"


def _escaped(sign: str) -> str:
    """One code point, escaped if it does not print."""
    if sign == _JOINER or unicodedata.category(sign) not in _ESCAPED_KINDS:
        return sign
    return sign.encode("unicode_escape").decode()


def _clusters(text: str) -> Iterator[str]:
    """Characters as a reader sees them: a base with what is attached to it."""
    cluster = ""
    for token in _TOKEN.findall(text):
        if cluster and _attaches(cluster, token):
            cluster += token
            continue
        if cluster:
            yield cluster
        cluster = token
    if cluster:
        yield cluster


def _attaches(cluster: str, sign: str) -> bool:
    """Whether a code point belongs to the character before it."""
    if sign.isascii():
        return False
    if sign == _JOINER or cluster[-1] == _JOINER:
        return True
    if unicodedata.category(sign) in _MARKS or "\U0001f3fb" <= sign <= "\U0001f3ff":
        return True
    # two regional letters make one flag
    return len(cluster) == 1 and _is_regional(cluster) and _is_regional(sign)


def _is_regional(sign: str) -> bool:
    """Whether a code point is one of the letters that flags are made of."""
    return "\U0001f1e6" <= sign <= "\U0001f1ff"


def _cluster_width(cluster: str) -> int:
    """Columns of one character."""
    if cluster[0] == "\\":
        return len(cluster)
    if unicodedata.east_asian_width(cluster[0]) in "WF" or "\ufe0f" in cluster:
        return 2
    if len(cluster) > 1 and _is_regional(cluster[0]):
        return 2
    return 0 if unicodedata.category(cluster[0]) in _MARKS else 1
