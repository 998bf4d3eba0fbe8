"""Prototypes: what the rows of a class look like where they stand close together.

For each class the row that has the most rows of the class among its nearest ones, by
proximity, is found; the rows of the class among these speak for the class: the median
of each number, the most common category.

References
----------
Breiman, L. (2003). Manual: setting up, using, and understanding random forests V4.0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Column
from treewright.data.schema import Feature
from treewright.errors import SettingError
from treewright.learners.grown_from import GrownFrom
from treewright.learners.proximity import (
    Neighbours,
    Rows,
    check_neighbours,
    nearest_rows,
)
from treewright.render.listing.prototype_text import prototype_lines
from treewright.tree.model import Model

Ints = npt.NDArray[np.int64]

_MOST_NEIGHBOURS = 100  # unless the user says otherwise
_QUARTILES = (0.25, 0.5, 0.75)


@dataclass(frozen=True, eq=False)
class Prototype:
    """What the rows of a class look like where they stand close together.

    Attributes
    ----------
    label : object
        The class.
    row : int
        The row with the most rows of the class among its nearest ones; its number, as
        those of `members`, is that in the table as it was given.
    members : ndarray of int64
        These rows of the class, the nearest first; `row` itself too, if it is one.
    values : dict
        For each feature the median of the members, or their most common category; None
        if it is missing in all of them.
    quartiles : dict
        For each numeric and ordinal feature the lower and upper quartile.
    shares : dict
        For each nominal feature the share of the members that have the category.
    """

    label: Any
    row: int
    members: Ints
    values: dict[str, Any]
    quartiles: dict[str, tuple[Any, Any]]
    shares: dict[str, float]


class Prototypes(list[Prototype]):
    """A prototype of each class, in class order; printed, they are a listing."""

    def __repr__(self) -> str:
        return "\n".join(prototype_lines(self))


def class_prototypes(
    model: Model, grown: GrownFrom, n_nearest: int | None = None, *, n_threads: int
) -> Prototypes:
    """Return a prototype of each class.

    Parameters
    ----------
    model : Model
        The forest.
    grown : GrownFrom
        Its training rows.
    n_nearest : int, optional
        How many rows count as near, the row itself included; as many as the smallest
        class has, but no more than 100, if not given.
    n_threads : int
        The prototypes are the same for any number.
    """
    target = model.schema.target
    if target.kind != "classes" or target.n_outputs > 1:
        what = "numbers" if target.kind != "classes" else "several outputs"
        raise SettingError(
            f"prototypes are of one column of classes, and this forest has {what}"
        )
    rows = grown.rows(model.schema)
    classes = rows.target[:, 0]
    if n_nearest is None:
        n_nearest = min(int(np.bincount(classes).min()), _MOST_NEIGHBOURS, len(rows))
        n_nearest = max(n_nearest, 1)
    check_neighbours(n_nearest, len(rows))
    near = _with_itself(model, rows.cells, n_nearest, n_threads)
    return Prototypes(
        _prototype(grown, near, classes, code, label)
        for code, label in enumerate(target.classes[0])
        if (classes == code).any()
    )


def _with_itself(
    model: Model, cells: npt.NDArray[np.float64], n_nearest: int, n_threads: int
) -> Neighbours:
    """The nearest rows of each row, itself the first of them."""
    itself = np.arange(len(cells))[:, None]
    ones = np.ones((len(cells), 1))
    if n_nearest == 1:
        return Neighbours(itself, ones)
    others = nearest_rows(model.trees, Rows(cells), n_nearest - 1, n_threads=n_threads)
    return Neighbours(
        np.hstack([itself, others.rows]), np.hstack([ones, others.proximities])
    )


def _prototype(
    grown: GrownFrom, near: Neighbours, classes: Ints, code: int, label: Any
) -> Prototype:
    of_class = (near.rows >= 0) & (classes[near.rows] == code)
    n_members = of_class.sum(axis=1)
    # of equally many the nearer ones, then the first row
    closeness = (near.proximities * of_class).sum(axis=1)
    row = int(np.lexsort((-closeness, -n_members))[0])
    members = near.rows[row, of_class[row]]
    values: dict[str, Any] = {}
    quartiles: dict[str, tuple[Any, Any]] = {}
    shares: dict[str, float] = {}
    columns = grown.columns
    for feature, column in zip(columns.schema.features, columns.features, strict=True):
        codes = np.sort(column.codes[members])
        codes = codes[codes < column.n_codes]
        name = feature.name
        if len(codes) == 0:
            values[name] = None
        elif feature.kind == "nominal":
            counts = np.bincount(codes)
            values[name] = feature.categories[int(counts.argmax())]
            shares[name] = float(counts.max() / len(members))
        else:
            low, values[name], high = _of_ranks(feature, column, codes)
            quartiles[name] = (low, high)
    if columns.given_rows is not None:
        members = columns.given_rows.numbers[members]
        row = int(columns.given_rows.numbers[row])
    return Prototype(label, row, members, values, quartiles, shares)


def _of_ranks(feature: Feature, column: Column, codes: npt.NDArray[Any]) -> list[Any]:
    """The quartiles of a feature whose codes are in the order of its values."""
    if column.values is not None and not feature.is_wide:
        known = column.values[codes].astype(np.float64)
        # between two infinities nothing can be averaged
        if np.isfinite(known).all():
            quartiles = np.quantile(known, _QUARTILES)
        else:
            quartiles = np.quantile(known, _QUARTILES, method="lower")
        return [float(value) for value in quartiles]
    # what cannot be averaged: the lower of two values in the middle
    chosen = [int(codes[int((len(codes) - 1) * share)]) for share in _QUARTILES]
    if column.values is None:
        return [feature.categories[code] for code in chosen]
    return list(np.asarray(column.values)[chosen].astype(feature.storage))
