"""The choice: which feature an open node is split on.

The source has found the best split of every feature. The largest gain wins, or, for
C4.5, the largest gain ratio among the features that gain enough (`Choosing` has the
switches). Of equals the first feature in column order is taken, or the one that was
drawn first. The core compares (`core/choosing.cpp`), here and where it grows what is
below small nodes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from treewright import _core
from treewright.sources.source import Candidates, Frontier
from treewright.tree.structure.tree import Reason

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

# as numbered in core/choosing.hpp
GUARDS = {None: 0, "c45": 1, "c50": 2}
# C4.5: a gain this much below the average still passes. C5.0: so does one that reaches
# this share of the least gain
AVERAGE_SLACK, ENOUGH = _core.AVERAGE_SLACK, _core.ENOUGH
# what the core says of a node that was looked at
REASONS_FOUND = np.array(
    [
        Reason.NONE,
        Reason.NO_SPLIT,
        Reason.MIN_SAMPLES_LEAF,
        Reason.NO_GAIN,
        Reason.NO_FEATURE_LEFT,
    ],
    np.uint8,
)


@dataclass(frozen=True, eq=False)
class Choice:
    """The best split of each node of a batch.

    `feature` is -1 where there is none, and `reason` (a `Reason` each) says why.
    `gain` and `tolerances` are in score units.
    """

    feature: npt.NDArray[np.int32]
    gain: Floats
    position: npt.NDArray[np.int64]
    reason: npt.NDArray[np.uint8]
    tolerances: Floats


@dataclass(frozen=True, eq=False)
class Choosing:
    """How features are compared."""

    # by feature: whether it is cut; whether it does not have very many values; branches
    # of a split, without one for missing values
    is_cut: Flags
    is_few_valued: Flags
    n_branches: npt.NDArray[np.int64]
    rows_per_class: float = 0.0  # of the whole table
    weight_scale: float = 1.0  # of the statistics
    by_ratio: bool = False  # compare gain divided by split information; else gain
    # how much a split must gain before its ratio is looked at: "c45", the average gain;
    # "c50", the average in small tables, in large ones the bits that it takes to name a
    # feature. Features of very many values do not count in the average ("c45") or are
    # out ("c50").
    guard: str | None = None
    # a cut's gain is lowered by log2(number of cuts) / weight of the node
    cost: bool = False
    # the gain of groups of values is lowered by the bits that name them / weight
    charge: bool = False
    # gains and ratios, per row, that differ by no more are equal; 0: see `Frontier`
    tolerance: float = 0.0
    # gains and ratios are 32-bit floats, and the larger one wins, however close
    single_precision: bool = False
    # a split that pays nothing for being named needs no gain (C4.5)
    accepts_no_gain: bool = False
    min_split_information: float = 0.0  # a split must have more

    @property
    def by_worth(self) -> bool:
        """Whether worths are compared one by one, not just the gains as found."""
        return self.by_ratio or self.cost or self.tolerance > 0

    @cached_property
    def core(self) -> _core.Choosing:
        """The same, as the core reads it."""
        return _core.Choosing(
            by_ratio=self.by_ratio,
            guard=GUARDS[self.guard],
            pays_for_cuts=self.cost,
            pays_for_groups=self.charge,
            tolerance=self.tolerance,
            single_precision=self.single_precision,
            accepts_no_gain=self.accepts_no_gain,
            min_split_information=self.min_split_information,
            rows_per_class=self.rows_per_class,
            weight_scale=self.weight_scale,
            is_cut=self.is_cut,
            is_few_valued=self.is_few_valued,
            n_branches=self.n_branches,
        )


def choose(
    candidates: Candidates,
    frontier: Frontier,
    choosing: Choosing,
    weight: Floats,
    per_score: Floats,
) -> Choice:
    """Take the best feature at each node.

    `weight` is that of each node, `per_score` its gain per row for a score of 1.
    """
    feature, gain, position, why = _core.choose(
        choosing.core,
        *_tables(candidates),
        weight,
        per_score,
        frontier.tolerances,
        frontier.allowed,
    )
    reason = REASONS_FOUND.take(why)
    return Choice(feature, gain, position, reason, frontier.tolerances)


@dataclass(frozen=True, eq=False)
class Weighed:
    """What is compared at each node, by feature; gains are per row.

    `gain` is as found, `net` what is left after `cost` (naming a cut) and `charge`
    (naming groups); `least` is the guard's per node, NaN without one. `counts` says
    which features the guard looked at, `valid` which are compared, by `worth`.
    """

    gain: Floats
    cost: Floats
    charge: Floats
    net: Floats
    worth: Floats
    counts: Flags
    valid: Flags
    least: Floats


def weigh(
    candidates: Candidates, choosing: Choosing, weight: Floats, per_score: Floats
) -> Weighed:
    """Take costs off the gains, ask the guard, and divide by split information."""
    numbers, flags, least = _core.weigh(
        choosing.core, *_tables(candidates), weight, per_score
    )
    gain, cost, charge, net, worth = numbers
    counts, valid = flags.astype(bool)
    return Weighed(gain, cost, charge, net, worth, counts, valid, least)


def _tables(
    candidates: Candidates,
) -> tuple[
    Floats, npt.NDArray[np.int64], Floats, Floats, Floats, npt.NDArray[np.int64]
]:
    return (
        candidates.gain,
        candidates.position,
        candidates.n_cuts,
        candidates.split_information,
        candidates.charge,
        candidates.feature,
    )
