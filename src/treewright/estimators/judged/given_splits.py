"""Splits that somebody has made already: by a splitter, as row numbers, as masks."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Columns
from treewright.data.complaints import counted, short
from treewright.errors import SettingError
from treewright.estimators.judged.splitting import refuse_target, splits_of
from treewright.evaluation.division import Divided
from treewright.evaluation.errors.held_out_answers import Split


def given_splits(folds: Any, columns: Columns, groups: Any = None) -> Divided:
    """Return the splits of a splitter, or of pairs of rows, as scikit-learn takes."""
    refuse_target(columns)
    if hasattr(folds, "split"):
        splits = splits_of(folds, columns, groups)
        words = f"{type(folds).__name__}: {counted(len(splits), 'split')}"
    else:
        splits = tuple(_given_pair(pair, columns.n_rows) for pair in folds)
        words = f"{counted(len(splits), 'split')} as given"
    for split in splits:
        if not len(split.train) or not len(split.test):
            raise SettingError("folds has a split without rows on one side")
        if len(np.intersect1d(split.train, split.test)):
            raise SettingError(
                "folds has a split with a row on both sides; held-out rows must not be "
                "learned from"
            )
    if not splits:
        raise SettingError("folds has no splits; give at least one")
    return Divided(splits, words)


def _given_pair(pair: Any, n_rows: int) -> Split:
    """Return a split that was given as two lists of row numbers, or as two masks."""
    try:
        train, test = pair
    except (TypeError, ValueError):
        raise SettingError(
            f"folds has {short(pair)}, which is not a pair (train, test) of row numbers"
        ) from None
    return Split(_row_numbers(train, n_rows), _row_numbers(test, n_rows))


def _row_numbers(given: Any, n_rows: int) -> npt.NDArray[np.intp]:
    """Return row numbers; a mask has True for each row that is meant."""
    rows = np.asarray(given)
    if rows.dtype == bool:
        if rows.shape != (n_rows,):
            raise SettingError(
                f"folds has a mask of the shape {rows.shape}; it must have one for "
                f"each of the {n_rows:,} rows"
            )
        return np.flatnonzero(rows)
    if rows.ndim != 1 or (len(rows) and rows.dtype.kind not in "iu"):
        raise SettingError("folds must have row numbers, whole ones, or masks")
    outside = rows[(rows < 0) | (rows >= n_rows)]
    if len(outside):
        raise SettingError(
            f"folds names the row {outside[0]}; rows are numbered from 0 to "
            f"{n_rows - 1}"
        )
    return rows.astype(np.intp)
