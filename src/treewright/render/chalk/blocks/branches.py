"""How branches and sets of rows read in the reader's language.

"x fehlt", "x nicht in {a, b}", a row's way; a branch with its counts, the classes of a
node, rows without a value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from treewright.grow.chalk.growing_record import Part, Record, Step
from treewright.render.chalk.blocks.digits import Digits
from treewright.render.chalk.chalk_page import Line, Span, listed, name
from treewright.render.chalk.languages import LectureWords
from treewright.tree.structure.branch_words import NOT_APPLICABLE, BranchCondition
from treewright.tree.way import Way, WayStep

_WORDED = {"in": "relation_in", "not in": "relation_not_in"}
_OUTPUTS = " | "  # between the counts of several outputs
_MOST_SURROGATES = 3


def condition_line(condition: BranchCondition, words: LectureWords) -> Line:
    """A condition: "Outlook = Sunny"; signs are the same in every language."""
    feature = name(condition.feature)
    value = _value(condition.relation, condition.value, words)
    if condition.relation == "is":
        return words.fill("is", feature=feature, value=value)
    relation = _relation(condition.relation, words)
    return (feature, f" {relation} ", value)


def branch_line(part: Part, words: LectureWords) -> Line:
    """The name of a branch: "Sunny", "<= 66.5", "not in {a, b}"."""
    value = part.name.removeprefix(f"{part.relation} ")
    if part.relation in ("=", "is", ""):
        return (_value(part.relation, part.name, words),)
    shown = _value(part.relation, value, words)
    return (f"{_relation(part.relation, words)} ", shown)


def step_line(step: WayStep, words: LectureWords) -> Line:
    """A branch that a row takes, and why if its value is missing."""
    taken = condition_line(step.condition, words)
    if not step.missing:
        return taken
    feature = name(step.condition.feature)
    if step.surrogate is None:
        return words.fill("goes_with", feature=feature, branch=taken)
    key = "goes_by_surrogate" if step.holds else "goes_by_surrogate_not"
    surrogate = condition_line(step.surrogate, words)
    return words.fill(key, feature=feature, surrogate=surrogate, branch=taken)


def stop_line(way: Way, words: LectureWords) -> Line:
    """Why a walk ends before a leaf."""
    return words.fill(f"stops_{way.stop_key}", feature=name(way.stopped_by))


def path_line(conditions: tuple[BranchCondition, ...], words: LectureWords) -> Line:
    """The conditions that lead to a node, one after the other."""
    return listed(condition_line(condition, words) for condition in conditions)


def reworded(condition: BranchCondition, words: LectureWords) -> BranchCondition:
    """The same condition with the words of the language, for the lectures' listing."""
    value = condition.value
    if condition.relation == "is":
        return BranchCondition(condition.feature, "", words[value])
    if value == NOT_APPLICABLE:
        value = words["not_applicable"]
    return BranchCondition(
        condition.feature, _relation(condition.relation, words), value
    )


def _relation(relation: str, words: LectureWords) -> str:
    return words[_WORDED[relation]] if relation in _WORDED else relation


def _value(relation: str, value: str, words: LectureWords) -> Span:
    if relation == "is":
        return words[value]  # missing or known
    if value == NOT_APPLICABLE:
        return words["not_applicable"]
    return name(value)


def class_legend(record: Record) -> Line:
    """The classes of each output, in the order of the counts."""
    outputs = [listed(map(name, labels), "/") for labels in record.classes]
    return listed(outputs, _OUTPUTS)


def counts_text(
    counts: Sequence[Sequence[float]], weight: Callable[[float], str]
) -> str:
    """The weights of the classes of each output: "3/2"."""
    return _OUTPUTS.join("/".join(map(weight, output)) for output in counts)


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
        return class_legend(self.record)

    @property
    def value_key(self) -> str:
        """What the middle of a set of numbers is called."""
        return "median" if self.measure == "absolute_error" else "mean"

    def of(self, part: Part) -> str:
        """The counts of a part: "3/2"."""
        weight = self.figures.weight
        if part.counts or not part.values:
            return counts_text(part.counts, weight)
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
            classes: list[Line] = [
                (name(label), f" {self.figures.weight(count)}")
                for label, count in zip(labels, counts, strict=True)
            ]
            pieces.append((*front, *listed(classes, "  ")))
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
