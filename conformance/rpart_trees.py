"""Reading the trees that rpart prints: numbered nodes, inputs called x1, x2, ...

    3) x2>=2.65 42  7 good (0.1666667 0.8333333)
       split    n   loss  answer, shares of the classes; a star at a leaf

The branches of node k are 2k and 2k + 1, and a line tells the condition that led to its
node. Numbers have seven digits.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from conformance.neutral_tree import Amount, Outline, to_digits
from conformance.outline_builder import Condition, Draft, PrintError

Features = Mapping[str, Sequence[str]]
_NODE = re.compile(r" *(\d+)\) (.*?) *\*?").fullmatch
_SPLIT = re.compile(r"x(\d+)(=|< ?|>= ?)(.*)").fullmatch
_SHARES = re.compile(r" \([\d.e+\- ]+\)$")
_DIGITS = 7


def read_rpart(text: str, *, features: Features, classes: Sequence[str]) -> Outline:
    """Read a printed tree of rpart; the parameters are those of `read_tree`."""
    draft = Draft()
    place: dict[int, int] = {}  # rpart's number of a node: ours
    body = _body_pattern(classes)
    for line in text.splitlines():
        node = _NODE(line.rstrip())
        if node is None or line.startswith("node)"):
            continue
        number = int(node[1])
        match = body.fullmatch(_SHARES.sub("", node[2]))
        if match is None:
            raise PrintError(f"the line {line.strip()!r} is not understood")
        split, n_rows, loss, answer = match.groups()
        if number == 1:
            place[1] = 0
        else:
            condition = _condition(split, features)
            place[number] = draft.branch(place[number // 2], condition)
        _tell(draft, place[number], (n_rows, loss, answer), classes=classes)
    return draft.outline()


def _body_pattern(classes: Sequence[str]) -> re.Pattern[str]:
    """Return the pattern "split n loss answer"; answers may hold blanks."""
    number = r"[\d.e+\-]+"
    longest_first = sorted(map(re.escape, classes), key=len, reverse=True)
    answer = "|".join(longest_first) or number
    return re.compile(rf"(.*?\S) (\d+) +({number}) +({answer})")


def _tell(
    draft: Draft, node: int, told: tuple[str, str, str], *, classes: Sequence[str]
) -> None:
    n_rows, loss, answer = told
    weight = Amount(float(n_rows))
    if classes:
        draft.tell(node, answer=answer, weight=weight, errors=Amount(float(loss)))
    else:
        draft.tell(node, number=to_digits(answer, _DIGITS), weight=weight)


def _condition(split: str, features: Features) -> Condition:
    match = _SPLIT(split)
    if match is None:
        raise PrintError(f"the split {split!r} is not understood")
    feature, declared = list(features.items())[int(match[1]) - 1]
    relation, operand = match[2].strip(), match[3]
    if relation == "=":
        values = _values(operand, declared)
        return Condition(feature, relation, values=values)
    # a cut lies between two values, so "<" says what "<=" does
    side = "<=" if relation == "<" else ">"
    return Condition(feature, side, cut=to_digits(operand, _DIGITS))


def _values(text: str, declared: Sequence[str]) -> frozenset[str]:
    """Return the values of a list; a value may hold a comma itself."""
    values = set()
    while text:
        found = [v for v in declared if text == v or text.startswith(v + ",")]
        if not found:
            raise PrintError(f"no declared value at the beginning of {text!r}")
        value = max(found, key=len)
        values.add(value)
        text = text[len(value) + 1 :]
    return frozenset(values)
