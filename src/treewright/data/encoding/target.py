"""The target: one or several outputs, as class codes or as numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.complaints import counted, first_row, row_name, short
from treewright.data.labels import MISSING, plain, sorted_order
from treewright.data.schema import Label, Target, TargetKind
from treewright.data.tables.cells import NESTED
from treewright.data.tables.convert import as_labels, as_time_labels
from treewright.data.tables.frames import is_frame, read_column, read_frame
from treewright.data.tables.raw import Labels, Mask, Numbers, RawColumn
from treewright.errors import DataError, DataTypeError

MANY_VALUES = 20  # more fractions than this are no classes, however many rows


@dataclass(frozen=True, eq=False)
class Outputs:
    """The raw columns of the target."""

    names: tuple[str, ...]
    columns: tuple[RawColumn, ...]

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.columns[0])

    def keep(self, rows: Mask) -> Outputs:
        """Return the outputs with only these rows."""
        if rows.all():
            return self
        return Outputs(self.names, tuple(column.keep(rows) for column in self.columns))

    def usable_rows(
        self,
        present: Mask,
        *,
        drop_missing: bool,
        may_be_none: bool = False,
        where: Callable[[int], str] = row_name,
    ) -> Mask:
        """Return the present rows that have a target; the others must be droppable.

        `may_be_none`: accept that no row is left. `where` names a row.
        """
        rows = present.copy()
        for name, column in zip(self.names, self.columns, strict=True):
            missing = column.is_missing()
            if not missing.any():
                continue
            missing = missing & present
            n_missing = int(missing.sum())
            if n_missing and not drop_missing:
                them, those = (
                    ("it", "this row") if n_missing == 1 else ("them", "these rows")
                )
                first = where(int(np.argmax(missing)))
                raise DataError(
                    f"the target {name!r} has {counted(n_missing, 'missing value')}, "
                    f"first in {first}; fill {them} in, or set "
                    f"drop_missing_target=True to leave {those} out"
                )
            rows &= ~missing
        if not rows.any() and not may_be_none:
            raise DataError(
                "0 rows; at least 1 is needed: every row was left out, "
                "because its target is missing or its weight is 0"
            )
        return rows


def read_target(y: Any, names: Sequence[str] | None) -> Outputs:
    """Take the target apart into its outputs, under these names if given."""
    if y is None:
        raise DataError("there is no target (y is None); pass one value per row")
    if _is_table(y):
        table = read_frame(y)
        columns = table.columns
        found = table.names if table.named else _numbered(len(columns))
    else:
        columns = (read_column("target", y),)
        name = getattr(y, "name", None)
        found = ("target",) if name in (None, "") else (str(name),)
    if not columns:
        raise DataError(
            "the target has 0 columns; at least 1 is needed: pass one value per row"
        )
    if names is not None and len(names) != len(columns):
        raise DataError(
            f"target_names has {counted(len(names), 'name')} and the target has "
            f"{counted(len(columns), 'column')}; give one name per column"
        )
    return Outputs(found if names is None else tuple(map(str, names)), columns)


def _is_table(y: Any) -> bool:
    """Tell whether the target has columns of its own."""
    if isinstance(y, np.ndarray):
        return y.ndim == 2 or y.dtype.names is not None
    if isinstance(y, list | tuple):
        return len(y) > 0 and isinstance(y[0], NESTED)
    return isinstance(y, Mapping) or is_frame(y)


def _numbered(n_outputs: int) -> tuple[str, ...]:
    if n_outputs == 1:
        return ("target",)
    return tuple(f"target{k}" for k in range(n_outputs))


def encode_target(
    outputs: Outputs, task: TargetKind
) -> tuple[Target, npt.NDArray[Any]]:
    """Return the target's description and its codes or numbers, a column per output."""
    pairs = list(zip(outputs.names, outputs.columns, strict=True))
    if task == "numbers":
        numbers = [_numbers(name, column) for name, column in pairs]
        return Target("numbers", outputs.names), _side_by_side(numbers)
    named = [name for name, column in pairs if not isinstance(column, Numbers)]
    encoded = [_classes(name, column, named[:1]) for name, column in pairs]
    classes = tuple(labels for labels, _ in encoded)
    codes = _side_by_side([codes for _, codes in encoded])
    return Target("classes", outputs.names, classes), codes


def _side_by_side(outputs: Sequence[npt.NDArray[Any]]) -> npt.NDArray[Any]:
    """Return a table with these columns; a copy, in the order of its rows."""
    return np.ascontiguousarray(np.array(outputs).T)


def _numbers(name: str, column: RawColumn) -> npt.NDArray[np.float64]:
    """Return one output as float64."""
    if isinstance(column, Labels):
        column = _labels_as_numbers(name, column)
    if column.unit:
        raise DataTypeError(
            f"the target {name!r} holds {column.unit} values; subtract a date or "
            "divide by a unit to predict a number, or use a classifier, for example "
            "CARTClassifier"
        )
    values = column.values.astype(np.float64)
    _refuse_infinite(name, values)
    return values


def _labels_as_numbers(name: str, column: Labels) -> Numbers:
    """Return labels that are numbers or truth values as numbers."""
    for code, label in enumerate(column.labels):
        if not isinstance(label, int | float):
            raise DataError(
                f"the target {name!r} holds {short(label)} in "
                f"{row_name(column.first_row(code))}, which is no number; use a "
                "classifier, for example CARTClassifier, or convert the target"
            )
    return Numbers(np.array(column.labels, np.float64)[column.codes])


def _classes(
    name: str, column: RawColumn, beside: Sequence[str]
) -> tuple[tuple[Label, ...], npt.NDArray[np.int32]]:
    """Return the classes of one output in order and the codes of its rows.

    `beside` has the name of an output that is no number, if there is one.
    """
    if isinstance(column, Numbers) and column.values.dtype.kind == "f":
        _refuse_infinite(name, column.values)
        _refuse_fractions(name, column.values, beside)
    if isinstance(column, Numbers) and column.unit:
        times = as_time_labels(column)
        return times.labels, times.codes.astype(np.int32)
    labels = as_labels(column)
    if not labels.declared:
        labels = labels.in_order(sorted_order(labels.labels))
    return tuple(map(plain, labels.labels)), labels.codes.astype(np.int32)


def class_codes(outputs: Outputs, target: Target) -> npt.NDArray[np.int64]:
    """Return the codes of known answers, a column per output.

    `outputs`: answers that are all there, read as in training. `target`: the classes of
    each output. The code of any other label is `MISSING`.
    """
    codes = [
        _codes_among(column, labels)
        for column, labels in zip(outputs.columns, target.classes, strict=True)
    ]
    return _side_by_side(codes)


def _codes_among(
    column: RawColumn, classes: tuple[Label, ...]
) -> npt.NDArray[np.int64]:
    if isinstance(column, Numbers) and column.unit:
        labels = as_time_labels(column)
    else:
        labels = as_labels(column)
    known = {label: code for code, label in enumerate(classes)}
    found = [known.get(label, MISSING) for label in labels.labels]
    return labels.through(np.array(found, np.int64), MISSING)


def _refuse_infinite(name: str, values: npt.NDArray[Any]) -> None:
    infinite = np.isinf(values)
    if infinite.any():
        raise DataError(
            f"the target {name!r} has "
            f"{counted(int(infinite.sum()), 'infinite value')}, first in "
            f"{first_row(infinite)}; replace or remove these rows"
        )


def _refuse_fractions(
    name: str, values: npt.NDArray[Any], beside: Sequence[str]
) -> None:
    """Raise if the values are so many fractions that they are hardly classes."""
    if (values == np.round(values)).all():
        return
    n_values = len(np.unique(values))
    if n_values > min(MANY_VALUES, len(values) / 2):
        remedy = "; use a regressor, for example CARTRegressor"
        if beside:  # which no regressor takes
            remedy = f" as {beside[0]!r} is; give each a model of its own"
        raise DataError(
            f"the target {name!r} has {n_values:,} different values with fractions in "
            f"{counted(len(values), 'row')}, which is continuous and no list of "
            f"classes{remedy}, or turn the values into text"
        )
