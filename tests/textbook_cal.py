"""CAL2 and CAL3 as the lecture tells them, one row at a time, from the root each time.

Written from the lecture's text (Hochschule Bielefeld, after Unger and Wysotzki 1981),
not from the program: nested nodes, values as they are, fractions for shares. A feature
with a single value is not asked about; `goes_on` leaves a leaf as it is where no
feature is left. `log` has what every row did.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any


@dataclass
class Node:
    """`*`, a class, a union class, or a test."""

    symbol: Any = "*"
    union: dict[Any, int] | None = None
    test: int | None = None
    branches: dict[Any, Node] = field(default_factory=dict)
    stuck: bool = False


@dataclass
class Told:
    """What came out."""

    root: Node
    why: str
    passes: int
    log: list[tuple[int, int, str, str]]  # pass, row, what, the tree after it


class Lecture:
    """One run over a table."""

    def __init__(self, rows, classes, *, order=None, goes_on=False, passes=10_000):
        self.rows, self.classes = rows, classes
        n_features = len(rows[0])
        self.values = [sorted({row[t] for row in rows}) for t in range(n_features)]
        known = list(range(n_features)) if order is None else order
        self.order = [t for t in known if len(self.values[t]) > 1]
        self.goes_on, self.most_passes = goes_on, passes
        self.root = Node()
        self.log = []

    def run(self, learn):
        for number in range(1, self.most_passes + 1):
            changed = False
            for place, (row, k) in enumerate(zip(self.rows, self.classes, strict=True)):
                node, used = self.find(row)
                what = learn(node, used, row, k)
                if what is not None:
                    self.log.append((number, place, what, written(self.root)))
                if what == "exhausted" and not self.goes_on:
                    return Told(self.root, "exhausted", number, self.log)
                changed = changed or what not in (None, "exhausted")
                if what == "closed" and self.all_closed():
                    return Told(self.root, "closed", number, self.log)
            if not changed:
                return Told(self.root, "unchanged", number, self.log)
        return Told(self.root, "passes", self.most_passes, self.log)

    def find(self, row):
        node, used = self.root, set()
        while node.test is not None:
            used.add(node.test)
            node = node.branches[row[node.test]]
        return node, used

    def next_test(self, used):
        return next((t for t in self.order if t not in used), None)

    def branch_out(self, node, test, row):
        node.symbol, node.union, node.test = None, None, test
        node.branches = {value: Node() for value in self.values[test]}
        return node.branches[row[test]]

    def cal2(self):
        def learn(node, used, row, k):
            if node.symbol == "*":
                node.symbol = k
                return "named"
            if node.symbol == k:
                return None
            test = self.next_test(used)
            if test is None:
                node.stuck = True
                return "exhausted"
            self.branch_out(node, test, row).symbol = k
            return "split"

        return self.run(learn)

    def cal3(self, s1, s2):
        def learn(node, used, row, k):
            if node.stuck or (node.symbol != "*" and node.union is None):
                return None
            node.union = {**(node.union or {})}
            node.union[k] = node.union.get(k, 0) + 1
            total = sum(node.union.values())
            if total < s1:
                return "counted"
            strong = [
                c
                for c, n in node.union.items()
                if Fraction(n, total) >= Fraction(str(s2))
            ]
            if len(strong) == 1:
                node.symbol, node.union = strong[0], None
                return "closed"
            test = self.next_test(used)
            if test is None:
                node.stuck = True
                return "exhausted"
            self.branch_out(node, test, row).union = {k: 1}
            return "split"

        return self.run(learn)

    def all_closed(self):
        return all(leaf.union is None and leaf.symbol != "*" for leaf in leaves(self))

    def answer(self, row):
        """The class of a row; None for none."""
        node, _ = self.find(row)
        if node.stuck and self.goes_on:
            return self.most_of(row)
        if node.union:
            return min(node.union, key=lambda k: (-node.union[k], k))
        return None if node.symbol == "*" else node.symbol

    def most_of(self, row):
        """The class of most training rows at the leaf; equal: as the nodes above."""
        path = [set(range(len(self.rows)))]
        node = self.root
        while node.test is not None:
            value = row[node.test]
            path.append({k for k in path[-1] if self.rows[k][node.test] == value})
            node = node.branches[value]
        left = sorted(set(self.classes))
        for members in reversed(path):
            counts = Counter(self.classes[k] for k in members)
            most = max(counts[k] for k in left)
            left = [k for k in left if counts[k] == most]
            if len(left) == 1:
                break
        return left[0]


def leaves(lecture):
    stack, found = [lecture.root], []
    while stack:
        node = stack.pop()
        stack += node.branches.values()
        found += [] if node.branches else [node]
    return found


def written(node, names=None):
    """The linear notation of the lecture; features are called x1, x2, ..."""
    if node.test is None:
        if node.union:
            return f"/{' '.join(f'{k}{n}' for k, n in node.union.items())}/"
        return str(node.symbol)
    inner = ", ".join(written(each, names) for each in node.branches.values())
    name = f"x{node.test + 1}" if names is None else names[node.test]
    return f"{name}({inner})"
