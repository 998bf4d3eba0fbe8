"""`treewright check`: what to look at in a table before anything is learned from it."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import click

from treewright.checks.check import check_columns, without_features
from treewright.checks.finding import Report
from treewright.cli.console import Console, say
from treewright.cli.options.algorithm import Recipe
from treewright.cli.options.common import form_option
from treewright.cli.options.interval_options import read_discretize
from treewright.cli.options.roles import (
    Roles,
    Wishes,
    find_roles,
    refuse_unknown_target,
    role_options,
)
from treewright.cli.options.training import Again, again_options, encoded
from treewright.cli.program import example_command
from treewright.data.columns import Columns
from treewright.data.readers.table_file import TableFile
from treewright.data.sparse.bag_of_words import kept_words
from treewright.discretize import into_intervals, read_plan
from treewright.render.sign_of_life import busy

SOMETHING_FOUND = 1


@example_command(
    "check",
    "treewright check loans.csv --target default",
    "treewright check train.csv test.csv --target default",
    "treewright check loans.csv --target default --strict --format json",
)
@click.argument("data")
@click.argument("test", required=False)
@role_options
@form_option("How to write the findings.")
@click.option(
    "--strict", is_flag=True, help="Exit with 1 if there is something to look at."
)
@again_options
def command(again: Again, test: str | None, form: str, strict: bool) -> None:
    """Look for faults in DATA before learning from it.

    Columns that decide the target alone, identifiers, copies and constants, rows that
    contradict each other, rare classes and categories, patterns of missing values; and
    with TEST, how its rows differ from those of DATA. The heaviest finding comes first,
    each with what to do. The exit code is 0 whatever is found, unless --strict.
    """
    wishes = again.wishes
    refuse_unknown_target(wishes.target, again.columns)
    table = again.read()
    roles = find_roles(wishes, table)
    columns = _encoded(table, roles, wishes)
    second, answers = None, None
    if test is not None:
        second, answers = _second(replace(again, data=test).read(), roles)
    with busy("checking"):
        report = check_columns(columns, test=second, test_y=answers)
    if form == "json":
        click.echo(report.to_json())
    else:
        names = [
            os.path.basename(each.rstrip("/")) for each in (again.data, test) if each
        ]
        console, name = Console.of_stdout(), " beside ".join(names)
        say([report.to_text(width=console.width, ascii=console.ascii, name=name)])
        wishes = without_faults(wishes, report, table.frame.columns)
        gaps = any(one.kind == "no target" for one in report)
        following = replace(again, wishes=wishes, drop_missing_target=gaps).words()
        say(["", *console.wrap_command("next: ", following)])
    if strict and report:
        raise click.exceptions.Exit(SOMETHING_FOUND)


def without_faults(wishes: Wishes, report: Report, names: list[str]) -> Wishes:
    """Return the wishes, with columns left out, or read as texts, as findings say."""

    def of_kind(*kinds: str) -> tuple[str, ...]:
        found = (one.columns for one in report if one.kind in kinds)
        return tuple(name for columns in found for name in columns if name in names)

    ignored, texts = of_kind("constant", "identifier"), of_kind("text")
    if ignored and not any("," in name for name in ignored):
        ignored = (",".join(ignored),)
    return replace(
        wishes, ignore=(*wishes.ignore, *ignored), text=(*wishes.text, *texts)
    )


def _encoded(table: TableFile, roles: Roles, wishes: Wishes) -> Columns:
    """Return the table as codes; rows without a target are left out and said."""
    task, _ = Recipe(None, {}).find_task(roles, table)
    frame = table.frame
    if not set(frame.columns) - {*roles.targets, *roles.unused}:
        return without_features(frame.select(roles.targets), task)
    # weights are not looked at: a row of weight 0 is a row
    unweighted = replace(roles, weights=None, ignored=roles.unused)
    words = wishes.word_settings()
    columns = encoded(
        table,
        unweighted,
        task=task,
        drop_missing_target=True,
        word_weights=words.weights,
    )
    columns = kept_words(columns, words)
    plan = read_plan(read_discretize(wishes.discretize, frame.columns))
    return into_intervals(columns, plan, unseen="stop")


def _second(table: TableFile, roles: Roles) -> tuple[Any, Any]:
    """Return the features and, if they are there, the targets of the second table."""
    frame = table.frame
    others = [name for name in (*roles.targets, *roles.unused) if name in frame.columns]
    answers = None
    if set(roles.targets) <= set(frame.columns):
        answers = frame.select(roles.targets)
    return frame.drop(others), answers
