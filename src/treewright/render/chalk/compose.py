"""From records to a page: growing, then pruning, then prediction, then the tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from treewright.grow.chalk.record import Record, Step
from treewright.prune.record import PruningRecord
from treewright.render.chalk.conditions import reworded
from treewright.render.chalk.figures import Figures, figures_of
from treewright.render.chalk.growing import Growing
from treewright.render.chalk.options import Options
from treewright.render.chalk.page import (
    Answer,
    Block,
    Heading,
    Line,
    Listing,
    Page,
    Span,
    name,
)
from treewright.render.chalk.prediction import Predictions
from treewright.render.chalk.pruning import Prunings
from treewright.render.chalk.words import Words
from treewright.render.lecture import lecture_lines
from treewright.render.outline import Look
from treewright.render.text import to_text
from treewright.tree.model import Model
from treewright.tree.predict.way import Way

_MANY_STEPS = 20


@dataclass(frozen=True)
class Records:
    """What a page may be about."""

    growing: Record
    model: Model | None = None
    pruning: PruningRecord | None = None
    ways: tuple[Way, ...] = ()


def page_of(records: Records, options: Options) -> Page:
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


def page_of_step(record: Record, step: Step, options: Options) -> Page:
    """Return the page of one step."""
    growing = Growing(record, figures_of(record, options.digits), options)
    return plain_page((), list(growing.blocks(step)), options)


def plain_page(title: Line, blocks: list[Block], options: Options) -> Page:
    """Return blocks as a page with the words that writers need."""
    words = Words(options.language)
    return Page(title, tuple(blocks), options.language, options.quiz, words.all())


def _title(record: Record, options: Options) -> Line:
    target: list[Span] = []
    for place, one in enumerate(record.target):
        target += [", "] if place else []
        target.append(name(one))
    return Words(options.language).fill(
        "title", learner=record.learner, target=tuple(target)
    )


def _hint(record: Record, options: Options) -> Line:
    """That a long page can be had shorter."""
    n_steps = len(record.steps)
    is_long = n_steps == record.n_nodes and n_steps > _MANY_STEPS
    return Words(options.language).fill("many_steps", n=str(n_steps)) if is_long else ()


def _growing(record: Record, figures: Figures, options: Options) -> Iterator[Block]:
    growing = Growing(record, figures, options)
    yield from growing.legend()
    for step in record.steps:
        yield from growing.blocks(step)


def listing(model: Model, options: Options) -> Iterator[Block]:
    """Yield the tree under its heading."""
    words = Words(options.language)
    # the drawn tree has English words beside it, the lectures' listing has none
    if options.language == "en":
        text = to_text(model, width=options.width, ascii=options.ascii)
    else:
        look = Look(None, options.width, options.ascii)
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
    yield Answer((words["tree"],), (tree,))
