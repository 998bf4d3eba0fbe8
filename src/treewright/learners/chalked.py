"""A model's chalk: its tree is grown once more, and watched.

Growing again is exact, so the record is of the model's own tree. Where it is not, the
rows are others than those that the model was grown from, and the record is refused.
"""

from __future__ import annotations

from typing import Any

from treewright.data.columns import Columns
from treewright.errors import DataError, SettingError, TreewrightError
from treewright.grow.dialect import Dialect
from treewright.learners.recipe import grow_tree
from treewright.learners.watching import Watching
from treewright.prune.labelled_rows import Validation
from treewright.tree.model import Model


def watch_again(
    model: Model,
    columns: Columns,
    *,
    depth: int | None = None,
    node: int | None = None,
    n_jobs: int | None = None,
    validation: Validation = None,
    folds: Any = None,
) -> Watching:
    """Return what is seen when a model is grown again from its training rows.

    `model`: a model of one tree that treewright has grown. `columns`: its training
    rows. `depth`, `node`: as for `Watching`. `n_jobs`, `validation`, `folds`: as for
    `grow_tree`.
    """
    watching = Watching(depth=depth, node=node)
    again = grow_tree(
        columns,
        dialect_of(model),
        n_jobs=n_jobs,
        validation=validation,
        folds=folds,
        watch=watching,
    )
    refuse_other_rows(again, model)
    return watching


def refuse_other_rows(again: Model, model: Model) -> None:
    """Refuse rows from which another tree grows than the model's."""
    if again.fingerprint() != model.fingerprint():
        raise DataError(
            "another tree grows from these rows; chalk needs the rows, weights and "
            "held-out rows that the model was fitted with, and a model whose tree was "
            "not pruned afterwards"
        )


def dialect_of(model: Model) -> Dialect:
    """Return the switches that a model was grown with."""
    rows = Dialect.rows()
    switches = {name: value for name, value in model.settings.items() if name in rows}
    try:
        # what is learned in another way lacks some
        return Dialect(name=model.learner, **switches)
    except (TreewrightError, TypeError) as error:
        raise SettingError(
            f"the settings of this model ({model.learner}) are not those of a tree "
            "learner, so it cannot be grown again"
        ) from error
