"""The training rows of boosting: grow a tree with these weights, ask it about all rows.

Weights change from round to round and nothing else does, so the table is encoded once,
and its columns are sorted once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Columns
from treewright.grow.dialect import Dialect
from treewright.learners.recipe import grow_tree
from treewright.prune.refill import training_cells
from treewright.sources.memory import KeptLists
from treewright.tree.model import Model
from treewright.tree.predict.place import Ends
from treewright.tree.predict.vote import probabilities
from treewright.tree.predict.voting import Voting
from treewright.tree.structure.tree import NO_CLASS

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Round:
    """A tree that stays: as a model of its own, its error, and how much it counts."""

    model: Model
    error: float
    vote: float


@dataclass(frozen=True, eq=False)
class BoostedRows:
    """The table, the dialect of the trees, and the threads that grow them."""

    columns: Columns
    dialect: Dialect
    n_jobs: int | None = None

    @property
    def n_classes(self) -> int:
        """How many classes there are, whether they occur or not."""
        return len(self.columns.schema.target.classes[0])

    @property
    def n_occurring(self) -> int:
        """How many classes some row has."""
        return len(np.unique(self.columns.target[:, 0]))

    @property
    def first_weights(self) -> Floats:
        """The weights of the rows before the first round."""
        if self.columns.weights is None:
            return np.ones(self.columns.n_rows)
        return self.columns.weights

    def grown(self, weights: Floats) -> Model:
        """Return a tree of all rows, weighed like this, pruned as its dialect says."""
        weighed = replace(self.columns, weights=weights)
        return grow_tree(weighed, self.dialect, n_jobs=self.n_jobs, lists=self._lists)

    def drawn(self, weights: Floats, key: np.uint64) -> Model:
        """Return a tree of as many rows, drawn with these chances."""
        random = np.random.Generator(np.random.PCG64(int(key)))
        edges = np.cumsum(weights)
        places = random.random(len(weights)) * edges[-1]
        rows = np.searchsorted(edges, places, side="right")
        rows = np.minimum(rows, len(weights) - 1)
        counts = np.bincount(rows, minlength=len(weights))
        drawn = np.flatnonzero(counts)
        some = self.columns.take(drawn)
        some = replace(some, weights=counts[drawn].astype(np.float64))
        return grow_tree(some, self.dialect, n_jobs=self.n_jobs)

    def ends(self, model: Model) -> Ends:
        """Return where the rows end in a tree."""
        return model.ends(self._cells_for(model))

    def confident_votes(self, model: Model, ends: Ends) -> Floats:
        """Return a tree's vote for each row, with the confidence of its leaf."""
        return probabilities(
            model.schema.target,
            model.trees,
            ends,
            voting=Voting("confidence"),
            in_shares=False,
        )[0]

    def wrong(self, model: Model, ends: Ends) -> Flags:
        """Return which rows a tree gets wrong; one without a class is wrong."""
        codes = model.codes_at(ends)[:, 0]
        return np.asarray((codes != self.columns.target[:, 0]) | (codes == NO_CLASS))

    def _cells_for(self, model: Model) -> Floats:
        if any(feature.is_wide for feature in model.schema.features):
            return training_cells(self.columns, model.schema)  # places in its own cuts
        return self._cells

    @cached_property
    def _lists(self) -> KeptLists:
        return KeptLists()

    @cached_property
    def _cells(self) -> Floats:
        return training_cells(self.columns, self.columns.schema)
