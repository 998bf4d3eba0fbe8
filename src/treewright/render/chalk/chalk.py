"""Chalk: the working behind a tree, step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Unpack, overload

from treewright.grow.chalk.growing_record import Record, Step
from treewright.prune.pruning_record import PruningRecord
from treewright.render.chalk.blocks.digits import figures_of
from treewright.render.chalk.blocks.formulas import Formulas
from treewright.render.chalk.blocks.growing import GrowingBlocks
from treewright.render.chalk.blocks.prediction import Predictions
from treewright.render.chalk.blocks.pruning import Prunings
from treewright.render.chalk.chalk_options import ChalkLook, Options
from treewright.render.chalk.chalk_page import Block, ChalkPage, listed, name
from treewright.render.chalk.expression import Speller
from treewright.render.chalk.languages import LectureWords
from treewright.render.chalk.step_frames import branch_frame, candidate_frame, cut_frame
from treewright.render.chalk.writers.text_writer import to_text
from treewright.render.chalk.written_chalk import WrittenChalk, listing, plain_page
from treewright.tree.model import Model
from treewright.tree.way import Way

if TYPE_CHECKING:
    import polars as pl

_MANY_STEPS = 20


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
        figures = figures_of(self.record, shown.digits)
        growing = GrowingBlocks(self.record, figures, shown)
        page = plain_page((), [*growing.blocks(self.step)], shown)
        return to_text(page, width=shown.width, ascii=shown.ascii)

    def __str__(self) -> str:
        return self.to_text()


@dataclass(frozen=True)
class Chalk(WrittenChalk, Sequence[ChalkStep]):
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

    def frames(self) -> dict[int, pl.DataFrame]:
        """Return the table of each node that was split or could have been."""
        return {one.step.node: one.table for one in self if one.step.candidates}

    def _options(self, look: ChalkLook) -> Options:
        options = Options(**look)
        if "listing" in look:
            return options
        return replace(options, listing=options.listing and not self.is_part)

    def _page(self, options: Options) -> ChalkPage:
        """Growing, then pruning, then prediction, then the tree."""
        record, words = self.record, LectureWords(options.language)
        figures = figures_of(record, options.digits)
        blocks = [*_growing(GrowingBlocks(record, figures, options))]
        if self.pruning is not None:
            blocks += Prunings(record, figures, options).blocks(self.pruning)
        blocks += Predictions(record, figures, options).blocks(self.walks)
        if self.model is not None and options.listing:
            blocks += listing(self.model, options)
        target = listed(map(name, record.target))
        title = words.fill("title", learner=record.learner, target=target)
        page = plain_page(title, blocks, options)
        n_steps = len(record.steps)
        if n_steps < record.n_nodes or n_steps <= _MANY_STEPS:
            return page
        # a long page can be had shorter
        return replace(page, hint=words.fill("many_steps", n=str(n_steps)))

    def _content(self) -> dict[str, Any]:
        return {
            **self.record.to_dict(),
            "pruning": self.pruning.to_dict() if self.pruning else None,
            "walks": [asdict(one) for one in self.walks],
        }


def _growing(growing: GrowingBlocks) -> Iterator[Block]:
    yield from growing.legend()
    for step in growing.record.steps:
        yield from growing.blocks(step)
