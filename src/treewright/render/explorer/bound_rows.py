"""Rows that a page speaks of: encoded, placed in the tree, and told whose they are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.prune.labelled_rows import LabelledRows
from treewright.prune.shape import subtree_sums
from treewright.tree.model import Model
from treewright.tree.predict.place import Parts
from treewright.tree.predict.vote import predicted_codes
from treewright.tree.structure.tree import NO_CLASS

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class BoundRows:
    """Rows with their answers, as a model sees them."""

    model: Model  # one tree, or many; figures are those of the first
    labelled: LabelledRows
    # whether it is known that the tree was not grown from them
    are_others: bool = False

    @classmethod
    def of_table(
        cls, model: Model, table: Any, y: Any, sample_weight: Any = None
    ) -> BoundRows:
        """Read a table and its answers as the model understands them."""
        return cls(model, LabelledRows.of_table(model, table, y, sample_weight))

    @cached_property
    def parts(self) -> Parts:
        """Where the rows end in the first tree."""
        return self.labelled.placed(self.model.trees[0])

    @cached_property
    def node_weights(self) -> Floats:
        """Weight of the rows that come to each node."""
        return self._summed(self.parts.weight[:, None])[:, 0]

    @cached_property
    def class_weights(self) -> Floats:
        """Weight of each class at each node, output after output; nothing for numbers.

        Classes that training never saw are left out.
        """
        target, tree = self.model.schema.target, self.model.trees[0]
        at = np.zeros((tree.node_count, sum(map(len, target.classes))))
        for output, slot in enumerate(target.slots):
            code = self.labelled.target[self.parts.row, output]
            known = code >= 0
            where = (self.parts.node[known], slot.start + code[known])
            np.add.at(at, where, self.parts.weight[known])
        return subtree_sums(tree, at)

    @cached_property
    def are_training(self) -> bool:
        """Whether these are the rows that the tree was grown from, by their weights."""
        tree, target = self.model.trees[0], self.model.schema.target
        if self.are_others:
            return False
        if not np.allclose(self.node_weights, tree.weight, rtol=1e-9, atol=1e-9):
            return False
        if target.kind == "numbers":
            return self._have_the_means()
        # branches without rows have the weights of their parents
        real = tree.weight > 0
        return bool(
            np.allclose(
                self.class_weights[real], tree.value[real], rtol=1e-9, atol=1e-9
            )
        )

    def _have_the_means(self) -> bool:
        """Whether the numbers of the rows give what the nodes predict."""
        tree = self.model.trees[0]
        if self.model.settings.get("criterion") == "absolute_error":
            return True  # medians do not add up; growing again tells
        numbers = self.labelled.target[self.parts.row]
        sums = self._summed(numbers * self.parts.weight[:, None])
        real = tree.weight > 0
        means = sums[real] / tree.weight[real, None]
        scale = np.abs(self.labelled.target).max(initial=1e-300)
        return bool(np.allclose(means, tree.value[real], rtol=1e-6, atol=1e-6 * scale))

    @cached_property
    def confusion(self) -> list[list[float]]:
        """Weight of each class, by what is predicted; the last column: no class."""
        target = self.model.schema.target
        n_classes = len(target.classes[0])
        predicted = self.predicted_codes
        actual = self.labelled.target[:, 0]
        table = np.zeros((n_classes, n_classes + 1))
        known = actual >= 0
        column = np.where(predicted == NO_CLASS, n_classes, predicted)
        weights = self.labelled.weights
        np.add.at(table, (actual[known], column[known]), weights[known])
        return [[float(weight) for weight in row] for row in table]

    @cached_property
    def predicted_codes(self) -> npt.NDArray[np.int64]:
        """Class code of the first output for each row."""
        ends = self.model.ends(self.labelled.cells)
        codes = predicted_codes(self.model.schema.target, self.model.trees, ends)
        return np.asarray(codes[:, 0], np.int64)

    def _summed(self, of_parts: Floats) -> Floats:
        """Sums of the parts at each node and below it."""
        tree = self.model.trees[0]
        at = np.zeros((tree.node_count, of_parts.shape[1]))
        np.add.at(at, self.parts.node, of_parts)
        return subtree_sums(tree, at)
