"""Synthetic tables for the benchmarks: same seed, same bits, on every machine.

The classes are built as in Guyon's design for the NIPS 2003 feature selection
challenge (scikit-learn's `make_classification` follows it too): clusters on the corners
of a cube, columns that repeat them in a mix, columns of pure noise, and some labels
flipped, so that a tree grown to purity is deep and wide.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.float32]

N_INFORMATIVE = 10
N_REDUNDANT = 4
FLIPPED = 0.05


def inputs(
    n_rows: int, n_columns: int, seed: int
) -> tuple[Matrix, npt.NDArray[np.int64]]:
    """Inputs and the cluster of each row; even and odd clusters are the two classes."""
    rng = np.random.default_rng(seed)
    n_informative = min(N_INFORMATIVE, n_columns - 2)
    n_redundant = min(N_REDUNDANT, n_columns - n_informative)
    centres = rng.choice([-1.0, 1.0], size=(8, n_informative))
    cluster = rng.integers(0, len(centres), n_rows)
    signal = rng.standard_normal((n_rows, n_informative)) + centres[cluster]
    mix = rng.standard_normal((n_informative, n_redundant)) / np.sqrt(n_informative)
    n_noise = n_columns - n_informative - n_redundant
    noise = rng.standard_normal((n_rows, n_noise))
    table = np.hstack([signal, signal @ mix, noise])[:, rng.permutation(n_columns)]
    return np.ascontiguousarray(table, dtype=np.float32), cluster


def two_classes(
    n_rows: int, n_columns: int = 20, seed: int = 7
) -> tuple[Matrix, npt.NDArray[np.int64]]:
    """Two classes, five labels in a hundred flipped."""
    table, cluster = inputs(n_rows, n_columns, seed)
    rng = np.random.default_rng(seed + 1)
    flip = rng.random(n_rows) < FLIPPED
    return table, np.where(flip, 1 - cluster % 2, cluster % 2)


def numbers(
    n_rows: int, n_columns: int = 20, seed: int = 7
) -> tuple[Matrix, npt.NDArray[np.float64]]:
    """A number with steps, a curve, an interaction and noise."""
    table, cluster = inputs(n_rows, n_columns, seed)
    rng = np.random.default_rng(seed + 1)
    x = table.astype(np.float64)
    curve = np.sin(2.0 * x[:, 0]) + 0.5 * x[:, 1] * x[:, 2] + np.abs(x[:, 3])
    return table, cluster + curve + 0.5 * rng.standard_normal(n_rows)
