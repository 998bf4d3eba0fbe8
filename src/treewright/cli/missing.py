"""`treewright missing`: every way with missing values, tried on a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from treewright.cli.algorithm import Recipe
from treewright.cli.console import Console, say
from treewright.cli.examples import examples
from treewright.cli.missing_table import table_lines
from treewright.cli.reading import reading_options
from treewright.cli.roles import Wishes, role_options
from treewright.cli.switch_names import SwitchCommand
from treewright.cli.training import (
    Again,
    algorithm_option,
    growing_options,
    read_training,
)
from treewright.data.columns import Columns
from treewright.data.complaints import counted
from treewright.data.readers.read_options import ReadOptions
from treewright.errors import SettingError
from treewright.evaluation.comparing.missing_ways import (
    MissingWay,
    compare_missing,
    n_missing_cells,
)
from treewright.learners.registry import ONE_TREE
from treewright.render.sign_of_life import busy

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
@algorithm_option(ONE_TREE)
@click.option(
    "--folds",
    type=click.IntRange(2),
    metavar="K",
    help="Parts that the rows are divided into.  [default: 10]",
)
@growing_options
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
    training = read_training(
        data,
        wishes,
        how,
        recipe,
        drop_missing_target=drop_missing_target,
        refuse_missing=False,
    )
    columns, name = training.columns, training.name
    console = Console.of_stdout()
    n_cells = n_missing_cells(columns)
    if n_cells == 0:
        n_features = counted(len(columns.features), "feature")
        nothing = f"{name}: no missing values in {n_features}; every way grows the same"
        say(console.wrap(f"{nothing} tree"))
        return
    dialect, why = training.dialect()
    n_folds = _n_folds(folds, columns.n_rows)
    with busy("trying") as tell:
        ways = compare_missing(
            columns,
            dialect,
            n_folds=n_folds,
            prepare=training.divided,
            n_jobs=jobs,
            tell=lambda text: tell(f"trying {text}"),
        )
    again = Again(data, wishes, how, algorithm, settings, drop_missing_target)
    chosen = f"algorithm {dialect.name}{_changed(settings)}" + (
        f", because {why} (--algorithm to choose)" if why else ""
    )
    heads = [_head(name, columns, n_cells), chosen]
    best = again.words(missing=ways[0].missing)
    say(_lines(heads, ways, columns, console, n_folds, best))


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
    ways: list[MissingWay],
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
