"""What `treewright fit` says of the table, where many trees are grown from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from treewright.cli.console import Console
from treewright.cli.fit_report import Fit, choice_lines, head_lines
from treewright.cli.training import Training
from treewright.data.columns import Columns
from treewright.grow.dialect import Dialect
from treewright.learners.recipe import grow_tree


def fit_of_many(
    training: Training,
    columns: Columns,
    dialect: Dialect,
    learner: str,
    own: dict[str, Any],
) -> Fit:
    """Return what is said of a table that many trees are grown from.

    The model is one leaf: what the table says without a tree.
    """
    leaf = grow_tree(columns, dialect.change(min_samples_split=columns.n_rows + 1))
    return Fit(
        training.name,
        training.table,
        training.roles,
        replace(leaf, learner=learner),
        {**own, **training.recipe.settings},
        "",
        training.by_kind,
    )


def table_and_choice_lines(fit: Fit, console: Console) -> Iterator[str]:
    """Yield what the table is, what is predicted, and by which algorithm."""
    yield from head_lines(fit, console)
    for line in choice_lines(fit):
        yield from console.wrap(line, indent=2)
