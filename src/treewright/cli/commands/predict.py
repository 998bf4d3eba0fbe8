"""`treewright predict`: the answers of a saved tree for the rows of a table.

The answers are data and go to stdout or to a file; everything else goes to stderr.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click
import numpy as np
import numpy.typing as npt

from treewright.cli.console import check_can_write, remark, write_output
from treewright.cli.model_file import load_any, refuse_swapped
from treewright.cli.options.model_rows import (
    read_for_model,
    remark_notes,
    warnings_as_remarks,
)
from treewright.cli.options.reading import input_files, reading_options
from treewright.cli.program import example_command
from treewright.data.complaints import counted
from treewright.data.labels import MISSING, CategoryTable, plain, text
from treewright.data.readers.read_options import ReadOptions
from treewright.data.schema import Label
from treewright.data.tables.convert import as_labels, as_numbers
from treewright.data.tables.frames import read_column
from treewright.errors import SettingError, TreewrightError
from treewright.learners.registry import ROW_BY_ROW, is_a
from treewright.render.fitting.safe_text import short_number
from treewright.render.sign_of_life import busy
from treewright.tree.model import Model
from treewright.tree.predict.place import Ends
from treewright.tree.structure.branch_words import label_text
from treewright.tree.structure.tree import NO_CLASS

if TYPE_CHECKING:
    from treewright.rules.rule_model import RuleModel

_ROOT = np.zeros(1, np.int32)
_UNKNOWN = -2  # a class that training never saw: wrong, whatever is predicted


@example_command(
    "predict",
    "treewright predict iris.tw new.csv",
    "treewright predict iris.tw new.csv --proba -o answers.csv",
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
    refuse_swapped(model, data)
    loaded: Any = load_any(model)  # trees and rules answer the same questions
    if proba and loaded.schema.target.kind == "numbers":
        raise SettingError(
            f"{model} predicts numbers, which have no class shares; leave out --proba"
        )
    frame = read_for_model(loaded, data, how).frame
    known = [name for name in loaded.schema.target.names if name in frame.columns]
    with busy("predicting"):
        with warnings_as_remarks():
            cells, notes = loaded.encode(frame.drop(known))
        remark_notes(notes)
        ends = loaded.ends(cells)
        answers = _answers(loaded, ends, proba=proba)
    write_output(output, _as_csv(answers))
    _say_what_is_unclassified(loaded, ends)
    for name in known:
        for line in error_texts(loaded, ends, name, frame[name]):
            remark(line, indent=2)
    rows = counted(frame.height, "row")
    remark(f"wrote {rows} to {output or 'stdout'}")


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
    return [*columns, *_share_columns(model, ends)] if proba else columns


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


def error_texts(model: Model, ends: Ends, name: str, actual: Any) -> list[str]:
    """Return how far the answers at `ends` are from the target column `actual`."""
    target = model.schema.target
    output = target.names.index(name)
    predicted = model.predict_at(ends).reshape(len(ends), -1)[:, output]
    try:
        if target.kind == "numbers":
            middle = float(_mean_root(model)[output])
            return _number_error(name, predicted, actual, middle=middle)
        usual = _usual(model, output)
        return _class_error(
            name, predicted, actual, classes=target.classes[output], usual=usual
        )
    except TreewrightError as error:
        # the answers do not depend on it: a remark, not a failure
        return [f"note: the error on {name!r} is not known: {error}"]


def _usual(model: Model | RuleModel, output: int) -> int:
    """Return the class that is said without a model."""
    if not isinstance(model, Model):
        return int(model.totals.argmax())
    target = model.schema.target
    if len(model.trees) > 1 and target.costs is None:
        return int(_mean_root(model)[target.slots[output]].argmax())
    return int(model.trees[0].labels_at(_ROOT)[0, output])


def _mean_root(model: Model) -> npt.NDArray[np.float64]:
    """Return what the roots say: each tree of a forest has drawn its own rows."""
    trees = model.trees[:1] if model.voting.is_boosted else model.trees
    roots = np.array([tree.answers_at(_ROOT)[0] for tree in trees])
    return np.asarray(roots.mean(axis=0))


def _class_error(
    name: str,
    predicted: npt.NDArray[Any],
    actual: Any,
    *,
    classes: tuple[Label, ...],
    usual: int,
) -> list[str]:
    """Return how many rows are wrong, and how many without a tree."""
    table = CategoryTable(classes)
    truth = _class_codes(name, actual, table)
    known = truth != MISSING
    n_known = int(known.sum())
    if n_known == 0:
        return [f"{name}: no row has a known class, so the error is not known"]
    answers = _class_codes(name, predicted, table)
    wrong = int((answers != truth)[known].sum())
    wrong_without = int((truth != usual)[known].sum())
    unknown = int((truth == _UNKNOWN).sum())
    parts = [
        f"{name}: {wrong:,} of {counted(n_known, 'row')} wrong "
        f"({100 * wrong / n_known:.1f} %)",
        f"always saying {label_text(classes[usual])}: {wrong_without:,} "
        f"({100 * wrong_without / n_known:.1f} %)",
    ]
    if unknown:
        parts.append(f"{counted(unknown, 'row')} of a class not seen in training")
    return _lines(parts, known)


def _class_codes(name: str, column: Any, table: CategoryTable) -> npt.NDArray[np.int64]:
    """Return the class of each row; MISSING and _UNKNOWN where there is none."""
    labels = as_labels(read_column(name, column))
    codes = [table.code(label) for label in labels.labels]
    known = [_UNKNOWN if code == MISSING else code for code in codes]
    return np.array([*known, MISSING], np.int64)[labels.codes]


def _number_error(
    name: str, predicted: npt.NDArray[Any], actual: Any, *, middle: float
) -> list[str]:
    """Return the root of the mean squared error, and the mean absolute error."""
    numbers = as_numbers(name, read_column(name, actual))
    known = ~numbers.is_missing()
    if not known.any():
        return [f"{name}: no row has a known number, so the error is not known"]
    truth = numbers.comparable().astype(np.float64)[known]
    off = predicted[known] - truth
    without = float(np.sqrt(np.mean((truth - middle) ** 2)))
    parts = [
        f"{name}: root of the mean squared error "
        f"{short_number(float(np.sqrt(np.mean(off**2))))}",
        f"mean absolute error {short_number(float(np.abs(off).mean()))}",
        f"always saying {short_number(middle)}: {short_number(without)}",
    ]
    return _lines(parts, known)


def _lines(parts: list[str], known: npt.NDArray[np.bool_]) -> list[str]:
    """Return the parts, the first as the head of the others."""
    n_left = int((~known).sum())
    if n_left:
        parts.append(f"{counted(n_left, 'row')} without a target not counted")
    return [parts[0], *(f"  {part}" for part in parts[1:])]
