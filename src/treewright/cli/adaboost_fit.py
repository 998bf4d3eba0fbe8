"""`treewright fit --algorithm adaboost`: trees one after the other that vote."""

from __future__ import annotations

import dataclasses
import secrets
from collections.abc import Iterator
from typing import Any

from treewright.cli.algorithm import ALGORITHMS, Recipe
from treewright.cli.console import Console, say
from treewright.cli.fit_report import (
    error_table_lines,
    last_lines,
    note_lines,
    seed_note,
    told_settings,
)
from treewright.cli.held_out import HeldOut
from treewright.cli.many_trees_report import fit_of_many, table_and_choice_lines
from treewright.cli.model_file import keep
from treewright.cli.switch_names import refuse_unknown
from treewright.cli.training import Training
from treewright.data.columns import Columns
from treewright.data.complaints import counted
from treewright.data.machine import thread_note
from treewright.errors import SettingError
from treewright.grow.dialect import Dialect
from treewright.learners.adaboost import BASES, Boosted, grow_adaboost, training_error
from treewright.learners.adaboost_settings import AdaBoostSettings, check_target
from treewright.render.listing.forest_text import forest_lines
from treewright.render.sign_of_life import busy
from treewright.tree.asked_words import only_asked_words

ADABOOST = "adaboost"
_OWN = {field.name for field in dataclasses.fields(AdaBoostSettings)}


def adaboost_recipe(settings: dict[str, Any]) -> tuple[Recipe, dict[str, Any]]:
    """Return the recipe of the trees, and the settings of the boosting."""
    refuse_unknown(settings, (*_OWN, "dialect"))
    own = {name: value for name, value in settings.items() if name in _OWN}
    AdaBoostSettings(**own).check()
    if "random_state" in own and own.get("by") != "resampling":
        raise SettingError(
            "random_state is for by=resampling, which is not set; set that too, or "
            "leave random_state out"
        )
    others = {n: v for n, v in settings.items() if n not in _OWN and n != "dialect"}
    name = settings.get("dialect", _usual_dialect(own))
    if name not in BASES:
        known = ", ".join(BASES)
        raise SettingError(f"dialect is {name!r}; the trees can be {known}")
    # C5.0 is C4.5 with other switches; there is no such algorithm on its own
    start = "c45" if name == "c50" else name
    return Recipe(start, others, start=_start(start, name)), own


def _usual_dialect(own: dict[str, Any]) -> str:
    return "c50" if own.get("boosting") == "c50" else "cart"


def _start(usual_name: str, name: str) -> dict[str, Any]:
    """The switches in which the trees of boosting differ from those of the dialect."""
    usual, here = ALGORITHMS[usual_name].settings(), BASES[name].settings()
    return {switch: here[switch] for switch in here if here[switch] != usual[switch]}


def fit_adaboost(
    training: Training, own: dict[str, Any], output: str | None, jobs: int | None
) -> None:
    """Boost trees, keep them, and say how good they are."""
    columns = training.divided()
    check_target(columns)
    dialect, _ = training.recipe.dialect(columns)
    if training.recipe.start.get("grouping") == "c50":
        dialect = dataclasses.replace(dialect, name="c50")
    settings = AdaBoostSettings(**{"random_state": secrets.randbits(32), **own})
    rounds = counted(settings.n_estimators, "round")
    with busy(f"boosting, {rounds}") as sign:
        boosted = grow_adaboost(
            columns,
            dialect,
            settings,
            n_jobs=jobs,
            progress=lambda done, of: sign.bar("boosting", done, of, "rounds"),
        )
    kept = {
        **boosted.model.settings,
        **dataclasses.asdict(settings),
        "dialect": dialect.name,
    }
    notes = boosted.model.notes
    if settings.by == "resampling":
        notes += seed_note(settings.random_state, own)
    model = dataclasses.replace(boosted.model, settings=kept, notes=notes)
    if output is not None:
        # before anything is printed: a closed pipe must not cost the model
        keep(only_asked_words(model), output)
    model = dataclasses.replace(model, notes=(*notes, *thread_note(jobs)))
    boosted = dataclasses.replace(boosted, model=model)
    say(_lines(training, columns, dialect, boosted, own, output))


def _lines(
    training: Training,
    columns: Columns,
    dialect: Dialect,
    boosted: Boosted,
    own: dict[str, Any],
    output: str | None,
) -> Iterator[str]:
    console = Console.of_stdout()
    told = told_settings(own, dialect.name, usual=_usual_dialect(own))
    fit = fit_of_many(training, columns, dialect, ADABOOST, told)
    yield from table_and_choice_lines(fit, console)
    yield ""
    yield from forest_lines(boosted.model, ascii=console.ascii)
    yield ""
    yield from console.wrap(_round_words(boosted), indent=2)
    yield ""
    error = training_error(boosted.model, columns)
    whole = HeldOut(
        "all trees, training rows",
        error,
        columns.total_weight,
        "(too good, shown for comparison)",
    )
    yield from error_table_lines(fit.model, whole, console, only_honest=True)
    yield from note_lines(boosted.model, console)
    yield ""
    yield from last_lines(training.name, output, console)


def _round_words(boosted: Boosted) -> str:
    """What the rounds were like, by the weights of each."""
    errors = 100 * boosted.errors
    rounds = counted(len(errors), "tree")
    if len(errors) == 1:
        return f"{rounds}: error {errors[0]:.1f} %"
    return (
        f"{rounds}: error of the first {errors[0]:.1f} %, of the last "
        f"{errors[-1]:.1f} %, each by the weights of its round"
    )
