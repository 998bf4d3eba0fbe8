"""The ballot: a forest ready to vote, made once and asked often.

Its answers are those of `vote.py`, which asks one tree after the other; the work is in
`core/voter.hpp`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from treewright import _core
from treewright.data.machine import thread_count
from treewright.data.schema import Target
from treewright.data.sparse.sparse_cells import SparseCells
from treewright.tree.predict.place import ends_of
from treewright.tree.predict.vote import (
    Smoothing,
    all_shares,
    node_confidence,
    normal,
    predicted_numbers,
    probabilities,
    votes,
)
from treewright.tree.predict.voting import Voting
from treewright.tree.predict.walk import Cells, tree_arrays
from treewright.tree.structure.compact_tree import CompactTree, can_end
from treewright.tree.structure.distinct import Places, distinct_rows
from treewright.tree.structure.tree import Tree

Floats = npt.NDArray[np.float64]

_SMALL = 20_000  # rows times trees that one thread is enough for
FEW_CLASSES = 4  # shares that each node may have beside the trees
_OWN: Places = np.zeros(0, np.int32)


class Ballot:
    """The trees of a forest with what every node of them answers.

    `target`: what is predicted. `trees`: those that vote. `smoothing`: how class
    weights become shares. `voting`: what each tree contributes, and how much it counts.
    """

    def __init__(
        self,
        target: Target,
        trees: Sequence[Tree],
        smoothing: Smoothing,
        voting: Voting,
    ) -> None:
        self._target = target
        self._slots = target.slots if target.kind == "classes" else []
        self._trees = tuple(trees)
        self._smoothing = smoothing
        self._voting = voting
        self._shared: dict[int, Floats] = {}  # votes, by the table of labels
        said = [self._weighted(tree, voting.weight(k)) for k, tree in enumerate(trees)]
        self._some_are_silent = any(tree.gives_no_class().any() for tree in trees)
        self._voter = _core.Voter(
            [tree_arrays(tree) for tree in trees],
            [places for places, _ in said],
            [answers for _, answers in said],
            said[0][1].shape[1],
        )

    def means(self, cells: Cells) -> Floats:
        """Return the mean answer for each row: shares of all outputs, or numbers."""
        if isinstance(cells, SparseCells):
            return np.concatenate([self.means(block) for block in cells.blocks()])
        cells = np.ascontiguousarray(cells, np.float64)
        # counting the threads would take a good part of the time for one row
        is_small = len(cells) * len(self._trees) < _SMALL
        sums, divided = self._voter.vote(cells, 1 if is_small else thread_count(None))
        sums /= self._voting.total(len(self._trees))
        if divided.any():
            rows = np.flatnonzero(divided)
            sums[rows] = self._slowly(cells[rows])
        return sums

    def shares(self, cells: Cells) -> list[Floats]:
        """Return, per output, the mean share of each class for each row."""
        means = self.means(cells)
        each = [means[:, slot] for slot in self._slots]
        some_lack = self._some_are_silent or self._voting.kind == "confidence"
        return [normal(shares) for shares in each] if some_lack else each

    def _weighted(self, tree: Tree, weight: float) -> tuple[Places, Floats]:
        places, answers = self._answers(tree)
        return places, answers if weight == 1.0 else answers * weight

    def _answers(self, tree: Tree) -> tuple[Places, Floats]:
        """The row of a table that each node answers with, and the table.

        Without any rows, each node has its own.
        """
        if self._voting.is_by_class and self._target.kind == "classes":
            return self._votes(tree)
        if isinstance(tree, CompactTree):
            return tree.arrays["place"].astype(np.int32), tree.answers
        if self._target.kind != "classes":
            return _OWN, np.ascontiguousarray(tree.value)
        table = all_shares(self._target, tree, self._smoothing)
        if table.shape[1] <= FEW_CLASSES:
            return _OWN, np.ascontiguousarray(table)
        # the leaves of a forest have few different answers
        ends = can_end(tree)
        table[~ends] = 0.0
        return distinct_rows(table)

    def _votes(self, tree: Tree) -> tuple[Places, Floats]:
        """The vote of each node for its class, as sure as it is if that counts."""
        if isinstance(tree, CompactTree):
            key = id(tree.labels)  # one table for all trees
            if key not in self._shared:
                self._shared[key] = self._of_labels(tree.labels)
            return tree.arrays["place"].astype(np.int32), self._shared[key]
        own = self._of_labels(tree.label)
        if self._voting.kind == "confidence":
            own *= np.hstack([node_confidence(tree, slot) for slot in self._slots])
        return _OWN, own

    def _of_labels(self, labels: npt.NDArray[np.int32]) -> Floats:
        """A vote for each label, all outputs side by side."""
        each = [
            votes(labels[:, output], slot.stop - slot.start)
            for output, slot in enumerate(self._slots)
        ]
        return np.ascontiguousarray(np.hstack(each))

    def _slowly(self, cells: Cells) -> Floats:
        """Rows that some tree divides among branches."""
        ends = ends_of(self._trees, cells)
        if self._target.kind != "classes":
            numbers = predicted_numbers(self._trees, ends, self._voting)
            return numbers.reshape(len(cells), -1)
        return np.hstack(
            probabilities(
                self._target,
                self._trees,
                ends,
                smoothing=self._smoothing,
                voting=self._voting,
            )
        )
