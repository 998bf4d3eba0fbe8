"""Walks a tree of ours and one of scikit-learn's together.

Where both ask the same question, to the last bit of the threshold, the walk goes on.
Where they differ, both questions are scored here from the definition of the criterion:
unless their gains are equal, the trees differ for no good reason. After a tie that
parts the rows in the same way the walk goes on; after any other it cannot.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

RELATIVE = 1e-10  # gains that differ by less of the node's impurity are equal


@dataclass
class Comparison:
    """How many inner nodes agree, and how."""

    same: int = 0
    ties: int = 0  # other question, same rows on each side
    forks: int = 0  # equal gain, other rows on each side: not followed further


def compare(ours: Any, theirs: Any, X: np.ndarray, y: np.ndarray, w: Any = None):
    """Compare two fitted estimators on their training table; y has codes or numbers."""
    numbers = not hasattr(ours, "classes_")
    targets = np.asarray(y).reshape(len(X), -1)
    weights = np.ones(len(X)) if w is None else np.asarray(w, float)
    score = Score(targets, weights, ours.criterion)
    mine, other, found = ours.tree_, theirs.tree_, Comparison()
    stack = [(0, 0, np.arange(len(X)))]
    while stack:
        node, twin, rows = stack.pop()
        assert mine.n_rows[node] == other.n_node_samples[twin] == len(rows)
        np.testing.assert_allclose(
            mine.impurity[node], other.impurity[twin], rtol=1e-6, atol=1e-9
        )
        if numbers:
            np.testing.assert_allclose(
                mine.value[node], other.value[twin].ravel(), rtol=1e-9
            )
        if other.children_left[twin] < 0 or mine.feature[node] < 0:
            assert other.children_left[twin] < 0, f"node {node} should be split"
            assert mine.feature[node] < 0, f"node {node} should be a leaf"
            continue
        question = int(mine.feature[node]), float(mine.threshold[node])
        twin_question = int(other.feature[twin]), float(other.threshold[twin])
        left = X[rows, question[0]] <= question[1]
        children = list(mine.children(node))
        twins = [int(other.children_left[twin]), int(other.children_right[twin])]
        if question == twin_question:
            found.same += 1
        else:
            twin_left = X[rows, twin_question[0]] <= twin_question[1]
            score.assert_tie(rows, left, twin_left, (question, twin_question))
            if (left != left[0]).tolist() != (twin_left != twin_left[0]).tolist():
                found.forks += 1
                continue
            found.ties += 1
            if left[0] != twin_left[0]:
                twins.reverse()
        stack += [
            (children[0], twins[0], rows[left]),
            (children[1], twins[1], rows[~left]),
        ]
    return found


@dataclass
class Score:
    """Gains of splits from the definition of the criterion; the mean over outputs."""

    y: np.ndarray
    w: np.ndarray
    criterion: str

    def gain(self, rows: np.ndarray, left: np.ndarray) -> float:
        parts = [rows[left], rows[~left]]
        total = self.w[rows].sum()
        after = sum(self.w[part].sum() * self.impurity(part) for part in parts)
        return self.impurity(rows) - after / total

    def impurity(self, rows: np.ndarray) -> float:
        w = self.w[rows]
        return float(np.mean([_IMPURITY[self.criterion](y[rows], w) for y in self.y.T]))

    def assert_tie(self, rows, left, twin_left, questions) -> None:
        gain, twin_gain = self.gain(rows, left), self.gain(rows, twin_left)
        slack = RELATIVE * max(self.impurity(rows), 1e-12)
        assert abs(gain - twin_gain) <= slack, (questions, gain, twin_gain)


def _shares(y: np.ndarray, w: np.ndarray) -> np.ndarray:
    weights = np.bincount(y.astype(int), weights=w)
    return weights[weights > 0] / weights.sum()


def _squared_error(y: np.ndarray, w: np.ndarray) -> float:
    return float(np.average((y - np.average(y, weights=w)) ** 2, weights=w))


def _absolute_error(y: np.ndarray, w: np.ndarray) -> float:
    order = np.argsort(y)
    heavier = np.searchsorted(np.cumsum(w[order]), w.sum() / 2)
    return float(np.average(np.abs(y - y[order][heavier]), weights=w))


_IMPURITY = {
    "gini": lambda y, w: 1 - (_shares(y, w) ** 2).sum(),
    "entropy": lambda y, w: -(_shares(y, w) * np.log2(_shares(y, w))).sum(),
    "squared_error": _squared_error,
    "absolute_error": _absolute_error,
}
