"""The chalk of CAL2 and CAL3: every row that changed the tree, in any form.

A page goes pass by pass; `Replay` has the tree at every step of the record, in the
lectures' notation. It starts as *, where nothing is known. A is a class (CAL3: for
good), /A2 B1/ is what CAL3 has counted, 2 rows of A and 1 of B. x1(A, *) is a question
about x1, with a tree for each of its values.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from treewright.grow.chalk.cal_record import CALChange, CALRecord, CALStep
from treewright.render.chalk.chalk_options import Options
from treewright.render.chalk.chalk_page import (
    Block,
    ChalkPage,
    Heading,
    Line,
    QuizAnswer,
    Sentence,
    Span,
    listed,
    name,
)
from treewright.render.chalk.expression import Equation, Fraction, Number
from treewright.render.chalk.languages import LectureWords
from treewright.render.chalk.written_chalk import WrittenChalk, listing, plain_page
from treewright.tree.model import Model

MOST_STEPS = 300  # that are shown
_MOST_LEAVES = 60  # of a tree that is written out after a step
_MOST_NODES = 1000  # of a tree that is listed at the end
_FEW_ROWS = 2  # that change nothing are shown one by one
_MOST_CELLS = 12  # of a row


@dataclass(frozen=True, eq=False)
class CALChalk(WrittenChalk):
    """How a tree came about row by row; printed, it is the working as text."""

    record: CALRecord  # every row that changed the tree, and why learning ended
    model: Model  # the tree that came out

    def __len__(self) -> int:
        return len(self.record.steps)

    def __repr__(self) -> str:
        n = len(self)
        return f"<chalk of {self.record.learner}: {n} steps; print() shows them>"

    def _page(self, options: Options) -> ChalkPage:
        record, words = self.record, LectureWords(options.language)
        title = words.fill("title", learner=record.learner, target=name(record.target))
        blocks = [*_Passes(record, options).blocks()]
        if options.listing and self.model.trees[0].node_count <= _MOST_NODES:
            blocks += listing(self.model, options)
        page = plain_page(title, blocks, options)
        if record.n_changes <= MOST_STEPS:
            return page
        return replace(page, hint=words.fill("cal_long", n=f"{record.n_changes:,}"))

    def _content(self) -> dict[str, Any]:
        return self.record.to_dict()  # up to the first 100 000 steps


class _Passes:
    """Makes the blocks; keeps the tree as it is after the steps so far."""

    def __init__(self, record: CALRecord, options: Options) -> None:
        self.record = record
        self.words = LectureWords(options.language)
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
        yield QuizAnswer((self.words["cal_end"],), (Sentence(self._ending()),))

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
                yield QuizAnswer(self._about_row(in_pass, row), (Sentence(line),))
            return
        first, last = self.record.numbers[start], self.record.numbers[stop - 1]
        line = self.words.fill("cal_idle", first=str(first), last=str(last))
        about = self.words.fill("cal_pass", n=str(in_pass))
        yield QuizAnswer(about, (Sentence(line),))

    def _step(self, step: CALStep) -> Iterator[Block]:
        """Yield a row, what it changed, and the tree after it."""
        yield self._row(step.row)
        where = self._where(step.row)
        self.replay.apply(step)
        about = self._about_row(step.in_pass, step.row)
        yield QuizAnswer(about, (Sentence(self._change(step, where)),))
        is_short = self.replay.n_leaves <= _MOST_LEAVES
        if step.change is not CALChange.EXHAUSTED and is_short:
            tree = self.words.fill("cal_tree", tree=self.replay.notation())
            yield QuizAnswer(about, (Sentence(tree),))

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
        if step.change is CALChange.NAMED:
            fields["answer"] = self.replay.leaf(step.leaf)
            return self.words.fill("cal_named", **fields)
        fields["now"] = self.replay.notation(step.leaf)
        if not self.counts_rows:
            fields["said"] = name(self.record.classes[step.said])
            end = step.change is CALChange.EXHAUSTED
            return self.words.fill("cal_wrong_end" if end else "cal_wrong", **fields)
        fields["counts"] = counted_line(self.record, dict(step.counts))
        if step.change is CALChange.COUNTED:
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


_NOTHING = -1


class Replay:
    """The tree after some of the steps."""

    def __init__(self, record: CALRecord) -> None:
        self.record = record
        self.feature = [_NOTHING]
        self.first_child = [_NOTHING]
        self.label = [_NOTHING]
        self.depth = [0]
        self.n_leaves = 1
        self.counts: dict[int, dict[int, int]] = {}

    def apply(self, step: CALStep) -> None:
        """Take one step."""
        k = self.record.answers[step.row]
        if step.counts:
            self.counts[step.leaf] = dict(step.counts)
        if step.change is CALChange.NAMED:
            self.label[step.leaf] = k
        elif step.change is CALChange.CLOSED:
            self.label[step.leaf] = max(step.counts, key=lambda one: one[1])[0]
        elif step.change is CALChange.SPLIT:
            branch = self._split(step.leaf, step.row)
            if step.counts:
                self.counts[branch] = {k: 1}
            else:
                self.label[branch] = k

    def _split(self, leaf: int, row: int) -> int:
        feature = self.record.order[self.depth[leaf]]
        n_new = len(self.record.features[feature][1])
        self.feature[leaf] = feature
        self.first_child[leaf] = len(self.feature)
        self.label[leaf] = _NOTHING
        for values in (self.feature, self.first_child, self.label):
            values.extend([_NOTHING] * n_new)
        self.depth += [self.depth[leaf] + 1] * n_new
        self.n_leaves += n_new - 1
        return self.first_child[leaf] + self.record.codes[feature][row]

    def path(self, row: int) -> list[int]:
        """Return the nodes that a row passes, the leaf last."""
        node, nodes = 0, [0]
        while self.feature[node] >= 0:
            code = self.record.codes[self.feature[node]][row]
            node = self.first_child[node] + code
            nodes.append(node)
        return nodes

    def notation(self, root: int = 0) -> Line:
        """Return a tree, or what is below a node, as the lectures write it."""
        line: list[Span] = []
        stack: list[int | str] = [root]
        while stack:
            node = stack.pop()
            if isinstance(node, str):
                line.append(node)
                continue
            feature = self.feature[node]
            if feature < 0:
                line += self.leaf(node)
                continue
            title, values = self.record.features[feature]
            line += [name(title), "("]
            branches: list[int | str] = [")"]
            for code in range(len(values) - 1, -1, -1):
                branches.append(self.first_child[node] + code)
                if code:
                    branches.append(", ")
            stack += branches
        return tuple(line)

    def leaf(self, node: int) -> Line:
        """Return what stands at a leaf."""
        label, counts = self.label[node], self.counts.get(node)
        if label >= 0:
            return (name(self.record.classes[label]),)
        return counted_line(self.record, counts) if counts else ("*",)


def counted_line(record: CALRecord, counts: dict[int, int]) -> Line:
    """Return the counts of a leaf: /A2 B1/."""
    pieces: list[Line] = []
    for k, count in counts.items():
        label = record.classes[k]
        # without a sign between them, a longer class would run into its count
        between = "" if len(label) == 1 and not label.isdigit() else ":"
        pieces.append((name(label), f"{between}{count}"))
    return ("/", *listed(pieces, " "), "/")
