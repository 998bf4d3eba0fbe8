"""Rows with their answers, as pruning reads them: encoded cells, target, weights.

They are the training rows, rows of the training table that were held out, or a table
of a user's own.

Validation rows: either a share of the training table is held out (`validation_share`),
or the user passes `validation=(X, y)`; both, or neither where they are needed, is
refused. Once pruning is done, they may say what the leaves answer, too (`given_back`;
Weka's REPTree calls it backfitting): they are counted in the nodes of the tree that
they pruned. The questions stay, and so do the gains that they were chosen by.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Columns
from treewright.data.complaints import counted
from treewright.data.encoding.encode import refuse_other_length
from treewright.data.encoding.target import class_codes, encode_target, read_target
from treewright.data.encoding.weights import read_weights
from treewright.data.schema import Schema, Target
from treewright.errors import DataError, SettingError
from treewright.grow.dialect import Dialect
from treewright.grow.finish import class_labels, empty_answers
from treewright.prune.refill import reasons_now, rows_at, training_cells
from treewright.prune.shape import subtree_sums
from treewright.sources.class_statistics import class_impurity
from treewright.tree.model import Model
from treewright.tree.predict.place import Parts, place
from treewright.tree.structure.tree import Tree

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LabelledRows:
    """Encoded rows and what is known of them."""

    cells: Floats  # float64, shape (n_rows, n_features): what trees walk on
    # int64 or float64, shape (n_rows, n_outputs): class codes, negative for a class
    # that training never saw; or numbers
    target: npt.NDArray[Any]
    weights: Floats  # float64, shape (n_rows,): row weights
    # what a reader should know of the table that they were read from
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

    def are_whole(self) -> bool:
        """Tell whether all cells are known and every row weighs 1."""
        known = isinstance(self.cells, np.ndarray) and not np.isnan(self.cells).any()
        return known and bool((self.weights == 1).all())

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


# a table and its answers, and the weights of its rows if they differ
Validation: TypeAlias = tuple[Any, Any] | tuple[Any, Any, Any] | None


def check_validation(validation: Validation, dialect: Dialect) -> None:
    """Refuse validation rows that nothing needs, and the lack of those that are."""
    if validation is None:
        if dialect.wants_validation and dialect.validation_share is None:
            what = f"pruning={dialect.pruning!r}"
            if dialect.alpha_choice == "validation":
                what = "alpha_choice='validation'"
            raise SettingError(
                f"{what} needs rows that the tree is not grown "
                "from; set validation_share (0.3, for example), or pass them as "
                "validation=(X, y)"
            )
        return
    if not isinstance(validation, tuple | list) or len(validation) not in (2, 3):
        raise SettingError(
            f"validation is {type(validation).__name__}; it must be (X, y), or "
            "(X, y, sample_weight)"
        )
    if not dialect.wants_validation:
        raise SettingError(
            "validation rows are for pruning='reduced_error' or "
            f"alpha_choice='validation', and pruning is {dialect.pruning!r}; set one "
            "of them, or leave validation out"
        )
    if dialect.validation_share is not None:
        raise SettingError(
            "validation rows are passed, and validation_share="
            f"{dialect.validation_share:g} holds out others; leave one of them out"
        )


def given_back(
    tree: Tree, rows: LabelledRows, schema: Schema, dialect: Dialect
) -> Tree:
    """The tree with the weights, answers and row counts of these rows added."""
    is_classes = schema.target.kind == "classes"
    if is_classes:  # a class that training never saw has no place to be counted in
        rows = rows.take(np.flatnonzero((rows.target >= 0).all(axis=1)))
    parts = rows.placed(tree)
    ended = np.bincount(parts.node, parts.weight, minlength=tree.node_count)
    added = subtree_sums(tree, ended.astype(np.float64)[:, None])[:, 0]
    if is_classes:
        value, impurity = _classes(tree, rows, parts, schema, dialect)
    else:
        value, impurity = _numbers(tree, rows, parts, added)
    weight = tree.weight + added
    parent = tree.parents()
    empty = np.flatnonzero(weight == 0)
    value[empty] = value[parent[empty]]  # a branch without rows speaks for its parent
    label = tree.label
    if is_classes:
        label = class_labels(value, parent, schema, ties=dialect.label_ties)
        value, label = empty_answers(value, label, empty, schema, dialect)
    return dataclasses.replace(
        tree,
        value=value,
        label=label,
        weight=weight,
        impurity=impurity,
        n_rows=tree.n_rows + rows_at(tree, parts),
        reason=reasons_now(tree, weight, impurity),
    )


def _classes(
    tree: Tree, rows: LabelledRows, parts: Parts, schema: Schema, dialect: Dialect
) -> tuple[Floats, Floats]:
    """Class weights and impurity of each node."""
    slots = schema.target.slots
    at = np.zeros_like(tree.value)
    for output, slot in enumerate(slots):
        codes = rows.target[parts.row, output] + slot.start
        np.add.at(at, (parts.node, codes), parts.weight)
    value = tree.class_weights() + subtree_sums(tree, at)
    return value, class_impurity(dialect.criterion, value, slots)


def _numbers(
    tree: Tree, rows: LabelledRows, parts: Parts, added: Floats
) -> tuple[Floats, Floats]:
    """Mean, and variance (the mean over the outputs), of each node."""
    n_outputs = tree.value.shape[1]
    centre = tree.value[0]
    y = rows.target[parts.row] - centre
    weight = parts.weight[:, None]
    at = np.zeros((tree.node_count, 2 * n_outputs))
    np.add.at(at, parts.node, np.hstack([weight * y, weight * y**2]))
    at = subtree_sums(tree, at)
    first, second = at[:, :n_outputs], at[:, n_outputs:]
    before = tree.weight[:, None]
    old = tree.value - centre
    total = np.maximum(before + added[:, None], 1e-300)
    mean = (before * old + first) / total
    squares = before * (old - mean) ** 2
    squares += second - 2 * mean * first + added[:, None] * mean**2
    spread = tree.weight * tree.impurity + np.maximum(squares, 0.0).mean(axis=1)
    return mean + centre, spread / total[:, 0]
