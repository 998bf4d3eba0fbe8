"""Comparing one program on one data set: a verdict, and every difference in words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from conformance.complexity import AbsentError, table_difference
from conformance.datasets import Dataset, recorded_results, recorded_trees
from conformance.figures import Figures, grow
from conformance.our_trees import outline_of
from conformance.printed_trees import read_tree
from conformance.programs import Names, Program
from conformance.tree_difference import first_difference
from treewright.errors import SettingError

State = Literal["same", "differs", "absent", "fails"]


@dataclass(frozen=True)
class Verdict:
    """What came of a comparison."""

    dataset: str
    program: str
    state: State
    differences: tuple[str, ...] = ()


def is_recorded(name: str, program: Program) -> bool:
    """Tell whether there is anything to compare."""
    return any(
        _record(name, way) for way in (program.fields.at, program.fields.holdout_at)
    )


def compare(program: Program, dataset: Dataset, *, folds: bool = True) -> Verdict:
    """Grow our trees and compare them with the record.

    An estimator or setting that does not exist is "absent"; any other error "fails",
    with its message, so that one set cannot hide the others.
    """
    try:
        program.make(dataset)
    except (AttributeError, SettingError) as error:
        return Verdict(dataset.name, program.name, "absent", (str(error),))
    try:
        found = tuple(differences(program, dataset, folds=folds))
    except (SettingError, AbsentError) as error:
        return Verdict(dataset.name, program.name, "absent", (str(error),))
    except Exception as error:
        message = f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"
        return Verdict(dataset.name, program.name, "fails", (message,))
    state: State = "differs" if found else "same"
    return Verdict(dataset.name, program.name, state, found)


def differences(
    program: Program, dataset: Dataset, *, folds: bool = True
) -> Iterator[str]:
    """Yield every difference in words: trees first, then figures, then folds."""
    record = _record(dataset.name, program.fields.at)
    if _holds(record, program.fields.whole):
        yield from _whole(program, dataset, record)
    if folds and dataset.folds is not None and _holds(record, program.fields.folds):
        yield from _folds(program, dataset, record)
    yield from _holdout(program, dataset)


def _whole(
    program: Program, dataset: Dataset, record: Mapping[str, Any]
) -> Iterator[str]:
    grown = grow(program, dataset, np.arange(dataset.n_rows))
    yield from _tree(program, dataset, grown.estimator, program.tree)
    yield from _figures(grown.figures, record, program.fields.whole, "all rows")
    if program.has_complexity_table and record["cptable"]:
        yield from table_difference(record["cptable"], grown.estimator)


def _folds(
    program: Program, dataset: Dataset, record: Mapping[str, Any]
) -> Iterator[str]:
    total: Figures = {}
    for fold in range(10):
        is_test = dataset.folds == fold
        grown = grow(
            program,
            dataset,
            np.flatnonzero(~is_test),
            test=np.flatnonzero(is_test),
        )
        theirs = {
            name: record[name][fold]
            for name in program.fields.folds.values()
            if name in record
        }
        yield from _figures(grown.figures, theirs, program.fields.folds, f"fold {fold}")
        for name, count in grown.figures.items():
            total[name] = total.get(name, 0) + count
    if "test_squares" in total:
        total["test_rmse"] = math.sqrt(total["test_squares"] / dataset.n_rows)
    # a count of zero is left out of the records
    zeros = {"cv_unclassified": 0}
    yield from _figures(total, {**zeros, **record}, program.fields.totals, "all folds")


def _holdout(program: Program, dataset: Dataset) -> Iterator[str]:
    record = _record(dataset.name, program.fields.holdout_at)
    if not record or dataset.train_rows is None:
        return
    grown = grow(program, dataset, dataset.train_rows, test=dataset.test_rows)
    yield from _tree(program, dataset, grown.estimator, program.holdout_tree)
    yield from _figures(grown.figures, record, program.fields.holdout, "split")


def _tree(
    program: Program, dataset: Dataset, estimator: Any, name: str | None
) -> Iterator[str]:
    text = recorded_trees().get(dataset.name, {}).get(name or "")
    if name is None or text is None:
        return
    theirs = read_tree(text, name, features=dataset.features, classes=dataset.classes)
    ours = outline_of(estimator)
    difference = first_difference(theirs, ours)
    if difference is not None:
        yield difference


def _figures(
    ours: Figures, theirs: Mapping[str, Any], names: Names, where: str
) -> Iterator[str]:
    for our_name, their_name in names.items():
        if our_name not in ours or their_name not in theirs:
            continue
        figure, recorded = ours[our_name], theirs[their_name]
        if not math.isclose(figure, recorded, rel_tol=1e-6, abs_tol=1e-9):
            words = our_name.replace("_", " ")
            yield f"{where}: {words} {recorded:.10g}, ours {figure:.10g}"


def _record(name: str, way: tuple[str, ...]) -> dict[str, Any]:
    """Return the part of a set's record at the end of this way; empty if none."""
    part: dict[str, Any] = recorded_results().get(name, {})
    for step in way:
        part = part.get(step, {})
    return part if way else {}


def _holds(record: Mapping[str, Any], names: Names) -> bool:
    return any(name in record for name in names.values())
