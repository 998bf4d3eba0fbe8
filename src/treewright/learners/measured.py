"""All that out-of-bag rows say of a forest, in one call."""

from __future__ import annotations

import numpy as np

from treewright.data.machine import thread_count
from treewright.learners.grown_from import GrownFrom
from treewright.learners.out_of_bag import ask_out_of_bag, rows_as_new
from treewright.learners.permutation import Progress, permuted_means
from treewright.learners.strength import strengths_and_correlations
from treewright.tree.measured_forest import Measures
from treewright.tree.model import Model


def measures_of(
    model: Model,
    grown: GrownFrom,
    *,
    error: float | None = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> Measures:
    """Return the importances, strength and correlation of a forest.

    Parameters
    ----------
    model : Model
        The forest.
    grown : GrownFrom
        Its training table and bags.
    error : float, optional
        The out-of-bag error, if it is known.
    n_jobs : int or None
        Threads; the figures are the same for any number.
    progress : callable, optional
        Is told how many trees are done, and of how many; may raise, to stop.
    """
    grown.bagging.check_leaves_rows("measuring a forest")
    target = model.schema.target
    rows = rows_as_new(grown.columns, model)
    means = permuted_means(
        model, grown, rows, n_threads=thread_count(n_jobs), progress=progress
    )
    if error is None:
        error = ask_out_of_bag(model, grown.keys, grown.bagging, rows).error
    importances, errors = means.means(), means.standard_errors()
    if target.kind != "classes":
        return Measures(error, importances[:, 0].copy(), errors[:, 0].copy())
    edges = np.cumsum([1, *(len(labels) for labels in target.classes)])[:-1]
    strength, correlation = strengths_and_correlations(model, grown, rows)
    return Measures(
        error,
        importances[:, 0].copy(),
        errors[:, 0].copy(),
        tuple(np.split(importances, edges, axis=1)[1:]),
        tuple(np.split(errors, edges, axis=1)[1:]),
        strength,
        correlation,
    )
