"""What a set of rows says, straight from the textbooks: impurity, value and label.

`textbook.py` grows trees with it. Sums are taken with `math.fsum`, so that they do not
depend on the order of the rows.

Glossary
--------
member     (row number, weight): a row as it stands at a node
pairs      (label or number, weight) of each member, for one output
value      classes: the weight of each class, output after output; numbers: the mean or
           median of each output
lineage    the values of a node, of its parent, ... of the root
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

Member = tuple[int, float]
Pairs = Sequence[tuple[Any, float]]


@dataclass(frozen=True)
class Table:
    """The training data; `target` has a tuple per row, one entry per output."""

    rows: list[dict[str, Any]]
    features: dict[str, Sequence[Any] | None]
    target: list[tuple[Any, ...]]
    classes: list[list[Any]]  # of each output; empty for numbers
    criterion: str
    total_weight: float


def weight(pairs: Pairs) -> float:
    return math.fsum(w for _, w in pairs)


def shares(pairs: Pairs) -> list[float]:
    """Return each label's part of the weight."""
    labels = dict.fromkeys(label for label, _ in pairs)
    total = weight(pairs)
    return [weight([p for p in pairs if p[0] == label]) / total for label in labels]


def entropy(pairs: Pairs) -> float:
    return -math.fsum(share * math.log2(share) for share in shares(pairs))


def gini(pairs: Pairs) -> float:
    return 1 - math.fsum(share**2 for share in shares(pairs))


def classification_error(pairs: Pairs) -> float:
    return 1 - max(shares(pairs))


def mean(pairs: Pairs) -> float:
    return math.fsum(y * w for y, w in pairs) / weight(pairs)


def median(pairs: Pairs) -> float:
    """Return the weighted median: half way if half of the weight lies on each side."""
    ordered = sorted(pairs)
    half = weight(pairs) / 2
    for k, (y, _) in enumerate(ordered):
        below = weight(ordered[: k + 1])
        if below == half:
            return y / 2 + ordered[k + 1][0] / 2
        if below > half:
            return y
    raise AssertionError("all of the weight is more than half of it")


def squared_error(pairs: Pairs) -> float:
    center = mean(pairs)
    return math.fsum(w * (y - center) ** 2 for y, w in pairs) / weight(pairs)


def absolute_error(pairs: Pairs) -> float:
    center = median(pairs)
    return math.fsum(w * abs(y - center) for y, w in pairs) / weight(pairs)


CRITERIA: dict[str, Callable[[Pairs], float]] = {
    "entropy": entropy,
    "gini": gini,
    "classification_error": classification_error,
    "squared_error": squared_error,
    "absolute_error": absolute_error,
}

# what a leaf answers under the criteria for numbers
CENTERS: dict[str, Callable[[Pairs], float]] = {
    "squared_error": mean,
    "absolute_error": median,
}


def by_output(table: Table, members: list[Member]) -> list[Pairs]:
    n_outputs = len(table.target[0])
    return [[(table.target[row][k], w) for row, w in members] for k in range(n_outputs)]


def impurity(table: Table, members: list[Member]) -> float:
    """Return the criterion, averaged over the outputs; 0 without members."""
    if not members:
        return 0.0
    scores = [CRITERIA[table.criterion](pairs) for pairs in by_output(table, members)]
    return math.fsum(scores) / len(scores)


def node_value(
    table: Table, members: list[Member], parents: list[list[float]]
) -> list[float]:
    """Return the class weights, or the centers (the parent's without members)."""
    columns = by_output(table, members)
    if table.classes:
        return [
            weight([pair for pair in pairs if pair[0] == label])
            for pairs, labels in zip(columns, table.classes, strict=True)
            for label in labels
        ]
    if not members:
        return parents[0]
    return [CENTERS[table.criterion](pairs) for pairs in columns]


def node_label(table: Table, lineage: list[list[float]]) -> tuple[Any, ...]:
    """Return the heaviest class of each output; () for numbers.

    Classes that tie are compared in the parent, those that still tie in its parent, and
    so on; then the first in class order. So an empty branch takes its parent's label.
    """
    labels, start = [], 0
    for classes in table.classes:
        columns = [[value[start + k] for value in lineage] for k in range(len(classes))]
        labels.append(classes[columns.index(max(columns))])
        start += len(classes)
    return tuple(labels)
