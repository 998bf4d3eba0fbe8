"""The cuts of a numeric feature that were tried, with both sides and the gain."""

from __future__ import annotations

import re
from collections.abc import Iterator

from treewright.grow.chalk.growing_record import Candidate, CutTried
from treewright.render.chalk.blocks.counts import Counts
from treewright.render.chalk.blocks.formulas import Formulas
from treewright.render.chalk.chalk_page import (
    Block,
    ChalkColumn,
    ChalkTable,
    Row,
    Sentence,
    name,
)
from treewright.render.chalk.languages import LectureWords

MOST_CUTS = 30
_LONG_NUMBER = re.compile(r"-?\d+\.\d{9,}")


def cut_blocks(
    one: Candidate, counts: Counts, formulas: Formulas, words: LectureWords
) -> Iterator[Block]:
    """Yield a title and the table of the cuts; nothing if there was only one."""
    if len(one.cuts) < 2:
        return
    shown = _best_cuts(one.cuts)
    feature = name(one.feature)
    if len(shown) == one.n_tried:
        yield Sentence(words.fill("cuts", feature=feature))
    else:
        n, tried = str(len(shown)), str(one.n_tried)
        yield Sentence(words.fill("cuts_shown", feature=feature, n=n, all=tried))
    columns = (
        ChalkColumn((words["cut"],), right=False),
        ChalkColumn(("<=",), right=False),
        ChalkColumn((">",), right=False),
        ChalkColumn((words["gain"],)),
    )
    rows = tuple(
        Row(
            (
                ((name(_short(cut.low.name)),),),
                ((counts.of(cut.low),),),
                ((counts.of(cut.high),),),
                ((formulas.result(cut.gain),),),
            ),
            marked=one.question == "cut" and cut.threshold == one.threshold,
        )
        for cut in shown
    )
    yield ChalkTable(columns, rows, folded=True)


def _best_cuts(cuts: tuple[CutTried, ...]) -> list[CutTried]:
    """The recorded cuts from low to high; of very many, those that gain most."""
    best = sorted(cuts, key=lambda cut: -cut.gain)[:MOST_CUTS]
    return sorted(best, key=lambda cut: cut.threshold)


def _short(condition: str) -> str:
    """A cut that is told from its neighbours: 0.2045 for 0.20450000000000002."""
    relation, _, threshold = condition.partition(" ")
    if not _LONG_NUMBER.fullmatch(threshold):
        return condition
    return f"{relation} {float(threshold):.8g}"
