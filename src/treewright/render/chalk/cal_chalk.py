"""The chalk of CAL2 and CAL3: every row that changed the tree, in any form."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Unpack

from treewright.errors import SettingError
from treewright.grow.chalk.cal_record import CALRecord
from treewright.render.chalk.cal_page import cal_page
from treewright.render.chalk.chalk import VERSION, Look, writable
from treewright.render.chalk.html_page import to_html, to_html_fragment
from treewright.render.chalk.latex import to_latex
from treewright.render.chalk.markdown import to_markdown
from treewright.render.chalk.options import Options
from treewright.render.chalk.page import Page
from treewright.render.chalk.text import to_text
from treewright.tree.model import Model


@dataclass(frozen=True, eq=False)
class CALChalk:
    """How a tree came about row by row; printed, it is the working as text.

    Attributes
    ----------
    record : CALRecord
        Every row that changed the tree, and why learning ended.
    model : Model
        The tree that came out.
    """

    record: CALRecord
    model: Model

    def __len__(self) -> int:
        return len(self.record.steps)

    def __repr__(self) -> str:
        n = len(self)
        return f"<chalk of {self.record.learner}: {n} steps; print() shows them>"

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self, **look: Unpack[Look]) -> str:
        """Return everything as text; look as in `Chalk.to_text`."""
        shown = Options(**look)
        return to_text(self._page(shown), width=shown.width, ascii=shown.ascii)

    def to_markdown(self, **look: Unpack[Look]) -> str:
        """Return everything as Markdown."""
        return to_markdown(self._page(Options(**look)))

    def to_latex(self, **look: Unpack[Look]) -> str:
        """Return everything as a LaTeX document."""
        return to_latex(self._page(Options(**look)))

    def to_html(self, **look: Unpack[Look]) -> str:
        """Return everything as an HTML page of its own, which fetches nothing."""
        return to_html(self._page(Options(**look)))

    def to_json(self, **look: Unpack[Look]) -> str:
        """Return every step as JSON, up to the first 100 000."""
        Options(**look)
        content: dict[str, Any] = {"format": "treewright-chalk", "version": VERSION}
        content |= self.record.to_dict()
        return writable(json.dumps(content, ensure_ascii=False, allow_nan=False))

    def to_format(self, format: str = "text", **look: Unpack[Look]) -> str:
        """Return everything in a format by name: one of `FORMATS`."""
        if format not in FORMATS:
            known = ", ".join(FORMATS)
            raise SettingError(f"format must be one of {known}, not {format!r}")
        return FORMATS[format](self, **look)

    def _page(self, options: Options) -> Page:
        return cal_page(self.record, self.model, options)

    def _repr_html_(self) -> str:
        return to_html_fragment(self._page(Options()))


FORMATS: dict[str, Callable[..., str]] = {
    "text": CALChalk.to_text,
    "markdown": CALChalk.to_markdown,
    "latex": CALChalk.to_latex,
    "html": CALChalk.to_html,
    "json": CALChalk.to_json,
}
