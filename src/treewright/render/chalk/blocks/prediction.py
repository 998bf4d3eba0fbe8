"""A row's way through the tree as blocks of a page, with shares where it is divided."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from treewright.grow.chalk.growing_record import Record
from treewright.render.chalk.blocks.branches import (
    class_legend,
    counts_text,
    step_line,
    stop_line,
)
from treewright.render.chalk.blocks.digits import Digits
from treewright.render.chalk.chalk_options import Options
from treewright.render.chalk.chalk_page import (
    Block,
    ChalkColumn,
    ChalkTable,
    FormulaLines,
    Heading,
    Line,
    QuizAnswer,
    Row,
    Sentence,
    listed,
    name,
)
from treewright.render.chalk.expression import (
    Equation,
    Expression,
    Fraction,
    Number,
    Product,
    Sum,
)
from treewright.render.chalk.languages import LectureWords, answer_word
from treewright.tree.way import Way, WayPart

MOST_PARTS = 30
_MOST_TERMS = 8


class Predictions:
    """Makes the blocks of each way."""

    def __init__(self, record: Record, figures: Digits, options: Options) -> None:
        self.record = record
        self.figures = figures
        self.words = LectureWords(options.language)

    def blocks(self, ways: Sequence[Way]) -> Iterator[Block]:
        """Yield each way under a heading of its own."""
        for place, way in enumerate(ways, 1):
            number = place if way.number is None else way.number
            row = self.words.fill("row", n=str(number))
            pieces: list[Line] = [(self.words["prediction"],), row]
            pieces += [step_line(one, self.words) for one in way.steps]
            if way.divided_by is None:
                pieces.append(self.words.fill("node", n=str(way.parts[0].node)))
            yield Heading(2, tuple(pieces))
            if way.stop:
                yield Sentence(stop_line(way, self.words))
            if way.divided_by is not None:
                yield from self._division(way)
            yield from self._shares(way)
            said = self.words.fill("predicted", answer=self._answer(way.answer))
            yield QuizAnswer(row, (Sentence(said),))

    def _division(self, way: Way) -> Iterator[Block]:
        """The parts of a divided row."""
        feature = name(str(way.divided_by))
        yield Sentence(self.words.fill("divided", feature=feature))
        yield self._table(way)
        if len(way.parts) > MOST_PARTS:
            n, whole = str(MOST_PARTS), str(len(way.parts))
            yield Sentence(self.words.fill("parts_shown", n=n, all=whole))

    def _table(self, way: Way) -> ChalkTable:
        legend = class_legend(self.record) or (self.words["mean"],)
        columns = [
            ChalkColumn((self.words["share"],)),
            ChalkColumn((self.words["way_there"],), right=False, pieces=True),
            ChalkColumn((self.words["ends_at"],), right=False),
            ChalkColumn(legend, right=False),
        ]
        rows = tuple(self._row(part) for part in way.parts[:MOST_PARTS])
        return ChalkTable(tuple(columns), rows)

    def _row(self, part: WayPart) -> Row:
        path = tuple(step_line(one, self.words) for one in part.steps) or (("",),)
        share: Line = (Number(self.figures.share(part.share), hidden=part.share != 1),)
        node = self.words.fill("node", n=str(part.node))
        return Row(((share,), path, (node,), ((self._counts(part),),)))

    def _counts(self, part: WayPart) -> str:
        if part.values:
            return ", ".join(map(self.figures.mean, part.values))
        return counts_text(part.counts, self.figures.weight)

    def _shares(self, way: Way) -> Iterator[Block]:
        """The shares of the classes, and how they come about if these are plain."""
        for output, shares in enumerate(way.shares):
            labels = self.record.classes[output]
            formulas = [self._share(way, output, code) for code in range(len(labels))]
            plain = all(formula is not None for formula in formulas)
            short = len(way.parts) <= _MOST_TERMS
            lines = []
            for label, share, formula in zip(labels, shares, formulas, strict=True):
                line: Line = (name(label),)
                if plain and not short:
                    n = str(len(way.parts))
                    line = self.words.fill("sum_of_parts", label=line, n=n)
                value = Number(self.figures.share(share), True)
                shown = formula if plain and short and formula is not None else value
                lines.append((line, shown))
            about: Line = (self.words["class_shares"],)
            if len(way.shares) > 1:
                about = (*about, " ", name(self.record.target[output]))
            yield FormulaLines(tuple(lines), about)

    def _share(self, way: Way, output: int, code: int) -> Expression | None:
        """The formula of a share; None if it is not the mean over the parts."""
        terms: list[tuple[str, Expression]] = []
        mean = 0.0
        for part in way.parts:
            counts = part.counts[output]
            total = sum(counts)
            if total <= 0:  # answers for its parent, or not at all
                return None
            weight = self.figures.weight
            share: Expression = Fraction(weight(counts[code]), weight(total))
            if part.share != 1:
                shown = Number(self.figures.share(part.share), hidden=True)
                share = Product(shown, share)
            terms.append(("+", share))
            mean += part.share * counts[code] / total
        value = way.shares[output][code]
        if abs(mean - value) > 1e-9:  # smoothed, or by cost
            return None
        return Equation(Sum(tuple(terms)), Number(self.figures.share(value), True))

    def _answer(self, answer: Sequence[str | float]) -> Line:
        return listed(
            answer_word(one, self.words)
            if isinstance(one, str)
            else self.figures.mean(one)
            for one in answer
        )
