"""Outliers: rows that are near few others of their class.

    raw = rows of the class / sum of squared proximities to rows of the class
    outlier measure = (raw - median of raw) / absolute deviation of raw
        (median and deviation of the class)

Above 10 a row is worth a look, Breiman writes.

References
----------
Breiman, L. (2003). Manual: setting up, using, and understanding random forests V4.0.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.learners.grown_from import GrownFrom
from treewright.learners.proximity import squared_within
from treewright.tree.model import Model

Floats = npt.NDArray[np.float64]


def outlier_measures(model: Model, grown: GrownFrom, *, n_threads: int) -> Floats:
    """Return how far each training row stands apart from its class.

    The deviation is the median absolute one; where that is 0, because most rows of a
    class are alike, the mean. Numbers have one class: all rows.
    """
    rows = grown.rows(model.schema)
    groups: npt.NDArray[Any] = np.zeros(len(rows), np.int32)
    if model.schema.target.kind == "classes":
        # of several outputs: rows that agree in all of them
        groups = np.unique(rows.target, axis=0, return_inverse=True)[1].ravel()
    sums = squared_within(model.trees, rows.cells, groups, n_threads=n_threads)
    measures = np.empty(len(rows))
    for group in range(int(groups.max()) + 1):
        its = np.flatnonzero(groups == group)
        measures[its] = _standardized(len(its) / sums[its])
    return measures


def _standardized(raw: Floats) -> Floats:
    apart = raw - np.median(raw)
    deviation = np.median(np.abs(apart)) or np.abs(apart).mean() or 1.0
    return np.asarray(apart / deviation)
