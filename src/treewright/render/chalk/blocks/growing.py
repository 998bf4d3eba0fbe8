"""A step of growing as blocks of a page: the node, what was compared, what was done."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from treewright.grow.chalk.growing_record import Candidate, Record, Step
from treewright.grow.chalk.watch import MOST_FEATURES
from treewright.grow.choose import ENOUGH
from treewright.render.chalk.blocks.branches import (
    Counts,
    branch_line,
    path_line,
    without_value_line,
)
from treewright.render.chalk.blocks.digits import Digits
from treewright.render.chalk.blocks.formulas import Formulas, expected_counts, mean_net
from treewright.render.chalk.blocks.node_tables import NodeTables, in_order
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
    Span,
    listed,
    name,
)
from treewright.render.chalk.expression import Expression
from treewright.render.chalk.languages import LectureWords, answer_word
from treewright.tree.structure.tree import NO_ROWS

MOST_ROWS_NAMED = 200  # of a bag; JSON has all
MOST_FORMULAS = 10  # candidates; of more, the winner's and the runner-up's
_SAME = 1e-9  # apart from rounding
_MOST_TERMS = 8  # cells of a chi-square test that are written out


class GrowingBlocks:
    """Makes the blocks of each step."""

    def __init__(self, record: Record, figures: Digits, options: Options) -> None:
        self.record = record
        self.quiz = options.quiz
        self.words = LectureWords(options.language)
        self.counts = Counts(record, figures, self.words)
        self.formulas = Formulas(figures)
        self.tables = NodeTables(self.counts, self.formulas, self.words)

    def legend(self) -> Iterator[Block]:
        """Say what gain, net gain and ratio are, where the record has them."""
        yield from self._drawn()
        steps = self.record.steps
        if not any(step.candidates for step in steps):
            return
        measure = self.words[steps[0].measure]
        yield Sentence(self.words.fill("about_gain", measure=measure))
        if steps[0].measure == "squared_error":
            yield Sentence(self.words.fill("about_means"))
        candidates = [one for step in steps for one in step.candidates]
        if any(one.factor != 1 for one in candidates):
            yield Sentence(self.words.fill("about_known"))
        if self.record.settings.get("missing") == "most_common":
            yield Sentence(self.words.fill("about_most_common"))
        costs = any(one.cost for one in candidates)
        if costs:
            yield Sentence(self.words.fill("about_net"))
        if steps[0].compared_by == "gain_ratio":
            gain = self.words["net_gain" if costs else "gain"]
            yield Sentence(self.words.fill("about_ratio", gain=gain))

    def _drawn(self) -> Iterator[Block]:
        """Say which rows a tree of a forest was grown from."""
        drawn = self.record.drawn
        if drawn is None:
            return
        yield Sentence(
            self.words.fill(
                "drawn_tree",
                tree=str(drawn.tree),
                n=str(drawn.n_features),
                all=str(drawn.all_features),
            )
        )
        pairs = list(zip(drawn.rows, drawn.times, strict=True))
        named = [f"{row}" if n == 1 else f"{row} (x{n})" for row, n in pairs]
        more = ", ..." if len(named) > MOST_ROWS_NAMED else ""
        yield Sentence(
            self.words.fill(
                "drawn_rows",
                n=str(len(named)),
                all=str(drawn.n_rows),
                rows=", ".join(named[:MOST_ROWS_NAMED]) + more,
            )
        )

    def blocks(self, step: Step) -> Iterator[Block]:
        """The blocks of a step."""
        yield self._heading(step)
        if step.candidates:
            formula = self.formulas.impurity(step) if step.rows.impurity > 0 else None
            if formula is not None:
                yield FormulaLines((((self.words[step.measure],), formula),))
            yield from self.tables.candidates(step, quiz=self.quiz)
            yield from self._candidate_formulas(step)
            for one in in_order(step)[:MOST_FEATURES]:
                yield from self.tables.cuts(one)
            yield from self._guard(step)
            yield from self._decision(step)
            yield from self._chi_square(step)
        if step.left_out:
            yield Sentence(self._left_out(step))
        if step.is_leaf and step.candidates:
            yield Sentence(self._leaf(step))

    def _heading(self, step: Step) -> Heading:
        pieces: list[Line] = [self.words.fill("step", n=str(step.number))]
        if step.parent < 0:
            pieces.append((self.words["root"],))
        else:
            pieces.append(self.words.fill("node", n=str(step.node)))
            pieces.append(path_line(step.conditions, self.words))
        pieces += self.counts.of_node(step.rows)
        if step.candidates or step.rows.impurity > 0:
            measure = self.words[step.measure]
            value = self.formulas.result(step.rows.impurity, step.node)
            pieces.append((f"{measure} ", value))
        if not step.is_leaf or step.candidates:
            return Heading(2, tuple(pieces))
        return Heading(3, (*pieces, self._leaf(step)))

    def _candidate_formulas(self, step: Step) -> Iterator[Block]:
        """Gain, and what is made of it, of each candidate; or of the best two."""
        ones = list(step.candidates) if self.quiz else in_order(step)
        if len(ones) > MOST_FORMULAS:
            few = [step.best, step.runner_up]
            ones = [step.candidates[place] for place in few if place is not None]
        kinds: dict[str, Callable[[Step, Candidate], Expression | None]] = {
            "gain": self.formulas.gain,
            "net_gain": self.formulas.net_gain,
            "split_information": self.formulas.split_information,
            "gain_ratio": self.formulas.ratio,
        }
        for key, formula_of in kinds.items():
            lines = [
                ((name(one.feature),), formula)
                for one in ones
                if (formula := formula_of(step, one)) is not None
            ]
            if lines:
                yield FormulaLines(tuple(lines), (self.words[key],))

    def _guard(self, step: Step) -> Iterator[Block]:
        """The least gain of a feature that is compared."""
        ones = [one for one in step.candidates if one.in_average]
        if step.guard is None or step.least_gain is None:
            return
        key = f"guard_{step.guard}"
        if step.guard == "c50":
            key += self._c50_by(step, ones)
        if key in ("guard_c45", "guard_c50_average") and 0 < len(ones) <= MOST_FORMULAS:
            formula = self.formulas.average(step, ones)
            yield FormulaLines((((self.words["average"],), formula),))
        if key == "guard_c50_naming":
            least = step.least_gain / ENOUGH
            formula = self.formulas.naming(step, len(ones), least)
            yield FormulaLines((((self.words["naming"],), formula),))
        if step.guard == "c45":
            # very many values, whose gains would spoil the average
            names = [
                name(one.feature)
                for one in step.candidates
                if not one.in_average and one.verdict != "no_gain"
            ]
            if names:
                features = listed(names)
                yield Sentence(self.words.fill("not_in_average", features=features))
        shown = self.formulas.result(step.least_gain)
        yield Sentence(self.words.fill(key, least=shown))

    @staticmethod
    def _c50_by(step: Step, ones: list[Candidate]) -> str:
        """What C5.0's least gain is of: in small tables the average, else the naming.

        Between the two it is a mix, which is not written out.
        """
        least = step.least_gain
        assert least is not None
        if ones:
            if abs(ENOUGH * mean_net(ones) - least) < _SAME:
                return "_average"
            naming = 0.9 * math.log2(len(ones)) / step.rows.weight
            if abs(ENOUGH * naming - least) < _SAME:
                return "_naming"
        return ""

    def _decision(self, step: Step) -> Iterator[Block]:
        """The winner, the runner-up and the margin."""
        if step.best is None:
            return
        best = name(step.candidates[step.best].feature)
        about = self.words.fill("step", n=str(step.number))
        sentences = [Sentence(self._taken(step, best))]
        if step.without_value is not None:
            line = without_value_line(step, self.counts, self.words)
            sentences.append(Sentence(line))
        yield QuizAnswer(about, tuple(sentences))

    def _tie_words(self, step: Step) -> str:
        if step.rounding_decided:
            return "taken_rounded"
        drawn = self.record.drawn
        in_order = drawn is None or drawn.looks_at_all
        return "taken_tie" if in_order else "taken_tie_drawn"

    def _taken(self, step: Step, best: Span) -> Line:
        if step.runner_up is None or step.margin is None:
            return self.words.fill("only", best=best)
        if step.margin < 0 and step.guard == "c50":
            return self.words.fill("taken_fewer", best=best)
        if step.ties or step.rounding_decided:
            runner_up = step.candidates[step.runner_up].feature
            ties = listed(map(name, step.ties or (runner_up,)))
            return self.words.fill(self._tie_words(step), best=best, ties=ties)
        of = self.formulas
        spell = of.share if step.compared_by == "gain_ratio" else of.result
        second = name(step.candidates[step.runner_up].feature)
        return self.words.fill(
            "taken", best=best, runner_up=second, margin=spell(step.margin)
        )

    def _chi_square(self, step: Step) -> Iterator[Block]:
        """The test of the best split: counts and those expected, and its answer."""
        test = step.chi_square
        if test is None or step.best is None:
            return
        best = step.candidates[step.best]
        n_cells = sum(map(len, test.observed))
        if n_cells <= _MOST_TERMS:
            label = (self.words["deviation"],)
            yield FormulaLines(((label, self.formulas.chi_square(test)),))
        elif len(test.observed[0]) <= _MOST_TERMS:
            yield self._expected_table(step)
        yield Sentence(
            self.words.fill(
                "chi_square",
                best=name(best.feature),
                deviation=self.formulas.share(test.deviation),
                degrees=str(test.degrees),
                p=self.formulas.share(test.p_value),
                level=f"{test.level:g}",
            )
        )

    def _expected_table(self, step: Step) -> ChalkTable:
        """Observed and expected counts of each branch that has rows."""
        assert step.chi_square is not None and step.best is not None
        parts = step.candidates[step.best].parts
        observed = step.chi_square.observed
        pairs = zip(observed, expected_counts(step.chi_square), strict=True)
        filled = [(seen, guesses) for seen, guesses in pairs if any(seen)]
        rows = []
        for place, (seen, guesses) in enumerate(filled):
            counts = "/".join(map(self.formulas.figures.weight, seen))
            expected = listed(map(self.formulas.share, guesses), "/")
            named = len(filled) == len(parts)
            branch: Line = (str(place + 1),)
            if named:
                branch = branch_line(parts[place], self.words)
            rows.append(Row(((branch,), ((counts,),), (expected,))))
        columns = (
            ChalkColumn((self.words["branch"],), right=False),
            ChalkColumn(self.counts.legend(), right=False),
            ChalkColumn((self.words["expected"],), right=False),
        )
        return ChalkTable(columns, tuple(rows))

    def _left_out(self, step: Step) -> Line:
        by_reason: dict[str, list[str]] = {}
        for one in step.left_out:
            by_reason.setdefault(one.why, []).append(one.feature)
        reasons = [
            (*listed(map(name, features)), f" ({self.words[why]})")
            for why, features in by_reason.items()
        ]
        return self.words.fill("left_out", features=listed(reasons, "; "))

    def _leaf(self, step: Step) -> Line:
        answers: list[Span] = [answer_word(one, self.words) for one in step.answer]
        if step.rows.values and not step.rows.counts:
            answers = [*map(self.counts.figures.mean, step.rows.values)]
        leaf = self.words.fill("leaf", answer=listed(answers))
        key = "no_rows" if step.reason == NO_ROWS else step.reason_key
        reason = self.words[f"reason_{key}"]
        return self.words.fill("because", leaf=leaf, reason=reason)
