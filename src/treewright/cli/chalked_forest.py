"""`treewright chalk --algorithm forest --tree K`: one tree of a forest at work."""

from __future__ import annotations

import click

from treewright.cli.algorithm import Recipe
from treewright.data.columns import Columns
from treewright.errors import SettingError
from treewright.grow.dialect import Dialect
from treewright.learners.bags import tree_keys
from treewright.learners.forest import Growing
from treewright.learners.forest_settings import ForestSettings
from treewright.learners.registry import BAGS, Learner, Plan
from treewright.learners.watched_tree import watch_growing
from treewright.learners.watching import Watching
from treewright.tree.model import Model

tree_option = click.option(
    "--tree",
    metavar="K",
    type=click.IntRange(1),
    help="With --algorithm forest: the tree whose growing is shown, from 1.",
)


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
