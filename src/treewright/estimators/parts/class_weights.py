"""Class weights: row weights multiplied by the weight of each row's class."""

from __future__ import annotations

import dataclasses
import math
import numbers
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Column, Columns, DenseColumn
from treewright.data.complaints import quoted
from treewright.data.schema import Label
from treewright.errors import SettingError
from treewright.estimators.parts.parameters import ClassWeight

Floats = npt.NDArray[np.float64]


def weigh_classes(columns: Columns, class_weight: ClassWeight) -> Columns:
    """Return the table with each row's weight times the weight of its class.

    Over several outputs the weights of a row's classes are multiplied. Rows of a class
    with weight 0 are left out.
    """
    if class_weight is None:
        return columns
    weights = np.ones(columns.n_rows) if columns.weights is None else columns.weights
    factors = [
        _weights_of_classes(wanted, labels, codes)[codes]
        for wanted, labels, codes in zip(
            _per_output(class_weight, columns.schema.target.n_outputs),
            columns.schema.target.classes,
            columns.target.T,
            strict=True,
        )
    ]
    return _reweighed(
        dataclasses.replace(columns, given_weights=weights),
        np.prod([weights, *factors], axis=0),
    )


def _per_output(class_weight: ClassWeight, n_outputs: int) -> Sequence[Any]:
    """Return what is wanted of each output."""
    if class_weight == "balanced":
        return ["balanced"] * n_outputs
    if isinstance(class_weight, Mapping) and n_outputs == 1:
        return [class_weight]
    if isinstance(class_weight, list | tuple) and len(class_weight) == n_outputs:
        return class_weight
    shape = "a dict" if n_outputs == 1 else f"a list of {n_outputs} dicts"
    raise SettingError(
        f"class_weight is {class_weight!r}; it must be None, 'balanced' or {shape} "
        "with the weight of each class"
    )


def _weights_of_classes(
    wanted: Any, labels: tuple[Label, ...], codes: npt.NDArray[np.int32]
) -> Floats:
    """Return the weight of each class of one output."""
    if wanted == "balanced":
        counts = np.bincount(codes, minlength=len(labels))
        # as scikit-learn: declared classes without rows do not count
        n_classes = np.count_nonzero(counts)
        return np.asarray(len(codes) / (n_classes * np.maximum(counts, 1)))
    if not isinstance(wanted, Mapping):
        raise SettingError(
            f"class_weight has the entry {wanted!r}; each must be 'balanced' or a dict "
            "with the weight of each class"
        )
    for label, weight in wanted.items():
        is_number = isinstance(weight, numbers.Real) and math.isfinite(weight)
        if not is_number or weight < 0:
            raise SettingError(
                f"class_weight of {label!r} is {weight!r}; it must be a finite number "
                "from 0 up"
            )
    unnamed = [label for label in labels if label not in wanted]
    unknown = [label for label in wanted if label not in labels]
    if unknown and unnamed:  # a name too many is no mistake if every class has one
        raise SettingError(
            f"class_weight names {quoted(unknown)}, which is no class of the target, "
            f"and leaves out {quoted(unnamed)}; correct the names of the classes"
        )
    return np.array([float(wanted.get(label, 1.0)) for label in labels])


def _seen_again(column: Column) -> Column:
    """Return a column that knows whether some of its rows are missing."""
    codes = column.codes
    has_missing = bool((codes == column.n_codes).any())
    return DenseColumn(codes, column.n_codes, column.values, has_missing)


def _reweighed(columns: Columns, weights: Floats) -> Columns:
    """Return the table with these weights; rows of weight 0 are left out."""
    rows = weights > 0
    if not rows.any():
        raise SettingError(
            "class_weight gives every row the weight 0; at least 1 class of the target "
            "needs a weight above 0"
        )
    if rows.all():
        return dataclasses.replace(columns, weights=weights)
    kept = columns.take(np.flatnonzero(rows))
    features = tuple(
        _seen_again(column) if column.has_missing else column
        for column in kept.features
    )
    return dataclasses.replace(kept, features=features, weights=weights[rows])
