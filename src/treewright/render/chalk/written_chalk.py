"""What all chalk has in common: a page, in the form a reader wants."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Unpack

from treewright.errors import SettingError
from treewright.render.chalk.blocks.branches import reworded
from treewright.render.chalk.chalk_options import ChalkLook, Options
from treewright.render.chalk.chalk_page import (
    Block,
    ChalkPage,
    Heading,
    Line,
    Listing,
    QuizAnswer,
)
from treewright.render.chalk.languages import LectureWords
from treewright.render.chalk.writers.html_writer import to_html, to_html_fragment
from treewright.render.chalk.writers.latex_writer import to_latex
from treewright.render.chalk.writers.markdown_writer import to_markdown
from treewright.render.chalk.writers.text_writer import to_text
from treewright.render.listing import tree_text
from treewright.render.listing.lecture import lecture_lines
from treewright.render.listing.outline import ListingLook
from treewright.tree.model import Model

VERSION = "1.0"
FORMATS = ("text", "markdown", "latex", "html", "json")


class WrittenChalk:
    """The working behind a model; printed, it is text."""

    def to_text(self, **look: Unpack[ChalkLook]) -> str:
        """Return everything as text.

        `**look`: `digits` (4), `language` ("en", "de", "zh", "ko"), `width` (100),
        `quiz`, `ascii`, `listing` (end with the tree; unless some nodes were asked
        for).
        """
        shown = self._options(look)
        return to_text(self._page(shown), width=shown.width, ascii=shown.ascii)

    def to_markdown(self, **look: Unpack[ChalkLook]) -> str:
        """Return everything as Markdown."""
        return to_markdown(self._page(self._options(look)))

    def to_latex(self, **look: Unpack[ChalkLook]) -> str:
        """Return everything as a LaTeX document."""
        return to_latex(self._page(self._options(look)))

    def to_html(self, **look: Unpack[ChalkLook]) -> str:
        """Return everything as an HTML page of its own, which fetches nothing."""
        return to_html(self._page(self._options(look)))

    def to_json(self, **look: Unpack[ChalkLook]) -> str:
        """Return every number in full as JSON; how it looks does not matter."""
        Options(**look)
        content = {"format": "treewright-chalk", "version": VERSION, **self._content()}
        text = json.dumps(content, ensure_ascii=False, allow_nan=False, default=str)
        # half characters, which no file can hold
        return re.sub("[\ud800-\udfff]", lambda half: f"\\u{ord(half[0]):04x}", text)

    def to_format(self, format: str = "text", **look: Unpack[ChalkLook]) -> str:
        """Return everything in a format by name: one of `FORMATS`."""
        if format not in FORMATS:
            known = ", ".join(FORMATS)
            raise SettingError(f"format must be one of {known}, not {format!r}")
        return str(getattr(self, f"to_{format}")(**look))

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return to_html_fragment(self._page(self._options({})))

    def _options(self, look: ChalkLook) -> Options:
        return Options(**look)

    def _page(self, options: Options) -> ChalkPage:
        raise NotImplementedError

    def _content(self) -> dict[str, Any]:
        """What JSON has."""
        raise NotImplementedError


def plain_page(title: Line, blocks: list[Block], options: Options) -> ChalkPage:
    """Return blocks as a page with the words that writers need."""
    words = LectureWords(options.language)
    return ChalkPage(title, tuple(blocks), options.language, options.quiz, words.all())


def listing(model: Model, options: Options) -> Iterator[Block]:
    """Yield the tree under its heading."""
    words = LectureWords(options.language)
    # the drawn tree has English words beside it, the lectures' listing has none
    if options.language == "en":
        text = tree_text.to_text(model, width=options.width, ascii=options.ascii)
    else:
        look = ListingLook(None, options.width, options.ascii)
        lines = lecture_lines(
            model,
            model.trees[0],
            look,
            lambda condition: reworded(condition, words),
            words["unclassified"],
        )
        text = "\n".join(lines)
    if not options.quiz:
        yield Heading(2, ((words["tree"],),))
    yield QuizAnswer((words["tree"],), (Listing(text),))
