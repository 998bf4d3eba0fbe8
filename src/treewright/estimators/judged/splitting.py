"""How rows are divided into those that are learned from and those that are held out.

The splitters are scikit-learn's, so that the same seed gives the same folds there.
Here are their choice, and what to say when a table cannot be divided as asked.
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
)

from treewright.data.columns import Columns
from treewright.data.complaints import counted, quoted, short
from treewright.errors import DataError
from treewright.estimators.judged.splitting_in_time import divide_by_time
from treewright.evaluation.division import DEFAULT_FOLDS, Divided, Division
from treewright.evaluation.errors.held_out_answers import Split


def divide(columns: Columns, division: Division) -> Divided:
    """Divide the rows of a table; refuse what cannot be done, in one line.

    Parameters
    ----------
    columns : Columns
        The table; its target has one output.
    division : Division
        How.
    """
    refuse_target(columns)
    if columns.n_rows < 2:
        raise DataError("1 row cannot be divided; give at least 2")
    if division.times is not None:
        return divide_by_time(columns.n_rows, division)
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
    splitter: Any
    if _can_stratify(columns, n_folds):
        splitter = (
            StratifiedKFold(**how, shuffle=True)
            if repeats == 1
            else RepeatedStratifiedKFold(**how, n_repeats=repeats)
        )
    else:
        splitter = (
            KFold(**how, shuffle=True)
            if repeats == 1
            else RepeatedKFold(**how, n_repeats=repeats)
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
