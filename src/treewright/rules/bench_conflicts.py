"""Pairs of rules that meet the same rows: do they disagree, who answers, who is right.

The sums over rows are products of matrices; rows that meet the same rules count as one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treewright.rules.bench import Bench
from treewright.rules.condition import Rows

Floats = npt.NDArray[np.float64]
_BLOCK = 8192  # rows


@dataclass(frozen=True, eq=False)
class Overlaps:
    """Sums over rows for each pair of rules, each of shape (n_rules, n_rules).

    Attributes
    ----------
    both : ndarray of float64
        The weight of the rows that meet both; on the diagonal, of those of one rule.
    disagree : ndarray of float64
        The same where the two rules answer differently, else 0.
    wins : ndarray of float64
        wins[a, b]: of the rows that meet both, those that rule a answers for. An
        earlier rule than either may answer for the rest.
    right : ndarray of float64
        right[a, b]: of the rows that meet both, those of the class that a answers.
    """

    both: Floats
    disagree: Floats
    wins: Floats
    right: Floats

    def pairs(self) -> list[tuple[int, int]]:
        """Return the pairs that disagree about rows, those of most weight first."""
        first, second = np.nonzero(np.triu(self.disagree, 1))
        order = np.argsort(-self.disagree[first, second], kind="stable")
        return list(zip(first[order].tolist(), second[order].tolist(), strict=True))


def overlaps(bench: Bench) -> Overlaps:
    """Return what pairs of rules have in common."""
    n_rules = len(bench.rule_set)
    both, wins, right = np.zeros((3, n_rules, n_rules))
    answers = bench.answers[:-1, None]
    position = np.arange(n_rules)[:, None]
    kinds, weights = _kinds_of_rows(bench)
    for start in range(0, len(kinds), _BLOCK):
        rows = kinds[start : start + _BLOCK]
        covered = bench.covered[:, rows]
        weighed = (covered * weights[start : start + _BLOCK]).T
        both += covered.astype(np.float64) @ weighed
        answering = bench.first_two[0][rows] == position
        wins += answering.astype(np.float64) @ weighed
        is_right = covered & (bench.classes[rows] == answers)
        right += is_right.astype(np.float64) @ weighed
    return Overlaps(both, np.where(answers != answers.T, both, 0.0), wins, right)


def _kinds_of_rows(bench: Bench) -> tuple[Rows, Floats]:
    """A row of each kind, and the weight of all its kind.

    Rows of one class that meet the same rules are of a kind, and there are few.
    """
    met = np.packbits(bench.covered, axis=0).T
    classes = bench.classes[:, None].view(np.uint8)
    keys = np.ascontiguousarray(np.hstack([met, classes]))
    as_one = keys.view(np.dtype((np.void, keys.shape[1])))[:, 0]
    _, kinds, kind = np.unique(as_one, return_index=True, return_inverse=True)
    return kinds, np.bincount(kind, bench.weights, len(kinds)).astype(np.float64)
