"""How good a distilled tree is on rows that neither it nor its forest has seen.

The forest has seen the classes of all its rows, and the tree repeats what the forest
says; so neither is asked about rows of its own. Per fold, a forest is grown from the
other rows and distilled, and both answer for the rows of the fold.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Columns
from treewright.data.complaints import counted
from treewright.errors import SettingError
from treewright.evaluation.cross_validation import Mean, weights_of
from treewright.grow.dialect import Dialect
from treewright.learners.forest.distilling import (
    Distilled,
    DistilSettings,
    cells_of,
    distil,
)
from treewright.learners.forest.forest import grow_forest
from treewright.learners.forest.forest_settings import ForestSettings
from treewright.tree.model import Model


@dataclass(frozen=True)
class DistilErrors:
    """Errors on held-out rows: the share of wrong ones, or the mean squared error."""

    # of the distilled tree, and of the forest that it stands for
    tree: Mean
    forest: Mean
    n_folds: int  # in how many parts the table was divided


def distilled_errors(
    columns: Columns,
    dialect: Dialect,
    forest: ForestSettings,
    settings: DistilSettings,
    *,
    n_folds: int,
    n_jobs: int | None = None,
) -> DistilErrors:
    """Cross-validate the whole of it: growing the forest, and distilling it."""
    n_rows = columns.n_rows
    if not 2 <= n_folds <= n_rows:
        verb = "is" if n_rows == 1 else "are"
        some = f", or from 2 to {n_rows}" if n_rows > 2 else ", or 2"
        raise SettingError(
            f"folds is {n_folds!r}, and the error by cross-validation needs at least "
            f"2, and a row for each; there {verb} {counted(n_rows, 'row')}: set folds "
            f"to 0, which leaves the error out{some if n_rows > 1 else ''}"
        )
    folds = _folds(columns, n_folds, settings.random_state)
    errors = np.zeros((2, columns.n_rows))
    for fold in range(n_folds):
        rest = columns.take(np.flatnonzero(folds != fold))
        held = np.flatnonzero(folds == fold)
        grown = grow_forest(rest, dialect, _for(forest, rest.n_rows), n_jobs=n_jobs)
        tree = distil(grown.model, rest, settings).model
        for place, model in enumerate((tree, grown.model)):
            errors[place, held] = _errors(model, columns.take(held))
    tree_error, forest_error = (Mean.of(each, weights_of(columns)) for each in errors)
    return DistilErrors(tree_error, forest_error, n_folds)


def _folds(columns: Columns, n_folds: int, seed: int) -> npt.NDArray[np.int64]:
    """The fold of each row, the classes (or small and large numbers) in proportion."""
    rows = np.random.default_rng(seed).permutation(columns.n_rows)
    rows = rows[np.argsort(columns.target[rows, 0], kind="stable")]
    folds = np.empty(columns.n_rows, np.int64)
    folds[rows] = np.arange(columns.n_rows) % n_folds
    return folds


def _for(forest: ForestSettings, n_rows: int) -> ForestSettings:
    """The settings for a part of the table."""
    wanted = forest.max_samples
    if isinstance(wanted, float) or wanted is None:
        return forest
    return dataclasses.replace(forest, max_samples=min(int(wanted), n_rows))


def _errors(model: Model, held: Columns) -> npt.NDArray[np.float64]:
    said = model.answers(cells_of(held, model.schema))
    if model.schema.target.kind == "classes":
        return np.asarray((said != held.target).any(axis=1), np.float64)
    return np.asarray(((said - held.target) ** 2).mean(axis=1))


def distilled_lines(
    found: Distilled, n_trees: int, errors: DistilErrors | None
) -> Iterator[str]:
    """Yield how large a distilled tree is, how far it agrees, and how it does."""
    tree, target = found.model.trees[0], found.model.schema.target
    leaves = "1 leaf" if tree.n_leaves == 1 else f"{tree.n_leaves:,} leaves"
    yield (
        f"a tree of {leaves}, depth {tree.depth}, stands for {counted(n_trees, 'tree')}"
    )
    made = f"{found.n_made:,} new rows"
    if target.kind == "classes":
        yield f"it agrees with the forest on {100 * found.agreement:.1f} % of {made}"
    else:
        yield f"R squared {found.agreement:.3f} of the forest's answers for {made}"
    if errors is None:
        return
    what, both = "error", (errors.tree, errors.forest)
    words = [
        f"{100 * one.value:.1f} % ± {100 * one.standard_error:.1f}" for one in both
    ]
    if target.kind != "classes":
        what, roots = "root of the mean squared error", [one.root() for one in both]
        words = [f"{one.value:.4g} ± {one.standard_error:.2g}" for one in roots]
    yield (
        f"{what} on held-out rows ({errors.n_folds} folds): {words[0]}; the forest "
        f"has {words[1]}"
    )
