"""The page of CAL2 and CAL3: pass by pass, each row that changed the tree, and how."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from treewright.grow.chalk.cal_record import CALRecord, CALStep, Change
from treewright.render.chalk.cal_replay import Replay, counted_line
from treewright.render.chalk.compose import listing, plain_page
from treewright.render.chalk.expression import Equation, Fraction, Number
from treewright.render.chalk.options import Options
from treewright.render.chalk.page import (
    Answer,
    Block,
    Heading,
    Line,
    Page,
    Sentence,
    Span,
    listed,
    name,
)
from treewright.render.chalk.words import Words
from treewright.tree.model import Model

MOST_STEPS = 300  # that are shown
_MOST_LEAVES = 60  # of a tree that is written out after a step
_MOST_NODES = 1000  # of a tree that is listed at the end
_FEW_ROWS = 2  # that change nothing are shown one by one
_MOST_CELLS = 12  # of a row


def cal_page(record: CALRecord, model: Model, options: Options) -> Page:
    """Return the whole page."""
    words = Words(options.language)
    title = words.fill("title", learner=record.learner, target=name(record.target))
    blocks = [*_Passes(record, options).blocks()]
    if options.listing and model.trees[0].node_count <= _MOST_NODES:
        blocks += listing(model, options)
    page = plain_page(title, blocks, options)
    if record.n_changes <= MOST_STEPS:
        return page
    return replace(page, hint=words.fill("cal_long", n=f"{record.n_changes:,}"))


class _Passes:
    """Makes the blocks; keeps the tree as it is after the steps so far."""

    def __init__(self, record: CALRecord, options: Options) -> None:
        self.record = record
        self.words = Words(options.language)
        self.digits = options.digits
        self.replay = Replay(record)
        self.counts_rows = record.s1 is not None

    def blocks(self) -> Iterator[Block]:
        """Yield what the signs mean, the passes, and why it ended."""
        yield Sentence(self._about())
        features = [name(self.record.features[k][0]) for k in self.record.order]
        if features:
            order = self.words.fill("cal_order", features=listed(features))
            yield Sentence(order)
        shown = self.record.steps[:MOST_STEPS]
        hidden = self.record.n_changes - len(shown)
        by_pass: dict[int, list[CALStep]] = {}
        for step in shown:
            by_pass.setdefault(step.in_pass, []).append(step)
        last = max(by_pass, default=0) if hidden else self.record.n_passes
        for in_pass in range(1, last + 1):
            yield Heading(2, (self.words.fill("cal_pass", n=str(in_pass)),))
            is_cut = bool(hidden) and in_pass == last
            yield from self._pass(in_pass, by_pass.get(in_pass, []), is_cut=is_cut)
        if hidden:
            more = self.words.fill("cal_more", n=f"{hidden:,}")
            yield Sentence(more)
        yield Answer((self.words["cal_end"],), (Sentence(self._ending()),))

    def _about(self) -> Line:
        if not self.counts_rows:
            return self.words.fill("cal2_about")
        s1, s2 = str(self.record.s1), f"{self.record.s2:g}"
        return self.words.fill("cal3_about", s1=s1, s2=s2)

    def _pass(
        self, in_pass: int, steps: list[CALStep], *, is_cut: bool
    ) -> Iterator[Block]:
        """Yield the rows of one pass, those that change nothing in between."""
        following = 0
        for step in steps:
            yield from self._idle(in_pass, following, step.row)
            yield from self._step(step)
            following = step.row + 1
        if is_cut:
            return
        is_last = in_pass == self.record.n_passes
        stop = self.record.last_row + 1 if is_last else len(self.record.answers)
        yield from self._idle(in_pass, following, stop)

    def _idle(self, in_pass: int, start: int, stop: int) -> Iterator[Block]:
        """Yield rows that change nothing."""
        if stop - start <= _FEW_ROWS:
            for row in range(start, stop):
                yield self._row(row)
                node = self.replay.path(row)[-1]
                key = "cal_settled" if self.counts_rows else "cal_right"
                said = self.replay.leaf(node)
                line = self.words.fill(key, leaf=self._where(row), said=said)
                yield Answer(self._about_row(in_pass, row), (Sentence(line),))
            return
        first, last = self.record.numbers[start], self.record.numbers[stop - 1]
        line = self.words.fill("cal_idle", first=str(first), last=str(last))
        about = self.words.fill("cal_pass", n=str(in_pass))
        yield Answer(about, (Sentence(line),))

    def _step(self, step: CALStep) -> Iterator[Block]:
        """Yield a row, what it changed, and the tree after it."""
        yield self._row(step.row)
        where = self._where(step.row)
        self.replay.apply(step)
        about = self._about_row(step.in_pass, step.row)
        yield Answer(about, (Sentence(self._change(step, where)),))
        is_short = self.replay.n_leaves <= _MOST_LEAVES
        if step.change is not Change.EXHAUSTED and is_short:
            tree = self.words.fill("cal_tree", tree=self.replay.notation())
            yield Answer(about, (Sentence(tree),))

    def _row(self, row: int) -> Heading:
        """A row by its number, values and class."""
        record = self.record
        cells: list[Line] = [
            (name(title), "=", name(values[codes[row]]))
            for (title, values), codes in zip(
                record.features, record.codes, strict=True
            )
        ]
        shown = cells[:_MOST_CELLS]
        if len(cells) > _MOST_CELLS:
            shown.append(("...",))
        label: Line = (
            name(record.target),
            "=",
            name(record.classes[record.answers[row]]),
        )
        return Heading(3, (self._number(row), *shown, label))

    def _about_row(self, in_pass: int, row: int) -> Line:
        return listed([self.words.fill("cal_pass", n=str(in_pass)), self._number(row)])

    def _number(self, row: int) -> Line:
        return self.words.fill("row", n=str(self.record.numbers[row]))

    def _where(self, row: int) -> Line:
        """The way of a row to its leaf."""
        nodes = self.replay.path(row)
        if len(nodes) == 1:
            return (self.words["root"],)
        record, asked = self.record, self.replay.feature
        steps: list[Line] = [
            (
                name(record.features[asked[node]][0]),
                "=",
                name(record.features[asked[node]][1][record.codes[asked[node]][row]]),
            )
            for node in nodes[:-1]
        ]
        return listed(steps)

    def _change(self, step: CALStep, where: Line) -> Line:
        """What became of the leaf; the tree has taken the step."""
        fields: dict[str, Span | Line] = {"leaf": where}
        if step.change is Change.NAMED:
            fields["answer"] = self.replay.leaf(step.leaf)
            return self.words.fill("cal_named", **fields)
        fields["now"] = self.replay.notation(step.leaf)
        if not self.counts_rows:
            fields["said"] = name(self.record.classes[step.said])
            end = step.change is Change.EXHAUSTED
            return self.words.fill("cal_wrong_end" if end else "cal_wrong", **fields)
        fields["counts"] = counted_line(self.record, dict(step.counts))
        if step.change is Change.COUNTED:
            return self.words.fill("cal_counted", **fields)
        fields["shares"] = self._shares(step)
        fields["s1"], fields["s2"] = str(self.record.s1), f"{self.record.s2:g}"
        return self.words.fill(f"cal_{step.change}", **fields)

    def _shares(self, step: CALStep) -> Line:
        """The share of each class at a decision."""
        total = sum(count for _, count in step.counts)
        shares: list[Span | Line] = []
        for k, count in step.counts:
            digits = f"{count / total:.{self.digits}f}"
            share = Equation(
                Fraction(str(count), str(total)), Number(digits, hidden=True)
            )
            shares.append((name(self.record.classes[k]), " ", share))
        return listed(shares)

    def _ending(self) -> Line:
        """Why it ended."""
        record = self.record
        row = str(record.numbers[record.last_row])
        key = f"cal_end_{record.ending}"
        return self.words.fill(key, n=str(record.n_passes), row=row)
