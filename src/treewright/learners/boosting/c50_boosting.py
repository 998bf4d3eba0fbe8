"""Boosting as C5.0 does it, from what is published about it; it is not AdaBoost.

    for each round:
        grow and prune a tree; after the first, cut it to 1.1 times its leaves
        e = the weight of the wrong rows, of the weight of all
        e at 0.49 or above, or next to no row wrong: the end
        move the wrong weight half way to one half, the same for each wrong row
        in the second half of the rounds leave out the rows that cannot be won any more
    fewer than three trees: the first alone
    each tree votes for its class with the confidence of its leaf

What is not published was decided so:

- The right rows all lose the same part of their weight, and the sum stays that of the
  rows that are left. What a wrong row gains is in proportion to the weight that it had
  at first, so that a row of weight 2 is two rows.
- The tree whose error is 0.49 or more is thrown away, unless it is the first.
- "Next to no row wrong" is a weight below a tenth of an average row. That tree stays.
- A row cannot be won if another class leads by more than all later trees could give its
  own, each at most 1.
- The confidence of a leaf is (w + 1) / (n + 2), w being the weight of its class and n
  that of all rows there, by the weights of the round.
- Leaves are cut by training errors per leaf, as in global pruning.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from treewright.data.complaints import counted
from treewright.learners.boosting.boosted_rows import BoostedRows, Round
from treewright.prune.cost_complexity.weakest_links import with_fewer_leaves
from treewright.tree.model import Model
from treewright.tree.predict.voting import Voting

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

_MOST_WRONG = 0.49
_NEARLY_PERFECT = 0.1  # of an average row
_LEAVES = 1.1  # times those of the first tree
_FEWEST_TREES = 3


class C50Boosting:
    """The rounds of C5.0's boosting.

    `rows`: what trees are grown from. `n_rounds`: most rounds.
    """

    def __init__(self, rows: BoostedRows, n_rounds: int) -> None:
        self.ending = ""
        self._rows = rows
        self._n_rounds = n_rounds

    def rounds(self) -> Iterator[Round | None]:
        """Yield the tree of each round, or None if it is thrown away."""
        first = self._rows.first_weights
        weights, alive = first.copy(), np.ones(len(first), bool)
        tally = np.zeros((len(first), self._rows.n_classes))
        most_leaves = 0
        for number in range(self._n_rounds):
            model = self._rows.grown(weights)
            if number == 0:
                most_leaves = max(2, math.ceil(_LEAVES * model.trees[0].n_leaves))
            model = self._cut(model, most_leaves)
            ends = self._rows.ends(model)
            wrong = self._rows.wrong(model, ends)
            error = float(weights[wrong].sum() / weights.sum())
            if error >= _MOST_WRONG and number > 0:
                self.ending = self._too_many(number, error)
                yield None
                return
            yield Round(model, error, 1.0)
            if self._is_over(number, error, len(first)):
                return
            tally += self._rows.confident_votes(model, ends)
            if number + 1 >= self._n_rounds / 2:
                alive &= self._can_win(tally, self._n_rounds - number - 1)
            weights = _moved(weights, first * alive, wrong, error)
            if weights.max() == 0:
                self.ending = f"boosting ended after {number + 1} trees: no row is left"
                return

    def kept(self, rounds: list[Round]) -> list[Round]:
        """Return the trees that stay: of one or two the first."""
        if len(rounds) >= _FEWEST_TREES or self._n_rounds < _FEWEST_TREES:
            return rounds
        self.ending += "; with fewer than three trees, the first stands alone"
        return rounds[:1]

    def voting(self, rounds: list[Round]) -> Voting:
        """Return how the trees vote."""
        return Voting("confidence")

    def _cut(self, model: Model, most_leaves: int) -> Model:
        tree = with_fewer_leaves(model.trees[0], most_leaves)
        return replace(model, trees=(tree,))

    def _is_over(self, number: int, error: float, n_rows: int) -> bool:
        is_last = number == self._n_rounds - 1
        if error >= _MOST_WRONG:  # of the first tree
            self.ending = self._too_many(1, error)
            return True
        if error * n_rows < _NEARLY_PERFECT:
            if not is_last:
                self.ending = f"boosting ended: tree {number + 1} has next to no errors"
            return True
        return is_last

    def _can_win(self, tally: Floats, n_left: int) -> Flags:
        """Rows whose class can still be the heaviest."""
        classes = self._rows.columns.target[:, 0]
        rows = np.arange(len(tally))
        own = tally[rows, classes]
        others = tally.copy()
        others[rows, classes] = -np.inf
        return np.asarray(others.max(axis=1) - own <= n_left)

    def _too_many(self, n_trees: int, error: float) -> str:
        count = counted(n_trees, "tree")
        return (
            f"boosting ended after {count}: {100 * error:.4g} % of the weight is "
            "wrong, and 49 % is too much"
        )


def _moved(weights: Floats, first: Floats, wrong: Flags, error: float) -> Floats:
    """The weights with the wrong rows half way to one half; `first` is 0 where lost."""
    total = weights.sum()
    aim = (error + 0.5) / 2
    share = first * wrong
    moved = np.where(wrong, weights, weights * (1 - aim) / (1 - error))
    if share.any():
        moved += share * ((aim - error) * total / share.sum())
    moved = np.where(first > 0, moved, 0.0)
    left = moved.sum()
    return moved * (first.sum() / left) if left > 0 else moved
