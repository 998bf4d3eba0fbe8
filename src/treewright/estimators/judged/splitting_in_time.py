"""How rows are divided in order of time: learned from earlier ones, asked about later.

Rows of one time are never on both sides, and nothing that only looks like a time is
put in order.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.model_selection import TimeSeriesSplit

from treewright.data.complaints import counted, short
from treewright.errors import DataError
from treewright.evaluation.division import DEFAULT_FOLDS, Divided, Division
from treewright.evaluation.errors.held_out_answers import Split


def divide_by_time(n_rows: int, division: Division) -> Divided:
    """Divide rows so that training rows are earlier than those held out."""
    assert division.times is not None
    times = _in_order_of_time(division.times)
    order = np.argsort(times, kind="stable")
    if division.hold_out is not None:
        n_trained = n_rows - int(np.ceil(division.hold_out * n_rows))
        splits, notes = _earlier((Split(order[:n_trained], order[n_trained:]),), times)
        words = (
            "hold-out by time: learned from the first "
            f"{counted(len(splits[0].train), 'row')}, asked about the last "
            f"{n_rows - n_trained:,}"
        )
        return Divided(splits, words, notes)
    asked = division.folds
    if asked is not None and asked >= n_rows:
        raise DataError(
            f"{asked} folds in order of time cannot be made of "
            f"{counted(n_rows, 'row')}; give {n_rows - 1} folds or fewer"
        )
    n_folds = asked or min(DEFAULT_FOLDS, n_rows - 1)
    if n_folds < 2:
        raise DataError(
            f"{counted(n_rows, 'row')} cannot be divided in order of time; give at "
            "least 3"
        )
    splits, notes = _earlier(
        tuple(
            Split(order[train], order[test])
            for train, test in TimeSeriesSplit(n_folds).split(order)
        ),
        times,
    )
    words = (
        f"{len(splits)} times in order of time: all earlier rows, then the next ones"
    )
    return Divided(splits, words, notes)


def _in_order_of_time(times: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return times as numbers or dates; other texts are in no order of time."""
    if times.dtype.kind not in "OUST":
        return times
    try:
        if any(isinstance(value, str) for value in times.tolist()):
            return times.astype(str).astype("datetime64[us]")
        np.sort(times)
    except (TypeError, ValueError):
        first = next(
            (value for value in times.tolist() if not _is_iso(value)), times[0]
        )
        raise DataError(
            f"the time {short(first)} is neither a number nor a date as 2023-12-31, so "
            "there is no order of time; write dates so, or give numbers"
        ) from None
    return times


def _is_iso(value: Any) -> bool:
    try:
        np.datetime64(value)
    except (TypeError, ValueError):
        return False
    return True


def _earlier(
    splits: tuple[Split, ...], times: npt.NDArray[Any]
) -> tuple[tuple[Split, ...], tuple[str, ...]]:
    """Return the splits without training rows as late as one that is held out."""
    found = []
    for split in splits:
        is_earlier = times[split.train] < times[split.test].min()
        found.append(Split(split.train[is_earlier], split.test))
    kept = tuple(split for split in found if len(split.train))
    if not kept:
        raise DataError(
            "no row is earlier than those that are held out; hold out less, or give "
            "times that differ"
        )
    n_before = sum(len(split.train) for split in splits)
    notes = []
    if sum(len(split.train) for split in found) < n_before:
        notes.append(
            "rows of the same time as the first held-out ones are not learned from: "
            "what is learned from is always earlier"
        )
    if len(kept) < len(found):
        left_out = counted(len(found) - len(kept), "part")
        notes.append(f"{left_out} without earlier rows left out")
    return kept, tuple(notes)
