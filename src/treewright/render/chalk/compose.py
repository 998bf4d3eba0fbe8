"""From records to a page: growing, then pruning, then prediction, then the tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from treewright.grow.chalk.growing_record import Record, Step
from treewright.prune.pruning_record import PruningRecord
from treewright.render.chalk.blocks.conditions import reworded
from treewright.render.chalk.blocks.digits import Digits, figures_of
from treewright.render.chalk.blocks.growing import GrowingBlocks
from treewright.render.chalk.blocks.prediction import Predictions
from treewright.render.chalk.blocks.pruning import Prunings
from treewright.render.chalk.chalk_options import Options
from treewright.render.chalk.chalk_page import (
    Block,
    ChalkPage,
    Heading,
    Line,
    Listing,
    QuizAnswer,
    Span,
    name,
)
from treewright.render.chalk.languages import LectureWords
from treewright.render.listing.lecture import lecture_lines
from treewright.render.listing.outline import ListingLook
from treewright.render.listing.tree_text import to_text
from treewright.tree.model import Model
from treewright.tree.way import Way

_MANY_STEPS = 20


@dataclass(frozen=True)
class ChalkRecords:
    """What a page may be about."""

    growing: Record
    model: Model | None = None
    pruning: PruningRecord | None = None
    ways: tuple[Way, ...] = ()


def page_of(records: ChalkRecords, options: Options) -> ChalkPage:
    """Return the whole page."""
    record = records.growing
    figures = figures_of(record, options.digits)
    blocks = [*_growing(record, figures, options)]
    if records.pruning is not None:
        blocks += Prunings(record, figures, options).blocks(records.pruning)
    blocks += Predictions(record, figures, options).blocks(records.ways)
    if records.model is not None and options.listing:
        blocks += listing(records.model, options)
    page = plain_page(_title(record, options), blocks, options)
    return replace(page, hint=_hint(record, options))


def page_of_step(record: Record, step: Step, options: Options) -> ChalkPage:
    """Return the page of one step."""
    growing = GrowingBlocks(record, figures_of(record, options.digits), options)
    return plain_page((), list(growing.blocks(step)), options)


def plain_page(title: Line, blocks: list[Block], options: Options) -> ChalkPage:
    """Return blocks as a page with the words that writers need."""
    words = LectureWords(options.language)
    return ChalkPage(title, tuple(blocks), options.language, options.quiz, words.all())


def _title(record: Record, options: Options) -> Line:
    target: list[Span] = []
    for place, one in enumerate(record.target):
        target += [", "] if place else []
        target.append(name(one))
    return LectureWords(options.language).fill(
        "title", learner=record.learner, target=tuple(target)
    )


def _hint(record: Record, options: Options) -> Line:
    """That a long page can be had shorter."""
    n_steps = len(record.steps)
    is_long = n_steps == record.n_nodes and n_steps > _MANY_STEPS
    return (
        LectureWords(options.language).fill("many_steps", n=str(n_steps))
        if is_long
        else ()
    )


def _growing(record: Record, figures: Digits, options: Options) -> Iterator[Block]:
    growing = GrowingBlocks(record, figures, options)
    yield from growing.legend()
    for step in record.steps:
        yield from growing.blocks(step)


def listing(model: Model, options: Options) -> Iterator[Block]:
    """Yield the tree under its heading."""
    words = LectureWords(options.language)
    # the drawn tree has English words beside it, the lectures' listing has none
    if options.language == "en":
        text = to_text(model, width=options.width, ascii=options.ascii)
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
    tree = Listing(text)
    if not options.quiz:
        yield Heading(2, ((words["tree"],),))
    yield QuizAnswer((words["tree"],), (tree,))
