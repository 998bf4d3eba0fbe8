"""Texts that stand beside each other are cut so that they still differ.

"tested_negative" and "tested_positive" in nine columns are "…negative" and "…positive",
and not "tested_n…" twice. What a text has in common with another one is its *shared*
beginning.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from treewright.render.fitting.safe_text import clip, display_width

_MIN_SHARED = 4  # less is not worth an ellipsis at the front
_SEEN = 2  # characters of the difference that must be seen


def shared_starts(texts: Sequence[str]) -> list[int]:
    """Return for each text how many characters it begins with as another one does."""
    order = sorted(range(len(texts)), key=lambda place: texts[place])
    shared = [0] * len(texts)
    for one, other in itertools.pairwise(order):
        common = _common_start(texts[one], texts[other])
        shared[one] = max(shared[one], common)
        shared[other] = max(shared[other], common)
    return shared


def cut_apart(text: str, shared: int, width: int, *, ascii: bool = False) -> str:
    """Return a text cut to a width, so that what follows the shared start is seen."""
    plain = clip(text, width, ascii=ascii)
    if plain == text or not _MIN_SHARED <= shared < len(text):
        return plain
    if not _is_simple(text[: shared + 1]):
        return plain
    dots = "..." if ascii else "…"
    room = width - len(dots)
    word = _word_start(text, shared)
    if word >= _MIN_SHARED and display_width(text[word:]) <= room:
        return dots + text[word:]
    if shared + _SEEN <= room:
        return plain
    start = word if shared - word + _SEEN < room - len(dots) else shared
    return clip(dots + text[start:], width, ascii=ascii)


def cut_all_apart(
    texts: Sequence[str], width: int, *, ascii: bool = False
) -> list[str]:
    """Return texts cut to a width, so that they differ if that is possible."""
    return [
        cut_apart(text, shared, width, ascii=ascii)
        for text, shared in zip(texts, shared_starts(texts), strict=True)
    ]


def _common_start(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    shorter = min(len(one), len(other))
    return next((place for place, (a, b) in pairs if a != b), shorter)


def _word_start(text: str, shared: int) -> int:
    """Return where the word begins in which the difference is."""
    while shared and text[shared - 1].isalnum():
        shared -= 1
    return shared


def _is_simple(text: str) -> bool:
    """Whether a text may be taken apart anywhere: no accents, no escapes."""
    return display_width(text) == len(text) and "\\" not in text
