"""How wide a text will be, before anything is drawn.

The writers draw with whatever sans-serif font the reader has. The widths here are those
of a wide one, DejaVu Sans, so that words stay inside their boxes in others, too.
"""

from __future__ import annotations

from treewright.render.fitting.safe_text import clip, display_width

# From the blank to the tilde, in hundredths of the text size.
_ASCII = (
    "32 40 46 84 64 95 78 27 39 39 50 84 32 36 32 34 64 64 64 64 64 64 64 64 "
    "64 64 34 34 84 84 84 53 100 68 69 70 77 63 58 77 75 29 29 66 56 86 75 79 "
    "60 79 69 63 61 73 68 99 69 61 69 39 34 39 84 50 50 61 63 55 63 62 35 63 "
    "63 28 28 58 28 97 63 61 63 63 41 52 39 63 59 82 59 59 52 64 34 64 84"
)
_WIDTHS = {chr(32 + place): int(width) for place, width in enumerate(_ASCII.split())}
_WIDTHS |= {"·": 32, "…": 100}
_LETTER = 66  # accented Latin letters, Greek
_OTHER = 84  # per column of a terminal: signs, Cyrillic capitals
_WIDE = 52  # per column of a character of two: a Chinese one is as wide as high
_BOLD = 1.12
_LAST_LETTER = "\u03ff"


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Return how many pixels a line of text takes at most, nearly."""
    hundredths = 0
    for sign in text:
        hundredths += _WIDTHS.get(sign) or _sign_width(sign)
    return hundredths / 100 * size * (_BOLD if bold else 1.0)


def _sign_width(sign: str) -> int:
    """Width of a sign beyond ASCII, in hundredths."""
    columns = display_width(sign)
    if columns == 2:
        return columns * _WIDE
    return columns * (_LETTER if sign <= _LAST_LETTER else _OTHER)


def wrapped_words(
    text: str, width: float, size: float, *, bold: bool = False
) -> list[str]:
    """Return the lines of a text that fit a width; a word that does not is cut."""
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if text_width(longer, size, bold=bold) <= width:
            line = longer
            continue
        if line:
            lines.append(line)
        line = _cut(word, width, size, bold=bold)
    return [*lines, line]


def _cut(word: str, width: float, size: float, *, bold: bool) -> str:
    """A word cut to a width in pixels."""
    columns = min(display_width(word), int(width))
    while columns > 1 and text_width(clip(word, columns), size, bold=bold) > width:
        columns -= 1
    return clip(word, columns)
