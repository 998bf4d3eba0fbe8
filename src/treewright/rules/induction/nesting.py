"""Nested conditions: x <= 3 below x <= 5 below x <= 9, on one path.

A row that fails x <= 9 fails the other two as well. So x <= 9 is *idle*: without it the
rule covers the same rows, and it matters to no other condition, as long as two tighter
ones are there. Nothing has to be counted for it, which long paths are full of.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treewright.rules.condition import Asks, Condition
from treewright.rules.rule_rows import Stretches

_TIGHTEST = 2  # of a side, that are not idle


@dataclass(frozen=True, eq=False)
class Nesting:
    """By the number of a condition its side, -1 for none, and how tight it is."""

    side: npt.NDArray[np.int64]
    tightness: npt.NDArray[np.float64]

    @classmethod
    def of(cls, conditions: Sequence[Condition]) -> Nesting:
        """Return which conditions are one end of a number."""
        sides, tightness = [], []
        for one in conditions:
            is_upper = one.asks == Asks.INTERVAL and one.low == -math.inf
            is_lower = one.asks == Asks.INTERVAL and one.high == math.inf
            if is_upper == is_lower:
                sides.append(-1)
                tightness.append(0.0)
            else:
                sides.append(2 * one.feature + is_upper)
                tightness.append(-one.high if is_upper else one.low)
        return cls(np.array(sides, np.int64), np.array(tightness, np.float64))

    def idle(self, rules: Stretches) -> npt.NDArray[np.bool_]:
        """Return for each condition of each rule whether two tighter ones are there."""
        idle = np.zeros(len(rules.condition), bool)
        side = self.side[rules.condition]
        places = np.flatnonzero(side >= 0)
        if len(places) == 0:
            return idle
        owner = np.repeat(np.arange(len(rules)), rules.lengths)[places]
        tightness = self.tightness[rules.condition[places]]
        order = np.lexsort((-tightness, side[places], owner))
        owner, side, places = owner[order], side[places][order], places[order]
        is_first = np.ones(len(places), bool)
        is_first[1:] = (owner[1:] != owner[:-1]) | (side[1:] != side[:-1])
        first = np.flatnonzero(is_first)
        rank = np.arange(len(places)) - first[np.cumsum(is_first) - 1]
        idle[places[rank >= _TIGHTEST]] = True
        return idle
