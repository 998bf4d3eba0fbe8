"""The choice: which feature an open node is split on.

The source has found the best split of every feature; here the largest gain wins, and of
gains that are equal within the node's tolerance the first feature in column order.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treewright.sources.source import TOO_FEW_ROWS, Candidates, Frontier
from treewright.tree.tree import Reason


@dataclass(frozen=True, eq=False)
class Choice:
    """The best split of each node of a batch.

    `feature` is -1 where there is none, and `reason` (a `Reason` each) says why.
    `gain` and `tolerances` are in score units.
    """

    feature: npt.NDArray[np.int32]
    gain: npt.NDArray[np.float64]
    position: npt.NDArray[np.int64]
    reason: npt.NDArray[np.uint8]
    tolerances: npt.NDArray[np.float64]


def choose(candidates: Candidates, frontier: Frontier) -> Choice:
    """Take the feature with the largest gain at each node."""
    gain = np.ascontiguousarray(candidates.gain)
    n_nodes, n_features = gain.shape
    nodes = np.arange(n_nodes)
    if n_features == 0:
        return _no_feature(frontier.tolerances)
    best = gain.max(axis=1)
    found = best > TOO_FEW_ROWS
    winner = np.argmax(gain >= (best - frontier.tolerances)[:, None], axis=1)
    winner[~found] = 0
    reason = np.where(best == TOO_FEW_ROWS, Reason.MIN_SAMPLES_LEAF, Reason.NO_SPLIT)
    if frontier.allowed.size:
        reason[~frontier.allowed.any(axis=1)] = Reason.NO_FEATURE_LEFT
    reason[found] = Reason.NONE
    return Choice(
        feature=np.where(found, winner, -1).astype(np.int32),
        gain=np.where(found, gain[nodes, winner], 0.0),
        position=candidates.position[nodes, winner],
        reason=reason.astype(np.uint8),
        tolerances=frontier.tolerances,
    )


def _no_feature(tolerances: npt.NDArray[np.float64]) -> Choice:
    """No choice, because there is nothing to choose from."""
    n_nodes = len(tolerances)
    return Choice(
        feature=np.full(n_nodes, -1, np.int32),
        gain=np.zeros(n_nodes),
        position=np.zeros(n_nodes, np.int64),
        reason=np.full(n_nodes, Reason.NO_FEATURE_LEFT, np.uint8),
        tolerances=tolerances,
    )
