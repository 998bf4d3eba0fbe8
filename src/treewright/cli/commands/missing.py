"""`treewright missing`: every way with missing values, tried on a table."""

from __future__ import annotations

from collections.abc import Iterator

import click
import numpy as np

from treewright.cli.console import Console, say
from treewright.cli.fitting.fit_report import MISSING_WORDS
from treewright.cli.fitting.training_error import amount
from treewright.cli.options.algorithm import chosen_words, switch_command
from treewright.cli.options.dividing import folds_option
from treewright.cli.options.training import (
    Again,
    again_options,
    growing_options,
    learner_options,
    read_training,
)
from treewright.cli.wording import on_the_command_line
from treewright.data.columns import Columns
from treewright.data.complaints import counted
from treewright.data.schema import TargetKind
from treewright.errors import SettingError
from treewright.evaluation.comparing.missing_ways import (
    NOISE,
    MissingWay,
    compare_missing,
    n_missing_cells,
)
from treewright.evaluation.cross_validation import weights_of
from treewright.evaluation.errors.evaluation_text import aligned
from treewright.learners.registry import ONE_TREE
from treewright.render.fitting.safe_text import short_number
from treewright.render.fitting.wrapping import wrapped
from treewright.render.sign_of_life import busy

DEFAULT_FOLDS = 10
_MIN_ROOM = 20


@switch_command(
    "missing",
    "treewright missing watermelon_missing --algorithm c45",
    "treewright missing loans.csv --target default --set max_depth=5 --folds 5",
)
@click.argument("data")
@learner_options(ONE_TREE)
@folds_option()
@growing_options
@again_options
def command(again: Again, folds: int | None) -> None:
    """Try every way with missing values on DATA: size, error and time.

    The error is that of rows which the tree was not grown from: the rows are divided
    into folds, the same for all ways, and each fold is answered by a tree of the
    others. DATA is as for 'treewright fit'.
    """
    if "missing" in again.settings:
        raise SettingError(
            f"--set missing={again.settings['missing']}: this command tries all of "
            "them; drop the option"
        )
    recipe = again.recipe()
    training = read_training(again, recipe, refuse_missing=False)
    columns, name = training.columns, training.name
    console = Console.of_stdout()
    n_cells = n_missing_cells(columns)
    if n_cells == 0:
        n_features = counted(len(columns.features), "feature")
        nothing = f"{name}: no missing values in {n_features}; every way grows the same"
        say(console.wrap(f"{nothing} tree"))
        return
    dialect, why = recipe.dialect(training.divided())
    n_folds = _n_folds(folds, columns.n_rows)
    with busy("trying") as tell:
        ways = compare_missing(
            columns,
            dialect,
            n_folds=n_folds,
            prepare=training.divided,
            tell=lambda text: tell(f"trying {text}"),
        )
    n_with = sum(column.has_missing for column in columns.features)
    where = f"{n_with:,} of {counted(len(columns.features), 'feature')}"
    rows, cells = counted(columns.n_rows, "row"), counted(n_cells, "missing cell")
    best = again.words(missing=ways[0].missing)
    say(
        [
            *console.wrap(f"{name}: {rows}, {cells} in {where}", indent=2),
            *console.wrap(chosen_words(dialect.name, again.settings, why), indent=2),
            "",
            *table_lines(ways, columns, console, n_folds),
            "",
            *console.wrap_command("next: ", best),
        ]
    )


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


def table_lines(
    ways: list[MissingWay], columns: Columns, console: Console, n_folds: int
) -> Iterator[str]:
    """Yield titles, the ways, best first, the refused with reasons, and remarks."""
    done = [way for way in ways if not way.refused]
    kind = columns.schema.target.kind
    names = max(len("missing"), *(len(way.missing) for way in ways))
    (first, *titles), *rows = [_titles(columns), *(_cells(way, kind) for way in done)]
    lines = list(aligned([[first.ljust(names), *titles], *rows], left={0}))
    lines[1] = f">{lines[1][1:]}"
    yield from map(console.cut, lines)
    for way in ways:
        if way.refused:
            reason = on_the_command_line(way.refused)
            start, room = f"  {way.missing:{names}}", console.width - names - 4
            for line in wrapped(f"refused: {reason}", max(room, _MIN_ROOM)):
                yield console.cut(f"{start}  {line}")
                start = " " * (names + 2)
    yield ""
    for remark in _remarks(done, columns, n_folds):
        yield from console.wrap(remark, indent=2)


def _titles(columns: Columns) -> list[str]:
    start, end = ["missing", "nodes", "leaves"], ["seconds"]
    if columns.schema.target.kind == "numbers":
        return [*start, "RMSE", "+-", "MAE", "+-", *end]
    total = float(weights_of(columns).sum())
    return [*start, f"wrong of {amount(total)}", "error", "+-", *end]


def _cells(way: MissingWay, kind: TargetKind) -> list[str]:
    start = [way.missing, f"{way.n_nodes:,}", f"{way.n_leaves:,}"]
    end = [f"{way.seconds:.2f}"]
    if kind == "numbers":
        means = (way.error, way.absolute)
        pairs = ((mean.value, mean.standard_error) for mean in means)
        return [*start, *(short_number(each) for pair in pairs for each in pair), *end]
    error = way.error
    shares = [f"{100 * error.value:.1f} %", f"{100 * error.standard_error:.1f}"]
    return [*start, amount(way.wrong), *shares, *end]


def _without_a_tree(columns: Columns) -> str:
    """Return the error of always giving the same answer."""
    weights = weights_of(columns)
    target, total = columns.target, float(weights.sum())
    if columns.schema.target.kind == "numbers":
        off = target - np.average(target, axis=0, weights=weights)
        return f"RMSE {short_number(np.sqrt(weights @ (off**2).mean(axis=1) / total))}"
    heaviest = [np.bincount(codes, weights).max() for codes in target.T]
    return f"error {100 * (1 - float(np.mean(heaviest)) / total):.1f} %"


def _remarks(done: list[MissingWay], columns: Columns, n_folds: int) -> Iterator[str]:
    """Yield what the numbers are, and how far they can be trusted."""
    yield f"> {MISSING_WORDS.get(done[0].missing, done[0].missing)}"
    what = "RMSE and MAE" if columns.schema.target.kind == "numbers" else "errors"
    yield (
        f"{what}: {n_folds}-fold cross-validation, the same folds for all; +- is one "
        "standard error, and the least of several is a little too good; nodes, leaves "
        "and seconds: the tree of all rows; always giving the same answer: "
        f"{_without_a_tree(columns)}"
    )
    best, others = done[0], done[1:]
    alike = [way.missing for way in others if way.is_noise]
    if not alike:
        return
    limit = f"{NOISE:g} standard errors of the difference, row by row"
    who = "all others" if len(alike) == len(others) else ", ".join(alike)
    yield (
        f"note: the difference between {best.missing} and {who} is within noise "
        f"({limit}): choose among them by size, or by what is easiest to explain"
    )
