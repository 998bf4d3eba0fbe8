"""`treewright distil`: a forest, and the one small tree that agrees best with it."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import click

from treewright.cli.console import Console, check_can_write, say
from treewright.cli.fitting.fit_report import last_lines
from treewright.cli.model_file import is_model, keep, load, refuse_swapped
from treewright.cli.options.algorithm import switch_command
from treewright.cli.options.common import count_option
from treewright.cli.options.cost_file import costs_option, read_cost_file
from treewright.cli.options.model_rows import read_for_model
from treewright.cli.options.roles import find_roles, role_options
from treewright.cli.options.training import (
    Again,
    again_options,
    encoded,
    growing_options,
    read_training,
)
from treewright.data.columns import Columns
from treewright.data.complaints import counted, quoted
from treewright.discretize import into_intervals, read_plan
from treewright.errors import DataError, SettingError
from treewright.evaluation.errors.distilled import distilled_errors, distilled_lines
from treewright.grow.dialect import Dialect
from treewright.learners.costs import with_costs
from treewright.learners.forest.distilling import SMALL, DistilSettings, distil
from treewright.learners.forest.forest_settings import ForestSettings
from treewright.learners.forest.handling import growing_of, recipe_of
from treewright.learners.registry import BAGS, names
from treewright.render.listing.tree_text import to_text
from treewright.render.sign_of_life import busy
from treewright.tree.model import Model

MOST_SHOWN = 40  # leaves


class GrownForest(NamedTuple):
    """A forest, how it grows, and the table that it is of."""

    forest: Model
    columns: Columns
    dialect: Dialect
    settings: ForestSettings


@switch_command(
    "distil",
    "treewright distil iris.csv --target class --max-leaves 6 -o small.tw",
    "treewright distil forest.tw loans.csv --folds 0 -o small.tw",
)
@click.argument("words", nargs=-1, required=True, metavar="[FOREST.tw] DATA")
@click.option(
    "--algorithm",
    type=click.Choice(names(BAGS)),
    help="The forest that is grown.  [default: forest]",
)
@role_options
@costs_option
@growing_options
@count_option(
    "--max-leaves",
    "N",
    2,
    "Most leaves; fewer if they agree as well.",
    default=SMALL,
    show_default=True,
)
@count_option(
    "--folds",
    "N",
    0,
    "Find the error by cross-validation, a forest for each fold; 0: do not.",
    default=5,
)
@click.option("-o", "--output", metavar="MODEL.tw", help="Save the tree in this file.")
@again_options
def command(
    words: tuple[str, ...],
    again: Again,
    costs: str | None,
    max_leaves: int | None,
    folds: int,
    output: str | None,
) -> None:
    """Grow a forest from DATA, and a small tree that agrees with it.

    New rows are made from those of DATA, each with some values from other rows; the
    forest answers for them, and one tree is grown from its answers and pruned by others
    of the same kind. DATA, --set and the rest are as for 'treewright fit --algorithm
    forest'. With FOREST.tw, that forest is taken, and DATA is the table that it was
    grown from.
    """
    file, data = _forest_and_data(words)
    again = replace(again, data=data)
    check_can_write(output, *again.inputs, *([] if file is None else [file]))
    if file is None:
        again = replace(again, algorithm=again.algorithm or names(BAGS)[0])
        source = _grown(again, read_cost_file(costs))
    else:
        options = {
            "--algorithm": again.algorithm,
            "--set": again.settings,
            "--costs": costs,
            "--discretize": again.wishes.discretize,
        }
        _refuse_growing_options(options)
        forest = load_forest(file)
        columns = columns_of_forest(forest, again)
        source = GrownForest(forest, columns, *recipe_of(forest))
    how_small = DistilSettings(
        max_leaf_nodes=max_leaves, random_state=source.settings.random_state
    )
    forest, columns, dialect, grown = source
    errors = None
    with busy("making a tree of the forest") as sign:
        found = distil(forest, columns, how_small)
        if folds:
            sign(f"growing a forest for each of {folds} folds")
            errors = distilled_errors(columns, dialect, grown, how_small, n_folds=folds)
    model, figures = found.model, []
    if file is None:
        seed = grown.random_state
        figures = [f"another run gives this tree with random_state={seed}"]
        model = replace(model, notes=(*model.notes, *figures))
    if output is not None:
        # before anything is printed: a closed pipe must not cost the model
        keep(model, output)
    figures = [*distilled_lines(found, len(forest.trees), errors), *figures]
    say(_lines(model, figures, output))


def _forest_and_data(words: tuple[str, ...]) -> tuple[str | None, str]:
    """Return the file of the forest, if there is one, and the table."""
    if len(words) > 2:
        raise SettingError(
            f"{counted(len(words), 'file')} are named; name a table, or a forest and "
            "the table that it was grown from"
        )
    if len(words) == 1:
        if is_model(words[0]):
            raise SettingError(
                f"{words[0]} is a model; name the table that it was grown from, too: "
                f"treewright distil {words[0]} DATA"
            )
        return None, words[0]
    refuse_swapped(*words)
    return words[0], words[1]


def _refuse_growing_options(options: dict[str, Any]) -> None:
    """Refuse what is said of a forest that is there already."""
    for name, value in options.items():
        if value:
            raise SettingError(
                f"{name} is for a forest that is grown, and this one is read from a "
                "file; leave it out"
            )


def _grown(again: Again, cost_matrix: Any) -> GrownForest:
    """Grow a forest as `fit` does."""
    recipe = again.recipe()
    columns = read_training(again, recipe, cost_matrix=cost_matrix).divided()
    plan, _ = recipe.plan(columns, seed=secrets.randbits(32))
    settings, dialect = plan.own, plan.trees
    assert isinstance(settings, ForestSettings)
    assert isinstance(dialect, Dialect)
    what = f"growing {counted(settings.n_estimators, 'tree')}"
    with busy(what) as sign:
        fitted = plan.fit(
            columns, progress=lambda done, total: sign.bar(what, done, total, "trees")
        )
    return GrownForest(fitted.model, columns, dialect, settings)


def _lines(model: Model, figures: list[str], output: str | None) -> Iterator[str]:
    """Yield the tree, if it is small, and what is known of it."""
    console = Console.of_stdout()
    if model.trees[0].n_leaves <= MOST_SHOWN:
        yield to_text(model, width=console.width, ascii=console.ascii)
        yield ""
    for line in figures:
        yield from console.wrap(line, indent=2)
    yield ""
    yield from last_lines("small", output, console)


def load_forest(path: str) -> Model:
    """Return a saved forest; refuse models of one tree and boosted ones."""
    model = load(path)
    if "n_estimators" not in model.settings or "voting" not in model.settings:
        what = "boosted trees, not a forest"
        if not model.voting.is_boosted:
            what = "no forest"
        raise SettingError(
            f"{path} is {what}; make one: treewright fit DATA --algorithm forest -o "
            "FOREST.tw"
        )
    return model


def columns_of_forest(model: Model, again: Again) -> Columns:
    """Read the training table of a forest as it was read then.

    The target and the nominal columns are the model's; columns that it does not know
    are left out.

    Raises `DataError`: if the trees do not grow from this table.
    """
    schema, wishes = model.schema, again.wishes
    table = read_for_model(model, again.data, again.how)
    names = table.frame.columns
    absent = [
        each for each in (*schema.names, *schema.target.names) if each not in names
    ]
    if absent:
        raise DataError(
            f"{again.data} lacks {quoted(absent)}, and is not the table of the forest "
            "then; give the table that it was grown from"
        )
    used = {*schema.names, *schema.target.names, wishes.weights}
    found = {each.name: each.kind for each in table.report}
    nominal = [
        each.name
        for each in schema.features
        if each.kind == "nominal"
        and not each.intervals
        and found[each.name] != "nominal"
    ]
    wishes = replace(
        wishes,
        target=wishes.target or schema.target.names,
        nominal=(*wishes.nominal, *nominal),
        ignore=(*wishes.ignore, *(name for name in names if name not in used)),
    )
    columns = encoded(
        table,
        find_roles(wishes, table),
        task=schema.target.kind,
        drop_missing_target=again.drop_missing_target,
    )
    columns = with_costs(columns, model.settings.get("cost_matrix"))
    plan = read_plan(model.settings.get("discretize"))
    columns = into_intervals(columns, plan, unseen=model.unseen)
    growing_of(model, columns)
    return columns
