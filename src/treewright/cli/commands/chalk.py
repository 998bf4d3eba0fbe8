"""`treewright chalk`: every calculation behind a tree, node by node."""

from __future__ import annotations

import os
from typing import Any

import click

from treewright.cli.console import Console, check_can_write, put_out, say
from treewright.cli.options.algorithm import Recipe, switch_command
from treewright.cli.options.common import count_option, output_option
from treewright.cli.options.cost_file import costs_option, read_cost_file
from treewright.cli.options.training import (
    Again,
    Training,
    again_options,
    growing_options,
    learner_options,
    read_training,
)
from treewright.data.columns import Columns
from treewright.data.complaints import counted
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
_OF_RULES = ("text", "json")  # what the chalk of rules comes as
FORMATS = ("text", "markdown", "latex", "html", "json")
_SUFFIXES = {
    ".md": "markdown",
    ".tex": "latex",
    ".html": "html",
    ".htm": "html",
    ".json": "json",
}


@switch_command(
    "chalk",
    "treewright chalk tennis",
    "treewright chalk tennis --algorithm c45 --language de --digits 3",
    "treewright chalk watermelon --ignore 编号 --algorithm c45 --node 0 -o c.tex",
    "treewright chalk loans.csv --target default --depth 1",
    "treewright chalk tennis --algorithm forest --set random_state=1 --tree 3",
    "treewright chalk tennis --algorithm c45rules",
    "treewright chalk tennis --algorithm cal3 --set s1=4 --set s2=0.7",
)
@click.argument("data")
@learner_options(SHOWS_WORK)
@count_option(
    "--tree",
    "K",
    1,
    "With --algorithm forest: the tree whose growing is shown, from 1.",
)
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
@count_option("--depth", "N", 0, "Nodes down to this depth.")
@count_option("--node", "N", 0, "This node only, by its number in the grown tree.")
@count_option(
    "--row",
    "N",
    1,
    "Show the way of row N of DATA through the tree, too.  [default: 1, if the whole "
    "tree is shown]",
)
@click.option("--quiz", is_flag=True, help="Hide the numbers; the key comes last.")
@output_option
@again_options
def command(
    again: Again,
    costs: str | None,
    tree: int | None,
    form: str | None,
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
    check_can_write(output, *again.inputs)
    recipe = again.recipe()
    learner = LEARNERS[again.algorithm or "cart"]
    part = {name: shown.pop(name) for name in ("depth", "node")}
    if learner.can(RULES):
        digits = shown.pop("digits")
        of_trees = {"row": row, **shown, "costs": costs, "tree": tree, **part}
        given = [n for n, one in of_trees.items() if one not in (None, False, "en")]
        _refuse(given, "trees, and c45rules makes rules")
        if form not in _OF_RULES:
            raise SettingError(
                f"the chalk of rules comes as {' or '.join(_OF_RULES)}, not as {form}"
            )
        _put_out(_rules_chalk(again, recipe), again, form, output, digits=digits)
        return
    if learner.can(ROW_BY_ROW):
        of_nodes = {"costs": costs, "tree": tree, **part, "row": row}
        given = [name for name, value in of_nodes.items() if value is not None]
        what = f"{again.algorithm} learns row by row"
        _refuse(given, f"trees that are grown node by node, and {what}")
        _put_out(_cal_chalk(again, recipe), again, form, output, **shown)
        return
    cost_matrix = read_cost_file(costs)
    check_tree(recipe, learner, tree)
    training = read_training(again, recipe, cost_matrix=cost_matrix)
    columns = training.divided()
    plan, _ = recipe.plan(columns)
    watching = Watching(**part)
    with busy("growing"):
        if tree is not None:
            model = watched_tree(columns, plan, tree, watching)
        else:
            model = plan.fit(columns, watch=watching).model
        record = watching.record()
    # of a part of the tree neither a row's way nor the listing is asked for
    shown["listing"] = part == {"depth": None, "node": None}
    if row is None and shown["listing"]:
        row = 1
    ways = () if row is None else (_way(model, training, row),)
    chalk = Chalk(record, model, watching.pruning, ways)
    _put_out(chalk, again, form, output, **shown)


def _refuse(given: list[str], what: str) -> None:
    """Refuse options that are about something else."""
    if given:
        raise SettingError(f"--{given[0]} is for {what}; leave it out")


def _put_out(
    chalk: Chalk | CALChalk | RulesChalk,
    again: Again,
    form: str,
    output: str | None,
    **shown: Any,
) -> None:
    """Print the chalk, and what to do next; or write it to a file."""
    if form != "text" or output is not None:
        write = getattr(chalk, f"to_{form}")
        text: str = write() if form == "json" else write(**shown)
        put_out(output, text.rstrip() + "\n")
        return
    console, model = Console.of_stdout(), "rules.tw"
    if not isinstance(chalk, RulesChalk):
        shown["width"], model = min(console.width, WIDEST), "tree.tw"
    text = chalk.to_text(ascii=console.ascii, **shown)
    following = f"{again.words('fit')} -o {model}"
    say([text, "", *console.wrap_command("next: ", following)])


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


def _cal_chalk(again: Again, recipe: Recipe) -> CALChalk:
    """Return what each row changed, of a learner that goes row by row."""
    columns = read_training(again, recipe).divided()
    plan, _ = recipe.plan(columns)
    record = CALRecord()
    with busy("learning"):
        model = plan.fit(columns, record=record).model
    return CALChalk(record, model)


def _rules_chalk(again: Again, recipe: Recipe) -> RulesChalk:
    """Return how a rule set came about: every count and every bit."""
    columns = read_training(again, recipe).divided()
    plan, _ = recipe.plan(columns)
    plan.check(columns)
    with busy("growing"):
        made: Any = plan.fit(columns, watched=True).made
    return RulesChalk(made.model, made.conditions, made.induction)


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
