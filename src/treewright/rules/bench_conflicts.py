"""Pairs of rules that meet the same rows: do they disagree, who answers, who is right.

The sums over rows are products of matrices; rows that meet the same rules count as one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treewright.rules.bench import Bench
from treewright.rules.condition import Bools, Rows

Floats = npt.NDArray[np.float64]
_BLOCK = 8192  # rows
_FLOAT32_EXACT = 2**24  # whole numbers up to here


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
        right[a, b]: of the rows that meet both, those of the class that a answers; 0
        for numbers.
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
    answers = bench.answers[:-1]
    kinds, weights = _kinds_of_rows(bench)
    classes, first = bench.classes[kinds], bench.first_two[0][kinds]
    for code in np.unique(classes).tolist():
        of_class = classes == code
        together = _together(bench.covered, kinds[of_class], weights[of_class])
        both += together
        if not bench.is_numbers:
            right[answers == code] = together[answers == code]
    for rule in range(n_rules):
        own = first == rule
        wins[rule] = bench.covered[:, kinds[own]] @ weights[own]
    differ = answers[:, None] != answers
    return Overlaps(both, np.where(differ, both, 0.0), wins, right)


def _together(covered: Bools, rows: Rows, weights: Floats) -> Floats:
    """The weight of the rows that meet both rules, for each pair."""
    is_exact = (weights == np.rint(weights)).all() and weights.sum() < _FLOAT32_EXACT
    dtype = np.float32 if is_exact else np.float64
    found = np.zeros((len(covered), len(covered)))
    for start in range(0, len(rows), _BLOCK):
        block = slice(start, start + _BLOCK)
        met = covered[:, rows[block]].astype(dtype)
        found += (met * weights[block].astype(dtype)) @ met.T
    return found


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
