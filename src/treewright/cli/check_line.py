"""What `treewright fit` says of its table: one line, if there is something."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from treewright.checks.check import check_columns
from treewright.cli.algorithm import Recipe
from treewright.cli.console import Console, say
from treewright.cli.roles import Wishes
from treewright.cli.training import Again, Training
from treewright.data.columns import Columns
from treewright.data.complaints import counted
from treewright.data.readers.read_options import ReadOptions

MOST_ROWS = 20_000  # a check must not take longer than the tree
MOST_CELLS = 2_000_000


def say_check(training: Training, data: str, wishes: Wishes, how: ReadOptions) -> None:
    """Say how many things there are to look at, and the command that tells them."""
    lines = list(check_lines(training, data, wishes, how))
    if lines:
        say(lines)


def check_lines(
    training: Training, data: str, wishes: Wishes, how: ReadOptions
) -> Iterator[str]:
    """Yield the same as lines; none where there is nothing to look at."""
    if training.roles.texts:
        return  # thousands of words are alike by chance
    columns = training.divided()
    some = _some_rows(columns)
    n_found = len(check_columns(some))
    if n_found == 0:
        return
    where = "" if some is columns else " in some rows"
    things = f"check: {counted(n_found, 'thing')} to look at{where}: "
    again = check_words(training, data, wishes, how)
    yield from Console.of_stdout().wrap_command(things, again)


def check_words(training: Training, data: str, wishes: Wishes, how: ReadOptions) -> str:
    """Return the command that tells all findings, about the same target."""
    kind, _ = Recipe(None, {}).find_task(training.roles, training.table)
    if training.columns.schema.target.kind == "classes" and kind == "numbers":
        targets = training.roles.targets
        wishes = replace(wishes, nominal=(*wishes.nominal, *targets))
    return Again(data, wishes, how, None, {}).words("check")


def _some_rows(columns: Columns) -> Columns:
    """Return so few rows that looking at them takes no time."""
    most = min(MOST_ROWS, max(100, MOST_CELLS // max(1, len(columns.features))))
    if columns.n_rows <= most:
        return columns
    drawn = np.random.default_rng(0).choice(columns.n_rows, most, replace=False)
    return replace(columns.take(np.sort(drawn)), given_rows=None)
