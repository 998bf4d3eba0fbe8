"""The words of chalk in the languages of the lectures: those of `words.toml`."""

from __future__ import annotations

import functools
import re
import tomllib
from importlib import resources
from typing import Any

from treewright.errors import SettingError
from treewright.render.chalk.chalk_page import Line, Span, name
from treewright.tree.way import UNCLASSIFIED

LANGUAGES = {"en": "English", "de": "Deutsch", "zh": "中文", "ko": "한국어"}


@functools.cache
def word_table() -> dict[str, Any]:
    """Return every word by its key, in each language."""
    file = resources.files(__package__).joinpath("words.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


def answer_word(answer: str, words: LectureWords) -> Span:
    """A class by its name, or the word for none."""
    return words["unclassified"] if answer == UNCLASSIFIED else name(answer)


class LectureWords:
    """The words of one language."""

    def __init__(self, language: str) -> None:
        if language not in LANGUAGES:
            known = ", ".join(f"{code} ({own})" for code, own in LANGUAGES.items())
            raise SettingError(f"language must be one of {known}, not {language!r}")
        self.language = language

    def __getitem__(self, key: str) -> str:
        return str(word_table()[key][self.language])

    def all(self) -> dict[str, str]:
        """Every word, by its key."""
        return {key: self[key] for key in word_table()}

    def fill(self, key: str, **fields: Span | Line) -> Line:
        """Return a sentence with its fields filled."""
        parts = re.split(r"\{(\w+)\}", self[key])
        line: list[Span] = []
        for place, part in enumerate(parts):
            if place % 2 == 0:
                line += [part] if part else []
                continue
            field = fields[part]
            line += field if isinstance(field, tuple) else [field]
        return tuple(line)
