"""Watching a tree grow: the tables behind every candidate, as the engine counts them.

The grower shows a `Watch` each batch of nodes once the best splits are found and the
choice is made, before anything is moved. The watch asks the source for the branches of
all candidates, not only the chosen ones, and for the cuts in between.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from treewright.errors import SettingError
from treewright.grow.choose import Choice, Choosing, Weighed, weigh
from treewright.sources.source import (
    TOO_FEW_ROWS,
    Candidates,
    Chosen,
    DenseSource,
    Frontier,
    ScoredCuts,
    Tabulated,
)

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

MOST_STEPS = 500  # nodes that are shown without being asked for
MOST_FEATURES = 30  # of a node, whose cuts are counted and whose rows are shown
_MOST_CUTS = 64  # of a feature at a node, with their counts
_CELLS_FOR_CUTS = 4_000_000  # rows that are counted again to show cuts of a feature


@dataclass(frozen=True, eq=False)
class Items:
    """Splits that were counted: the node and feature of each, and their tables."""

    node: Ints
    feature: npt.NDArray[np.int32]
    position: Ints
    tables: Tabulated


@dataclass(frozen=True, eq=False)
class Look:
    """What was compared at a batch of nodes; arrays are (nodes, features)."""

    nodes: Ints
    candidates: Candidates
    weighed: Weighed
    best: npt.NDArray[np.int32]
    per_score: Floats  # gain per row for a score of 1, per node
    in_average: npt.NDArray[np.bool_]  # (nodes, features): whose gains the guard counts
    tolerance: Floats  # worths that differ by no more are a tie, per node
    allowed: npt.NDArray[np.uint8]
    drawn: npt.NDArray[np.bool_]  # (nodes, features): not left out by a random draw
    items: Items
    cuts: Items
    scored: dict[tuple[int, int], ScoredCuts]  # by node and feature


@dataclass(frozen=True)
class Selection:
    """Which nodes are to be shown: all, down to a depth, or one.

    Nodes are numbered as they are grown.
    """

    depth: int | None = None
    node: int | None = None

    def __post_init__(self) -> None:
        for name in ("depth", "node"):
            number = getattr(self, name)
            if number is not None and number < 0:
                raise SettingError(f"{name} is {number}: give 0 or more")
        if self.depth is not None and self.node is not None:
            raise SettingError("a depth and a node are given; give one of them")

    @property
    def is_whole(self) -> bool:
        """Whether nothing was said, so that every node is meant."""
        return self.depth is None and self.node is None

    def wants(self, nodes: Ints, depths: npt.NDArray[np.int32]) -> npt.NDArray[np.intp]:
        """The places of the nodes to be shown."""
        wanted = np.ones(len(nodes), bool)
        if self.depth is not None:
            wanted &= depths <= self.depth
        if self.node is not None:
            wanted &= nodes == self.node
        return np.flatnonzero(wanted)


@dataclass(frozen=True, eq=False)
class WatchedBatch:
    """The open nodes that are looked at; `per_score`: gain per row for a score of 1."""

    nodes: Ints
    depths: npt.NDArray[np.int32]
    n_rows: Ints
    weight: Floats
    per_score: Floats
    # (nodes, features) or empty: those that may be asked about, before any draw
    allowed: npt.NDArray[np.uint8] = field(
        default_factory=lambda: np.zeros(0, np.uint8)
    )


class Watch:
    """Collects what is compared while a tree grows."""

    def __init__(self, selection: Selection, *, counts_cuts: bool = True) -> None:
        self.selection = selection
        self.counts_cuts = counts_cuts  # whether both sides of single cuts are counted
        self.looks: list[Look] = []
        self.tests: dict[int, Floats] = {}  # class weights that chi-square saw, by node
        self._n_seen = 0

    def looked(
        self,
        source: DenseSource,
        batch: WatchedBatch,
        frontier: Frontier,
        found: Candidates,
        choice: Choice,
        choosing: Choosing,
    ) -> None:
        """Note what was found at a batch of nodes, and what was chosen."""
        which = self.selection.wants(batch.nodes, batch.depths)
        self._n_seen += len(which)
        if self.selection.is_whole and self._n_seen > MOST_STEPS:
            return  # too much to be shown: see `steps.py`
        if len(which) == 0:
            return
        nodes, n_rows = batch.nodes[which], batch.n_rows[which]
        weight, per_score = batch.weight[which], batch.per_score[which]
        found = _taken(found, which)
        handles, tolerances = frontier.handles[which], frontier.tolerances[which]
        node, feature = np.nonzero(found.gain > TOO_FEW_ROWS)
        items = _counted(
            source, handles, tolerances, node, feature, found.position[node, feature]
        )
        scored = {
            (int(nodes[one]), int(which_feature)): source.score_cuts(
                int(handles[one]), int(which_feature), float(tolerances[one])
            )
            for one, which_feature in zip(node, feature, strict=True)
            if choosing.is_cut[which_feature]
        }
        weighed = weigh(found, choosing, weight, per_score)
        in_average = weighed.counts
        if choosing.guard is not None:
            in_average = in_average & choosing.is_few_valued
        allowed = np.ones(found.gain.shape, np.uint8)
        if frontier.allowed.size:
            allowed = frontier.allowed[which]
        before = batch.allowed[which] if batch.allowed.size else np.ones_like(allowed)
        counted = self._counted_cuts(scored, weighed, choice.feature[which], nodes)
        cuts = self._cuts(source, handles, tolerances, nodes, n_rows, counted)
        self.looks.append(
            Look(
                nodes=nodes,
                candidates=found,
                weighed=weighed,
                in_average=in_average,
                best=choice.feature[which].copy(),
                per_score=per_score,
                tolerance=np.full(len(which), max(choosing.tolerance, 1e-12))
                if choosing.by_worth
                else tolerances * per_score,
                allowed=allowed,
                drawn=allowed >= before,
                items=items,
                cuts=cuts,
                scored=scored,
            )
        )

    def _counted_cuts(
        self,
        scored: dict[tuple[int, int], ScoredCuts],
        weighed: Weighed,
        best: npt.NDArray[np.int32],
        nodes: Ints,
    ) -> dict[tuple[int, int], ScoredCuts]:
        """Those whose sides are counted: of the features that are worth most."""
        if not self.counts_cuts:
            return {}
        worth = np.where(weighed.valid, weighed.worth, -np.inf)
        n_nodes, n_features = worth.shape
        if n_features <= MOST_FEATURES:
            return scored
        chosen = np.flatnonzero(best >= 0)
        worth[chosen, best[chosen]] = np.inf
        order = np.argsort(-worth, axis=1, kind="stable")[:, :MOST_FEATURES]
        kept = {
            (int(nodes[index]), feature)
            for index in range(n_nodes)
            for feature in order[index].tolist()
        }
        return {pair: cuts for pair, cuts in scored.items() if pair in kept}

    def tested(self, nodes: Ints, weights: Floats, n_branches: Ints) -> None:
        """Note the class weights that the chi-square test saw."""
        ends = np.cumsum(n_branches)
        for node, stop, count in zip(nodes, ends, n_branches, strict=True):
            self.tests[int(node)] = weights[stop - count : stop]

    @staticmethod
    def _cuts(
        source: DenseSource,
        handles: Ints,
        tolerances: Floats,
        nodes: Ints,
        n_rows: Ints,
        scored: dict[tuple[int, int], ScoredCuts],
    ) -> Items:
        """Count the sides of the cuts to be shown."""
        place = {int(node): index for index, node in enumerate(nodes)}
        node_parts, feature_parts, position_parts = [], [], []
        for (node, feature), cuts in scored.items():
            index = place[node]
            most = min(_MOST_CUTS, _CELLS_FOR_CUTS // max(int(n_rows[index]), 1))
            shown = thinned(cuts.gain, max(most, 5))
            node_parts.append(np.full(len(shown), index))
            feature_parts.append(np.full(len(shown), feature))
            position_parts.append(cuts.position[shown])
        if not node_parts:
            empty = np.zeros(0, np.int64)
            return _counted(source, handles, tolerances, empty, empty, empty)
        return _counted(
            source,
            handles,
            tolerances,
            np.concatenate(node_parts),
            np.concatenate(feature_parts),
            np.concatenate(position_parts),
        )


def _taken(found: Candidates, which: npt.NDArray[np.intp]) -> Candidates:
    """The candidates of some nodes; what the dialect does not ask for is 0."""
    nothing = np.zeros((len(which), found.gain.shape[1]))

    def taken(array: Floats) -> Floats:
        return array[which] if array.size else nothing

    return Candidates(
        gain=found.gain[which],
        position=found.position[which],
        n_cuts=taken(found.n_cuts),
        split_information=taken(found.split_information),
        charge=taken(found.charge),
    )


def thinned(gain: Floats, most: int) -> npt.NDArray[np.intp]:
    """Places of at most `most` of the numbers, evenly spread, with the largest."""
    if len(gain) <= most:
        return np.arange(len(gain))
    even = np.linspace(0, len(gain) - 1, most - 1).round().astype(np.intp)
    return np.unique(np.append(even, np.argmax(gain)))


def _counted(
    source: DenseSource,
    handles: Ints,
    tolerances: Floats,
    node: npt.NDArray[np.integer],
    feature: npt.NDArray[np.integer],
    position: npt.NDArray[np.integer],
) -> Items:
    features = feature.astype(np.int32)
    positions = np.ascontiguousarray(position, np.int64)
    tables = source.tabulate(
        Chosen(handles[node], features, positions, tolerances[node])
    )
    return Items(node.astype(np.int64), features, positions, tables)
