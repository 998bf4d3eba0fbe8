"""Forests whose nodes ask about weighted sums of features (Breiman's Forest-RC)."""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Column, Columns
from treewright.errors import DataError, SettingError
from treewright.grow.dialect import Dialect
from treewright.sources.drawn_cells import DrawnCells

Floats = npt.NDArray[np.float64]

_MISSING = ("error", "own_branch", "majority", "learned")


def combined_cells(columns: Columns, dialect: Dialect, n_combined: int) -> DrawnCells:
    """Return the cells that sums are made of; refuse tables that have none.

    A feature's weights are divided by its standard deviation in the table, so that
    features in other units count alike (the mean would only move the cuts).
    """
    if dialect.missing not in _MISSING:
        raise SettingError(
            f"missing={dialect.missing!r} is about single features, and "
            "combined_features adds several up; set missing='error'"
        )
    if dialect.numeric_splits == "refuse":
        raise SettingError(
            f"combined_features adds numbers up, and {dialect.name} splits nominal "
            "features only; use dialect 'cart'"
        )
    for feature, column in zip(columns.schema.features, columns.features, strict=True):
        what = ""
        if feature.kind != "numeric":
            what = f"is {feature.kind}; leave it out, or declare it numeric"
        elif feature.is_wide:
            what = "has dates or whole numbers beyond 2^53; leave it out"
        elif column.has_missing:
            what = "has missing values; fill them in"
        elif column.values is not None and not np.isfinite(column.values).all():
            what = "has infinite values; replace them"
        if what:
            raise DataError(
                f"combined_features adds up numbers, and feature {feature.name!r} "
                f"{what}"
            )
    scales = [_scale(column, columns.weights) for column in columns.features]
    cells = DrawnCells.of(columns)
    return dataclasses.replace(cells, n_combined=n_combined, scales=scales)


def _scale(column: Column, weights: Floats | None) -> float:
    """One over the standard deviation of a column; 1 where all values are equal."""
    # by value, so that neither the order of rows nor copies of them can be seen
    counts = np.bincount(column.codes, weights, column.n_codes)
    assert column.values is not None
    values = column.values.astype(np.float64)[counts > 0]
    if len(values) < 2:
        return 1.0
    shares = counts[counts > 0] / counts.sum()
    # squares of large or small numbers could be out of range
    largest = float(np.abs(values).max())
    values = values / largest
    mean = (shares * values).sum()
    spread = float(np.sqrt((shares * (values - mean) ** 2).sum())) * largest
    return 1.0 / max(spread, 1e-300)
