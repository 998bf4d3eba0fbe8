"""`treewright chalk --algorithm forest --tree K`: one tree of a forest at work."""

from __future__ import annotations

from typing import Any

import click

from treewright.cli.algorithm import Recipe
from treewright.cli.forest_fit import FOREST, forest_recipe
from treewright.data.columns import Columns
from treewright.errors import SettingError
from treewright.grow.dialect import Dialect
from treewright.learners.bags import tree_keys
from treewright.learners.forest import Growing
from treewright.learners.forest_settings import ForestSettings
from treewright.learners.watched_tree import watch_growing
from treewright.learners.watching import Watching
from treewright.tree.model import Model

tree_option = click.option(
    "--tree",
    metavar="K",
    type=click.IntRange(1),
    help="With --algorithm forest: the tree whose growing is shown, from 1.",
)


def chalk_recipe(
    algorithm: str | None, settings: dict[str, Any], tree: int | None
) -> tuple[Recipe, dict[str, Any]]:
    """Return the recipe of the tree to be shown, and the settings of its forest."""
    if algorithm != FOREST:
        if tree is not None:
            raise SettingError("--tree is for --algorithm forest; leave it out")
        return Recipe(algorithm, settings), {}
    recipe, own = forest_recipe(settings)
    _check_tree_number(tree, own)
    return recipe, own


def _check_tree_number(tree: int | None, own: dict[str, Any]) -> None:
    """Refuse a forest of which no tree, or no seed, is named."""
    if tree is None:
        raise SettingError(
            "a page shows one tree, and a forest has many; choose one: --tree 1"
        )
    if "random_state" not in own:
        raise SettingError(
            "--tree needs the seed of the forest, which 'treewright fit' prints: "
            "--set random_state=N"
        )
    n_trees = own.get("n_estimators", ForestSettings.n_estimators)
    if isinstance(n_trees, int) and tree > n_trees:
        raise SettingError(f"there is no tree {tree}; the forest has {n_trees}")


def watched_tree(
    columns: Columns,
    dialect: Dialect,
    own: dict[str, Any],
    tree: int,
    watching: Watching,
) -> Model:
    """Grow one tree of a forest, by its number, and watch it."""
    usual = "sqrt" if columns.schema.target.kind == "classes" else None
    settings = ForestSettings(**{"max_features": usual, **own})
    settings.check()
    counts = settings.feature_counts(len(columns.features))
    if len(counts) > 1:
        raise SettingError(
            f"max_features is {settings.max_features!r}, which the whole forest "
            "decides; give the number that 'treewright fit' says"
        )
    growing = Growing.of(columns, dialect, settings).looking_at(counts[0])
    key = tree_keys(settings.random_state, range(tree - 1, tree))
    return watch_growing(growing, key, tree, watching)
