"""A Hoeffding tree that learns: what it knows of the columns, and the compiled tree.

A batch is read and encoded completely before its first row is learned, and what is
known of columns and classes is put in place when all of it was: a batch is learned as
a whole or not at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from treewright import _core
from treewright.data.complaints import row_name
from treewright.data.encoding.encode import check_n_rows, refuse_other_length
from treewright.data.encoding.target import Outputs, read_target
from treewright.data.encoding.weights import read_weights
from treewright.data.stream.stream_quick import quick_cells, quick_codes, quick_numbers
from treewright.data.stream.stream_table import Cells, StreamTable, Where
from treewright.data.stream.stream_target import StreamTarget
from treewright.data.tables.frames import read_frame
from treewright.data.tables.raw import Mask, Table
from treewright.errors import DataError
from treewright.learners.streams.hoeffding import HoeffdingSettings
from treewright.tree.predict.vote import class_array

_NO_WEIGHTS = np.zeros(0)
_LARGEST_WEIGHT = 1e15
Answers = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class _Rows:
    """A batch, taken apart."""

    table: Table
    outputs: Outputs
    weights: npt.NDArray[np.float64] | None
    kept: Mask  # rows that count: with an answer, and a weight above 0

    def without_others(self) -> _Rows:
        """Return the rows that count alone."""
        kept = self.kept
        weights = None if self.weights is None else self.weights[kept]
        return _Rows(self.table.keep(kept), self.outputs.keep(kept), weights, kept)


# tuples, because there is one for each row of a stream that comes row by row
class _Batch(NamedTuple):
    """A batch as codes, and what is known of columns and classes after it."""

    cells: Cells
    target_codes: Answers
    weights: npt.NDArray[np.float64]
    table: StreamTable
    target: StreamTarget


class Learned(NamedTuple):
    """What was answered for rows before they were learned."""

    # class codes in the order in which classes came up (-1: none yet), or numbers
    answers: Answers
    truth: Answers
    # which rows of the batch these are; the others have no answer, or no weight. None:
    # all.
    kept: Mask | None = None

    def of_all_rows(self) -> Answers:
        """Return an answer for each row of the batch; -1 or NaN for those left out."""
        if self.kept is None:
            return self.answers
        nothing = np.nan if self.answers.dtype.kind == "f" else -1
        every = np.full(len(self.kept), nothing, self.answers.dtype)
        every[self.kept] = self.answers
        return every


class HoeffdingLearner:
    """A tree, and what it knows of the stream.

    `dialect`: the switches. `table`: what is known of the columns; None before the
    first batch. `target`: what is known of the answers. `core`: the tree; None before
    the first batch.
    """

    def __init__(
        self,
        dialect: HoeffdingSettings,
        *,
        feature_kinds: Mapping[str, Any] | None = None,
        drop_missing_target: bool = False,
    ) -> None:
        self.dialect = dialect
        self.feature_kinds = feature_kinds
        self.drop_missing_target = drop_missing_target
        self.table: StreamTable | None = None
        self.target = StreamTarget(dialect.task)
        self.core: Any = None
        self._labels: tuple[StreamTarget | None, npt.NDArray[Any]] = (None, _NO_WEIGHTS)

    @property
    def n_rows(self) -> int:
        """How many rows were learned."""
        return 0 if self.core is None else int(self.core.n_rows)

    def learn(
        self, table: Any, y: Any, sample_weight: Any = None, where: Where = row_name
    ) -> Learned:
        """Learn from rows, and return what was answered for each before that.

        `y`: the answers. `sample_weight`: a weight for each row. A row of weight 0 is
        not learned from. `where`: names a row, for messages. Returns the answers, and
        what was right.
        """
        quick = self._quick(table, y, where) if sample_weight is None else None
        if quick is not None:
            return self._learned(quick)
        rows = self._rows_to_learn(table, y, sample_weight, where)
        if not rows.kept.any():  # in mid-stream: nothing to learn
            nothing = np.zeros(0, np.int32 if self.target.kind == "classes" else float)
            return Learned(nothing, nothing, rows.kept)
        if rows.kept.all():
            return self._learned(self._encoded(rows, where))
        numbers = np.flatnonzero(rows.kept)
        batch = self._encoded(
            rows.without_others(), lambda row: where(int(numbers[row]))
        )
        return self._learned(batch)._replace(kept=rows.kept)

    def answer(self, table: Any, *, shares: bool = False) -> tuple[Answers, Cells]:
        """Return the answer for each row, and the shares of the classes if asked for.

        Answers are class codes in class order, or numbers.
        """
        codes, found = self.core.answer(self.cells(table), self.target.rank, shares)
        if self.target.kind == "numbers":
            return codes, found
        if shares:
            found = found[:, self.target.order]
        return self.in_class_order(codes), found

    def labels_by_code(self) -> npt.NDArray[Any]:
        """Return the classes as `predict` gives them, in the order they came up."""
        target, labels = self._labels
        if target is not self.target:
            target, labels = self.target, class_array(tuple(self.target.codes))
            self._labels = target, labels
        return labels

    def in_class_order(self, codes: Answers) -> Answers:
        """Return codes by appearance as places in class order; -1 stays."""
        return np.asarray(np.append(self.target.rank, np.int32(-1))[codes])

    def cells(self, table: Any) -> Cells:
        """Return rows as the tree compares them."""
        assert self.table is not None
        found = quick_cells(table, self.table)
        if found is None:
            found = self.table.encode(read_frame(table), learns=False)
        return found[0]

    def copy(self) -> HoeffdingLearner:
        """Return a learner that goes on by itself."""
        other = HoeffdingLearner(
            self.dialect,
            feature_kinds=self.feature_kinds,
            drop_missing_target=self.drop_missing_target,
        )
        other.table, other.target = self.table, self.target
        other.core = None if self.core is None else self.core.copy()
        return other

    def new_core(self, table: StreamTable) -> Any:
        """Return a tree of one leaf."""
        of_classes = self.target.kind == "classes"
        kind = _core.HoeffdingClasses if of_classes else _core.HoeffdingNumbers
        return kind(self.dialect.core_settings(table.is_nominal))

    def _quick(self, table: Any, y: Any, where: Where) -> _Batch | None:
        """Return an encoded batch that brings little new, or None."""
        if self.table is None:
            return None
        if self.target.kind == "classes":
            codes: Any = quick_codes(y, self.target.codes)
        else:
            codes = quick_numbers(y)
        if codes is None or not len(codes):
            return None
        found = quick_cells(table, self.table, where, learns=True)
        if found is None or len(found[0]) != len(codes):
            return None
        cells, known = found
        return _Batch(cells, codes, _NO_WEIGHTS, known, self.target)

    def _rows_to_learn(
        self, table: Any, y: Any, sample_weight: Any, where: Where
    ) -> _Rows:
        """Return a batch, taken apart, and which rows of it count."""
        goes_on = self.table is not None
        read = read_frame(table)
        check_n_rows(read.n_rows)
        outputs = read_target(y, None)
        refuse_other_length(read.n_rows, outputs.n_rows)
        if read.n_rows == 0:
            raise DataError("0 rows; at least 1 is needed: pass the rows to learn from")
        if not read.names:
            raise DataError("0 columns; at least 1 is needed: add a feature")
        weights = read_weights(sample_weight, read.n_rows, may_be_zero=goes_on)
        if weights is not None and weights.max() > _LARGEST_WEIGHT:
            raise DataError(
                f"sample_weight has {weights.max():g}, and products of weights would "
                f"be out of range; give weights of at most {_LARGEST_WEIGHT:g}"
            )
        present = np.ones(read.n_rows, bool) if weights is None else weights > 0
        kept = outputs.usable_rows(
            present,
            drop_missing=self.drop_missing_target,
            may_be_none=goes_on,
            where=where,
        )
        return _Rows(read, outputs, weights, kept)

    def _encoded(self, rows: _Rows, where: Where) -> _Batch:
        """Return a batch as codes, with what is known after it."""
        table, target = self.table, self.target
        if table is None:
            limit = self.dialect.max_categories
            table = StreamTable.start(rows.table, self.feature_kinds, limit)
            target = target.called(rows.outputs.names[0])
        cells, table = table.encode(rows.table, where)
        codes, target = target.encode(rows.outputs, where)
        weights = _NO_WEIGHTS if rows.weights is None else rows.weights
        return _Batch(cells, codes, np.ascontiguousarray(weights), table, target)

    def _learned(self, batch: _Batch) -> Learned:
        """Learn from encoded rows, with what is known of columns and classes now."""
        before = self.core, self.table, self.target
        n_rows = self.n_rows
        core, table, target = self.core, batch.table, batch.target
        try:
            if core is None:
                core = self.new_core(table)
            elif table is not self.table:
                core.set_kinds(list(map(int, table.is_nominal)))
            self.core, self.table, self.target = core, table, target
            answers = core.learn(
                batch.cells,
                batch.target_codes,
                batch.weights,
                table.n_codes,
                target.rank,
            )
        except BaseException:
            # Ctrl-C may come before the rows are learned, or just after it
            if self.n_rows == n_rows:
                self.core, self.table, self.target = before
            raise
        return Learned(answers, batch.target_codes)
