"""The tables of a node: its candidates, and the cuts of a number that were tried.

Candidates have their branches, remainder, gain and what is compared; cuts both sides
and the gain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from treewright.grow.chalk.growing_record import Candidate, CutTried, Step
from treewright.grow.chalk.watch import MOST_FEATURES
from treewright.render.chalk.blocks.branches import Counts
from treewright.render.chalk.blocks.formulas import Formulas
from treewright.render.chalk.chalk_page import (
    Block,
    ChalkColumn,
    ChalkTable,
    Line,
    Row,
    Sentence,
    name,
)
from treewright.render.chalk.languages import LectureWords

_COMPARED = ("best", "tie", "compared")
MOST_CUTS = 30
_LONG_NUMBER = re.compile(r"-?\d+\.\d{9,}")


def in_order(step: Step) -> list[Candidate]:
    """The candidates, the winner first, then by worth; those out of it last."""

    def key(one: Candidate) -> tuple[bool, bool, float]:
        out = one.verdict not in _COMPARED
        return one.verdict != "best", out, -round(one.worth, 12)

    return sorted(step.candidates, key=key)


class NodeTables:
    """Makes the tables of each step."""

    def __init__(self, counts: Counts, formulas: Formulas, words: LectureWords) -> None:
        self.counts = counts
        self.formulas = formulas
        self.words = words

    def candidates(self, step: Step, *, quiz: bool) -> Iterator[Block]:
        """All features, in column order for a quiz, because the other order tells."""
        ones = in_order(step)[:MOST_FEATURES]
        if quiz:
            ones = [one for one in step.candidates if one in ones]
        figures = self._figures(step)
        columns = (
            ChalkColumn((self.words["feature"],), right=False),
            ChalkColumn(self.counts.title(), right=False, pieces=True),
            *(ChalkColumn((self.words[key],)) for key in figures),
        )
        rows = tuple(self._row(step, one, figures) for one in ones)
        yield ChalkTable(columns, rows)
        if len(ones) < len(step.candidates):
            n, whole = str(len(ones)), str(len(step.candidates))
            yield Sentence(self.words.fill("shown", n=n, all=whole))

    def _figures(self, step: Step) -> list[str]:
        """Which columns of numbers the table has."""
        keys = ["remainder", "gain"]
        pays = any(one.cost or one.charge for one in step.candidates)
        keys += ["cost", "net_gain"] if pays else []
        by_ratio = step.compared_by == "gain_ratio"
        return keys + (["split_information", "gain_ratio"] if by_ratio else [])

    def _row(self, step: Step, one: Candidate, figures: list[str]) -> Row:
        branches = tuple(map(self.counts.branch, one.parts))
        if one.missing is not None:
            branches += (self.counts.branch(one.missing, aside=True),)
        cells = [((name(one.feature),),), branches]
        cells += [(self._figure(step, one, key),) for key in figures]
        return Row(tuple(cells), one.verdict == "best", self._remark(step, one))

    def _figure(self, step: Step, one: Candidate, key: str) -> Line:
        about = step.node, one.feature
        if key == "split_information":
            bits = one.split_information or 0.0
            return (self.formulas.share(bits, *about, "information"),)
        if key == "gain_ratio":
            return (self.formulas.share(one.ratio or 0.0, *about, "ratio"),)
        if key == "gain":
            return (self.formulas.result(one.gain, *about, "gain"),)
        if key == "net_gain":
            return (self.formulas.net(step, one),)
        value = one.remainder if key == "remainder" else one.cost + one.charge
        return (self.formulas.result(value),)

    def _remark(self, step: Step, one: Candidate) -> Line:
        if one.verdict == "compared":
            return self._tie_behind(step, one)
        if one.verdict == "best":
            fewer = step.guard == "c50" and (step.margin or 0.0) < 0
            return (self.words["fewest" if fewer else "largest"],)
        if one.verdict == "tie" and step.best is not None:
            best = step.candidates[step.best].feature
            return self.words.fill("tie", best=name(best))
        if one.verdict == "below_guard" and step.guard == "c45":
            return (self.words["below_average"],)
        return (self.words[one.verdict],) if one.verdict != "tie" else ()

    def _tie_behind(self, step: Step, one: Candidate) -> Line:
        """A tie with the first other candidate behind the winner, if it is one."""
        for other in step.candidates:
            if other is one:
                break
            if other.verdict == "compared" and abs(other.worth - one.worth) < 1e-12:
                return self.words.fill("tie", best=name(other.feature))
        return ()

    def cuts(self, one: Candidate) -> Iterator[Block]:
        """A title and the table of the cuts; nothing if there was only one."""
        if len(one.cuts) < 2:
            return
        words, shown = self.words, _best_cuts(one.cuts)
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
                    ((self.counts.of(cut.low),),),
                    ((self.counts.of(cut.high),),),
                    ((self.formulas.result(cut.gain),),),
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
