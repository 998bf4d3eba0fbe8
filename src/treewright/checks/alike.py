"""Vectors that are nearly the same up to their sign, among many, in bounded time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

Singles = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]

MOST_VECTORS = 20_000
_FEW_VECTORS = 2_000
_BLOCK = 512
_MOST_PAIRS = 20_000


def groups_alike(
    n_vectors: int,
    n_rows: int,
    vector: Callable[[int, Rows], npt.NDArray[Any]],
    limit: float,
    confirmed: Callable[[int, int], bool],
) -> dict[int, list[int]]:
    """Return for each first vector, by number, those that are like it.

    `vector`: returns one of them at some rows. `limit`: of the product, that pairs to
    be looked at have. `confirmed`: whether a pair is alike indeed.
    """
    n_vectors = min(n_vectors, MOST_VECTORS)
    if n_vectors < 2:
        return {}
    # fewer rows if there are many vectors
    most = 4_096 if n_vectors <= _FEW_VECTORS else 256
    rows = np.arange(n_rows)
    if n_rows > most:
        rows = np.sort(np.random.default_rng(0).choice(n_rows, most, replace=False))
    vectors = [vector(number, rows) for number in range(n_vectors)]
    pairs = alike(_scaled(vectors), limit)
    return grouped(pair for pair in pairs if confirmed(*pair))


def _scaled(vectors: list[npt.NDArray[Any]]) -> Singles:
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


def grouped(pairs: Iterator[tuple[int, int]]) -> dict[int, list[int]]:
    """Return for each first one those that are like it; none is in two groups."""
    first_of: dict[int, int] = {}
    groups: dict[int, list[int]] = {}
    for one, other in pairs:
        first = first_of.get(one, one)
        if other not in first_of and other not in groups and other != first:
            first_of[other] = first
            groups.setdefault(first, []).append(other)
    return groups
