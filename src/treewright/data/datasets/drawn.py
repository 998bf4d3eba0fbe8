"""The four synthetic problems of Breiman's papers, drawn afresh from a seed.

Each function returns `(X, y)`: a polars DataFrame with the columns x1, x2, ... and a
polars Series of the classes "1", "2" (and "3"), which are equally probable. The error
that no classifier can get below, the Bayes error, is 13.3 % for waveform (14 % in the
CART book), 2.3 % for twonorm, 10.5 % for threenorm, 1.5 % for ringnorm (1.3 % in
Breiman's paper).

References
----------
Breiman, L., Friedman, J., Olshen, R. and Stone, C. (1984). Classification and
Regression Trees, p. 49 (waveform).
Breiman, L. (1998). Arcing classifiers. Annals of Statistics 26, 801-849 (the others).
"""

from __future__ import annotations

import numbers
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from treewright.errors import SettingError

if TYPE_CHECKING:
    import polars as pl

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]
Seed = int | np.random.Generator | None

N_FEATURES = 20  # of all but waveform
# the triangles that waveform mixes: height 6, at 11, 15 and 7 of 21 places
_PLACES = np.arange(1, 22)
_TRIANGLES = np.stack(
    [np.maximum(6.0 - np.abs(_PLACES - peak), 0.0) for peak in (11, 15, 7)]
)
_MIXED = np.array([(0, 1), (0, 2), (1, 2)])  # by class


def waveform(
    n_rows: int = 300, *, random_state: Seed = None
) -> tuple[pl.DataFrame, pl.Series]:
    """Three classes of noisy waves, each a random mixture of two of three triangles.

    Parameters
    ----------
    n_rows : int
        How many rows to draw.
    random_state : int, Generator or None
        The seed; None draws other rows each time.
    """
    random = random_of(n_rows, random_state)
    codes = random.integers(3, size=n_rows)
    first, second = (_TRIANGLES[_MIXED[codes, which]] for which in (0, 1))
    share = random.random((n_rows, 1))
    noise = random.normal(size=(n_rows, len(_PLACES)))
    return table_of(share * first + (1.0 - share) * second + noise, codes)


def twonorm(
    n_rows: int = 300, *, random_state: Seed = None
) -> tuple[pl.DataFrame, pl.Series]:
    """Two round clouds in 20 dimensions, whose centres are 4 apart.

    Parameters
    ----------
    n_rows : int
        How many rows to draw.
    random_state : int, Generator or None
        The seed; None draws other rows each time.
    """
    random = random_of(n_rows, random_state)
    codes = random.integers(2, size=n_rows)
    sign = np.where(codes == 0, 1.0, -1.0)[:, None]
    return table_of(sign * _along(2.0) + _noise(random, n_rows), codes)


def threenorm(
    n_rows: int = 300, *, random_state: Seed = None
) -> tuple[pl.DataFrame, pl.Series]:
    """Class 1 in two round clouds, class 2 in a third, at right angles to them.

    Parameters
    ----------
    n_rows : int
        How many rows to draw.
    random_state : int, Generator or None
        The seed; None draws other rows each time.
    """
    random = random_of(n_rows, random_state)
    codes = random.integers(2, size=n_rows)
    side = random.choice([-1.0, 1.0], size=(n_rows, 1))
    across = _along(2.0) * np.where(np.arange(N_FEATURES) % 2 == 0, 1.0, -1.0)
    centres = np.where(codes[:, None] == 0, side * _along(2.0), across)
    return table_of(centres + _noise(random, n_rows), codes)


def ringnorm(
    n_rows: int = 300, *, distance: float = 1.0, random_state: Seed = None
) -> tuple[pl.DataFrame, pl.Series]:
    """A wide cloud, class 1, around a narrow one, class 2, in 20 dimensions.

    Parameters
    ----------
    n_rows : int
        How many rows to draw.
    distance : float
        Of the two centres: 1 as in R's mlbench (Bayes error 1.5 %), 2 as in the Delve
        archive (1.2 %).
    random_state : int, Generator or None
        The seed; None draws other rows each time.
    """
    if not isinstance(distance, numbers.Real) or not np.isfinite(float(distance)):
        raise SettingError(f"distance is {distance!r}; it must be a finite number")
    random = random_of(n_rows, random_state)
    codes = random.integers(2, size=n_rows)
    noise = _noise(random, n_rows)
    narrow = _along(float(distance)) + noise
    return table_of(np.where(codes[:, None] == 0, 2.0 * noise, narrow), codes)


def _along(length: float) -> Floats:
    """The vector (a, a, ..., a) of this length."""
    return np.full(N_FEATURES, length / np.sqrt(N_FEATURES))


def _noise(random: np.random.Generator, n_rows: int) -> Floats:
    return random.normal(size=(n_rows, N_FEATURES))


def random_of(n_rows: int, random_state: Any) -> np.random.Generator:
    """Return the generator of a seed; refuse a number of rows that cannot be."""
    if not isinstance(n_rows, numbers.Integral) or n_rows < 0:
        raise SettingError(f"n_rows is {n_rows!r}; it must be a whole number from 0 up")
    if isinstance(random_state, np.random.Generator):
        return random_state
    whole = isinstance(random_state, numbers.Integral) and random_state >= 0
    if random_state is not None and not whole:
        raise SettingError(
            f"random_state is {random_state!r}; it must be a whole number from 0 up, a "
            "numpy Generator or None"
        )
    return np.random.default_rng(random_state)


def table_of(rows: Floats, codes: Codes) -> tuple[pl.DataFrame, pl.Series]:
    """Return rows and classes as tables, with columns x1, x2, ... and classes 1, 2."""
    import polars as pl  # noqa: PLC0415 - the package loads without polars

    features = {f"x{place}": column for place, column in enumerate(rows.T, 1)}
    return pl.DataFrame(features), pl.Series("class", (codes + 1).astype(str))
