"""What a page of chalk may look like, checked once."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import TypedDict

from treewright.errors import SettingError
from treewright.render.chalk.languages import LectureWords

MOST_DIGITS = 15
_LEAST_WIDTH = 60


class ChalkLook(TypedDict, total=False):
    """What may be asked of a page; see `Options`."""

    digits: int
    language: str
    width: int
    quiz: bool
    ascii: bool
    listing: bool


@dataclass(frozen=True)
class Options:
    """How a page is made."""

    digits: int = 4  # decimals of results, 1 to 15
    language: str = "en"  # of the words; see `LANGUAGES`
    width: int = 100  # no line of text is longer; at least 60
    quiz: bool = False  # hide what a student would work out
    ascii: bool = False  # text: keep to ASCII
    listing: bool = True  # end with the tree

    def __post_init__(self) -> None:
        digits = self.digits
        whole = isinstance(digits, Integral) and not isinstance(digits, bool)
        if not whole or not 1 <= digits <= MOST_DIGITS:
            raise SettingError(f"digits must be 1 to {MOST_DIGITS}, not {digits!r}")
        object.__setattr__(self, "width", max(self.width, _LEAST_WIDTH))
        LectureWords(self.language)
