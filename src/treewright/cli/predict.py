"""`treewright predict`: the answers of a saved tree for the rows of a table.

The answers are data and go to stdout or to a file; everything else goes to stderr.
"""

from __future__ import annotations

import csv
import io
import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click
import numpy as np
import numpy.typing as npt

from treewright.cli.console import check_can_write, remark, write_output
from treewright.cli.examples import examples
from treewright.cli.known_target import error_texts
from treewright.cli.model_file import is_model, load_any
from treewright.cli.reading import input_files, reading_options
from treewright.cli.rows_for_model import read_for_model
from treewright.cli.wording import on_the_command_line
from treewright.data.complaints import counted
from treewright.data.labels import plain, text
from treewright.data.readers.read_options import ReadOptions
from treewright.data.schema import Label
from treewright.errors import SettingError
from treewright.learners.registry import ROW_BY_ROW, is_a
from treewright.render.sign_of_life import busy
from treewright.tree.model import Model
from treewright.tree.predict.place import Ends
from treewright.tree.structure.tree import NO_CLASS

if TYPE_CHECKING:
    import polars as pl


@click.command(
    "predict",
    epilog=examples(
        "treewright predict iris.tw new.csv",
        "treewright predict iris.tw new.csv --proba -o answers.csv",
    ),
)
@click.argument("model", metavar="MODEL.tw")
@click.argument("data")
@click.option("-o", "--output", metavar="OUT.csv", help="Write to this file.")
@click.option("--proba", is_flag=True, help="Add a column per class with its share.")
@reading_options
def command(
    model: str, data: str, output: str | None, proba: bool, how: ReadOptions
) -> None:
    """Predict for each row of DATA, in their order, and write the answers as CSV.

    DATA is a file as for 'treewright fit'; its columns are matched by name. If it has
    the target too, the error is reported.
    """
    check_can_write(output, model, *input_files(data))
    if is_model(data) and not is_model(model):
        raise SettingError(
            f"{data} is a treewright model and {model} is not: write the model first, "
            "then the table"
        )
    loaded: Any = load_any(model)  # trees and rules answer the same questions
    if proba and loaded.schema.target.kind == "numbers":
        raise SettingError(
            f"{model} predicts numbers, which have no class shares; leave out --proba"
        )
    frame = read_for_model(loaded, data, how).frame
    known = [name for name in loaded.schema.target.names if name in frame.columns]
    with busy("predicting"):
        ends = _ends(loaded, frame.drop(known))
        answers = _answers(loaded, ends, proba=proba)
    write_output(output, _as_csv(answers))
    _say_what_is_unclassified(loaded, ends)
    for name in known:
        for line in error_texts(loaded, ends, name, frame[name]):
            remark(line, indent=2)
    rows = counted(frame.height, "row")
    remark(f"wrote {rows} to {output or 'stdout'}")


def _ends(model: Model, rows: pl.DataFrame) -> Ends:
    """Return where the rows end; what is odd about them is said on stderr."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        cells, notes = model.encode(rows)
    for note in [*(str(warning.message) for warning in caught), *notes]:
        remark(f"note: {on_the_command_line(note)}", indent=6)
    return model.ends(cells)


def _answers(
    model: Model, ends: Ends, *, proba: bool
) -> list[tuple[str, Sequence[object]]]:
    """Return the columns to write, each with its name."""
    target = model.schema.target
    predicted = model.predict_at(ends).reshape(len(ends), target.n_outputs)
    columns: list[tuple[str, Sequence[object]]] = [
        (f"predicted_{name}", [_cell(answer) for answer in answers])
        for name, answers in zip(target.names, predicted.T, strict=True)
    ]
    if proba:
        columns += _share_columns(model, ends)
    return columns


def _say_what_is_unclassified(model: Model, ends: Ends) -> None:
    """Say on stderr why some cells are empty."""
    if model.schema.target.kind == "numbers":
        return
    codes = model.codes_at(ends)
    n_lost = int((codes == NO_CLASS).any(axis=1).sum())
    if n_lost:
        why = "no training row was like that"
        if is_a(model, ROW_BY_ROW):  # it may have stopped before
            why = "nothing was learned about such rows"
        remark(
            f"note: {counted(n_lost, 'row')} without a class, as {why}; the cell is "
            "empty"
        )


def _share_columns(model: Model, ends: Ends) -> Iterator[tuple[str, Sequence[object]]]:
    """Yield a column per class with its share, output after output."""
    target = model.schema.target
    found = model.proba_at(ends)
    tables: list[npt.NDArray[np.float64]] = (
        found if isinstance(found, list) else [found]
    )
    for name, labels, table in zip(target.names, target.classes, tables, strict=True):
        which = "" if target.n_outputs == 1 else f"{name}_"
        for label, shares in zip(labels, table.T, strict=True):
            yield f"probability_{which}{_cell(label)}", shares.tolist()


def _cell(answer: Label) -> object:
    """Return an answer as it stands in a CSV file; nothing for no class."""
    if answer is None or answer != answer:  # noqa: PLR0124 - this is NaN or NaT
        return ""
    if isinstance(answer, np.datetime64 | np.timedelta64):
        return _time_cell(answer)
    answer = plain(answer)
    if isinstance(answer, bool):
        return str(answer).lower()
    return answer if isinstance(answer, float) else text(answer)


def _time_cell(answer: np.datetime64 | np.timedelta64) -> str:
    """Return a date or duration as Python writes it, or all digits if it is finer."""
    if not isinstance(answer.item(), int):
        return text(answer.item())
    coarse = answer.astype(f"{type(answer).__name__}[us]")
    return text(coarse.item()) if coarse == answer else str(answer)


def _as_csv(columns: list[tuple[str, Sequence[object]]]) -> str:
    """Return the columns as CSV text."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([name for name, _ in columns])
    writer.writerows(zip(*(cells for _, cells in columns), strict=True))
    return out.getvalue()
