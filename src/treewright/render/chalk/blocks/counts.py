"""How sets of rows read: a branch, the classes of a node, rows without a value."""

from __future__ import annotations

from treewright.grow.chalk.growing_record import Part, Record, Step
from treewright.render.chalk.blocks.conditions import branch_line, condition_line
from treewright.render.chalk.blocks.digits import Digits
from treewright.render.chalk.chalk_page import Line, Span, listed, name
from treewright.render.chalk.languages import LectureWords

OUTPUTS = " | "  # between the counts of several outputs
_MOST_SURROGATES = 3


class Counts:
    """Spells parts: "Sunny 3/2", or rows, mean and variance of numbers."""

    def __init__(self, record: Record, figures: Digits, words: LectureWords) -> None:
        self.record = record
        self.figures = figures
        self.words = words
        steps = record.steps
        self.measure = steps[0].measure if steps else "entropy"

    def title(self, key: str = "branches") -> Line:
        """What the numbers of a branch are."""
        return self.words.fill(key, classes=self.legend())

    def legend(self) -> Line:
        """The classes in the order of the counts."""
        if not self.record.classes:
            value = self.words[self.value_key]
            return self.words.fill(
                "numbers", value=value, measure=self.words[self.measure]
            )
        line: list[Span] = []
        for place, labels in enumerate(self.record.classes):
            line += [OUTPUTS] if place else []
            for count, label in enumerate(labels):
                line += ["/"] if count else []
                line.append(name(label))
        return tuple(line)

    @property
    def value_key(self) -> str:
        """What the middle of a set of numbers is called."""
        return "median" if self.measure == "absolute_error" else "mean"

    def of(self, part: Part) -> str:
        """The counts of a part: "3/2"."""
        weight = self.figures.weight
        if part.counts or not part.values:
            outputs = ["/".join(map(weight, counts)) for counts in part.counts]
            return OUTPUTS.join(outputs)
        values = ",".join(map(self.figures.mean, part.values))
        impurity = self.figures.measure(part.impurity)
        return f"{weight(part.weight)}/{values}/{impurity}"

    def branch(self, part: Part, *, aside: bool = False) -> Line:
        """A branch with its counts; in brackets if its rows are not in the gain."""
        called = branch_line(part, self.words)
        if aside:
            return ("(", *called, f" {self.of(part)})")
        return (*called, f" {self.of(part)}")

    def of_node(self, part: Part) -> list[Line]:
        """The rows of a node, its classes one by one or its mean."""
        pieces: list[Line] = [self.rows(part)]
        if not part.counts:
            values = ", ".join(map(self.figures.mean, part.values))
            return [*pieces, (f"{self.words[self.value_key]} {values}",)]
        several = len(part.counts) > 1
        for target, labels, counts in zip(
            self.record.target, self.record.classes, part.counts, strict=True
        ):
            front: Line = (name(target), ": ") if several else ()
            classes: list[Span] = [*front]
            for place, (label, count) in enumerate(zip(labels, counts, strict=True)):
                classes += ["  "] if place else []
                classes += [name(label), f" {self.figures.weight(count)}"]
            pieces.append(tuple(classes))
        return pieces

    def rows(self, part: Part) -> Line:
        """How many rows, and their weight if that is another number."""
        rows = "one_row" if part.n_rows == 1 else "rows"
        line = self.words.fill(rows, n=f"{part.n_rows}")
        if _weighs_its_rows(part):
            return line
        return (*line, ", ", *self.amount(part))

    def amount(self, part: Part) -> Line:
        """How many rows, or their weight if that is another number."""
        if _weighs_its_rows(part):
            return self.rows(part)
        return self.words.fill("weight", n=self.figures.weight(part.weight))


def _weighs_its_rows(part: Part) -> bool:
    return abs(part.weight - part.n_rows) < 1e-9


def without_value_line(step: Step, counts: Counts, words: LectureWords) -> Line:
    """Say what those rows do; the step has some, and is split."""
    what = step.without_value
    assert what is not None and step.best is not None
    feature = name(step.candidates[step.best].feature)
    who = words.fill("without_value", feature=feature)
    if what.rows is not None:
        rows = counts.amount(what.rows)
        who = words.fill("without_value_rows", feature=feature, rows=rows)
    key = f"without_value_{what.rule}"
    if what.rule == "surrogates" and not what.surrogates:
        key = "without_value_majority"
    shown = [condition_line(one, words) for one in what.surrogates[:_MOST_SURROGATES]]
    more = [("...",)] if len(what.surrogates) > _MOST_SURROGATES else []
    branch = condition_line(what.branch, words) if what.branch else ("?",)
    return words.fill(key, who=who, branch=branch, surrogates=listed([*shown, *more]))
