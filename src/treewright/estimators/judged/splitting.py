"""How rows are divided into those that are learned from and those that are held out.

The splitters are scikit-learn's, so that the same seed gives the same folds there.
Here are their choice, and what to say when a table cannot be divided as asked; then
splits in order of time, and those that somebody has made already.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.model_selection import (
    GroupKFold,
    GroupShuffleSplit,
    KFold,
    LeaveOneOut,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedGroupKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
    TimeSeriesSplit,
)

from treewright.data.columns import Columns
from treewright.data.complaints import counted, quoted, short
from treewright.errors import DataError, SettingError
from treewright.evaluation.division import DEFAULT_FOLDS, Divided, Division
from treewright.evaluation.errors.held_out_answers import Split


def divide(columns: Columns, division: Division) -> Divided:
    """Divide the rows of a table; refuse what cannot be done, in one line."""
    refuse_target(columns)
    if columns.n_rows < 2:
        raise DataError("1 row cannot be divided; give at least 2")
    if division.times is not None:
        return _in_time(columns.n_rows, division)
    if division.leave_one_out:
        return _one_by_one(columns, division.seed)
    if division.hold_out is not None:
        return _held_out(columns, division)
    if division.groups is not None:
        return _group_folds(columns, division)
    return _folds(columns, division)


def refuse_target(columns: Columns) -> None:
    """Refuse several outputs, and a target that has nothing to tell apart."""
    target = columns.schema.target
    if target.n_outputs > 1:
        raise DataError(
            f"the target has {target.n_outputs} columns, {quoted(target.names)}; one "
            "is evaluated at a time"
        )
    if target.kind != "classes":
        return
    there = np.unique(columns.target)
    if len(there) == 1:
        only = short(target.classes[0][int(there[0])])
        raise DataError(
            f"the target {target.names[0]!r} has one class only, {only}: there is "
            "nothing to tell apart; take rows of at least 2 classes"
        )


def _folds(columns: Columns, division: Division) -> Divided:
    """k-fold, with the classes in proportion."""
    n_rows, asked = columns.n_rows, division.folds
    if asked is not None and asked > n_rows:
        raise DataError(
            f"{asked} folds cannot be made of {counted(n_rows, 'row')}; give "
            f"{n_rows} folds or fewer"
        )
    n_folds = asked or min(DEFAULT_FOLDS, n_rows)
    notes = list(_few_rows_notes(columns, n_folds))
    if asked is None and n_folds < DEFAULT_FOLDS:
        notes.append(f"{counted(n_rows, 'row')}: each is a fold of its own")
    how = {"n_splits": n_folds, "random_state": division.seed}
    repeats = division.repeats
    once, often = KFold, RepeatedKFold
    if _can_stratify(columns, n_folds):
        once, often = StratifiedKFold, RepeatedStratifiedKFold
    splitter = (
        once(**how, shuffle=True) if repeats == 1 else often(**how, n_repeats=repeats)
    )
    words = f"{n_folds}-fold cross-validation{_times(repeats)}"
    return Divided(splits_of(splitter, columns), words, tuple(notes))


def _can_stratify(columns: Columns, n_folds: int) -> bool:
    if columns.schema.target.kind != "classes":
        return False
    return bool(np.bincount(columns.target[:, 0]).max() >= n_folds)


def _few_rows_notes(columns: Columns, n_folds: int) -> Iterable[str]:
    """Say which classes have fewer rows than there are folds, and what that means."""
    target = columns.schema.target
    if target.kind != "classes":
        return
    counts = np.bincount(columns.target[:, 0], minlength=len(target.classes[0]))
    few = [
        f"{short(target.classes[0][code])} ({counts[code]})"
        for code in np.flatnonzero((counts > 0) & (counts < n_folds)).tolist()
    ]
    if not few:
        return
    if not _can_stratify(columns, n_folds):
        yield (
            f"every class has fewer rows than the {n_folds} folds, so the folds are "
            "drawn without regard to the classes"
        )
        return
    shown = ", ".join(few[:3]) + (f" and {len(few) - 3} more" if len(few) > 3 else "")
    whose = "class has" if len(few) == 1 else "classes have"
    yield (
        f"{len(few)} {whose} fewer rows than the {n_folds} folds, {shown}: some folds "
        "hold none of them out, and a class of 1 row is never learned when it is asked "
        "about"
    )


def _one_by_one(columns: Columns, seed: int) -> Divided:
    words = f"leave-one-out: {columns.n_rows:,} times all rows but one"
    note = (
        "leave-one-out errors of trees vary more than such an interval shows; repeated "
        "folds tell better"
    )
    folds = _folds(columns, Division(seed=seed))
    return Divided(splits_of(LeaveOneOut(), columns), words, (note,), folds)


def _held_out(columns: Columns, division: Division) -> Divided:
    """A share of the rows, once or several times."""
    share, repeats = division.hold_out, division.repeats
    how = {
        "n_splits": repeats,
        "test_size": share,
        "random_state": division.seed,
    }
    n_all, unit = columns.n_rows, "row"
    if division.groups is not None:
        n_all, unit = _refuse_one_group(division.groups), "group"
    n_held = int(np.ceil((share or 0) * n_all))
    if n_held >= n_all:
        raise DataError(
            f"hold_out={share} of {counted(n_all, unit)} leaves none to learn from; "
            "hold out less"
        )
    notes: tuple[str, ...] = ()
    splitter: Any
    if division.groups is not None:
        splitter = GroupShuffleSplit(**how)
    else:
        splitter, notes = _shuffle(columns, n_held, how)
    splits = splits_of(splitter, columns, division.groups)
    held, trained = len(splits[0].test), len(splits[0].train)
    grouped = " of other groups" if division.groups is not None else ""
    words = (
        f"hold-out: learned from {counted(trained, 'row')}, asked about "
        f"{counted(held, 'other')}{grouped}"
    )
    return Divided(splits, words + _times(repeats), notes)


def _shuffle(
    columns: Columns, n_held: int, how: dict[str, Any]
) -> tuple[Any, tuple[str, ...]]:
    """Return the splitter of a hold-out: with the classes in proportion, if it goes."""
    if columns.schema.target.kind != "classes":
        return ShuffleSplit(**how), ()
    counts = np.unique(columns.target[:, 0], return_counts=True)[1]
    n_classes = len(counts)
    if counts.min() >= 2 and min(n_held, columns.n_rows - n_held) >= n_classes:
        return StratifiedShuffleSplit(**how), ()
    note = (
        "a class has a single row, or a side fewer rows than there are classes, so "
        "rows are drawn without regard to the classes"
    )
    return ShuffleSplit(**how), (note,)


def _group_folds(columns: Columns, division: Division) -> Divided:
    """Folds that keep groups together."""
    groups = division.groups
    assert groups is not None
    n_groups = _refuse_one_group(groups)
    asked = division.folds
    if asked is not None and asked > n_groups:
        raise DataError(
            f"{asked} folds cannot be made of {counted(n_groups, 'group')}; give "
            f"{n_groups} folds or fewer"
        )
    n_folds = asked or min(DEFAULT_FOLDS, n_groups)
    splits: list[Split] = []
    for repeat in range(division.repeats):
        how = {
            "n_splits": n_folds,
            "shuffle": True,
            "random_state": division.seed + repeat,
        }
        is_classes = _can_stratify(columns, n_folds)
        splitter = StratifiedGroupKFold(**how) if is_classes else GroupKFold(**how)
        splits += splits_of(splitter, columns, groups)
    words = (
        f"{n_folds}-fold cross-validation{_times(division.repeats)}, "
        f"{n_groups:,} groups kept together"
    )
    kept = tuple(split for split in splits if len(split.test) and len(split.train))
    notes = list(_few_rows_notes(columns, n_folds))
    if len(kept) < len(splits):
        notes.append(
            f"{counted(len(splits) - len(kept), 'fold')} without rows left out: the "
            "groups are too large to divide them evenly"
        )
    return Divided(kept, words, tuple(notes))


def _refuse_one_group(groups: npt.NDArray[Any]) -> int:
    n_groups = len(np.unique(groups))
    if n_groups == 1:
        raise DataError(
            f"all rows are of one group, {short(groups.tolist()[0])}, which cannot be "
            "divided; choose another column for the groups, or none"
        )
    return n_groups


def _times(repeats: int) -> str:
    return "" if repeats == 1 else f", {repeats} times"


def splits_of(
    splitter: Any, columns: Columns, groups: npt.NDArray[Any] | None = None
) -> tuple[Split, ...]:
    """Return what a splitter of scikit-learn makes of the rows."""
    with warnings.catch_warnings():
        # that a class has few rows is said in a note
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        rows = np.zeros(columns.n_rows)
        pairs = splitter.split(rows, columns.target[:, 0], groups)
        return tuple(Split(train, test) for train, test in pairs)


# ---- In order of time: learned from earlier rows, asked about later ones.


def _in_time(n_rows: int, division: Division) -> Divided:
    """Divide rows so that training rows are earlier than those held out.

    Rows of one time are never on both sides, and nothing that only looks like a time is
    put in order.
    """
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


# ---- Splits that are there already: a splitter's, or row numbers, or masks.


def given_splits(folds: Any, columns: Columns, groups: Any = None) -> Divided:
    """Return the splits of a splitter, or of pairs of rows, as scikit-learn takes."""
    refuse_target(columns)
    if hasattr(folds, "split"):
        splits = splits_of(folds, columns, groups)
        words = f"{type(folds).__name__}: {counted(len(splits), 'split')}"
    else:
        splits = tuple(_given_pair(pair, columns.n_rows) for pair in folds)
        words = f"{counted(len(splits), 'split')} as given"
    for split in splits:
        if not len(split.train) or not len(split.test):
            raise SettingError("folds has a split without rows on one side")
        if len(np.intersect1d(split.train, split.test)):
            raise SettingError(
                "folds has a split with a row on both sides; held-out rows must not be "
                "learned from"
            )
    if not splits:
        raise SettingError("folds has no splits; give at least one")
    return Divided(splits, words)


def _given_pair(pair: Any, n_rows: int) -> Split:
    """Return a split that was given as two lists of row numbers, or as two masks."""
    try:
        train, test = pair
    except (TypeError, ValueError):
        raise SettingError(
            f"folds has {short(pair)}, which is not a pair (train, test) of row numbers"
        ) from None
    return Split(_row_numbers(train, n_rows), _row_numbers(test, n_rows))


def _row_numbers(given: Any, n_rows: int) -> npt.NDArray[np.intp]:
    """Return row numbers; a mask has True for each row that is meant."""
    rows = np.asarray(given)
    if rows.dtype == bool:
        if rows.shape != (n_rows,):
            raise SettingError(
                f"folds has a mask of the shape {rows.shape}; it must have one for "
                f"each of the {n_rows:,} rows"
            )
        return np.flatnonzero(rows)
    if rows.ndim != 1 or (len(rows) and rows.dtype.kind not in "iu"):
        raise SettingError("folds must have row numbers, whole ones, or masks")
    outside = rows[(rows < 0) | (rows >= n_rows)]
    if len(outside):
        raise SettingError(
            f"folds names the row {outside[0]}; rows are numbered from 0 to "
            f"{n_rows - 1}"
        )
    return rows.astype(np.intp)
