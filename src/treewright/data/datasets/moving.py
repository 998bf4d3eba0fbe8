"""Streams whose classes change on the way: SEA, STAGGER and the rotating hyperplane.

Each function returns `(X, y)`, like those of `drawn.py`; the rows are in the order of
time. One concept, or a speed of 0, gives a stream that does not change.

References
----------
Street, W. and Kim, Y. (2001). A streaming ensemble algorithm (SEA) for large-scale
classification. KDD, 377-382.
Schlimmer, J. and Granger, R. (1986). Incremental learning from noisy data. Machine
Learning 1, 317-354 (STAGGER).
Hulten, G., Spencer, L. and Domingos, P. (2001). Mining time-changing data streams.
KDD, 97-106 (the hyperplane).
"""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from treewright.data.datasets.drawn import Codes, Seed, random_of, table_of
from treewright.errors import SettingError

if TYPE_CHECKING:
    import polars as pl

SEA_THRESHOLDS = (8.0, 9.0, 7.0, 9.5)
_SIZES = ("small", "medium", "large")
_COLOURS = ("red", "green", "blue")
_SHAPES = ("square", "circular", "triangular")


def sea(
    n_rows: int = 60_000,
    *,
    thresholds: Sequence[float] = SEA_THRESHOLDS,
    noise: float = 0.1,
    random_state: Seed = None,
) -> tuple[pl.DataFrame, pl.Series]:
    """Three numbers from 0 to 10: class 1 where x1 + x2 is at most a threshold.

    Parameters
    ----------
    n_rows : int
        How many rows to draw.
    thresholds : sequence of float
        One after the other, for parts of the stream of the same length.
    noise : float
        The share of the rows that have the other class.
    random_state : int, Generator or None
        The seed; None draws other rows each time.
    """
    random = random_of(n_rows, random_state)
    limits = np.array([_number("thresholds", one) for one in _several(thresholds)])
    _check_share("noise", noise)
    rows = random.random((n_rows, 3)) * 10.0
    is_above = rows[:, 0] + rows[:, 1] > limits[_parts(n_rows, len(limits))]
    return table_of(rows, _with_noise(random, is_above.astype(np.int64), noise))


def stagger(
    n_rows: int = 120,
    *,
    concepts: Sequence[int] = (1, 2, 3),
    noise: float = 0.0,
    random_state: Seed = None,
) -> tuple[pl.DataFrame, pl.Series]:
    """Things of some size, colour and shape, of which a concept is true or not.

    Concept 1 is "small and red", 2 "green or circular", 3 "medium or large".

    Parameters
    ----------
    n_rows : int
        How many rows to draw.
    concepts : sequence of int
        One after the other, for parts of the stream of the same length.
    noise : float
        The share of the rows that have the other class.
    random_state : int, Generator or None
        The seed; None draws other rows each time.
    """
    import polars as pl  # noqa: PLC0415 - the package loads without polars

    random = random_of(n_rows, random_state)
    wanted = np.array(_several(concepts))
    if not np.isin(wanted, (1, 2, 3)).all():
        raise SettingError(f"concepts is {concepts!r}; each must be 1, 2 or 3")
    _check_share("noise", noise)
    size, colour, shape = random.integers(3, size=(3, n_rows))
    truth = np.stack(
        [(size == 0) & (colour == 0), (colour == 1) | (shape == 1), size > 0]
    )
    concept = wanted[_parts(n_rows, len(wanted))]
    codes = truth[concept - 1, np.arange(n_rows)].astype(np.int64)
    features = {
        "size": np.array(_SIZES)[size],
        "colour": np.array(_COLOURS)[colour],
        "shape": np.array(_SHAPES)[shape],
    }
    labels = np.array(["false", "true"])[_with_noise(random, codes, noise)]
    return pl.DataFrame(features), pl.Series("class", labels)


def hyperplane(
    n_rows: int = 10_000,
    *,
    n_features: int = 10,
    n_moving: int = 2,
    speed: float = 0.0,
    turning: float = 0.1,
    noise: float = 0.05,
    random_state: Seed = None,
) -> tuple[pl.DataFrame, pl.Series]:
    """Numbers from 0 to 1: class 1 on one side of a plane that halves the cube.

    The class is 2 where the sum of w_i x_i is at least half the sum of the weights w_i.

    Parameters
    ----------
    n_rows : int
        How many rows to draw.
    n_features : int
        The dimensions.
    n_moving : int
        How many of the weights change.
    speed : float
        By how much they change from each row to the next.
    turning : float
        The chance, for each weight and row, that it changes in the other direction
        from there on.
    noise : float
        The share of the rows that have the other class.
    random_state : int, Generator or None
        The seed; None draws other rows each time.
    """
    random = random_of(n_rows, random_state)
    for name, value, least in (
        ("n_features", n_features, 1),
        ("n_moving", n_moving, 0),
    ):
        if not isinstance(value, numbers.Integral) or value < least:
            raise SettingError(f"{name} is {value!r}; it must be from {least} up")
    if n_moving > n_features:
        raise SettingError(f"n_moving is {n_moving}, of {n_features} features")
    _check_share("noise", noise)
    _check_share("turning", turning)
    rows = random.random((n_rows, n_features))
    weights = np.tile(random.random(n_features), (n_rows, 1))
    turns = np.where(random.random((n_rows, n_moving)) < turning, -1.0, 1.0)
    steps = _number("speed", speed) * np.cumprod(turns, axis=0)
    # the first row has the weights as drawn
    weights[1:, :n_moving] += np.cumsum(steps[1:], axis=0)
    is_beyond = (weights * rows).sum(axis=1) >= weights.sum(axis=1) / 2
    return table_of(rows, _with_noise(random, is_beyond.astype(np.int64), noise))


def _parts(n_rows: int, n_parts: int) -> npt.NDArray[np.int64]:
    """The part of the stream that each row is in."""
    return np.arange(n_rows) * n_parts // max(n_rows, 1)


def _with_noise(random: np.random.Generator, codes: Codes, noise: float) -> Codes:
    """Two classes, some of them exchanged."""
    return np.where(random.random(len(codes)) < noise, 1 - codes, codes)


def _several(items: Any) -> list[Any]:
    if isinstance(items, str) or not isinstance(items, Sequence) or not len(items):
        raise SettingError(f"{items!r} must be a list of one or more")
    return list(items)


def _number(name: str, value: Any) -> float:
    if not isinstance(value, numbers.Real) or not np.isfinite(float(value)):
        raise SettingError(f"{name} is {value!r}; it must be a finite number")
    return float(value)


def _check_share(name: str, value: Any) -> None:
    if not 0.0 <= _number(name, value) <= 1.0:
        raise SettingError(f"{name} is {value!r}; it must be a share from 0 to 1")
