"""`treewright fit`: from a table to a tree, with everything that one should know."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import click

from treewright.cli.adaboost_fit import ADABOOST, adaboost_recipe, fit_adaboost
from treewright.cli.algorithm import Recipe
from treewright.cli.c45rules_fit import C45RULES, c45rules_recipe, fit_c45rules
from treewright.cli.check_line import say_check
from treewright.cli.console import Console, check_can_write, say
from treewright.cli.cost_file import costs_option, read_cost_file
from treewright.cli.evaluate import check_folds, say_cross_validated
from treewright.cli.examples import examples
from treewright.cli.fit_report import Fit, fit_lines
from treewright.cli.forest_fit import FORESTS, fit_forest, forest_recipe
from treewright.cli.held_out import held_out_error
from treewright.cli.model_file import keep
from treewright.cli.reading import input_files, reading_options
from treewright.cli.roles import Wishes, role_options
from treewright.cli.switch_names import SwitchCommand
from treewright.cli.switches import switch_table
from treewright.cli.training import (
    Training,
    algorithm_option,
    growing_options,
    read_training,
)
from treewright.data.columns import Columns
from treewright.data.machine import thread_note
from treewright.data.readers.read_options import ReadOptions
from treewright.discretize.plan import IntervalPlan
from treewright.learners.recipe import grow_tree
from treewright.render.sign_of_life import busy
from treewright.tree.asked_words import only_asked_words

# what is more than one tree: whose switches these are, and what fits and reports it
_RECIPES = {
    **dict.fromkeys(FORESTS, forest_recipe),
    ADABOOST: adaboost_recipe,
    C45RULES: c45rules_recipe,
}
_FITS = {ADABOOST: fit_adaboost, C45RULES: fit_c45rules}


@click.command(
    "fit",
    cls=SwitchCommand,
    epilog=examples(
        "treewright fit tennis",
        "treewright fit iris.csv --target class --set max_depth=3 -o iris.tw",
        "treewright fit iris.csv --target class --algorithm id3 --discretize mdl",
        "treewright fit cars.csv --target price --nominal doors --ordinal 'size=S<M<L'",
        "treewright fit tennis --algorithm forest --set n_estimators=200",
        "treewright fit iris.csv --target class --algorithm adaboost",
        "treewright fit iris.csv --target class --algorithm c45rules",
        "treewright fit tennis --algorithm cal3 --set s1=4 --set s2=0.7",
    )
    + "\n\n"
    + switch_table(),
)
@click.argument("data")
@role_options
@algorithm_option(*FORESTS, ADABOOST, C45RULES)
@costs_option
@growing_options
@click.option(
    "--cv",
    type=click.IntRange(2),
    metavar="K",
    help="Say the error of K-fold cross-validation, too; more: treewright evaluate.",
)
@click.option("-o", "--output", metavar="MODEL.tw", help="Save the model in this file.")
@reading_options
def command(  # noqa: PLR0913, PLR0917 - an argument for each option
    data: str,
    wishes: Wishes,
    how: ReadOptions,
    algorithm: str | None,
    settings: dict[str, Any],
    costs: str | None,
    drop_missing_target: bool,
    cv: int | None,
    output: str | None,
    jobs: int | None,
) -> None:
    """Grow a tree from DATA and say how good it is.

    DATA is a file (csv, csv.gz, parquet, arff, the stem of C4.5's .names and .data) or
    the name of a built-in table, such as tennis. Built-in tables and C4.5's files say
    which column is the target; others need --target.
    """
    own: dict[str, Any] = {}
    if algorithm in _RECIPES:
        recipe, own = _RECIPES[algorithm](settings)
    else:
        recipe = Recipe(algorithm, settings)
    cost_matrix = read_cost_file(costs)
    check_can_write(output, *input_files(data))
    training = read_training(
        data,
        wishes,
        how,
        recipe,
        cost_matrix=cost_matrix,
        drop_missing_target=drop_missing_target,
    )
    check_folds(training, cv)
    fit_training(training, algorithm, own, output, jobs, cost_matrix)
    if cv is not None:
        say_cross_validated(training, algorithm, own, folds=cv, jobs=jobs)
    say_check(training, data, wishes, how)


def fit_training(
    training: Training,
    algorithm: str | None,
    own: dict[str, Any],
    output: str | None,
    jobs: int | None,
    cost_matrix: Any = None,
) -> None:
    """Grow what was asked for, keep it, and say how good it is."""
    if algorithm in FORESTS:
        fit_forest(training, algorithm, own, output, jobs, cost_matrix)
    elif algorithm in _FITS:
        _FITS[algorithm](training, own, output, jobs)
    else:
        _fit_tree(training, output, jobs, cost_matrix)


def _fit_tree(
    training: Training, output: str | None, jobs: int | None, cost_matrix: Any
) -> None:
    """Grow a tree, keep it, and say how good it is."""
    columns, recipe = training.divided(), training.recipe
    dialect, why = recipe.dialect(columns)
    with busy("growing"):
        model = grow_tree(columns, dialect, n_jobs=jobs)
    given = {"discretize": training.intervals, "cost_matrix": cost_matrix}
    given = {name: value for name, value in given.items() if value is not None}
    model = replace(model, settings={**model.settings, **given})
    if output is not None:
        # before anything is printed: a closed pipe must not cost the model
        keep(only_asked_words(model), output)
    # about this run, not about the model
    notes = (*model.notes, *_idle_notes(columns, training.plan), *thread_note(jobs))
    model = replace(model, notes=notes)
    fit = Fit(
        training.name,
        training.table,
        training.roles,
        model,
        recipe.settings,
        why,
        training.by_kind,
        held_out_error(model, columns, dialect),
        training.missing_command(),
    )
    say(fit_lines(fit, Console.of_stdout(), output))


def _idle_notes(columns: Columns, plan: IntervalPlan) -> Iterator[str]:
    """Yield what an option was given for that is not in the table."""
    divided = any(feature.intervals for feature in columns.schema.features)
    if plan.others is not None and not divided:
        yield (
            f"--discretize {plan.others} changes nothing: no feature is numeric "
            "(--numeric to say so)"
        )
