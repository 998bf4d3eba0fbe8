"""Hoeffding trees straight from the papers: nested nodes, rows as dicts, plain Python.

Domingos and Hulten (2000), with normal distributions for numbers (Pfahringer, Holmes
and Kirkby 2008) and adaptive naive Bayes leaves (Holmes, Kirkby and Pfahringer 2005).
What these leave open is as `learners/streams/hoeffding.py` says. Cells are text,
floats, or None; nothing is shared with the package, and every row is kept: sums are
made anew whenever they are needed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from statistics import NormalDist
from typing import Any

Row = dict[str, Any]


@dataclass
class Settings:
    nominal: set[str]
    delta: float = 1e-7
    tau: float = 0.05
    grace_period: float = 200
    leaf_prediction: str = "adaptive"
    gini: bool = False
    min_branch_share: float = 0.01
    n_cuts: int = 10
    max_depth: float = math.inf


@dataclass
class Node:
    parent: Node | None = None
    depth: int = 0
    start: dict[str, float] = field(default_factory=dict)  # what the parent knew
    seen: list[tuple[Row, str, float]] = field(default_factory=list)
    looked_at: float = 0.0
    right: dict[str, float] = field(default_factory=lambda: {"plain": 0, "bayes": 0})
    question: str | None = None
    cut: float = math.nan
    gain: float = 0.0
    branches: dict[Any, Node] = field(default_factory=dict)
    for_missing: Any = None

    def weights(self) -> dict[str, float]:
        """Weight of each class: the start, and the rows that passed."""
        total = dict(self.start)
        for _, label, weight in self.seen:
            total[label] = total.get(label, 0.0) + weight
        return total


class TextbookHoeffding:
    """Learns from one row at a time."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.root = Node()

    # ---- learning ----

    def learn(self, row: Row, label: str, weight: float = 1.0) -> None:
        node = self.walk(row)
        if node.question is None and self.settings.leaf_prediction == "adaptive":
            if self.majority(node) == label:
                node.right["plain"] += weight
            if self.naive_bayes(node, row) == label:
                node.right["bayes"] += weight
        if node.question is not None:  # a category that came up after the split
            branch = Node(parent=node, depth=node.depth + 1)
            node.branches[row[node.question]] = branch
            node = branch
        leaf = node
        above: Node | None = leaf
        while above is not None:
            above.seen.append((row, label, weight))
            above = above.parent
        n = sum(w for _, _, w in leaf.seen)
        if n - leaf.looked_at >= self.settings.grace_period:
            leaf.looked_at = n
            self.try_to_split(leaf, n)

    def try_to_split(self, leaf: Node, n: float) -> None:
        present = [w for w in leaf.weights().values() if w > 0]
        if leaf.depth >= self.settings.max_depth or len(present) < 2:
            return
        found = []
        for feature in leaf.seen[0][0]:
            gain, cut, parts = self.best_split(leaf, feature)
            known = sum(sum(part.values()) for part in parts.values())
            found.append((gain * min(1.0, known / n), feature, cut, parts))
        gains = [one[0] for one in found]
        best = max(range(len(found)), key=lambda k: (round(gains[k], 13), -k))
        second = max([0.0, *(g for k, g in enumerate(gains) if k != best)])
        spread = 1.0 if self.settings.gini else math.log2(max(len(present), 2))
        eps = math.sqrt(spread**2 * math.log(1 / self.settings.delta) / (2 * n))
        if gains[best] > 1e-12 and (
            gains[best] - second > eps or eps < self.settings.tau
        ):
            gain, leaf.question, leaf.cut, parts = found[best]
            leaf.gain = gain
            for value, part in parts.items():
                leaf.branches[value] = Node(leaf, leaf.depth + 1, dict(part))
            heaviest = max(sum(part.values()) for part in parts.values())
            tied = [v for v, p in parts.items() if sum(p.values()) == heaviest]
            cells = [row[leaf.question] for row, _, _ in self.root.seen]
            if leaf.question in self.settings.nominal:
                tied.sort(key=cells.index)  # what came up first in the stream
            leaf.for_missing = tied[0]

    def best_split(
        self, leaf: Node, feature: str
    ) -> tuple[float, float, dict[Any, dict[str, float]]]:
        known = [one for one in leaf.seen if one[0][feature] is not None]
        if feature in self.settings.nominal:
            parts: dict[Any, dict[str, float]] = {}
            for row, label, weight in known:
                part = parts.setdefault(row[feature], {})
                part[label] = part.get(label, 0.0) + weight
            return self.gain(parts), math.nan, parts
        best: tuple[float, float, dict[Any, dict[str, float]]] = (0.0, math.nan, {})
        if not known:
            return best
        values = [row[feature] for row, _, _ in known]
        low, high = min(values), max(values)
        for k in range(1, self.settings.n_cuts + 1):
            distance = (high - low) / (self.settings.n_cuts + 1)
            if distance == 0:
                continue
            # to a tenth of the distance, or less
            cut = round_to(low + distance * k, math.floor(math.log10(distance / 10)))
            if not low <= cut < high:
                continue
            parts = {"low": {}, "high": {}}
            for label in {label for _, label, _ in known}:
                own = [(r[feature], w) for r, y, w in known if y == label]
                total = sum(w for _, w in own)
                below = total * share_below(own, cut)
                parts["low"][label], parts["high"][label] = below, total - below
            gain = self.gain(parts)
            if gain > best[0] + 1e-12:
                best = gain, cut, parts
        return best

    def gain(self, parts: dict[Any, dict[str, float]]) -> float:
        sizes = {value: sum(part.values()) for value, part in parts.items()}
        total = sum(sizes.values())
        large = [
            s for s in sizes.values() if s >= self.settings.min_branch_share * total
        ]
        if len([s for s in large if s > 0]) < 2:
            return 0.0
        whole: dict[str, float] = {}
        for part in parts.values():
            for label, weight in part.items():
                whole[label] = whole.get(label, 0.0) + weight
        after = sum(sizes[v] / total * self.impurity(parts[v]) for v in parts)
        gain = self.impurity(whole) - after
        return gain if gain > 1e-12 else 0.0

    def impurity(self, weights: dict[str, float]) -> float:
        total = sum(weights.values())
        shares = [w / total for w in weights.values() if w > 0]
        if self.settings.gini:
            return 1.0 - sum(p * p for p in shares)
        return -sum(p * math.log2(p) for p in shares)

    # ---- answering ----

    def walk(self, row: Row) -> Node:
        """Return the leaf of a row, or the question that has no branch for it."""
        node = self.root
        while node.question is not None:
            cell = row[node.question]
            if cell is None:
                branch = node.for_missing
            elif node.question in self.settings.nominal:
                branch = cell
            else:
                branch = "low" if cell <= node.cut else "high"
            if branch not in node.branches:
                return node
            node = node.branches[branch]
        return node

    def answer(self, row: Row) -> str | None:
        node = self.walk(row)
        if node.question is None and self.uses_bayes(node):
            return self.naive_bayes(node, row)
        return self.majority(node)

    def uses_bayes(self, leaf: Node) -> bool:
        if self.settings.leaf_prediction == "adaptive":
            return leaf.right["bayes"] >= leaf.right["plain"]
        return self.settings.leaf_prediction == "naive_bayes"

    def majority(self, node: Node) -> str | None:
        weights = node.weights()
        most = max(weights.values(), default=0.0)
        tied = [y for y, w in weights.items() if w >= most * (1 - 1e-11)]
        above = node.parent
        while above is not None and len(tied) > 1:
            there = above.weights()
            top = max(there.get(y, 0.0) for y in tied)
            tied = [y for y in tied if there.get(y, 0.0) == top]
            above = above.parent
        return min(tied, default=None)

    def scores(self, leaf: Node, row: Row) -> dict[str, float]:
        """Logarithms of prior times likelihood."""
        priors = {y: w for y, w in leaf.weights().items() if w > 0}
        scores = {y: math.log(w) for y, w in priors.items()}
        for feature, cell in row.items():
            known = [one for one in leaf.seen if one[0][feature] is not None]
            if cell is None or not known:
                continue
            for label in scores:
                own = [(r[feature], w) for r, y, w in known if y == label]
                if feature in self.settings.nominal:
                    n = sum(w for _, w in own)
                    n_cell = sum(w for value, w in own if value == cell)
                    k = len({r[feature] for r, _, _ in known})
                    scores[label] += math.log((n_cell + 1) / (n + k))
                    continue
                values = [r[feature] for r, _, _ in known]
                width = max(values) - min(values)
                if width > 0:
                    scores[label] += log_density(own, cell, width)
        return scores

    def naive_bayes(self, leaf: Node, row: Row) -> str | None:
        scores = self.scores(leaf, row)
        most = max(scores.values(), default=0.0)
        return min((y for y, s in scores.items() if s == most), default=None)

    def shares(self, row: Row) -> dict[str, float]:
        node = self.walk(row)
        if node.question is None and self.uses_bayes(node):
            scores = self.scores(node, row)
            most = max(scores.values())
            weights = {y: math.exp(s - most) for y, s in scores.items()}
        else:
            weights = node.weights()
        total = sum(weights.values())
        return {y: w / total for y, w in weights.items()}

    def nodes(self) -> list[Node]:
        """All nodes, a parent before its branches."""
        found = [self.root]
        for node in found:
            found.extend(node.branches.values())
        return found


def mean_and_variance(cells: list[tuple[float, float]]) -> tuple[float, float]:
    """Mean and sample variance of weighted values, in two passes."""
    n = sum(w for _, w in cells)
    mean = sum(v * w for v, w in cells) / n
    squares = sum(w * (v - mean) ** 2 for v, w in cells)
    return mean, squares / (n - 1) if n > 1 else 0.0


def round_to(x: float, power: int) -> float:
    """Round to a power of 10, half away from zero."""
    whole = Decimal(x).quantize(Decimal(1).scaleb(power), ROUND_HALF_UP)
    return float(whole)


def share_below(cells: list[tuple[float, float]], cut: float) -> float:
    """Share of a normal distribution up to a cut, within the range of the values."""
    values = [v for v, _ in cells]
    if cut < min(values):
        return 0.0
    if cut >= max(values):
        return 1.0
    mean, variance = mean_and_variance(cells)
    if variance <= 0:
        return 1.0 if mean <= cut else 0.0
    return NormalDist(mean, math.sqrt(variance)).cdf(cut)


def log_density(cells: list[tuple[float, float]], x: float, width: float) -> float:
    if sum(w for _, w in cells) <= 1:
        return -math.log(width)
    mean, variance = mean_and_variance(cells)
    variance = max(variance, (width / 1000) ** 2)
    return -((x - mean) ** 2) / (2 * variance) - math.log(2 * math.pi * variance) / 2
