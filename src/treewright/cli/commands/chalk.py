"""`treewright chalk`: every calculation behind a tree, node by node."""

from __future__ import annotations

import os
from typing import Any

import click

from treewright.cli.console import (
    Console,
    check_can_write,
    file_size,
    remark,
    say,
    write_output,
)
from treewright.cli.examples import examples
from treewright.cli.options.algorithm import Recipe, SwitchCommand
from treewright.cli.options.cost_file import costs_option, read_cost_file
from treewright.cli.options.reading import input_files, reading_options
from treewright.cli.options.roles import Wishes, role_options
from treewright.cli.options.training import (
    Again,
    Training,
    algorithm_option,
    growing_options,
    read_training,
)
from treewright.data.columns import Columns
from treewright.data.complaints import counted
from treewright.data.readers.read_options import ReadOptions
from treewright.errors import SettingError
from treewright.grow.chalk.cal_record import CALRecord
from treewright.grow.dialect import Dialect
from treewright.learners.forest.bags import tree_keys
from treewright.learners.forest.forest import Growing
from treewright.learners.forest.forest_settings import ForestSettings
from treewright.learners.forest.watched_tree import watch_growing
from treewright.learners.registry import (
    BAGS,
    LEARNERS,
    ROW_BY_ROW,
    RULES,
    SHOWS_WORK,
    Learner,
    Plan,
)
from treewright.learners.watching import Watching
from treewright.render.chalk import Chalk
from treewright.render.chalk.cal_chalk import CALChalk
from treewright.render.chalk.languages import LANGUAGES
from treewright.render.rules.rules_chalk import RulesChalk
from treewright.render.sign_of_life import busy
from treewright.tree.model import Model
from treewright.tree.way import Way, way_of

WIDEST = 100
FORMATS = ("text", "markdown", "latex", "html", "json")
_SUFFIXES = {
    ".md": "markdown",
    ".tex": "latex",
    ".html": "html",
    ".htm": "html",
    ".json": "json",
}


tree_option = click.option(
    "--tree",
    metavar="K",
    type=click.IntRange(1),
    help="With --algorithm forest: the tree whose growing is shown, from 1.",
)


@click.command(
    "chalk",
    cls=SwitchCommand,
    epilog=examples(
        "treewright chalk tennis",
        "treewright chalk tennis --algorithm c45 --language de --digits 3",
        "treewright chalk watermelon --ignore 编号 --algorithm c45 --node 0 -o c.tex",
        "treewright chalk loans.csv --target default --depth 1",
        "treewright chalk tennis --algorithm forest --set random_state=1 --tree 3",
        "treewright chalk tennis --algorithm c45rules",
        "treewright chalk tennis --algorithm cal3 --set s1=4 --set s2=0.7",
    ),
)
@click.argument("data")
@role_options
@algorithm_option(SHOWS_WORK)
@tree_option
@growing_options
@costs_option
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    help="As the name after -o ends (.md, .tex, .html, .json), else text.",
)
@click.option(
    "--digits",
    metavar="N",
    type=click.IntRange(1, 15),
    default=4,
    help="Decimals; if the target is numbers, as many as show N + 1 digits of the "
    "largest variance, and of its root for means. JSON has all.",
)
@click.option(
    "--language",
    type=click.Choice(list(LANGUAGES)),
    default="en",
    help="Words; JSON has keys.",
)
@click.option(
    "--depth", metavar="N", type=click.IntRange(0), help="Nodes down to this depth."
)
@click.option(
    "--node",
    metavar="N",
    type=click.IntRange(0),
    help="This node only, by its number in the grown tree.",
)
@click.option(
    "--row",
    metavar="N",
    type=click.IntRange(1),
    help="Show the way of row N of DATA through the tree, too.  [default: 1, if the "
    "whole tree is shown]",
)
@click.option("--quiz", is_flag=True, help="Hide the numbers; the key comes last.")
@click.option("-o", "--output", metavar="FILE", help="Write to this file.")
@reading_options
def command(  # noqa: PLR0913, PLR0917 - an argument for each option
    data: str,
    wishes: Wishes,
    how: ReadOptions,
    algorithm: str | None,
    settings: dict[str, Any],
    drop_missing_target: bool,
    jobs: int | None,
    costs: str | None,
    tree: int | None,
    form: str | None,
    depth: int | None,
    node: int | None,
    row: int | None,
    output: str | None,
    **shown: Any,
) -> None:
    """Show every calculation behind the tree that grows from DATA.

    For each node, in growing order: the rows, every feature's table and gain, the
    winner; then pruning, and a row's way through the tree. With --algorithm c45rules
    how the rules came about, with cal2 and cal3 what each row changed. DATA is as for
    'treewright fit'.
    """
    form = form or _SUFFIXES.get(os.path.splitext(output or "")[1].lower(), "text")
    if form == "json" and shown["quiz"]:
        raise SettingError("--quiz has no meaning with --format json; leave it out")
    check_can_write(output, *input_files(data))
    again = Again(data, wishes, how, algorithm, settings, drop_missing_target)
    recipe = Recipe(algorithm, settings)
    learner = LEARNERS[algorithm or "cart"]
    if learner.can(RULES):
        shown |= {"costs": costs, "tree": tree, "depth": depth, "node": node}
        chalk_rules(again, form, output, jobs, row=row, **shown)
        return
    if learner.can(ROW_BY_ROW):
        chalk = cal_chalk(
            again, costs=costs, tree=tree, depth=depth, node=node, row=row
        )
        _put_out(chalk, again, form, output, shown)
        return
    cost_matrix = read_cost_file(costs)
    check_tree(recipe, learner, tree)
    training = read_training(
        data,
        wishes,
        how,
        recipe,
        cost_matrix=cost_matrix,
        drop_missing_target=drop_missing_target,
    )
    columns = training.divided()
    plan, _ = recipe.plan(columns)
    watching = Watching(depth=depth, node=node)
    with busy("growing"):
        if tree is not None:
            model = watched_tree(columns, plan, tree, watching)
        else:
            model = plan.fit(columns, n_jobs=jobs, watch=watching).model
        record = watching.record()
    # of a part of the tree neither a row's way nor the listing is asked for
    shown["listing"] = depth is None and node is None
    if row is None and shown["listing"]:
        row = 1
    ways = () if row is None else (_way(model, training, row),)
    _put_out(Chalk(record, model, watching.pruning, ways), again, form, output, shown)


def _put_out(
    chalk: Chalk | CALChalk,
    again: Again,
    form: str,
    output: str | None,
    shown: dict[str, Any],
) -> None:
    """Print the chalk, and what to do next; or write it to a file."""
    console = Console.of_stdout() if output is None else Console()
    if form == "text" and output is None:
        text = chalk.to_text(
            width=min(console.width, WIDEST), ascii=console.ascii, **shown
        )
        following = f"{again.words('fit')} -o tree.tw"
        say([text, "", *console.wrap_command("next: ", following)])
        return
    write_output(output, _written(chalk, form, shown))
    if output is not None:
        remark(f"wrote {output} ({file_size(output)})")


def _written(chalk: Chalk | CALChalk, form: str, shown: dict[str, Any]) -> str:
    """Return the chalk in a form for files."""
    write = getattr(chalk, f"to_{form}")
    text: str = write() if form == "json" else write(**shown)
    return text.rstrip() + "\n"


def _way(model: Model, training: Training, row: int) -> Way:
    """Return the way of a row of the table, by its number from 1."""
    frame = training.table.frame
    if row > frame.height:
        raise SettingError(
            f"--row {row}: {training.name} has {counted(frame.height, 'row')}; give a "
            f"number from 1 to {frame.height}"
        )
    asked = {*model.schema.names, *training.roles.texts}
    known = [name for name in frame.columns if name in asked]
    cells, _ = model.encode(frame[row - 1 : row].select(known))
    return way_of(model, cells, row)


# ---- `treewright chalk --algorithm cal2` and `cal3`: what each row changed.


def cal_chalk(again: Again, **options: Any) -> CALChalk:
    """Return the chalk of a table; refuse options that are about something else."""
    for name, value in options.items():
        if value is not None:
            raise SettingError(
                f"--{name} is for trees that are grown node by node, and "
                f"{again.algorithm} learns row by row; leave it out"
            )
    training = again.read(Recipe(again.algorithm, again.settings))
    columns = training.divided()
    plan, _ = training.recipe.plan(columns)
    record = CALRecord()
    with busy("learning"):
        model = plan.fit(columns, record=record).model
    return CALChalk(record, model)


# ---- `treewright chalk --algorithm forest --tree K`: one tree of a forest at work.


def check_tree(recipe: Recipe, learner: Learner, tree: int | None) -> None:
    """Refuse a forest of which no tree, or no seed, is named."""
    if not learner.can(BAGS):
        if tree is not None:
            raise SettingError("--tree is for --algorithm forest; leave it out")
        return
    if tree is None:
        raise SettingError(
            "a page shows one tree, and a forest has many; choose one: --tree 1"
        )
    if "random_state" not in recipe.own:
        raise SettingError(
            "--tree needs the seed of the forest, which 'treewright fit' prints: "
            "--set random_state=N"
        )
    n_trees = recipe.own.get("n_estimators", ForestSettings.n_estimators)
    if isinstance(n_trees, int) and tree > n_trees:
        raise SettingError(f"there is no tree {tree}; the forest has {n_trees}")


def watched_tree(columns: Columns, plan: Plan, tree: int, watching: Watching) -> Model:
    """Grow one tree of a forest, by its number, and watch it."""
    settings, dialect = plan.own, plan.trees
    assert isinstance(settings, ForestSettings)
    assert isinstance(dialect, Dialect)
    counts = settings.feature_counts(len(columns.features))
    if len(counts) > 1:
        raise SettingError(
            f"max_features is {settings.max_features!r}, which the whole forest "
            "decides; give the number that 'treewright fit' says"
        )
    growing = Growing.of(columns, dialect, settings).looking_at(counts[0])
    key = tree_keys(settings.random_state, range(tree - 1, tree))
    return watch_growing(growing, key, tree, watching)


# ---- `treewright chalk --algorithm c45rules`: how a rule set came about.

_FORMATS = ("text", "json")


def chalk_rules(
    again: Again,
    form: str,
    output: str | None,
    jobs: int | None,
    *,
    digits: int,
    **options: Any,
) -> None:
    """Print every count and every bit; or write them to a file."""
    for name, value in options.items():
        if value not in (None, False, "en"):
            raise SettingError(
                f"--{name} is for trees, and c45rules makes rules; leave it out"
            )
    if form not in _FORMATS:
        raise SettingError(
            f"the chalk of rules comes as {' or '.join(_FORMATS)}, not as {form}"
        )
    recipe = Recipe(again.algorithm, again.settings)
    training = read_training(
        again.data,
        again.wishes,
        again.how,
        recipe,
        drop_missing_target=again.drop_missing_target,
    )
    columns = training.divided()
    plan, _ = recipe.plan(columns)
    plan.check(columns)
    with busy("growing"):
        made: Any = plan.fit(columns, n_jobs=jobs, watched=True).made
    chalk = RulesChalk(made.model, made.conditions, made.induction)
    console = Console.of_stdout() if output is None else Console()
    if form == "text" and output is None:
        text = chalk.to_text(digits=digits, ascii=console.ascii)
        following = f"{again.words('fit')} -o rules.tw"
        say([text, "", *console.wrap_command("next: ", following)])
        return
    written = chalk.to_json() if form == "json" else chalk.to_text(digits=digits)
    write_output(output, written + "\n")
    if output is not None:
        remark(f"wrote {output} ({file_size(output)})")
