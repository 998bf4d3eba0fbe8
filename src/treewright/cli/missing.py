"""`treewright missing`: every way with missing values, tried on a table."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

import click

from treewright.cli.algorithm import ALGORITHMS, Recipe, parse_settings
from treewright.cli.console import Console, say
from treewright.cli.encoding import encoded
from treewright.cli.examples import examples
from treewright.cli.interval_options import read_discretize
from treewright.cli.missing_table import table_lines
from treewright.cli.program import program
from treewright.cli.progress import busy
from treewright.cli.reading import columns_in, read, reading_options
from treewright.cli.roles import (
    Wishes,
    find_roles,
    refuse_no_features,
    refuse_unknown_target,
    role_options,
)
from treewright.cli.switch_names import SwitchCommand
from treewright.data.columns import Columns
from treewright.data.complaints import counted
from treewright.data.readers.options import ReadOptions
from treewright.discretize import into_intervals, read_plan
from treewright.errors import SettingError
from treewright.evaluate.missing_ways import Way, compare_missing, n_missing_cells

DEFAULT_FOLDS = 10


@click.command(
    "missing",
    cls=SwitchCommand,
    epilog=examples(
        "treewright missing watermelon_missing --algorithm c45",
        "treewright missing loans.csv --target default --set max_depth=5 --folds 5",
    ),
)
@click.argument("data")
@role_options
@click.option(
    "--algorithm",
    type=click.Choice(list(ALGORITHMS)),
    help="id3 if every feature is nominal, else cart, unless you say.",
)
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    callback=parse_settings,
    help="Change another switch; 'treewright fit --help' lists them.",
)
@click.option(
    "--folds",
    type=click.IntRange(2),
    metavar="K",
    help="Parts that the rows are divided into.  [default: 10]",
)
@click.option(
    "--drop-missing-target", is_flag=True, help="Leave out rows without a target."
)
@click.option("--jobs", type=int, metavar="N", help="Threads.  [default: all cores]")
@reading_options
def command(
    data: str,
    wishes: Wishes,
    how: ReadOptions,
    algorithm: str | None,
    settings: dict[str, Any],
    folds: int | None,
    drop_missing_target: bool,
    jobs: int | None,
) -> None:
    """Try every way with missing values on DATA: size, error and time.

    The error is that of rows which the tree was not grown from: the rows are divided
    into folds, the same for all ways, and each fold is answered by a tree of the
    others. DATA is as for 'treewright fit'.
    """
    if "missing" in settings:
        raise SettingError(
            f"--set missing={settings['missing']}: this command tries all of them; "
            "drop the option"
        )
    recipe = Recipe(algorithm, settings)
    refuse_unknown_target(wishes.target, columns_in(data, how))
    table = read(
        data,
        how,
        nominal=wishes.maybe_nominal(),
        not_applicable=wishes.maybe_not_applicable(),
    )
    roles = find_roles(wishes, table)
    plan = read_plan(read_discretize(wishes.discretize, table.frame.columns))
    task, _ = recipe.find_task(roles, table)
    refuse_no_features(roles, table)
    columns = encoded(table, roles, task=task, drop_missing_target=drop_missing_target)
    console = Console.of_stdout()
    n_cells, name = n_missing_cells(columns), os.path.basename(data.rstrip("/"))
    if n_cells == 0:
        n_features = counted(len(columns.features), "feature")
        say(
            console.wrap(
                f"{name}: no missing values in {n_features}; every way grows the same "
                "tree"
            )
        )
        return

    def prepare(part: Columns) -> Columns:
        return into_intervals(part, plan, unseen=recipe.unseen)

    dialect, why = recipe.dialect(prepare(columns))
    n_folds = _n_folds(folds, columns.n_rows)
    with busy("trying") as tell:
        ways = compare_missing(
            columns,
            dialect,
            n_folds=n_folds,
            prepare=prepare,
            n_jobs=jobs,
            tell=lambda text: tell(f"trying {text}"),
        )
    again = _Again(data, wishes, how, algorithm, settings, drop_missing_target)
    head = _head(name, columns, n_cells)
    chosen = f"algorithm {dialect.name}{_changed(settings)}" + (
        f", because {why} (--algorithm to choose)" if why else ""
    )
    say(_lines([head, chosen], ways, columns, console, n_folds, again.words(ways[0])))


def _n_folds(wanted: int | None, n_rows: int) -> int:
    """Return the number of folds; a small table has a row in each, unless said."""
    if wanted is None:
        return max(2, min(DEFAULT_FOLDS, n_rows))
    if wanted > n_rows:
        raise SettingError(
            f"--folds {wanted} cannot be made of {counted(n_rows, 'row')}; give "
            f"--folds {n_rows} or less"
        )
    return wanted


def _head(name: str, columns: Columns, n_cells: int) -> str:
    """Return what there is of missing values."""
    n_with = sum(column.has_missing for column in columns.features)
    where = f"{n_with:,} of {counted(len(columns.features), 'feature')}"
    rows = counted(columns.n_rows, "row")
    return f"{name}: {rows}, {counted(n_cells, 'missing cell')} in {where}"


def _changed(settings: dict[str, Any]) -> str:
    return "".join(f", {name}={value}" for name, value in settings.items())


def _lines(
    heads: list[str],
    ways: list[Way],
    columns: Columns,
    console: Console,
    n_folds: int,
    command: str,
) -> Iterator[str]:
    """Yield the whole report."""
    for head in heads:
        yield from console.wrap(head, indent=2)
    yield ""
    yield from table_lines(ways, columns, console, n_folds)
    yield ""
    yield from console.wrap_command("next: ", command)


@dataclass(frozen=True)
class _Again:
    """What was typed, to be typed again for `treewright fit`."""

    data: str
    wishes: Wishes
    how: ReadOptions
    algorithm: str | None
    settings: dict[str, Any]
    drop_missing_target: bool

    def words(self, way: Way) -> str:
        """Return the command that grows the tree of one way."""
        words = [self.data, *self._role_words()]
        if self.algorithm is not None:
            words += ["--algorithm", self.algorithm]
        for name, value in {**self.settings, "missing": way.missing}.items():
            words += ["--set", f"{name}={'none' if value is None else value}"]
        if self.drop_missing_target:
            words.append("--drop-missing-target")
        usual = ReadOptions()
        if self.how.missing_values != usual.missing_values:
            words += ["--missing-values", ",".join(self.how.missing_values)]
        for name in ("separator", "decimal", "thousands", "encoding"):
            if getattr(self.how, name) != getattr(usual, name):
                words += [f"--{name}", getattr(self.how, name)]
        return f"{program()} fit {shlex.join(words)}"

    def _role_words(self) -> Iterator[str]:
        for field in fields(self.wishes):
            option = f"--{field.name.replace('_', '-')}"
            given = getattr(self.wishes, field.name) or ()
            for text in (given,) if isinstance(given, str) else given:
                yield from (option, text)
