"""`treewright fit --algorithm c45rules`: a short list of rules."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from treewright.cli.algorithm import Recipe
from treewright.cli.console import Console, say
from treewright.cli.fit_report import (
    Fit,
    choice_lines,
    error_table_lines,
    head_lines,
    last_lines,
    note_lines,
    told_settings,
)
from treewright.cli.held_out import HeldOut
from treewright.cli.model_file import keep
from treewright.cli.switch_names import refuse_unknown
from treewright.cli.training import Training
from treewright.data.columns import Columns
from treewright.data.complaints import counted
from treewright.data.machine import thread_note
from treewright.errors import SettingError
from treewright.grow.dialect import Dialect
from treewright.learners.c45rules import NAME, Induced, grow_c45rules, training_error
from treewright.learners.c45rules_settings import (
    C45RulesSettings,
    check_dialect,
    check_target,
)
from treewright.learners.recipe import grow_tree
from treewright.render.rules.rule_listing import rule_set_listing
from treewright.render.sign_of_life import busy
from treewright.tree.model import Model

C45RULES = NAME
_BASES = ("c45", "j48", "lecture")
_USUAL_DIALECT = "c45"
_OWN = {field.name for field in dataclasses.fields(C45RulesSettings)}


def c45rules_recipe(settings: dict[str, Any]) -> tuple[Recipe, dict[str, Any]]:
    """Return the recipe of the trees, and the settings of the rules."""
    refuse_unknown(settings, [*_OWN, "dialect"])
    own = {name: value for name, value in settings.items() if name in _OWN}
    C45RulesSettings(**own).check()
    name = settings.get("dialect", _USUAL_DIALECT)
    if name not in _BASES:
        raise SettingError(
            f"dialect is {name!r}; the trees of c45rules can be {', '.join(_BASES)}"
        )
    others = {n: v for n, v in settings.items() if n not in _OWN and n != "dialect"}
    if "pruning" in others:
        raise SettingError(
            "rules come from unpruned trees, and pruning would change them; leave it "
            "out"
        )
    # the estimate of the rates has the switches of error-based pruning
    start = {"pruning": "error_based"} if name == "lecture" else {}
    recipe = Recipe(name, others, start=start)
    return recipe, own


def induced_rules(
    training: Training, own: dict[str, Any], jobs: int | None, *, watched: bool = False
) -> tuple[Induced, Columns, Dialect]:
    """Make the rules of a table that was read."""
    columns = training.divided()
    check_target(columns)
    dialect, _ = training.recipe.dialect(columns)
    check_dialect(dialect)
    with busy("growing"):
        induced = grow_c45rules(
            columns, dialect, C45RulesSettings(**own), n_jobs=jobs, watched=watched
        )
    return induced, columns, dialect


def fit_c45rules(
    training: Training, own: dict[str, Any], output: str | None, jobs: int | None
) -> None:
    """Make rules, keep them, and say how good they are."""
    induced, columns, dialect = induced_rules(training, own, jobs)
    model = induced.model
    if training.intervals is not None:
        kept = {**model.settings, "discretize": training.intervals}
        model = dataclasses.replace(model, settings=kept)
    if output is not None:
        # before anything is printed: a closed pipe must not cost the model
        keep(model, output)
    model = dataclasses.replace(model, notes=(*model.notes, *thread_note(jobs)))
    induced = dataclasses.replace(induced, model=model)
    say(_lines(training, columns, dialect, induced, own, output))


def _lines(
    training: Training,
    columns: Columns,
    dialect: Dialect,
    induced: Induced,
    own: dict[str, Any],
    output: str | None,
) -> Iterator[str]:
    console = Console.of_stdout()
    # one leaf: what the table says without rules
    leaf = grow_tree(
        columns, dialect.change(min_samples_split=columns.n_rows + 1, pruning=None)
    )
    told = told_settings(own, dialect.name, usual=_USUAL_DIALECT)
    fit = Fit(
        training.name,
        training.table,
        training.roles,
        dataclasses.replace(leaf, learner=C45RULES),
        {**told, **training.recipe.settings},
        "",
        training.by_kind,
    )
    yield from head_lines(fit, console)
    for line in choice_lines(fit):
        yield from console.wrap(line, indent=2)
    for line in _origin(induced):
        yield from console.wrap(line, indent=2)
    yield ""
    listing = rule_set_listing(induced.model)
    yield listing.to_text(width=console.width, ascii=console.ascii)
    yield ""
    whole = HeldOut(
        "all rules, training rows",
        training_error(induced.model, columns),
        columns.total_weight,
        "(too good, shown for comparison)",
    )
    yield from error_table_lines(fit.model, whole, console, only_honest=True)
    yield from note_lines(_noted(leaf, induced), console)
    yield ""
    yield from last_lines(training.name, output, console)


def _origin(induced: Induced) -> Iterator[str]:
    """Yield where the rules come from."""
    n_trees, paths = len(induced.trees), len(induced.induction.paths)
    trees = "the unpruned tree" if n_trees == 1 else f"{n_trees} unpruned trees"
    n_left = sum(map(len, induced.induction.candidates.values()))
    yield (
        f"{trees}: {paths:,} {'leaf' if paths == 1 else 'leaves'} with rows; "
        f"{counted(n_left, 'rule')} after generalising, "
        f"{len(induced.model.rule_set):,} in the set"
    )


def _noted(leaf: Model, induced: Induced) -> Model:
    return dataclasses.replace(leaf, notes=induced.model.notes)
