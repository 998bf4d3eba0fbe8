"""The model: trees, the schema of the data they were grown from, and how they vote.

One tree is a forest of one. Rows come in as any table; `data.rows` turns them into one
matrix of float64 cells, and the compiled walk takes each row to its node. How a model
becomes a file is in `file/save.py`, how it is shown in `treewright.render`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.schema import Schema
from treewright.errors import SettingError
from treewright.tree.fingerprint import fingerprint
from treewright.tree.measured_forest import Measures
from treewright.tree.predict import vote
from treewright.tree.predict.ballot import Ballot
from treewright.tree.predict.place import Ends, ends_of, visited_in_parts
from treewright.tree.predict.voting import Voting
from treewright.tree.predict.walk import Cells, Nodes
from treewright.tree.pruning_table import PruningTable
from treewright.tree.structure.tree import Tree

FEATURES_PER_NODE = "features_per_node"  # the setting: what nodes of a forest looked at
DISTILLED_FROM = "distilled_from"  # the setting of a tree that stands for so many


@dataclass(frozen=True, eq=False)
class Model:
    """Trees with everything that is needed to use and to read them."""

    schema: Schema  # names, kinds and categories of the training table
    trees: tuple[Tree, ...]  # one tree, or many that vote
    learner: str  # name of the dialect that grew it, for example "id3"
    # every switch and its value: numbers, strings, booleans and None only
    settings: dict[str, Any] = field(default_factory=dict)
    # {"stop", "missing", "error"}: what a category that training never saw does at
    # prediction
    unseen: str = "stop"
    # the missing rule used in growing ("error", "own_branch", "majority")
    missing: str = "majority"
    # what a reader should know (columns never used, values left out, ...)
    notes: tuple[str, ...] = ()
    # the trees that pruning went through; a model file does not keep it
    pruning_table: PruningTable | None = None
    # how the class weights of a leaf become probabilities
    smoothing: vote.Smoothing = field(default_factory=vote.Smoothing)
    # how the answers of several trees become one
    voting: Voting = field(default_factory=Voting)
    # what out-of-bag rows say of a forest, if that was asked for
    measures: Measures | None = None

    def encode(self, table: Any) -> tuple[Cells, tuple[str, ...]]:
        """Return the rows of any table as cells, and what a reader should know.

        `table`: columns are matched by name. Returns `cells` (float64, shape (n_rows,
        n_features)): what the trees walk on. Returns `notes`: for example how many
        values training never saw.
        """
        # here, because it loads narwhals: a model that is only shown does not need it
        from treewright.data.encoding.encode_rows import encode_rows  # noqa: PLC0415

        cells, notes = encode_rows(
            table, self.schema, unseen=self.unseen, missing=self.missing
        )
        return cells, tuple(notes)

    def predict(self, table: Any) -> npt.NDArray[Any]:
        """Return the answer for each row: a class label, or a float64 number.

        Several outputs give one column each.
        """
        cells = self.encode(table)[0]
        if len(self.trees) == 1:
            return self.predict_at(self.ends(cells))
        if self.schema.target.kind == "classes":
            return vote.labels_of(self.schema.target, self._voted_codes(cells))
        means = self._ballot.means(cells)
        return means[:, 0] if means.shape[1] == 1 else means

    def predict_codes(self, table: Any) -> npt.NDArray[np.integer[Any]]:
        """Return the code of the class of each row, a column per output."""
        return self.answers(self.encode(table)[0])

    def predict_proba(
        self, table: Any
    ) -> npt.NDArray[np.float64] | list[npt.NDArray[np.float64]]:
        """Return the share of each class for each row; several outputs give a list."""
        return self.shares(self.encode(table)[0])

    def shares(
        self, cells: Cells
    ) -> npt.NDArray[np.float64] | list[npt.NDArray[np.float64]]:
        """Return the same for encoded rows."""
        if len(self.trees) == 1 or self.schema.target.kind != "classes":
            return self.proba_at(self.ends(cells))
        shares = self._ballot.shares(cells)
        return shares[0] if len(shares) == 1 else shares

    def apply(self, table: Any) -> Nodes:
        """Return the node where each row ends; a column per tree if there are many.

        A row without a value may be divided among branches; it ends where that happens
        first.
        """
        nodes = self.ends(self.encode(table)[0]).nodes
        return nodes[:, 0] if len(self.trees) == 1 else nodes

    def decision_path(
        self, table: Any, *, tree: int = 0
    ) -> tuple[npt.NDArray[np.int64], Nodes]:
        """Return the nodes that each row visits, as `(indptr, indices)`.

        `indices[indptr[row]:indptr[row + 1]]` are the nodes of a row, the root first;
        of a divided row all that one of its parts has visited, in ascending order.
        """
        ends = self.ends(self.encode(table)[0])
        nodes = ends.nodes[:, tree]
        return visited_in_parts(self.trees[tree], nodes, ends.divided[tree])

    def ends(self, cells: Cells) -> Ends:
        """Return where each encoded row ends."""
        return ends_of(self.trees, cells)

    def predict_at(self, ends: Ends) -> npt.NDArray[Any]:
        """Return the answer for each row that ended at `ends`."""
        if self.schema.target.kind == "classes":
            return vote.labels_of(self.schema.target, self.codes_at(ends))
        return vote.predicted_numbers(self.trees, ends, self.voting)

    def codes_at(self, ends: Ends) -> npt.NDArray[np.integer[Any]]:
        """Return the code of the class of each row that ended at `ends`."""
        return vote.predicted_codes(self.schema.target, self.trees, ends, self.voting)

    def proba_at(
        self, ends: Ends
    ) -> npt.NDArray[np.float64] | list[npt.NDArray[np.float64]]:
        """Return the class shares for each row that ended at `ends`."""
        if self.schema.target.kind != "classes":
            raise SettingError(
                "this model predicts numbers, which have no class probabilities; "
                "use predict"
            )
        shares = vote.probabilities(
            self.schema.target,
            self.trees,
            ends,
            smoothing=self.smoothing,
            voting=self.voting,
        )
        return shares[0] if len(shares) == 1 else shares

    def answers(self, cells: Cells) -> npt.NDArray[Any]:
        """Return class codes, or numbers, for encoded rows, a column per output."""
        if self.schema.target.kind == "classes":
            if len(self.trees) > 1:
                return self._voted_codes(cells)
            return self.codes_at(self.ends(cells))
        if len(self.trees) > 1:
            return self._ballot.means(cells)
        numbers = vote.predicted_numbers(self.trees, self.ends(cells))
        return numbers.reshape(len(cells), -1)

    @cached_property
    def _ballot(self) -> Ballot:
        return Ballot(self.schema.target, self.trees, self.smoothing, self.voting)

    def _voted_codes(self, cells: Cells) -> npt.NDArray[np.integer[Any]]:
        shares = self._ballot.shares(cells)
        return vote.codes_of(self.schema.target, shares, self.voting)

    def __getstate__(self) -> dict[str, Any]:
        # the ballot is made again when it is needed
        return {name: each for name, each in vars(self).items() if name != "_ballot"}

    def fingerprint(self) -> str:
        """Return a hash of what the trees ask and answer, in names and values.

        Equal for any numbering of nodes, order of columns and codes of categories;
        settings and notes do not count.
        """
        return fingerprint(self.schema, self.trees, self.smoothing, self.voting)
