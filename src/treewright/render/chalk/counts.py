"""How sets of rows read: the counts of a branch, the classes of a node."""

from __future__ import annotations

from treewright.grow.chalk.record import Part, Record
from treewright.render.chalk.conditions import branch_line
from treewright.render.chalk.figures import Figures
from treewright.render.chalk.page import Line, Span, name
from treewright.render.chalk.words import Words

OUTPUTS = " | "  # between the counts of several outputs


class Counts:
    """Spells parts: "Sunny 3/2", or rows, mean and variance of numbers."""

    def __init__(self, record: Record, figures: Figures, words: Words) -> None:
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
