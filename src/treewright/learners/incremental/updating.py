"""A tree that is kept up to date while rows are added and taken away.

After every step it is the tree that a fresh fit of its dialect grows from the rows that
are there, as Utgoff's ID5R and ITI promise. Cells are kept as keys
(`incremental_columns.py`), the tree is in the core (`core/incremental.hpp`), and
becomes an ordinary `Model` when somebody asks for one (`incremental_model.py`).

References
----------
Utgoff, P. E. (1989). Incremental induction of decision trees. Machine Learning 4,
161-186.
Utgoff, P. E., Berkman, N. C. and Clouse, J. A. (1997). Decision tree induction based on
efficient tree restructuring. Machine Learning 29, 5-44.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import RLock
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright import _core
from treewright.data.complaints import (
    counted,
    no_column,
    quoted,
    row_name,
    short,
)
from treewright.data.encoding.encode import check_n_rows, refuse_other_length
from treewright.data.encoding.target import encode_target, read_target
from treewright.data.labels import family, sorted_order
from treewright.data.schema import FeatureKind, Label
from treewright.data.tables.frames import read_frame
from treewright.data.tables.raw import Labels, RawColumn, Table
from treewright.errors import DataError, SettingError
from treewright.grow.dialect import Dialect
from treewright.learners.incremental.incremental_columns import (
    NO_VALUE,
    KeptColumn,
    Keys,
    Read,
    refuse_mixture,
)
from treewright.sources.memory import CANDIDATES
from treewright.sources.node_statistics import CRITERIA
from treewright.tree.model import Model

Codes = npt.NDArray[np.uint32]
# what a copy needs besides the rows
_PLAIN = (
    "dialect",
    "kinds",
    "columns",
    "named",
    "target",
    "classes",
    "class_counts",
    "declared",
)
MOST_QUICK_ROWS = 16  # lists of more rows are read column by column


@dataclass(frozen=True, eq=False)
class _ReadTable:
    """Rows that were read: their columns, and the class of each row."""

    named: bool
    target: str
    columns: list[KeptColumn]
    reads: list[Read]
    labels: tuple[Label, ...]  # the classes, in their order
    declared: bool
    codes: npt.NDArray[Any]  # places in `labels`

    def keys(self) -> Keys:
        """The cells, row after row."""
        return np.column_stack([read.keys for read in self.reads]).ravel()


class IncrementalLearner:
    """Rows, and the tree of a dialect that grows from them.

    `dialect`: ID3, AIMA or CART, as they are. `kinds`: kinds of columns that the user
    has said.
    """

    def __init__(
        self, dialect: Dialect, kinds: Mapping[str, FeatureKind | Sequence[Label]]
    ) -> None:
        self.dialect = dialect
        self.kinds = dict(kinds)
        self.columns: list[KeptColumn] = []
        self.named = True
        self.target = "target"
        self.classes: list[Label] = []
        self.class_counts: npt.NDArray[np.int64] = np.zeros(0, np.int64)
        self.declared = False  # the classes were listed beforehand
        self.model: Model | None = None  # what was last made of the tree, if it holds
        self._core: _core.Incremental | None = None
        # the compiled half lets other threads run, and must not be met half done
        self.lock = RLock()

    @property
    def n_rows(self) -> int:
        """Number of rows that are there."""
        return int(self.class_counts.sum())

    @property
    def core(self) -> _core.Incremental:
        """The compiled half."""
        if self._core is None:
            raise DataError("there are no rows yet: add some with partial_fit")
        return self._core

    def add(self, rows: Any, y: Any, *, drop_missing_target: bool = False) -> None:
        """Add rows; a fault in one of them leaves all as it was."""
        with self.lock:
            quick = self._quick(rows, y)
            if quick is not None:
                self._add(*quick)
                return
            read = self._read(rows, y, drop_missing_target)
            self._settle(read)
            code_of = {label: code for code, label in enumerate(self.classes)}
            codes = np.array([code_of[label] for label in read.labels], np.uint32)
            try:
                self._add(read.keys(), codes[read.codes])
            except BaseException:  # Ctrl-C: the core has taken its rows back
                self._leave_empty_classes()
                raise

    def forget(self, rows: Any, y: Any, *, drop_missing_target: bool = False) -> None:
        """Take rows away that were added; one that is not there is an error."""
        with self.lock:
            if self.n_rows == 0:
                raise _not_there(0)
            quick = self._quick(rows, y)
            keys, codes = quick or self._known(self._read(rows, y, drop_missing_target))
            slots = self.core.find(keys, codes)
            if len(slots) < len(codes):
                raise _not_there(len(slots))
            self.model = None
            self.core.remove(slots)
            self.class_counts -= np.bincount(codes, minlength=len(self.classes))
            self._leave_empty_classes()

    def _leave_empty_classes(self) -> None:
        """Know the classes of the rows that are there, and no others."""
        if not self.declared and not self.class_counts.all():
            self._set_classes([self.classes[k] for k in self.class_counts.nonzero()[0]])

    def _add(self, keys: Keys, codes: Codes) -> None:
        self.model = None
        self.core.add(keys, codes)
        self.class_counts += np.bincount(codes, minlength=len(self.classes))

    def _quick(self, rows: Any, y: Any) -> tuple[Keys, Codes] | None:
        """Read a few rows of plain cells with nothing new; None: `_read` must look."""
        few = isinstance(rows, list) and 0 < len(rows) <= MOST_QUICK_ROWS
        if not few or not isinstance(y, list) or len(y) != len(rows) or not self.n_rows:
            return None
        keys: list[int | None] = []
        for row in rows:
            is_row = type(row) is dict if self.named else type(row) in (list, tuple)
            if not is_row or len(row) != len(self.columns):
                return None
            try:
                cells = [row[one.name] for one in self.columns] if self.named else row
            except KeyError:
                return None
            pairs = zip(self.columns, cells, strict=True)
            keys += [column.quick_key(cell) for column, cell in pairs]
        plain = all(type(label) is type(self.classes[0]) for label in y)
        codes = [self.classes.index(k) if k in self.classes else None for k in y]
        if None in keys or None in codes or not plain:
            return None
        return np.array(keys, np.uint64), np.array(codes, np.uint32)

    def _read(self, rows: Any, y: Any, drop_missing_target: bool) -> _ReadTable:
        """Read a table and its classes; nothing is kept yet."""
        table = read_frame(rows)
        check_n_rows(table.n_rows + self.n_rows)
        names, raws = self._matched(table)
        outputs = read_target(y, None)
        if len(outputs.columns) > 1:
            raise DataError(
                f"the target has {counted(len(outputs.columns), 'column')}; trees that "
                "are kept up to date have one: pass one class per row"
            )
        refuse_other_length(table.n_rows, outputs.n_rows)
        if table.n_rows == 0:
            raise DataError("0 rows; at least 1 is needed: pass some rows")
        present = np.ones(table.n_rows, bool)
        usable = outputs.usable_rows(present, drop_missing=drop_missing_target)
        outputs = outputs.keep(usable)
        target, codes = encode_target(outputs, "classes")
        refuse_mixture(f"the target {target.names[0]!r}", target.classes[0])
        columns = self.columns or [self._new_column(name, table) for name in names]
        raw = outputs.columns[0]
        read = _ReadTable(
            named=table.named,
            target=target.names[0],
            columns=columns,
            reads=[
                column.read(cells if usable.all() else cells.keep(usable))
                for column, cells in zip(columns, raws, strict=True)
            ],
            labels=target.classes[0],
            declared=isinstance(raw, Labels) and raw.declared,
            codes=codes[:, 0],
        )
        self._refuse(read)
        return read

    def _new_column(self, name: str, table: Table) -> KeptColumn:
        # numbers of a table without column names are names of categories to ID3
        usual: FeatureKind | None = None
        if self.dialect.numeric_splits == "refuse" and not table.named:
            usual = "nominal"
        return KeptColumn(name, self.kinds.get(name, usual))

    def _matched(self, table: Table) -> tuple[tuple[str, ...], tuple[RawColumn, ...]]:
        """Return the columns in their order, and refuse others than there are."""
        if not self.columns:
            if not table.names:
                raise DataError("0 columns; at least 1 is needed: add a feature")
            for name in self.kinds:
                if name not in table.names:
                    raise SettingError(no_column("feature_kinds", name, table.names))
            return table.names, table.columns
        names = tuple(column.name for column in self.columns)
        if not (self.named and table.named):
            if len(table.names) != len(names):
                raise DataError(
                    f"the rows have {counted(len(table.names), 'column')}, and the "
                    f"tree has {len(names)}; pass the same columns"
                )
            return names, table.columns
        lacking = [name for name in names if name not in table.names]
        more = [name for name in table.names if name not in names]
        for others, what, before in (
            (lacking, "lack", "had"),
            (more, "also have", "did not have"),
        ):
            if others:
                raise DataError(
                    f"the rows {what} the column{'s' * (len(others) > 1)} "
                    f"{quoted(others)}, which the rows before them {before}; pass the "
                    f"same {counted(len(names), 'column')}"
                )
        by_name = dict(zip(table.names, table.columns, strict=True))
        return names, tuple(by_name[name] for name in names)

    def _refuse(self, read: _ReadTable) -> None:
        """Raise if the dialect has no place for a column, or the classes are others."""
        if self.dialect.numeric_splits == "refuse":
            numeric = [
                column.name
                for column, one in zip(read.columns, read.reads, strict=True)
                if one.feature is not None and one.feature.kind == "numeric"
            ]
            if numeric:
                are = "is" if len(numeric) == 1 else "are"
                raise DataError(
                    f"{quoted(numeric)} {are} numeric, and "
                    f"{self.dialect.name} splits nominal features only; declare this "
                    f"with feature_kinds={{{numeric[0]!r}: 'nominal'}}, leave the "
                    "column out, or use dialect='cart'"
                )
        if not self.classes:
            return
        new = [label for label in read.labels if label not in self.classes]
        if new and (self.declared or read.declared):
            raise DataError(
                f"the target has the class {short(new[0])}, and its classes were "
                f"declared: {quoted(self.classes)}; learn all rows anew with fit"
            )
        if new and family(new[0]) is not family(self.classes[0]):
            raise DataError(
                f"the classes have been {quoted(self.classes)}, and {short(new[0])} is "
                f"of another type ({type(new[0]).__name__}); give classes of one type"
            )

    def _settle(self, read: _ReadTable) -> None:
        """Keep what is new in a table: columns, labels, classes."""
        if self._core is None:
            self._core = self._new_core(len(read.columns))
            self.columns, self.named = read.columns, read.named
            self.declared = read.declared
        if self.target == "target":  # lists have no name; a later series may have one
            self.target = read.target
        for number, (column, one) in enumerate(
            zip(self.columns, read.reads, strict=True)
        ):
            column.keep(one)
            if one.feature is not None:
                kind = self._candidates(column)
                self._core.set_candidates(number, CANDIDATES[kind])
            if one.new_labels:
                self._core.set_ranks(number, column.ranks())
        new = [label for label in read.labels if label not in self.classes]
        if new:
            labels = [*self.classes, *new]
            if not self.declared:
                labels = [labels[place] for place in sorted_order(labels)]
            self._set_classes(labels)

    def _new_core(self, n_columns: int) -> _core.Incremental:
        return _core.Incremental(CRITERIA[self.dialect.criterion], n_columns)

    def _candidates(self, column: KeptColumn) -> str:
        """How the dialect splits a column: a key of `CANDIDATES`."""
        assert column.feature is not None
        if self.dialect.nominal_splits == "multiway":
            return "multiway"
        return "subset" if column.feature.kind == "nominal" else "cut"

    def _set_classes(self, labels: list[Label]) -> None:
        """Let these be the classes; the tree is grown anew."""
        place = {label: code for code, label in enumerate(labels)}
        new_class = [place.get(label, -1) for label in self.classes]
        self.core.set_classes(len(labels), np.array(new_class, np.int32))
        counts = np.zeros(len(labels), np.int64)
        for old, new in enumerate(new_class):
            if new >= 0:
                counts[new] = self.class_counts[old]
        self.classes, self.class_counts = labels, counts

    def _known(self, read: _ReadTable) -> tuple[Keys, Codes]:
        """Return rows that may be there; a label that is new shows that one is not."""
        code_of = {label: code for code, label in enumerate(self.classes)}
        codes = np.array([code_of.get(label, -1) for label in read.labels])[read.codes]
        absent = codes < 0
        for column, one in zip(self.columns, read.reads, strict=True):
            if one.new_labels:
                absent |= (one.keys >= len(column.labels)) & (one.keys != NO_VALUE)
            if not column.has_values:
                absent |= one.keys != NO_VALUE
        if absent.any():
            raise _not_there(int(np.argmax(absent)))
        return read.keys(), codes.astype(np.uint32)

    def snapshot(self) -> dict[str, Any]:
        """Return all that is known, as plain data."""
        keys, codes = (None, None) if self._core is None else self._core.rows()
        own = {name: getattr(self, name) for name in _PLAIN}
        return {**own, "keys": keys, "codes": codes}

    @classmethod
    def restored(cls, state: Mapping[str, Any]) -> IncrementalLearner:
        """Return the learner of a snapshot; the tree is grown anew from its rows."""
        learner = cls(state["dialect"], state["kinds"])
        for name in _PLAIN:
            setattr(learner, name, copy.deepcopy(state[name]))
        if state["keys"] is None:
            return learner
        core = learner._new_core(len(learner.columns))
        for number, column in enumerate(learner.columns):
            core.set_candidates(number, CANDIDATES[learner._candidates(column)])
            if column.labels:
                core.set_ranks(number, column.ranks())
        core.set_classes(len(learner.classes), np.zeros(0, np.int32))
        if len(state["codes"]):
            core.add(state["keys"], state["codes"])
        learner._core = core
        return learner


def _not_there(row: int) -> DataError:
    return DataError(
        f"{row_name(row)} is not among the rows of the tree, with this class and this "
        "often, so it cannot be forgotten; nothing was changed: pass rows as they were "
        "added"
    )
