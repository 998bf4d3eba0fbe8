"""The choice: which feature an open node is split on.

The source has found the best split of every feature. The largest gain wins, or, for
C4.5, the largest gain ratio among the features that gain enough (`Choosing` has the
switches, `guards.py` says what is enough). Of equals the first feature in column order
is taken, or the one that was drawn first.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.grow.guards import Guard, fewest_branches
from treewright.sources.source import TOO_FEW_ROWS, Candidates, Frontier
from treewright.tree.structure.tree import Reason

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Numbers = npt.NDArray[Any]  # float64, or float32 for C4.5 Release 8

# where no gain is needed: a gain of 0 may come out this far below it by rounding
LEAST_WORTH = -1e-3


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

    by_ratio: bool = False  # compare gain divided by split information; else gain
    guard: Guard | None = None  # only features that gain enough take part
    # a cut's gain is lowered by log2(number of cuts) / weight of the node
    cost: bool = False
    # the gain of groups of values is lowered by the bits that name them / weight
    charge: bool = False
    # bool, shape (n_features,) or that of the gains: features that are cut
    is_cut: Flags = field(default_factory=lambda: np.zeros(0, bool))
    # int64, of the same shape: branches of a split on each feature, without one for
    # missing values
    n_branches: npt.NDArray[np.int64] = field(
        default_factory=lambda: np.zeros(0, np.int64)
    )
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

    def of_features(self, drawn: npt.NDArray[np.int64]) -> Choosing:
        """Return the same for some features of each node, as the columns of `drawn`."""
        guard = self.guard
        if guard is not None:
            guard = replace(guard, few_valued=guard.few_valued[drawn])
        return replace(
            self,
            guard=guard,
            is_cut=self.is_cut[drawn],
            n_branches=self.n_branches[drawn],
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
    gain = np.ascontiguousarray(candidates.gain)
    n_nodes, n_features = gain.shape
    if n_features == 0:
        return _no_feature(frontier.tolerances)
    drawn = candidates.feature
    if drawn.size and choosing.by_worth:
        choosing = choosing.of_features(drawn)
    nodes = np.arange(n_nodes)
    best = gain[nodes, gain.argmax(axis=1)]  # quicker than max()
    found = best > TOO_FEW_ROWS
    reason = np.full(n_nodes, Reason.NO_SPLIT, np.uint8)
    reason[best == TOO_FEW_ROWS] = Reason.MIN_SAMPLES_LEAF
    if choosing.by_worth:
        weighed = weigh(candidates, choosing, weight, per_score)
        winner = _best_in_turn(weighed, choosing)
        reason[found & (winner < 0)] = Reason.NO_GAIN
        found &= winner >= 0
    else:
        winner = np.argmax(gain >= (best - frontier.tolerances)[:, None], axis=1)
    winner[~found] = 0
    feature = drawn[nodes, winner] if drawn.size else winner
    if frontier.allowed.size:
        reason[~frontier.allowed.any(axis=1)] = Reason.NO_FEATURE_LEFT
    reason[found] = Reason.NONE
    return Choice(
        feature=np.where(found, feature, -1).astype(np.int32),
        gain=np.where(found, gain[nodes, winner], 0.0),
        position=candidates.position[nodes, winner],
        reason=reason,
        tolerances=frontier.tolerances,
    )


@dataclass(frozen=True, eq=False)
class Weighed:
    """What is compared at each node, by feature; gains are per row.

    `gain` is as found, `net` what is left after `cost` (naming a cut) and `charge`
    (naming groups); `least` is the guard's per node, NaN without one. `counts` says
    which features the guard looked at, `valid` which are compared, by `worth`.
    """

    gain: Numbers
    cost: Numbers
    charge: Numbers
    net: Numbers
    least: Floats
    counts: Flags
    valid: Flags
    worth: Numbers


def weigh(
    candidates: Candidates, choosing: Choosing, weight: Floats, per_score: Floats
) -> Weighed:
    """Take costs off the gains, ask the guard, and divide by split information."""
    valid = candidates.gain > TOO_FEW_ROWS
    gain = np.where(valid, candidates.gain, 0.0) * per_score[:, None]
    number = np.float32 if choosing.single_precision else np.float64
    gain = gain.astype(number, copy=False)
    cost = charge = np.zeros((1, 1), number)
    net = gain
    pays = choosing.is_cut
    if choosing.cost and pays.any():
        n_cuts = np.maximum(candidates.n_cuts, 1)
        cost = np.where(choosing.is_cut, np.log2(n_cuts) / weight[:, None], 0.0)
        cost = cost.astype(number, copy=False)
        net = net - cost
    if choosing.charge:
        charge = (candidates.charge / weight[:, None]).astype(number, copy=False)
        pays = pays | (charge > 0)
        net = net - charge
    # a split that pays and gains nothing is out; another still counts in the average
    if choosing.by_worth and pays.any():
        valid = valid & (~pays | (net > choosing.tolerance))
    counts = valid
    least = np.full(len(gain), np.nan)
    if choosing.guard is not None:
        wide = net.astype(np.float64, copy=False)
        least = choosing.guard.least(wide, counts, weight)
        valid = valid & choosing.guard.passes(wide, least)
    worth = net
    if choosing.by_ratio:
        information = candidates.split_information
        valid = valid & (information > choosing.min_split_information)
        worth = net / np.where(valid, information, 1.0).astype(number, copy=False)
    return Weighed(gain, cost, charge, net, least, counts, valid, worth)


def _best_in_turn(weighed: Weighed, choosing: Choosing) -> npt.NDArray[np.int64]:
    """C4.5's choice; -1 where no feature is worth enough.

    A feature replaces the best before it if it is better by more than the tolerance.
    """
    valid, worth = weighed.valid, weighed.worth
    # rounding must not decide between equals, unless that is what the original does
    rounding = 0.0 if choosing.single_precision else 1e-12
    tolerance = max(choosing.tolerance, rounding)
    best = np.full(len(worth), LEAST_WORTH if choosing.accepts_no_gain else 0.0)
    winner = np.full(len(worth), -1, np.int64)
    if choosing.guard is not None and choosing.guard.kind == "c50":
        valid = valid & (worth > tolerance)
        some = valid.any(axis=1)
        n_branches = np.broadcast_to(choosing.n_branches, worth.shape)
        winner[some] = fewest_branches(
            worth[some], weighed.net[some], valid[some], n_branches[some]
        )
        return winner
    for feature, own in enumerate(np.where(valid, worth, -np.inf).T.copy()):
        better = own > best + tolerance
        np.copyto(best, own, where=better)
        np.copyto(winner, feature, where=better)
    return winner


def _no_feature(tolerances: Floats) -> Choice:
    """No choice, because there is nothing to choose from."""
    n_nodes = len(tolerances)
    return Choice(
        feature=np.full(n_nodes, -1, np.int32),
        gain=np.zeros(n_nodes),
        position=np.zeros(n_nodes, np.int64),
        reason=np.full(n_nodes, Reason.NO_FEATURE_LEFT, np.uint8),
        tolerances=tolerances,
    )
