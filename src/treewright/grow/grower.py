"""The growing loop: from one open node, the root, to a tree of leaves.

    open the root
    while nodes are open:
        look at the best split of every feature at each open node     source.candidates
        choose a feature for each node                                choose
        close the nodes that gain too little                          stopping.after
        split the others                                              source.split
        close the nodes whose split could be chance                   stopping
        close the branches that must be leaves                        stopping.before
        open the rest                                                 source.advance

Nodes are taken in batches: breadth first, or, when the number of leaves is limited, one
at a time, the one that gains most first. Nothing here knows where the rows are.

Most nodes of a deep tree are small, and to Python a batch of small nodes is as long as
one of large nodes. What is below a small node is grown in one call, with the same
result (`source.grow_out`), unless a source or a limit needs the steps one by one.
"""

from __future__ import annotations

import heapq
from collections import deque
from dataclasses import replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from treewright.grow.builder import Builder
from treewright.grow.chalk.watch import Watch, WatchedBatch
from treewright.grow.choose import REASONS_FOUND, Choice, Choosing, choose
from treewright.grow.draws import Draws, branch_keys, by_feature
from treewright.grow.open_nodes import OpenNodes, chosen_of, one_of
from treewright.grow.stopping import Stopping
from treewright.sources.class_statistics import ClassStatistics
from treewright.sources.node_statistics import Statistics
from treewright.sources.source import Branches, Chosen, Frontier, GrownOut, Source
from treewright.tree.structure.tree import NodeKind, Reason

Ints = npt.NDArray[np.int64]

# A batch is at most this many cells (rows x features) and nodes: a compiled call stays
# short enough to answer Ctrl-C, and long enough that Python's share is small.
BATCH_CELLS = 8_000_000
BATCH_NODES = 16_384


class Grower:
    """Grows one tree from a source, or several side by side.

    - `source`: where the rows are.
    - `statistics`: how to read the sums that the source returns.
    - `stopping`: when a node is a leaf.
    - `kinds`: the `NodeKind` that a split on each feature makes.
    - `choosing`: how the features are compared.
    - `reuse_features`: whether a nominal feature may be asked about again on a path.
    - `watch`: is shown what is compared, for chalk.
    - `draws`: every node looks at a few features, drawn at random.
    """

    def __init__(
        self,
        source: Source,
        statistics: Statistics,
        stopping: Stopping,
        *,
        kinds: npt.NDArray[np.uint8],
        choosing: Choosing,
        reuse_features: bool,
        watch: Watch | None = None,
        draws: Draws | None = None,
    ) -> None:
        self.watch = watch
        self.draws = draws
        self.source, self._dense = source, source.dense()
        self.statistics = statistics
        self.stopping = stopping
        self.kinds = kinds
        self.choosing = choosing
        self.reuse_features = reuse_features
        self._left, self._whole = 1.0, 1.0
        # what is compared and weighed below small nodes is that of classes
        is_plain = not choosing.by_worth and stopping.by_rows
        alone = is_plain or isinstance(statistics, ClassStatistics)
        alone = alone and stopping.by_sums and watch is None
        self._small_rows = self._dense.small_rows if alone and self._dense else 0
        self._small: list[OpenNodes] = []

    @property
    def share_done(self) -> float:
        """How much of the growing is done, about; another thread may ask."""
        return 1.0 - max(self._left, 0.0) / self._whole

    def grow(self) -> Builder:
        """Grow whole trees; the first nodes are their roots."""
        statistics, pure, n_rows = self.source.open_roots()
        # few trees have more nodes than half the leaves that their rows could fill
        n_leaves = int(n_rows.sum()) // max(self.stopping.min_rows_in_leaf, 1)
        self.tree = Builder(statistics.shape[1], capacity=max(n_leaves // 2, 64))
        new = self.tree.append(
            statistics=statistics,
            n_rows=n_rows,
            pure=pure,
            parent=np.full(len(n_rows), -1, np.int32),
        )
        roots = np.arange(len(n_rows))
        n_flags = 0 if self.reuse_features else self.source.n_features
        allowed = np.ones((len(roots), n_flags), np.uint8)
        keys, n_words = np.zeros(0, np.uint64), 0
        if self.draws is not None:
            keys, n_words = self.draws.keys, -(-self.source.n_features // 64)
        constant = np.zeros((len(roots), n_words), np.uint64)
        every = OpenNodes(roots, roots, allowed, keys, constant)
        open_nodes, _ = every.parted(self._close_leaves(new))
        self._left = self._work(open_nodes)
        self._whole = max(self._left, 1.0)
        if self.stopping.max_leaf_nodes is None:
            self._grow_breadth_first(open_nodes)
        else:
            self._grow_best_first(open_nodes, self.stopping.max_leaf_nodes)
        return self.tree

    def _grow_breadth_first(self, open_nodes: OpenNodes) -> None:
        waiting = deque([self._put_small_aside(open_nodes)])
        while waiting:
            for batch in self._batches(waiting.popleft()):
                choice = self._look(batch)
                which = (choice.feature >= 0).nonzero()[0]
                done = self._work(batch)
                if len(which):
                    opened = self._split(batch, choice, which)
                    done -= self._work(opened)
                    waiting.append(self._put_small_aside(opened))
                self._left -= done  # in one step: another thread may look at any time
        if self._small:
            # a cell is looked at once for each level below it
            most_cells = BATCH_CELLS // 16
            for batch in self._batches(OpenNodes.join(self._small), most_cells):
                self._grow_out(batch)
                self._left -= self._work(batch)
            if np.count_nonzero(self.tree.parent[: self.tree.n_nodes] < 0) == 1:
                self.tree.number_by_level()  # several trees will be when taken apart

    def _put_small_aside(self, nodes: OpenNodes) -> OpenNodes:
        """Keep small nodes for the end; the others."""
        n_rows = self.tree.n_rows[nodes.nodes]
        small, others = nodes.parted(n_rows <= self._small_rows)
        if len(small):
            self._small.append(small)
        return others

    def _grow_out(self, batch: OpenNodes) -> None:
        """Grow all that is below the nodes of a batch."""
        tree = self.tree
        drawing = None
        if self.draws is not None:
            drawing = self.draws.drawing(batch.keys, batch.constant)
        assert self._dense is not None  # who has small nodes
        grown = self._dense.grow_out(
            batch.handles,
            tree.statistics[batch.nodes],
            tree.depth[batch.nodes],
            batch.allowed,
            drawing,
            self.stopping.leaf_limits,
            self.choosing.core,
        )
        # the numbers of the branches, and, counted from behind, of the open nodes
        new = np.arange(tree.n_nodes, tree.n_nodes + len(grown.depth))
        numbers = np.concatenate((new, batch.nodes[::-1]))
        nodes = numbers[grown.node]
        self._close_leaves(
            self._write_splits(nodes, grown, grown.branches, grown.depth)
        )
        gain = np.maximum(grown.gain, 0.0)
        weight = self.statistics.weight(tree.statistics.take(nodes, axis=0))
        tree.gain[nodes] = self.statistics.gain(gain, weight)
        tree.reason[nodes] = Reason.NONE
        tree.reason[numbers[grown.unsplit]] = REASONS_FOUND.take(grown.why)

    def _work(self, nodes: OpenNodes) -> float:
        """What is left to do below open nodes: n log n for n rows, as in sorting."""
        n_rows = self.tree.n_rows[nodes.nodes].astype(np.float64)
        return float(n_rows @ np.log2(n_rows + 1.0))

    def _grow_best_first(self, open_nodes: OpenNodes, max_leaf_nodes: int) -> None:
        n_leaves = 1
        heap: list[tuple[float, int, OpenNodes, Choice]] = []
        pending = open_nodes
        while True:
            for batch in self._batches(pending):
                choice = self._look(batch)
                for index in np.flatnonzero(choice.feature >= 0):
                    one = batch.take(slice(index, index + 1))
                    key = (-float(choice.gain[index]), int(one.nodes[0]))
                    heapq.heappush(heap, (*key, one, one_of(choice, int(index))))
            if not heap:
                return
            _, node, one, best = heapq.heappop(heap)
            if n_leaves == max_leaf_nodes:  # no split adds less than one leaf
                self.tree.reason[node] = Reason.MAX_LEAF_NODES
                pending = one.take(slice(0, 0))
                continue
            first = np.zeros(1, np.intp)
            chosen = chosen_of(one, best, first)
            branches = self.source.split(chosen)
            if self._close_by_chance(one.nodes, branches)[0]:
                pending = one.take(slice(0, 0))
                continue
            more = int(branches.n_branches[0]) - 1
            if n_leaves + more > max_leaf_nodes:
                self.tree.reason[node] = Reason.MAX_LEAF_NODES
                pending = one.take(slice(0, 0))
                continue
            n_leaves += more
            pending = self._attach(one, first, chosen, branches)

    def _batches(
        self, open_nodes: OpenNodes, most_cells: int = BATCH_CELLS
    ) -> list[OpenNodes]:
        """Cut a row of nodes into batches of bounded work."""
        if len(open_nodes) <= 1:
            return [open_nodes] if len(open_nodes) else []
        per_row = self.source.cells_per_row
        if self.draws is not None:
            per_row = self.draws.n_features
        cells = self.tree.n_rows[open_nodes.nodes] * max(per_row, 1)
        if len(cells) <= BATCH_NODES and cells.sum() < most_cells:
            return [open_nodes]
        number = np.cumsum(cells) // most_cells + np.arange(len(cells)) // BATCH_NODES
        borders = np.flatnonzero(np.diff(number)) + 1
        edges = [0, *borders.tolist(), len(open_nodes)]
        return [open_nodes.take(slice(a, b)) for a, b in pairwise(edges)]

    def _look(self, batch: OpenNodes) -> Choice:
        """The best split of each node; nodes without one become leaves."""
        statistics = self.tree.statistics[batch.nodes]
        weight = self.statistics.weight(statistics)
        per_score = self.statistics.gain(np.ones(len(batch)), weight)
        if self.choosing.tolerance > 0:
            tolerances = self.choosing.tolerance / per_score
        else:
            tolerances = self.source.tolerances(statistics)
        frontier = Frontier(
            batch.handles,
            statistics,
            tolerances,
            batch.allowed if not self.reuse_features else np.zeros(0, np.uint8),
        )
        if self.draws is None:
            found = self.source.candidates(frontier)
        else:
            drawing = self.draws.drawing(batch.keys, batch.constant)
            found, constant = self.source.drawn_candidates(frontier, drawing)
            batch.constant[:] = constant
        choice = choose(found, frontier, self.choosing, weight, per_score)
        if self.watch is not None and self._dense is not None:
            if self.draws is not None:
                frontier, found = by_feature(
                    frontier, found, batch.constant, self.source.n_features
                )
            depth, n_rows = self.tree.depth[batch.nodes], self.tree.n_rows[batch.nodes]
            shown = WatchedBatch(
                batch.nodes, depth, n_rows, weight, per_score, batch.allowed
            )
            self.watch.looked(
                self._dense, shown, frontier, found, choice, self.choosing
            )
        gain = self.statistics.gain(np.maximum(choice.gain, 0.0), weight)
        impurity = np.zeros(len(batch))
        if self.stopping.min_relative_gain > 0:
            impurity = self.statistics.impurity(statistics)
        too_little = self.stopping.after(gain, weight, impurity)
        too_little &= choice.feature >= 0
        choice.feature[too_little] = -1
        choice.reason[too_little] = Reason.MIN_GAIN
        self.tree.reason[batch.nodes] = choice.reason
        self.tree.gain[batch.nodes] = np.where(choice.feature >= 0, gain, 0.0)
        return choice

    def _split(
        self, batch: OpenNodes, choice: Choice, which: npt.NDArray[np.intp]
    ) -> OpenNodes:
        """Split the nodes `which` of a batch; their open branches."""
        chosen = chosen_of(batch, choice, which)
        branches = self.source.split(chosen)
        chance = self._close_by_chance(batch.nodes[which], branches)
        if chance.any():
            which = which[~chance]
            if len(which) == 0:
                return batch.take(slice(0, 0))
            chosen = chosen_of(batch, choice, which)
            branches = self.source.split(chosen)
        return self._attach(batch, which, chosen, branches)

    def _close_by_chance(
        self, nodes: Ints, branches: Branches
    ) -> npt.NDArray[np.bool_]:
        """Make leaves of nodes whose branches differ too little; which these are."""
        if self.stopping.chi_square_level is None:
            return np.zeros(len(nodes), bool)
        weights = self.statistics.value(branches.statistics, branches.pure)
        if self.watch is not None:
            self.watch.tested(nodes, weights, branches.n_branches)
        chance = self.stopping.could_be_chance(weights, branches.n_branches)
        self.tree.reason[nodes[chance]] = Reason.CHI_SQUARE
        self.tree.gain[nodes[chance]] = 0.0
        return chance

    def _attach(
        self,
        batch: OpenNodes,
        which: npt.NDArray[np.intp],
        chosen: Chosen,
        branches: Branches,
    ) -> OpenNodes:
        """Write splits and branches into the tree; open the branches that stay open."""
        nodes = batch.nodes[which]
        new = self._write_splits(nodes, chosen, branches)
        is_open = self._close_leaves(new)
        handles = self.source.advance(chosen, branches, is_open)
        allowed = self._allowed_below(batch, which)
        opened = is_open.nonzero()[0]
        parent = np.arange(len(which)).repeat(branches.n_branches)[opened]
        keys = batch.keys
        if len(keys):
            keys = branch_keys(keys[which], branches.n_branches)[opened]
        constant = batch.constant[which][parent]
        return OpenNodes(new.start + opened, handles, allowed[parent], keys, constant)

    def _write_splits(
        self,
        nodes: Ints,
        splits: Chosen | GrownOut,
        branches: Branches,
        depth: npt.NDArray[np.int32] | None = None,
    ) -> slice:
        """Write splits and their branches into the tree; where the branches stand."""
        shown = self._without_small(branches)
        kind = self.kinds[splits.feature]
        return self.tree.write_splits(nodes, kind, splits, branches, shown, depth)

    def _without_small(self, branches: Branches) -> Branches:
        """The branches as the tree has them: what weighs too little is empty."""
        least = self.stopping.min_branch_weight
        if least == 0:
            return branches
        weight = self.statistics.weight(branches.statistics)
        starts = np.cumsum(branches.n_branches) - branches.n_branches
        heaviest = np.maximum.reduceat(weight, starts)
        # where all weigh as little, there would be nothing to divide rows by
        some = np.repeat(heaviest >= least, branches.n_branches)
        small = some & (weight < least)
        return replace(
            branches,
            statistics=np.where(small[:, None], 0, branches.statistics),
            n_rows=np.where(small, 0, branches.n_rows),
            pure=branches.pure | small,
        )

    def _allowed_below(
        self, batch: OpenNodes, which: npt.NDArray[np.intp]
    ) -> npt.NDArray[np.uint8]:
        """The features that the branches may ask about."""
        allowed = batch.allowed[which]
        if not self.reuse_features:
            nodes = batch.nodes[which]
            used_up = self.tree.kind[nodes] == NodeKind.MULTIWAY.value
            allowed[used_up, self.tree.feature[nodes[used_up]]] = 0
        return allowed

    def _close_leaves(self, nodes: slice) -> npt.NDArray[np.bool_]:
        """Mark the nodes that are leaves at once; whether each stays open."""
        tree = self.tree
        stopping = self.stopping
        statistics, pure = tree.statistics[nodes], tree.pure[nodes]
        if stopping.slack > 0:
            pure = pure | self.statistics.agree(statistics, stopping.slack)
        weight = impurity = np.zeros(len(statistics))
        if stopping.min_weight_to_split > 0:
            weight = self.statistics.weight(statistics)
        if stopping.min_impurity > 0:
            impurity = self.statistics.impurity(statistics)
        n_rows, depth = tree.n_rows[nodes], tree.depth[nodes]
        reason = stopping.before(
            n_rows=n_rows, weight=weight, depth=depth, impurity=impurity, pure=pure
        )
        tree.reason[nodes] = reason
        return np.asarray(reason == Reason.NONE.value)
