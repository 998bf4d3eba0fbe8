"""The folds of a search for settings, outer and inner, and the search itself."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np

from treewright.data.columns import Columns
from treewright.data.complaints import counted
from treewright.data.schema import Schema, Target
from treewright.errors import DataError, SettingError
from treewright.estimators.judged.splitting import divide
from treewright.evaluation.division import Divided, Division
from treewright.evaluation.errors.held_out_answers import Rows, Split, Tell
from treewright.evaluation.table_hash import hash_of_splits, hash_of_table
from treewright.evaluation.tuning.tuning_result import Tuning, tuning_of
from treewright.evaluation.tuning.tuning_search import (
    RULES,
    Contender,
    Tuner,
    TuningPlan,
)
from treewright.evaluation.tuning.tuning_state import TuningState, versions

FOLDS = 5
_ALIKE = "all rows have the same target"


@dataclass(frozen=True, eq=False)
class Planning:
    """A plan, how its inner folds are made, in words, and what to know of them."""

    plan: TuningPlan
    inner: str
    notes: tuple[str, ...]


def check_rule(rule: Any) -> None:
    """Refuse a rule that there is not."""
    if not isinstance(rule, str) or rule not in RULES:
        wanted = " or ".join(map(repr, RULES))
        raise SettingError(f"rule is {rule!r}; it must be {wanted}")


def planned(
    columns: Columns,
    contenders: tuple[Contender, ...],
    usual: Contender,
    division: Division,
    *,
    inner_folds: int | None,
    rule: str,
    unit: str = "leaves",
) -> Planning:
    """Divide the rows into outer folds, and those of each search into inner ones.

    `division` is that of the outer folds; `inner_folds` None: five, or as many as can
    be. The rest is as in `TuningPlan`.
    """
    Division(folds=inner_folds)  # refuses what is no number of folds
    outer = divide(columns, _with_folds(division, columns))
    _refuse_few_groups(division)
    # what each search looks at: the rows around an outer fold, in the end all of them
    searched_in = [*(split.train for split in outer.splits), np.arange(columns.n_rows)]
    inside = [
        _divided_again(columns, division, rows, inner_folds, fold)
        for fold, rows in enumerate(searched_in, start=1)
    ]
    searches = tuple(
        tuple(Split(rows[one.train], rows[one.test]) for one in divided.splits)
        for divided, rows in zip(inside, searched_in, strict=True)
    )
    plan = TuningPlan(columns, outer, searches, contenders, usual, rule, unit)
    notes = (*outer.notes, *_inner_notes(inside, outer.notes))
    return Planning(plan, inside[-1].words, notes)


def _with_folds(division: Division, columns: Columns) -> Division:
    """Return a division into five folds, or as many as can be, if nobody said it."""
    if division.folds or division.hold_out is not None or division.leave_one_out:
        return division
    most = columns.n_rows
    if division.groups is not None:
        most = len(np.unique(division.groups))
    elif division.times is not None:
        most = columns.n_rows - 1
    return replace(division, folds=max(2, min(FOLDS, most)))


def _refuse_few_groups(division: Division) -> None:
    if division.groups is None:
        return
    n_groups = len(np.unique(division.groups))
    if n_groups < 3:
        raise DataError(
            f"{n_groups} groups are too few: one is held out, and the others are "
            "divided again; give at least 3, or other groups"
        )


def _divided_again(
    columns: Columns,
    division: Division,
    rows: Rows,
    inner_folds: int | None,
    fold: int,
) -> Divided:
    """Divide the rows of a search."""
    part = columns.take(rows)
    least = 2 if division.times is None else 3
    if len(rows) < least:
        raise DataError(
            f"without outer fold {fold} only {counted(len(rows), 'row')} would be "
            "left, too few to be divided again; give fewer folds, or more rows"
        )
    note: tuple[str, ...] = ()
    if len(rows) < columns.n_rows and len(np.unique(part.target)) == 1:
        part = _without_classes(part)
        note = (f"without outer fold {fold} {_ALIKE}, so all settings are alike there",)
    own = Division(
        folds=inner_folds,
        groups=None if division.groups is None else division.groups[rows],
        times=None if division.times is None else division.times[rows],
        seed=division.seed,
    )
    try:
        divided = divide(part, _with_folds(own, part))
        return replace(divided, notes=(*divided.notes, *note))
    except DataError as error:
        if len(rows) == columns.n_rows:
            raise
        raise DataError(
            f"the {counted(len(rows), 'row')} that are left without outer fold {fold} "
            f"are divided again, and {error}"
        ) from None


def _without_classes(columns: Columns) -> Columns:
    """Return rows to be divided without regard to their target."""
    target = Target("numbers", columns.schema.target.names, ((),))
    schema = Schema((), target, has_names=False)
    return Columns(schema, (), np.zeros((columns.n_rows, 1)))


def _inner_notes(inside: list[Divided], known: tuple[str, ...]) -> Iterator[str]:
    """Yield what is to be known of the inner folds: of all rows, else of a part."""
    found = [
        [note for note in one.notes if note not in known and _ALIKE not in note]
        for one in reversed(inside)
    ]
    yield from (f"inner folds: {note}" for note in next(filter(None, found), []))
    alike = (note for one in inside for note in one.notes if _ALIKE in note)
    yield from islice(alike, 1)


def searched(
    name: str,
    planning: Planning,
    *,
    words: str,
    state: str | os.PathLike[str] | None,
    level: float,
    usual: int | None,
    n_jobs: int | None,
    tell: Tell,
) -> Tuning:
    """Do the work, or what is left of it, and return what was found.

    `words`: all that the learner `name` depends on besides the table and what is tried.
    `state`: the file that keeps what is done. `n_jobs`: fits at the same time. `tell`
    is told how many fits are done, and of how many.
    """
    if state is not None and not isinstance(state, str | os.PathLike):
        raise SettingError(f"state is {state!r}; it must be the path of a file")
    plan = planning.plan
    kept = TuningState()
    if state is not None:
        kept = TuningState(_identity(plan, words), plan.places(), state)
    tuner = Tuner(plan, kept, n_jobs=n_jobs, tell=tell)
    tuner.run()
    return tuning_of(
        name,
        tuner,
        inner=planning.inner,
        level=level,
        usual=usual,
        notes=planning.notes,
    )


def _identity(plan: TuningPlan, words: str) -> dict[str, str]:
    """Return what the figures of a plan belong to."""
    splits = [*plan.outer.splits, *(one for each in plan.searches for one in each)]
    return {
        "versions": versions(),
        "data": hash_of_table(plan.columns),
        "folds": hash_of_splits(splits),
        "settings": words,
        "things to try": repr([one.settings for one in plan.contenders]),
    }
