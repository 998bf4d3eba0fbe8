"""The ballot: a forest ready to vote, made once and asked often.

Its answers are those of `vote.py`, which asks one tree after the other; the work is in
`core/voter.hpp`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from treewright import _core
from treewright.data.schema import Target
from treewright.data.threads import thread_count
from treewright.tree.place import ends_of
from treewright.tree.tree import Tree
from treewright.tree.vote import (
    Smoothing,
    node_confidence,
    node_shares,
    normal,
    predicted_numbers,
    probabilities,
    votes,
)
from treewright.tree.voting import Voting
from treewright.tree.walk import Cells, tree_arrays

Floats = npt.NDArray[np.float64]


class Ballot:
    """The trees of a forest with what every node of them answers.

    Parameters
    ----------
    target : Target
        What is predicted.
    trees : sequence of Tree
        Those that vote.
    smoothing : Smoothing
        How class weights become shares.
    voting : Voting
        What each tree contributes, and how much it counts.
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
        answers = [
            self._answers(tree) * voting.weight(k) for k, tree in enumerate(trees)
        ]
        self._some_are_silent = any(tree.gives_no_class().any() for tree in trees)
        self._voter = _core.Voter(
            [tree_arrays(tree) for tree in trees], answers, answers[0].shape[1]
        )

    def means(self, cells: Cells) -> Floats:
        """Return the mean answer for each row: shares of all outputs, or numbers."""
        cells = np.ascontiguousarray(cells, np.float64)
        sums, divided = self._voter.vote(cells, thread_count(None))
        sums /= self._voting.total(len(self._trees))
        rows = np.flatnonzero(divided)
        if len(rows):
            sums[rows] = self._slowly(cells[rows])
        return sums

    def shares(self, cells: Cells) -> list[Floats]:
        """Return, per output, the mean share of each class for each row."""
        means = self.means(cells)
        each = [means[:, slot] for slot in self._slots]
        some_lack = self._some_are_silent or self._voting.kind == "confidence"
        return [normal(shares) for shares in each] if some_lack else each

    def _answers(self, tree: Tree) -> Floats:
        if self._target.kind != "classes":
            return np.ascontiguousarray(tree.value)
        if self._voting.is_by_class:
            own = [
                votes(tree.label[:, output], slot.stop - slot.start)
                for output, slot in enumerate(self._slots)
            ]
            if self._voting.kind == "confidence":
                sure = [node_confidence(tree, slot) for slot in self._slots]
                own = [one * each for one, each in zip(own, sure, strict=True)]
            return np.hstack(own)
        shares = [
            node_shares(tree, slot, output, self._smoothing)
            for output, slot in enumerate(self._slots)
        ]
        return np.ascontiguousarray(np.hstack(shares))

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
