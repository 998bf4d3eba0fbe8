"""Reading a table for a model: its columns as the model knows them, its answers."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from treewright.cli.console import remark
from treewright.cli.options.reading import read, refuse_other_separator
from treewright.cli.wording import on_the_command_line
from treewright.data.complaints import counted, quoted
from treewright.data.readers.read_options import ReadOptions
from treewright.data.readers.table_file import TableFile
from treewright.errors import DataError
from treewright.prune.labelled_rows import LabelledRows
from treewright.tree.model import Model

if TYPE_CHECKING:
    import polars as pl


def read_for_model(model: Model, data: str, how: ReadOptions) -> TableFile:
    """Read a table whose columns are matched with the features of a model."""
    features = model.schema.features
    table = read(
        data,
        how,
        nominal=[each.name for each in features if not each.holds_numbers],
        not_applicable=[
            (each.name, each.not_applicable)
            for each in features
            if each.not_applicable is not None
        ],
    )
    texts = {each.word.column for each in features if each.word is not None}
    if not {*table.frame.columns} & {*model.schema.names, *texts}:
        refuse_other_separator(table.frame.columns)
    _refuse_text_for_numbers(model, table, data)
    return table


def _refuse_text_for_numbers(model: Model, table: TableFile, data: str) -> None:
    """Refuse cells that keep a column from being the numbers that the model asks for.

    The reader knows their lines, and which option would read them.
    """
    numeric = {each.name for each in model.schema.features if each.holds_numbers}
    for column in table.report:
        if column.name in numeric and "not numeric because" in column.remark:
            found = column.remark[column.remark.index("not numeric because") :]
            raise DataError(
                f"feature {column.name!r} is numeric in the model, and in {data} "
                f"{found}"
            )


def known_rows(model: Model, data: str, how: ReadOptions) -> LabelledRows:
    """Return the rows of a table that have a target; what is odd is said on stderr."""
    why = "rules are counted right or wrong by it: add the column"
    # a forest has no rules without rows
    if len(getattr(model, "trees", ())) <= 1:
        why += ", or leave ROWS out"
    return _labelled(model, *read_with_target(model, data, how, why))


def _labelled(model: Model, features: pl.DataFrame, answers: Any) -> LabelledRows:
    """Encode rows; say which values and how many classes training never saw."""
    with warnings_as_remarks():
        rows = LabelledRows.of_table(model, features, answers, use="to count")
    remark_notes(rows.notes)
    if model.schema.target.kind == "classes" and (rows.target < 0).any():
        unknown = counted(int((rows.target < 0).any(axis=1).sum()), "row")
        remark(f"note: {unknown} of a class not seen in training", indent=6)
    return rows


def numbered_rows(
    model: Model, data: str, how: ReadOptions
) -> tuple[LabelledRows, npt.NDArray[np.int64]]:
    """Return the rows of a table that have a target, and their numbers from 1."""
    frame = read_for_model(model, data, how).frame
    why = "rules are right or wrong by it: add the column"
    features, answers = _with_target(model, data, frame, why)
    has_target = frame[model.schema.target.names[0]].is_not_null()
    rows = _labelled(model, features, answers)
    return rows, has_target.arg_true().to_numpy().astype(np.int64) + 1


def read_with_target(
    model: Model, data: str, how: ReadOptions, why: str
) -> tuple[pl.DataFrame, Any]:
    """Read the rows of a table that have a target: the features, and the answers.

    `why` says what the target is needed for.
    """
    return _with_target(model, data, read_for_model(model, data, how).frame, why)


def _with_target(
    model: Model, data: str, frame: pl.DataFrame, why: str
) -> tuple[pl.DataFrame, Any]:
    names = list(model.schema.target.names)
    absent = [name for name in names if name not in frame.columns]
    if absent:
        raise DataError(f"{data} lacks the target {quoted(absent)}; {why}")
    known = frame.drop_nulls(names)
    lost = frame.height - known.height
    if lost:
        remark(f"note: {counted(lost, 'row')} without a target left out", indent=6)
    if known.height == 0:
        raise DataError(f"no row of {data} has a target; at least 1 is needed")
    answers = known[names[0]] if len(names) == 1 else known.select(names)
    return known.drop(names), answers


@contextlib.contextmanager
def warnings_as_remarks() -> Iterator[None]:
    """Print the warnings of the block as remarks, in the words of the command line."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    remark_notes(str(warning.message) for warning in caught)


def remark_notes(notes: Iterable[str]) -> None:
    """Print notes as remarks, in the words of the command line."""
    for note in notes:
        remark(f"note: {on_the_command_line(note)}", indent=6)
