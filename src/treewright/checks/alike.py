"""Vectors that are nearly the same up to their sign, among many, in bounded time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

import numpy as np
import numpy.typing as npt

Singles = npt.NDArray[np.float32]
Name = TypeVar("Name")

MOST_VECTORS = 20_000
_FEW_VECTORS = 2_000
_BLOCK = 512
_MOST_PAIRS = 20_000


def rows_to_compare(n_rows: int, n_vectors: int) -> npt.NDArray[np.int64]:
    """Return the rows that vectors are compared by: fewer if there are many of them."""
    most = 4_096 if n_vectors <= _FEW_VECTORS else 256
    if n_rows <= most:
        return np.arange(n_rows)
    drawn = np.random.default_rng(0).choice(n_rows, most, replace=False)
    return np.sort(drawn)


def scaled(vectors: list[npt.NDArray[np.float32]]) -> Singles:
    """Return the vectors as rows of a matrix, with mean 0 and length 1."""
    matrix = np.array(vectors, np.float32)
    matrix -= matrix.mean(axis=1, keepdims=True)
    lengths = np.sqrt((matrix**2).sum(axis=1, keepdims=True))
    return np.asarray(matrix / np.maximum(lengths, np.float32(1e-30)))


def alike(matrix: Singles, limit: float) -> Iterator[tuple[int, int]]:
    """Yield pairs of rows whose product is at least `limit`, the first ones first."""
    n_pairs = 0
    for start in range(0, len(matrix), _BLOCK):
        block = matrix[start : start + _BLOCK]
        products = np.abs(block @ matrix[start:].T)
        for row, column in zip(*np.nonzero(products >= limit), strict=True):
            if column > row:
                yield start + int(row), start + int(column)
                n_pairs += 1
        if n_pairs >= _MOST_PAIRS:
            return


def grouped(pairs: Iterator[tuple[Name, Name]]) -> dict[Name, list[Name]]:
    """Return for each first one those that are like it; none is in two groups."""
    first_of: dict[Name, Name] = {}
    groups: dict[Name, list[Name]] = {}
    for one, other in pairs:
        first = first_of.get(one, one)
        if other not in first_of and other not in groups and other != first:
            first_of[other] = first
            groups.setdefault(first, []).append(other)
    return groups
