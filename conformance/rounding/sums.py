"""Tables, the rows that stand at a node with their weights, and two ways to add up.

Information is in 32-bit floats in both, as the dialect "c45" has it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from conformance.datasets import Dataset, Rows

Array = npt.NDArray[Any]
Flags = npt.NDArray[np.bool_]

UNKNOWN = -1


@dataclass(frozen=True, eq=False)
class Table:
    """The columns: codes of nominal values, numbers in 32 bits; and the class codes.

    `n_values` is 0 for a numeric column; a missing code is `n_values`.
    """

    names: tuple[str, ...]
    columns: tuple[Array, ...]
    n_values: tuple[int, ...]
    labels: Rows
    n_classes: int

    def branch(self, feature: int, cut: float | None, rows: Rows) -> Rows:
        """Return the branch of each row, UNKNOWN without a value."""
        values = self.columns[feature][rows]
        if cut is None:
            return np.where(values == self.n_values[feature], UNKNOWN, values)
        return np.where(np.isnan(values), UNKNOWN, (values > cut).astype(np.intp))


def table_of(dataset: Dataset) -> Table:
    """Return the table of a data set."""
    columns, n_values = [], []
    for name, values in dataset.features.items():
        column = dataset.inputs[name]
        n_values.append(len(values))
        if values:
            codes = column.to_physical().cast(int).fill_null(len(values))
            columns.append(codes.to_numpy().astype(np.intp))
        else:
            columns.append(column.to_numpy().astype(np.float32))
    labels = dataset.target.to_physical().to_numpy().astype(np.intp)
    return Table(
        tuple(dataset.features),
        tuple(columns),
        tuple(n_values),
        labels,
        len(dataset.classes),
    )


@dataclass(frozen=True, eq=False)
class Members:
    """Rows at a node, and how much of each is there."""

    rows: Rows
    weights: Array

    def where(self, chosen: Any) -> Members:
        """Return some of them."""
        return Members(self.rows[chosen], self.weights[chosen])

    @property
    def are_whole(self) -> bool:
        """Whether no row was divided."""
        return bool((self.weights == 1).all())


@dataclass(frozen=True, eq=False)
class Sums:
    """How weights are added up.

    Attributes
    ----------
    number : type
        The float in which weights, shares and sums are kept.
    slack : float
        By so much may two sums differ that are equal.
    random : Generator or None
        Puts the rows of a sum in order; None: they stay as they are.
    """

    number: Any
    slack: float = 0.0
    random: np.random.Generator | None = None

    def arranged(self, members: Members) -> Members:
        """Return the members in the order in which they are added up."""
        if self.random is None or members.are_whole:
            return members  # whole rows give the same sum in any order
        return members.where(self.random.permutation(len(members.rows)))

    def total(self, weights: Array) -> Any:
        """Add up, one after the other."""
        if len(weights) == 0:
            return self.number(0)
        return np.cumsum(weights, dtype=self.number)[-1]

    def by_class(self, table: Table, members: Members) -> Array:
        """Return the weight of each class."""
        weights = np.zeros(table.n_classes, self.number)
        np.add.at(weights, table.labels[members.rows], members.weights)
        return weights

    def members(self, rows: Rows) -> Members:
        """Return whole rows."""
        return Members(rows, np.ones(len(rows), self.number))


EXACT = Sums(np.float64, slack=1e-9)


def single(seed: int) -> Sums:
    """Return sums of 32-bit floats, each in a random order."""
    return Sums(np.float32, random=np.random.default_rng(seed))


def to_single(x: Any) -> Any:
    """Return a number, or an array of them, rounded to 32 bits."""
    return np.asarray(x, np.float64).astype(np.float32)


def bits(sums: Sums, weights: Array) -> Any:
    """Return weight x entropy along the last axis, rounded after each term."""
    terms = x_log2_x(weights)
    bits_of_parts = np.zeros(weights.shape[:-1], np.float32)
    total = np.zeros(weights.shape[:-1], sums.number)
    for k in range(weights.shape[-1]):
        bits_of_parts = to_single(bits_of_parts.astype(np.float64) + terms[..., k])
        total = total + weights[..., k]
    return to_single(x_log2_x(total) - bits_of_parts)


def x_log2_x(x: Any) -> Array:
    """Return x log2 x; 0 for 0 and for what rounding put below it."""
    x = np.asarray(x, np.float64)
    return np.asarray(x * np.log2(np.where(x > 0, x, 1.0)))
