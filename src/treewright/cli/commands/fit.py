"""`treewright fit`: from a table to a model, with everything that one should know."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import click

from treewright.cli.commands.evaluate import divided_rows, say_cross_validated
from treewright.cli.console import Console, check_can_write, say
from treewright.cli.fitting.fit_many import Many, many_lines, measured_forest
from treewright.cli.fitting.fit_report import Fit, check_lines, fit_lines
from treewright.cli.fitting.training_error import held_out_error
from treewright.cli.model_file import keep
from treewright.cli.options.algorithm import Recipe, switch_command, switch_table
from treewright.cli.options.common import count_option
from treewright.cli.options.cost_file import costs_option, read_cost_file
from treewright.cli.options.dividing import Dividing
from treewright.cli.options.training import (
    Again,
    Training,
    again_options,
    growing_options,
    learner_options,
    read_training,
    typed_jobs,
)
from treewright.data.columns import Columns
from treewright.data.complaints import counted
from treewright.data.machine import thread_note
from treewright.discretize.plan import IntervalPlan
from treewright.grow.dialect import Dialect
from treewright.learners.forest.forest import Forest
from treewright.learners.registry import BAGS, BOOSTS, RULES, Fitted, Plan
from treewright.render.sign_of_life import busy
from treewright.tree.asked_words import only_asked_words
from treewright.tree.measured_forest import Measures


@switch_command(
    "fit",
    "treewright fit tennis",
    "treewright fit iris.csv --target class --set max_depth=3 -o iris.tw",
    "treewright fit iris.csv --target class --algorithm id3 --discretize mdl",
    "treewright fit cars.csv --target price --nominal doors --ordinal 'size=S<M<L'",
    "treewright fit tennis --algorithm forest --set n_estimators=200",
    "treewright fit iris.csv --target class --algorithm adaboost",
    "treewright fit iris.csv --target class --algorithm c45rules",
    "treewright fit tennis --algorithm cal3 --set s1=4 --set s2=0.7",
    more="\n\n" + switch_table(),
)
@click.argument("data")
@learner_options()
@costs_option
@growing_options
@count_option(
    "--cv",
    "K",
    2,
    "Say the error of K-fold cross-validation, too; more: treewright evaluate.",
)
@click.option("-o", "--output", metavar="MODEL.tw", help="Save the model in this file.")
@again_options
def command(
    again: Again, costs: str | None, cv: int | None, output: str | None
) -> None:
    """Grow a tree from DATA and say how good it is.

    DATA is a file (csv, csv.gz, parquet, arff, the stem of C4.5's .names and .data) or
    the name of a built-in table, such as tennis. Built-in tables and C4.5's files say
    which column is the target; others need --target.
    """
    recipe = again.recipe()
    cost_matrix = read_cost_file(costs)
    check_can_write(output, *again.inputs)
    training = read_training(again, recipe, cost_matrix=cost_matrix)
    if cv is not None:  # folds that cannot be made are refused before growing
        divided_rows(training, Dividing(folds=cv))
    fit_training(training, output, cost_matrix)
    if cv is not None:
        say_cross_validated(training, folds=cv)
    lines = list(check_lines(training))
    if lines:
        say(lines)


def fit_training(
    training: Training, output: str | None, cost_matrix: Any = None
) -> None:
    """Learn what was asked for, keep it, and say how good it is."""
    columns, recipe = training.divided(), training.recipe
    plan, why = recipe.plan(columns, seed=secrets.randbits(32))
    plan.check(columns)
    fitted, measures = _learned(plan, columns)
    model = _with_settings(training, plan, fitted, measures, cost_matrix)
    if output is not None:
        # before anything is printed: a closed pipe must not cost the model
        keep(model if plan.learner.can(RULES) else only_asked_words(model), output)
    # about this run, not about the model
    idle = _idle_notes(columns, training.plan) if plan.own is None else ()
    model = replace(model, notes=(*model.notes, *idle, *thread_note(typed_jobs())))
    if plan.own is not None:
        say(many_lines(Many(training, columns, plan, fitted, model), output))
        return
    trees = plan.trees
    held_out = None
    if isinstance(trees, Dialect):
        held_out = held_out_error(model, columns, trees)
    fit = Fit(training, model, recipe.settings, why, held_out)
    say(fit_lines(fit, Console.of_stdout(), output))


def _learned(plan: Plan, columns: Columns) -> tuple[Fitted, Measures | None]:
    """Learn with a sign of life; ask a forest about the rows it has not seen."""
    own: Any = plan.own
    if plan.learner.can(BAGS):
        what = f"growing {counted(own.n_estimators, 'tree')}"
        with busy(what) as sign:
            return measured_forest(plan, columns, sign, what)
    if plan.learner.can(BOOSTS):
        with busy(f"boosting, {counted(own.n_estimators, 'round')}") as sign:
            fitted = plan.fit(
                columns,
                progress=lambda done, of: sign.bar("boosting", done, of, "rounds"),
            )
        return fitted, None
    with busy("growing"):
        return plan.fit(columns), None


def _with_settings(
    training: Training,
    plan: Plan,
    fitted: Fitted,
    measures: Measures | None,
    cost_matrix: Any,
) -> Any:
    """Return the model with all that it was made with, and what is to be noted."""
    model, made = fitted.model, fitted.made
    given = {"discretize": training.intervals, "cost_matrix": cost_matrix}
    kept = {name: value for name, value in given.items() if value is not None}
    notes = model.notes
    if plan.own is not None:
        kept = {**plan.settings(), **model.settings, **plan.own.settings(), **kept}
        kept["dialect"] = plan.trees.name
    if isinstance(made, Forest):
        kept["oob_score"] = made.out_of_bag is not None
        notes = (*notes, *made.notes(with_error=measures is None))
        model = replace(model, measures=measures)
    notes = (*notes, *_seed_notes(plan, training.recipe))
    return replace(model, settings={**model.settings, **kept}, notes=notes)


def _seed_notes(plan: Plan, recipe: Recipe) -> Iterator[str]:
    """Yield how to grow the same trees again, if the seed was not typed."""
    row = None if plan.own is None else plan.own.rows()["random_state"]
    if row is None or not row.usually or "random_state" in recipe.own:
        return
    if row.needs is None or row.needs.holds(plan.own):
        seed = plan.settings()["random_state"]
        yield f"another run gives these trees with random_state={seed}"


def _idle_notes(columns: Columns, plan: IntervalPlan) -> Iterator[str]:
    """Yield what an option was given for that is not in the table."""
    divided = any(feature.intervals for feature in columns.schema.features)
    if plan.others is not None and not divided:
        yield (
            f"--discretize {plan.others} changes nothing: no feature is numeric "
            "(--numeric to say so)"
        )
