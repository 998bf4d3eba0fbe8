"""A table that fits: a text at the left, columns at the right, never wider than asked.

What goes first when there is no room: the long words for reasons, long titles, the rows
if the columns add up to them, the ends of long answers, the reasons, the class columns
(the heaviest classes in words instead), then everything but the rows; the text at the
left is cut last.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from treewright.render.fitting.cuts import cut_all_apart
from treewright.render.fitting.safe_text import clip, display_width, pad
from treewright.render.listing.outline import ListingLook
from treewright.render.listing.phrase import Phrase

_GAP = "  "
_BLOCK_GAP = "   "
_MAX_CELL = 24
# titles are cut to the widest of these that fits
_TITLE_WIDTHS = (20, 16, 13, 10, 8)
_NARROW_TITLES = (*_TITLE_WIDTHS, 6)
# A tree that is wider than its share of the line is cut before columns are given up;
# the larger share is for branches that could not be told apart otherwise.
_LEFT_SHARE = 0.45
_LARGE_LEFT_SHARE = 0.65
_MIN_WORDS = 12
_MOST_TITLE = 1000  # nobody reads on


@dataclass(frozen=True)
class ListingColumn:
    """A title and a text per line."""

    title: str
    texts: list[str]

    @functools.cached_property
    def text_width(self) -> int:
        """Columns that the widest text takes."""
        return max(map(display_width, self.texts), default=0)


@dataclass(frozen=True)
class ColumnGroup:
    """Columns of numbers under a common title."""

    title: str
    columns: tuple[ListingColumn, ...]


@dataclass(frozen=True)
class ListingTable:
    """Everything that may be shown.

    `groups` is None where there are too many columns; `words` says the same in words of
    a width, and is only asked for if the columns do not fit. `rows_are_said` tells
    whether the columns of a line add up to its rows.
    """

    left: list[Phrase]
    rows: ListingColumn
    rows_are_said: bool
    groups: tuple[ColumnGroup, ...] | None
    words: Callable[[int | None], ListingColumn]
    reasons: ListingColumn
    short_reasons: ListingColumn


@dataclass(frozen=True)
class _Block:
    """A column or group as it would be shown: title lines, width, and then its texts.

    The texts are made when a choice is taken: most choices of a large tree are not.
    """

    titles: tuple[str, str]
    width: int
    make_texts: Callable[[], list[str]]


def table_lines(table: ListingTable, look: ListingLook) -> Iterator[str]:
    """Yield the lines of the table, titles first."""
    left_width = max(display_width(str(phrase)) for phrase in table.left)
    blocks = _choose(table, left_width, look)
    if look.width is not None:
        left_width = min(left_width, look.width - _total(blocks))
    for level in (0, 1):
        titles = [block.titles[level] for block in blocks]
        if any(title.strip() for title in titles):
            yield _joined(" " * left_width, titles)
    texts = [block.make_texts() for block in blocks]
    for line, phrase in enumerate(table.left):
        left = pad(phrase.clip(left_width, ascii=look.ascii), left_width)
        yield _joined(left, [column[line] for column in texts])


def _choose(table: ListingTable, left_width: int, look: ListingLook) -> list[_Block]:
    """The richest choice of blocks that leaves the tree enough room."""
    width = look.width
    if width is None:
        return next(_rich_choices(table, look, room=None))
    told_apart = max(phrase.least_width for phrase in table.left)
    least = min(left_width, int(width * _LEFT_SHARE))
    clear = max(least, min(told_apart, int(width * _LARGE_LEFT_SHARE)))
    choices = []
    for blocks in _rich_choices(table, look, room=width - clear):
        if left_width + _total(blocks) <= width:
            return blocks
        choices.append(blocks)
    rows = _number_block(ColumnGroup("", (table.rows,)), look)
    choices += [[rows, _word_block(table.short_reasons, look)], [rows]]
    for left in (clear, least):
        for blocks in choices:
            if left + _total(blocks) <= width:
                return blocks
    return []


def _rich_choices(
    table: ListingTable, look: ListingLook, *, room: int | None
) -> Iterator[list[_Block]]:
    """Choices of blocks that say everything, from wide to narrow."""
    rows = _number_block(ColumnGroup("", (table.rows,)), look)
    reasons = _word_block(table.reasons, look)
    short_reasons = _word_block(table.short_reasons, look)
    if table.groups is not None:
        groups = [_number_block(group, look) for group in table.groups]
        yield [rows, *groups, reasons]
        yield [rows, *groups, short_reasons]
        for limit in _TITLE_WIDTHS:
            groups = [_number_block(group, look, limit) for group in table.groups]
            yield [rows, *groups, short_reasons]
        if table.rows_are_said:
            for limit in _NARROW_TITLES:
                groups = [_number_block(group, look, limit) for group in table.groups]
                yield [*groups, short_reasons]
    else:
        yield [rows, _word_block(table.words(None), look), reasons]
    if room is not None:
        # the words take what the others leave, if that is enough to be of use
        rest = room - _total([rows, short_reasons]) - len(_BLOCK_GAP)
        limit = max(rest, _MIN_WORDS)
        yield [rows, _word_block(table.words(limit), look, limit), short_reasons]


def _number_block(
    group: ColumnGroup, look: ListingLook, limit: int = _MAX_CELL
) -> _Block:
    """Right-aligned columns side by side under the group's title."""
    titles = [column.title[:_MOST_TITLE] for column in group.columns]
    titles = cut_all_apart(titles, limit, ascii=look.ascii)
    widths = [
        max(display_width(title), column.text_width)
        for title, column in zip(titles, group.columns, strict=True)
    ]
    group_title = clip(group.title, _MAX_CELL, ascii=look.ascii)
    width = sum(widths) + len(_GAP) * (len(widths) - 1)
    width = max(width, display_width(group_title))

    def line(cells: Iterable[str]) -> str:
        padded = map(functools.partial(pad, right=True), cells, widths)
        return pad(_GAP.join(padded), width, right=True)

    def texts() -> list[str]:
        return list(map(line, zip(*(one.texts for one in group.columns), strict=True)))

    return _Block((pad(group_title, width, right=True), line(titles)), width, texts)


def _word_block(
    column: ListingColumn, look: ListingLook, limit: int | None = None
) -> _Block:
    """A left-aligned column of words, cut to a limit."""
    text_width = column.text_width if limit is None else min(column.text_width, limit)
    width = max(display_width(column.title), text_width)

    def texts() -> list[str]:
        return [
            pad(clip(text, width, ascii=look.ascii), width) for text in column.texts
        ]

    return _Block((" " * width, pad(column.title, width)), width, texts)


def _total(blocks: list[_Block]) -> int:
    """Columns of the terminal that blocks take, gaps included."""
    return sum(block.width + len(_BLOCK_GAP) for block in blocks if block.width)


def _joined(left: str, cells: list[str]) -> str:
    """One line, without blanks at its end."""
    return _BLOCK_GAP.join([left, *(cell for cell in cells if cell)]).rstrip()
