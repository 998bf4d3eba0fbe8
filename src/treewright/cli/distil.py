"""`treewright distil`: a forest, and the one small tree that agrees best with it."""

from __future__ import annotations

import dataclasses
import secrets
from collections.abc import Iterator
from typing import Any

import click

from treewright.cli.console import Console, check_can_write, file_size, say
from treewright.cli.cost_file import costs_option, read_cost_file
from treewright.cli.examples import examples
from treewright.cli.forest_fit import forest_recipe
from treewright.cli.reading import input_files, reading_options
from treewright.cli.roles import Wishes, role_options
from treewright.cli.switch_names import SwitchCommand
from treewright.cli.training import growing_options, read_training
from treewright.data.complaints import counted
from treewright.data.readers.options import ReadOptions
from treewright.evaluate.distilled import distilled_errors, distilled_lines
from treewright.learners.distil import SMALL, DistilSettings, distil
from treewright.learners.forest import grow_forest
from treewright.learners.forest_settings import ForestSettings
from treewright.render.progress import busy
from treewright.render.text import to_text
from treewright.tree.model import Model
from treewright.tree.save import save

MOST_SHOWN = 40  # leaves


@click.command(
    "distil",
    cls=SwitchCommand,
    epilog=examples(
        "treewright distil iris.csv --target class --max-leaves 6 -o small.tw",
        "treewright distil loans.csv --target default --set n_estimators=300 --folds 0",
    ),
)
@click.argument("data")
@role_options
@costs_option
@growing_options
@click.option(
    "--max-leaves",
    metavar="N",
    type=click.IntRange(2),
    default=SMALL,
    show_default=True,
    help="Most leaves; fewer if they agree as well.",
)
@click.option(
    "--folds",
    metavar="N",
    type=click.IntRange(0),
    default=5,
    help="Find the error by cross-validation, a forest for each fold; 0: do not.",
)
@click.option("-o", "--output", metavar="MODEL.tw", help="Save the tree in this file.")
@reading_options
def command(  # noqa: PLR0913, PLR0917 - an argument for each option
    data: str,
    wishes: Wishes,
    how: ReadOptions,
    settings: dict[str, Any],
    costs: str | None,
    drop_missing_target: bool,
    max_leaves: int | None,
    folds: int,
    output: str | None,
    jobs: int | None,
) -> None:
    """Grow a forest from DATA, and a small tree that agrees with it.

    New rows are made from those of DATA, each with some values from other rows; the
    forest answers for them, and one tree is grown from its answers and pruned by others
    of the same kind. DATA, --set and the rest are as for 'treewright fit --algorithm
    forest'.
    """
    recipe, own = forest_recipe(settings)
    check_can_write(output, *input_files(data))
    training = read_training(
        data,
        wishes,
        how,
        recipe,
        cost_matrix=read_cost_file(costs),
        drop_missing_target=drop_missing_target,
    )
    columns = training.divided()
    dialect, _ = recipe.dialect(columns)
    is_classes = columns.schema.target.kind == "classes"
    usual = {"max_features": "sqrt" if is_classes else None}
    forest = ForestSettings(**{**usual, "random_state": secrets.randbits(32), **own})
    forest.check()
    how_small = DistilSettings(
        max_leaf_nodes=max_leaves, random_state=forest.random_state
    )
    what = f"growing {counted(forest.n_estimators, 'tree')}"
    with busy(what) as sign:
        grown = grow_forest(
            columns,
            dialect,
            forest,
            n_jobs=jobs,
            progress=lambda done, total: sign.bar(what, done, total, "trees"),
        )
        sign("making a tree of the forest")
        found = distil(grown.model, columns, how_small)
        errors = None
        if folds:
            sign(f"growing a forest for each of {folds} folds")
            errors = distilled_errors(
                columns, dialect, forest, how_small, n_folds=folds, n_jobs=jobs
            )
    seed = f"another run gives this tree with random_state={forest.random_state}"
    model = dataclasses.replace(found.model, notes=(*found.model.notes, seed))
    if output is not None:
        # before anything is printed: a closed pipe must not cost the model
        save(model, output)
    figures = distilled_lines(found, len(grown.model.trees), errors)
    say(_lines(model, [*figures, seed], output))


def _lines(model: Model, figures: list[str], output: str | None) -> Iterator[str]:
    """Yield the tree, if it is small, and what is known of it."""
    console = Console.of_stdout()
    if model.trees[0].n_leaves <= MOST_SHOWN:
        yield to_text(model, width=console.width, ascii=console.ascii)
        yield ""
    for line in figures:
        yield from console.wrap(line, indent=2)
    if output is None:
        yield "not saved: add -o small.tw"
    else:
        yield f"saved to {output} ({file_size(output)})"
