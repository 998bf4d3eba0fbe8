"""Reading the indented trees that J48, Id3 and C4.5 print.

    J48     |   petalwidth <= 1.7: Iris-versicolor (48.0/1.0)
    C4.5    |   petalwidth <= 1.7 : Iris-versicolor (48.0/2.6)
            |   petalwidth > 1.7 :[S1]          ... and further down: Subtree [S1]
    Id3     |  humidity = high: no              "null": no training row came here

Names and values may hold blanks, colons and signs, so they are matched with the
declared ones. Numbers are rounded when they are printed; `Style` says how. rpart's form
is in `rpart_trees.py`; `read_tree` knows them all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from conformance.neutral_tree import (
    UNCLASSIFIED,
    Amount,
    Outline,
    to_decimals,
    to_digits,
)
from conformance.outline_builder import Condition, Draft, PrintError
from conformance.rpart_trees import read_rpart

Features = Mapping[str, Sequence[str]]
_COUNTS = re.compile(r"(.*) \(([\d.E]+)(?:/([\d.E]+))?\)").fullmatch
_SUBTREE = re.compile(r"Subtree (\[S\d+\])").fullmatch
_REFERENCE = re.compile(r"\[S\d+\]").fullmatch


@dataclass(frozen=True)
class Style:
    """How a program prints: indentation, thresholds, counts at leaves."""

    bar: str
    threshold: Callable[[str], Amount]
    count: Callable[[str], Amount] | None
    errors_are_counts: bool = True
    title: str | None = None


def _six_decimals(text: str) -> Amount:
    """Return a threshold of Weka, to which values within 1e-6 are one."""
    amount = to_decimals(text, 6)
    return Amount(amount.value, amount.slack + 1e-6)


def _two_decimals(text: str) -> Amount:
    return to_decimals(text, 2)


def _one_decimal(text: str) -> Amount:
    return to_decimals(text, 1)


def _six_digits(text: str) -> Amount:
    """Return a threshold of C4.5, which computes in single precision."""
    amount = to_digits(text, 6)
    return Amount(amount.value, amount.slack + 2.0**-23 * abs(amount.value))


J48 = Style("|   ", _six_decimals, _two_decimals, title="J48")
ID3 = Style("|  ", _six_decimals, None, title="Id3")
C45_UNPRUNED = Style("|   ", _six_digits, _one_decimal)
# the second number at a leaf is the pessimistic estimate, not a count
C45_PRUNED = Style("|   ", _six_digits, _one_decimal, errors_are_counts=False)


def read_tree(
    text: str, program: str, *, features: Features, classes: Sequence[str]
) -> Outline:
    """Read a printed tree.

    Parameters
    ----------
    text : str
        What the program printed.
    program : str
        Its name in the records: "j48_unpruned", "c45r8", "id3", "rpart", ...
    features : mapping
        The inputs in column order, each with its declared values.
    classes : sequence of str
        The declared classes; empty for numbers.
    """
    if program.startswith("rpart"):
        return read_rpart(text, features=features, classes=classes)
    return read_indented(text, style_of(program), features=features, classes=classes)


def style_of(program: str) -> Style:
    """Return how a program of this name prints."""
    if program.startswith("j48"):
        return J48
    if program.startswith("c45r8"):
        return C45_UNPRUNED if "unpruned" in program else C45_PRUNED
    if program.startswith("id3"):
        return ID3
    raise PrintError(f"no way to read the trees of {program!r} is known")


def read_indented(
    text: str, style: Style, *, features: Features, classes: Sequence[str]
) -> Outline:
    """Read a tree of one line per branch, indented by bars."""
    draft = Draft()
    open_nodes = [0]  # the node at each depth whose branches are being told
    subtrees: dict[str, int] = {}
    for line in _body(text, style):
        header = _SUBTREE(line)
        if header is not None:
            open_nodes = [subtrees[header[1]]]
            continue
        depth, rest = _depth(line, style.bar)
        if depth >= len(open_nodes):
            raise PrintError(f"nothing is open above the line {line!r}")
        condition, tail = _condition(rest, style, features)
        if condition is None:  # the whole tree is one leaf
            _tell_leaf(draft, 0, tail, style, classes)
            continue
        child = draft.branch(open_nodes[depth], condition)
        open_nodes = [*open_nodes[: depth + 1], child]
        if _REFERENCE(tail):
            subtrees[tail] = child
        elif tail:
            _tell_leaf(draft, child, tail, style, classes)
    return draft.outline()


def _body(text: str, style: Style) -> list[str]:
    """Return the lines of the tree, without title, rule and empty lines."""
    lines = [line.rstrip() for line in text.splitlines()]
    lines = [line for line in lines if line and not re.fullmatch("-+", line)]
    if style.title and lines and lines[0].startswith(style.title):
        return lines[1:]
    return lines


def _depth(line: str, bar: str) -> tuple[int, str]:
    depth = 0
    while line.startswith(bar):
        line = line[len(bar) :]
        depth += 1
    return depth, line


def _condition(
    line: str, style: Style, features: Features
) -> tuple[Condition | None, str]:
    """Return what a line asks and what follows the colon; no condition at the root."""
    feature = _longest(line, features, end=" ")
    if feature is None:
        return None, line.lstrip(": ")
    relation, _, rest = line[len(feature) :].strip().partition(" ")
    if not features[feature]:
        operand, _, tail = rest.partition(":")
        cut = style.threshold(operand.strip())
        return Condition(feature, relation, cut=cut), tail.strip()
    value = _longest(rest, features[feature], end=":")
    if value is None:
        raise PrintError(f"no declared value of {feature!r} in the line {line!r}")
    condition = Condition(feature, relation, values=frozenset({value}))
    return condition, rest[len(value) :].lstrip(": ")


def _longest(text: str, names: Iterable[str], end: str) -> str | None:
    """Return the longest name that the text begins with, closed by `end` or nothing."""
    found = [name for name in names if text == name or text.startswith(name + end)]
    return max(found, key=len, default=None)


def _tell_leaf(
    draft: Draft, node: int, tail: str, style: Style, classes: Sequence[str]
) -> None:
    """Note answer, rows and errors of a leaf."""
    if style.count is None:
        answer, weight, errors = tail, None, None
    else:
        match = _COUNTS(tail)
        if match is None:
            raise PrintError(f"no counts at the leaf {tail!r}")
        answer = match[1]
        weight = style.count(match[2])
        told = match[3] or ("0" if style.errors_are_counts else None)
        errors = style.count(told) if told and style.errors_are_counts else None
    if answer not in (*classes, UNCLASSIFIED):
        raise PrintError(f"{answer!r} is not a declared class")
    draft.tell(node, answer=answer, weight=weight, errors=errors)
