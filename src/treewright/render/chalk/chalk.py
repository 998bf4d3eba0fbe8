"""Chalk: the working behind a tree, step by step, in the form a reader wants."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, overload

from treewright.errors import SettingError
from treewright.grow.chalk.growing_record import Record, Step
from treewright.prune.pruning_record import PruningRecord
from treewright.render.chalk.blocks.digits import figures_of
from treewright.render.chalk.blocks.formulas import Formulas
from treewright.render.chalk.chalk_options import Options
from treewright.render.chalk.chalk_page import ChalkPage
from treewright.render.chalk.compose import ChalkRecords, page_of, page_of_step
from treewright.render.chalk.expression import Speller
from treewright.render.chalk.step_frames import branch_frame, candidate_frame, cut_frame
from treewright.render.chalk.writers.html_writer import to_html, to_html_fragment
from treewright.render.chalk.writers.latex_writer import to_latex
from treewright.render.chalk.writers.markdown_writer import to_markdown
from treewright.render.chalk.writers.text_writer import to_text
from treewright.tree.model import Model
from treewright.tree.way import Way

if TYPE_CHECKING:
    import polars as pl

VERSION = "1.0"


class ChalkLook(TypedDict, total=False):
    """What may be asked of a page; see `Options`."""

    digits: int
    language: str
    width: int
    quiz: bool
    ascii: bool
    listing: bool


@dataclass(frozen=True)
class ChalkStep:
    """One node of the growing."""

    step: Step  # its record
    record: Record  # the record that it is from

    def __repr__(self) -> str:
        way = ", ".join(self.step.path) or "root"
        return f"<step {self.step.number} of chalk: {way}; print() shows it>"

    def formula(self, feature: str, *, digits: int = 4) -> str:
        """Return how the gain of a feature comes about.

        Examples
        --------
        "0.9403 - 4/14*0 - 5/14*0.9710 - 5/14*0.9710 = 0.2467" for Outlook.
        """
        options = Options(digits=digits)
        formulas = Formulas(figures_of(self.record, options.digits))
        gain = formulas.gain(self.step, self.step.candidate(feature))
        return Speller().spell(gain)

    @property
    def table(self) -> pl.DataFrame:
        """One row per feature that was compared, the winner first."""
        return candidate_frame(self.record, self.step)

    @property
    def branches(self) -> pl.DataFrame:
        """One row per branch of each feature, with the weight of each class."""
        return branch_frame(self.record, self.step)

    @property
    def cuts(self) -> pl.DataFrame:
        """One row per cut; of more than 64 of a feature, some, with the best.

        Of more than 30 features, those that are worth most.
        """
        return cut_frame(self.record, self.step)

    def to_text(self, **look: Unpack[ChalkLook]) -> str:
        """Return the step as text; look as in `Chalk.to_text`."""
        shown = Options(**look)
        page = page_of_step(self.record, self.step, shown)
        return to_text(page, width=shown.width, ascii=shown.ascii)

    def __str__(self) -> str:
        return self.to_text()


@dataclass(frozen=True)
class Chalk(Sequence[ChalkStep]):
    """What `model.chalk()` returns: a sequence of steps that can be printed."""

    record: Record  # every calculation of the growing
    model: Model | None = None  # the tree that came out
    pruning: PruningRecord | None = None  # every judgement of the pruning
    walks: tuple[Way, ...] = ()  # rows on their way through the tree
    # whether some nodes only were asked for: then the whole tree does not follow
    is_part: bool = False

    def __len__(self) -> int:
        return len(self.record.steps)

    def __repr__(self) -> str:
        n = len(self.record.steps)
        return f"<chalk of {self.record.learner}: {n} steps; print() shows them>"

    @overload
    def __getitem__(self, place: int) -> ChalkStep: ...

    @overload
    def __getitem__(self, place: slice) -> list[ChalkStep]: ...

    def __getitem__(self, place: int | slice) -> ChalkStep | list[ChalkStep]:
        if isinstance(place, slice):
            return [ChalkStep(one, self.record) for one in self.record.steps[place]]
        return ChalkStep(self.record.steps[place], self.record)

    def to_text(self, **look: Unpack[ChalkLook]) -> str:
        """Return everything as text.

        `**look`: `digits` (4), `language` ("en", "de", "zh", "ko"), `width` (100),
        `quiz`, `ascii`, `listing` (end with the tree; unless some nodes were asked
        for).
        """
        shown = self._options(look)
        page = self._page(shown)
        return to_text(page, width=shown.width, ascii=shown.ascii)

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
        content: dict[str, Any] = {"format": "treewright-chalk", "version": VERSION}
        content |= self.record.to_dict()
        content["pruning"] = self.pruning.to_dict() if self.pruning else None
        content["walks"] = [asdict(one) for one in self.walks]
        text = json.dumps(content, ensure_ascii=False, allow_nan=False, default=str)
        return writable(text)

    def to_format(self, format: str = "text", **look: Unpack[ChalkLook]) -> str:
        """Return everything in a format by name: one of `FORMATS`."""
        if format not in FORMATS:
            known = ", ".join(FORMATS)
            raise SettingError(f"format must be one of {known}, not {format!r}")
        return FORMATS[format](self, **look)

    def frames(self) -> dict[int, pl.DataFrame]:
        """Return the table of each node that was split or could have been."""
        return {one.step.node: one.table for one in self if one.step.candidates}

    def __str__(self) -> str:
        return self.to_text()

    def _page(self, options: Options) -> ChalkPage:
        records = ChalkRecords(self.record, self.model, self.pruning, self.walks)
        return page_of(records, options)

    def _repr_html_(self) -> str:
        return to_html_fragment(self._page(self._options({})))

    def _options(self, look: ChalkLook) -> Options:
        options = Options(**look)
        if "listing" in look:
            return options
        return replace(options, listing=options.listing and not self.is_part)


def writable(text: str) -> str:
    """Return a text of JSON without half characters, which no file can hold."""
    return re.sub("[\ud800-\udfff]", lambda half: f"\\u{ord(half[0]):04x}", text)


FORMATS: dict[str, Callable[..., str]] = {
    "text": Chalk.to_text,
    "markdown": Chalk.to_markdown,
    "latex": Chalk.to_latex,
    "html": Chalk.to_html,
    "json": Chalk.to_json,
}
