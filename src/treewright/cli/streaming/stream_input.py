"""Where a stream comes from: rows, read block by block, in the kinds they have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from treewright.cli.model_file import is_model
from treewright.cli.options.algorithm import Recipe
from treewright.cli.options.reading import read
from treewright.cli.options.roles import Roles, Wishes, find_roles, refuse_no_features
from treewright.data.complaints import quoted
from treewright.data.readers.read import is_csv
from treewright.data.readers.read_options import ReadOptions
from treewright.data.readers.table_file import ColumnReport, TableFile
from treewright.data.schema import TargetKind
from treewright.data.stream.csv_stream import STANDARD_INPUT, TextRows, csv_rows
from treewright.data.stream.stream_kinds import first_kinds, typed_rows
from treewright.errors import DataError, FileReadError

if TYPE_CHECKING:
    import polars as pl

_ROWS = 10_000  # of a table that is read as a whole


@dataclass(frozen=True, eq=False)
class Batch:
    """Rows to learn, and the lines that they stand in."""

    features: pl.DataFrame
    target: pl.Series
    weights: pl.Series | None
    lines: npt.NDArray[np.int64]
    unit: str  # what `lines` counts

    def __len__(self) -> int:
        return len(self.target)

    def slice(self, start: int, length: int) -> Batch:
        """Return some of the rows."""
        return Batch(
            self.features[start : start + length],
            self.target[start : start + length],
            None if self.weights is None else self.weights[start : start + length],
            self.lines[start : start + length],
            self.unit,
        )

    def where(self, row: int) -> str:
        """Name a row, for messages."""
        return f"{self.unit} {self.lines[row]}"


@dataclass(frozen=True, eq=False)
class InputPlan:
    """What each column is for, and of which kind it is."""

    roles: Roles
    task: TargetKind
    kinds: dict[str, str]
    reports: tuple[ColumnReport, ...] = ()

    @property
    def target(self) -> str:
        """The column to predict."""
        return self.roles.targets[0]

    @property
    def features(self) -> list[str]:
        """The columns to learn from."""
        others = {self.target, *self.roles.unused}
        return [name for name in self.kinds if name not in others]

    def batch(
        self, rows: pl.DataFrame, lines: npt.NDArray[np.int64], unit: str
    ) -> Batch:
        """Return rows, divided by what columns are for."""
        weights = self.roles.weights
        return Batch(
            rows.select(self.features),
            rows[self.target],
            None if weights is None else rows[weights],
            lines,
            unit,
        )


class Input:
    """The rows of DATA; `plan` is made of the first ones, or given when resuming."""

    def __init__(self, data: str, how: ReadOptions) -> None:
        self.data = data
        self._how = how
        self.path = STANDARD_INPUT if data == "-" else Path(data)
        self._is_text = data == "-" or is_csv(self.path)
        self._rows: Iterator[TextRows] | None = None
        self._first: TextRows | None = None
        self._table: TableFile | None = None

    @property
    def has_end(self) -> bool:
        """Whether the rows can be read again: a file, or a table."""
        return self.data != "-" and (not self.path.exists() or self.path.is_file())

    def start(self, wishes: Wishes) -> InputPlan:
        """Return the plan by the first rows; options that do not fit are refused."""
        names = {*wishes.maybe_nominal()}
        if not self._is_text:
            self._table = read(self.data, self._how, nominal=names)
            return _plan(wishes, self._table, _kinds_of(self._table))
        if self.data != "-" and is_model(self.data):
            read(self.data, self._how, nominal=names)  # says what is wrong
        self._begin()
        assert self._first is not None
        kinds, reports = first_kinds(self._first, self._how)
        frame = typed_rows(self._first, kinds, self._how, self.path)
        return _plan(wishes, TableFile(frame, reports), kinds)

    def batches(self, plan: InputPlan, known: Any, n_skipped: int) -> Iterator[Batch]:
        """Yield the rows from some row on.

        `plan`: what each column is for. `known`: returns the kinds of columns that are
        settled by now. `n_skipped`: how many rows to leave out at the begin.
        """
        if not self._is_text:
            yield from self._slices(plan, n_skipped)
            return
        self._begin()
        left = n_skipped
        while self._first is not None:
            rows = self._first
            if left < len(rows.lines):
                if left:
                    rows = TextRows(rows.frame[left:], rows.lines[left:])
                left = 0
                yield self._batch(rows, plan, known())
            else:
                left -= len(rows.lines)
            assert self._rows is not None
            self._first = next(self._rows, None)
        if left:
            _refuse_short(self.data, n_skipped, n_skipped - left)

    def _begin(self) -> None:
        """Read the first rows, unless they are there."""
        if self._rows is not None:
            return
        self._rows = csv_rows(None if self.data == "-" else self.path, self._how)
        self._first = next(self._rows, None)
        if self._first is None:
            raise FileReadError(f"{self.path} has a header and 0 rows; rows are needed")

    def _batch(
        self, rows: TextRows, plan: InputPlan, settled: Mapping[str, str]
    ) -> Batch:
        absent = [name for name in plan.kinds if name not in rows.frame.columns]
        if absent:
            raise DataError(
                f"{self.path} lacks columns that the checkpoint has: {quoted(absent)}; "
                "give the same columns"
            )
        kinds = {**plan.kinds, **settled}
        frame = typed_rows(rows, kinds, self._how, self.path)
        return plan.batch(frame, rows.lines, f"{self.path}, line")

    def _slices(self, plan: InputPlan, n_skipped: int) -> Iterator[Batch]:
        if self._table is None:
            self._table = read(self.data, self._how, nominal=())
        frame = self._table.frame
        if n_skipped > len(frame):
            _refuse_short(self.data, n_skipped, len(frame))
        for start in range(n_skipped, len(frame), _ROWS):
            part = frame[start : start + _ROWS]
            yield plan.batch(part, start + 1 + np.arange(len(part)), "row")


def _plan(wishes: Wishes, table: TableFile, kinds: dict[str, str]) -> InputPlan:
    roles = find_roles(wishes, table)
    if len(roles.targets) > 1:
        raise DataError("a stream has one target; give --target once")
    refuse_no_features(roles, table)
    task, _ = Recipe(None, {}).find_task(roles, table)
    for name, said in roles.kinds.items():
        kinds[name] = str(said)
    if task == "numbers":
        kinds[roles.targets[0]] = "numeric"
    if roles.weights is not None:
        kinds[roles.weights] = "numeric"
    for name in roles.ignored:
        kinds.pop(name, None)
    return InputPlan(roles, task, kinds, table.report)


def _kinds_of(table: TableFile) -> dict[str, str]:
    return {
        series.name: "numeric" if series.dtype.is_numeric() else "nominal"
        for series in table.frame
    }


def _refuse_short(data: str, n_wanted: int, n_rows: int) -> None:
    raise DataError(
        f"{data} has {n_rows:,} rows, and the checkpoint has learned {n_wanted:,}: it "
        "is another file, or was cut; give the file that was learned from"
    )
