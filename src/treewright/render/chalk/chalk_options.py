"""What a page of chalk may look like, checked once."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral

from treewright.errors import SettingError
from treewright.render.chalk.languages import LectureWords

MOST_DIGITS = 15
_LEAST_WIDTH = 60


@dataclass(frozen=True)
class Options:
    """How a page is made.

    Attributes
    ----------
    digits : int
        Decimals of results, 1 to 15.
    language : str
        Of the words; see `LANGUAGES`.
    width : int
        No line of text is longer; at least 60.
    quiz : bool
        Hide what a student would work out.
    ascii : bool
        Text: keep to ASCII.
    listing : bool
        End with the tree.
    """

    digits: int = 4
    language: str = "en"
    width: int = 100
    quiz: bool = False
    ascii: bool = False
    listing: bool = True

    def __post_init__(self) -> None:
        digits = self.digits
        whole = isinstance(digits, Integral) and not isinstance(digits, bool)
        if not whole or not 1 <= digits <= MOST_DIGITS:
            raise SettingError(f"digits must be 1 to {MOST_DIGITS}, not {digits!r}")
        object.__setattr__(self, "width", max(self.width, _LEAST_WIDTH))
        LectureWords(self.language)
