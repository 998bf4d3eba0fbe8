"""Rows with their answers, as pruning reads them: encoded cells, target, weights.

They are the training rows, rows of the training table that were held out, or a table
of a user's own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Columns
from treewright.data.complaints import counted
from treewright.data.encoding.encode import refuse_other_length
from treewright.data.encoding.target import class_codes, encode_target, read_target
from treewright.data.encoding.weights import read_weights
from treewright.data.schema import Schema, Target
from treewright.errors import DataError
from treewright.grow.dialect import Dialect
from treewright.prune.refill import training_cells
from treewright.tree.model import Model
from treewright.tree.predict.place import Parts, place
from treewright.tree.structure.tree import Tree

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LabelledRows:
    """Encoded rows and what is known of them.

    Attributes
    ----------
    cells : float64, shape (n_rows, n_features)
        What trees walk on.
    target : int64 or float64, shape (n_rows, n_outputs)
        Class codes, negative for a class that training never saw; or numbers.
    weights : float64, shape (n_rows,)
        Row weights.
    notes : tuple of str
        What a reader should know of the table that they were read from.
    """

    cells: Floats
    target: npt.NDArray[Any]
    weights: Floats
    notes: tuple[str, ...] = ()

    @classmethod
    def of_columns(cls, columns: Columns, schema: Schema) -> LabelledRows:
        """Read an encoded table; `schema` is that of the grown model."""
        weights = columns.weights
        return cls(
            training_cells(columns, schema),
            columns.target,
            np.ones(columns.n_rows) if weights is None else weights,
        )

    @classmethod
    def of_table(
        cls,
        model: Model,
        table: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        use: str = "to prune by",
    ) -> LabelledRows:
        """Read a table and its answers as a model understands them."""
        cells, notes = model.encode(table)
        if len(cells) == 0:
            raise DataError(f"0 rows {use}; at least 1 is needed")
        answers = _answers(y, len(cells), model.schema.target)
        weights = read_weights(sample_weight, len(cells))
        weights = np.ones(len(cells)) if weights is None else weights
        return cls(cells, answers, weights, tuple(notes))

    def __len__(self) -> int:
        return len(self.cells)

    def take(self, rows: npt.NDArray[np.intp]) -> LabelledRows:
        """Some of the rows."""
        return LabelledRows(self.cells[rows], self.target[rows], self.weights[rows])

    def placed(self, tree: Tree) -> Parts:
        """Where the rows end; one without a value may do so in several parts."""
        rows = np.arange(len(self), dtype=np.int64)
        return place(
            tree,
            self.cells,
            np.zeros(1, np.int32),
            np.array([0, len(self)], np.int64),
            rows,
            self.weights,
            node_weights=tree.weight,
        )


def _answers(y: Any, n_rows: int, target: Target) -> npt.NDArray[Any]:
    """Class codes or numbers, a column per output."""
    outputs = read_target(y, None)
    if len(outputs.columns) != target.n_outputs:
        raise DataError(
            f"the target has {counted(len(outputs.columns), 'column')} here and had "
            f"{target.n_outputs} in training; pass the same ones"
        )
    refuse_other_length(n_rows, outputs.n_rows)
    outputs.usable_rows(np.ones(n_rows, bool), drop_missing=False)
    if target.kind == "classes":
        return class_codes(outputs, target)
    return encode_target(outputs, "numbers")[1]


def hold_out(columns: Columns, dialect: Dialect) -> tuple[Columns, Columns | None]:
    """Divide a table into the rows to grow from and, if the dialect says so, others.

    Rows are put in the order of their target (classes, or numbers by size), and every
    k-th is held out, so that both parts have the classes in the same proportions. Equal
    ones are taken in the order of the table, or shuffled first by `random_state`.
    """
    share = dialect.validation_share
    if share is None:
        return columns, None
    n_rows = columns.n_rows
    rows = np.arange(n_rows)
    if dialect.random_state is not None:
        rows = np.random.default_rng(dialect.random_state).permutation(n_rows)
    rows = rows[np.lexsort(columns.target[rows].T[::-1])]
    count = np.floor(np.arange(n_rows + 1) * share + 0.5)
    is_held = np.empty(n_rows, bool)
    is_held[rows] = np.diff(count) > 0
    n_held = int(is_held.sum())
    if n_held in (0, n_rows):
        raise DataError(
            f"validation_share={share:g} of {counted(n_rows, 'row')} is "
            f"{'none' if n_held == 0 else 'all of them'}, and some are needed to grow "
            "the tree and some to prune it; give more rows, or validation=(X, y)"
        )
    return columns.take(np.flatnonzero(~is_held)), columns.take(np.flatnonzero(is_held))
