"""How far an error that was measured may be from the true one.

    one set of held-out rows    classes: Wilson's interval; numbers: Student's t
    folds, repeated or not      Student's t over the folds, with the correction of
                                Nadeau and Bengio: folds share most training rows, so
                                their errors vary less than they would on new data
    leave-one-out               the same, with as many folds as rows: trees of nearly
                                the same rows err together, and Wilson's interval alone
                                would be much too narrow

An interval for a share of wrong rows is never narrower than Wilson's for these rows:
folds that happen to agree know no more than their rows do.

References
----------
Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error. Machine
Learning 52, 239-281.
Wilson, E. B. (1927). Probable inference, the law of succession, and statistical
inference. Journal of the American Statistical Association 22, 209-212.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

WILSON = "Wilson"
STUDENT = "t of the rows"
CORRECTED = "corrected resampled t"


@dataclass(frozen=True)
class Estimate:
    """A figure and the interval that covers the true one with a stated confidence."""

    value: float  # the figure: a mean over rows
    # the ends of the interval
    low: float
    high: float
    method: str  # how the interval was found

    def root(self) -> Estimate:
        """Return the same for the square root of the figure."""
        figures = (self.low, self.value, self.high)
        low, value, high = (math.sqrt(max(one, 0.0)) for one in figures)
        return Estimate(value, low, high, self.method)


def wilson(share: float, n_rows: float, level: float) -> tuple[float, float]:
    """Return Wilson's interval for a share that was found in so many rows."""
    z = normal_quantile((1 + level) / 2)
    centre = (share + z * z / (2 * n_rows)) / (1 + z * z / n_rows)
    spread = share * (1 - share) / n_rows + z * z / (4 * n_rows * n_rows)
    half = z * math.sqrt(spread) / (1 + z * z / n_rows)
    return max(0.0, centre - half), min(1.0, centre + half)


def corrected_error(values: Floats, test_per_train: float) -> float:
    """Return Nadeau and Bengio's standard error of a mean over folds.

    `test_per_train` is n2/n1: the held-out rows per training row of a fold.
    """
    variance = float(np.var(values, ddof=1))
    return math.sqrt((1 / len(values) + test_per_train) * variance)


@dataclass(frozen=True, eq=False)
class Sampling:
    """Where held-out rows come from."""

    split: Ints  # the split of each held-out row
    weights: Floats  # its weight
    n_trained: Ints  # how many rows each split learned from
    # how many different rows were held out; fewer than `split` has where they are
    # divided again and again
    n_different: int

    @property
    def n_splits(self) -> int:
        """How often a model was learned."""
        return len(self.n_trained)

    @property
    def counts(self) -> Ints:
        """Held-out rows of each split."""
        return np.bincount(self.split, minlength=self.n_splits)

    @property
    def test_per_train(self) -> float:
        """Held-out rows per training row."""
        return float(self.counts.mean() / self.n_trained.mean())

    @property
    def by_rows(self) -> bool:
        """Whether there are no splits to compare, only rows."""
        return self.n_splits == 1

    def means(self, losses: Floats) -> Floats:
        """Return the mean of each split."""
        sums = np.bincount(self.split, losses * self.weights, self.n_splits)
        return np.asarray(sums / np.bincount(self.split, self.weights, self.n_splits))

    def mean(self, losses: Floats) -> float:
        """Return the mean over all held-out rows."""
        return float(losses @ self.weights / self.weights.sum())

    def share(self, wrong: Floats, level: float) -> Estimate:
        """Return a share of rows with its interval; `wrong` is 1 or 0 for each row."""
        value = self.mean(wrong)
        low, high = wilson(value, self._n_effective(), level)
        if self.by_rows:
            return Estimate(value, low, high, WILSON)
        folds = self._of_folds(wrong, level)
        return Estimate(
            value,
            max(0.0, min(low, folds.low)),
            min(1.0, max(high, folds.high)),
            CORRECTED,
        )

    def amount(self, losses: Floats, level: float) -> Estimate:
        """Return a mean of amounts, as squared errors, with its interval."""
        if not self.by_rows:
            found = self._of_folds(losses, level)
            return Estimate(found.value, max(0.0, found.low), found.high, found.method)
        value, n_rows = self.mean(losses), self._n_effective()
        if n_rows < 2:
            return Estimate(value, 0.0, math.inf, STUDENT)
        variance = self.mean((losses - value) ** 2) * n_rows / (n_rows - 1)
        half = t_quantile((1 + level) / 2, n_rows - 1) * math.sqrt(variance / n_rows)
        return Estimate(value, max(0.0, value - half), value + half, STUDENT)

    def difference(self, apart: Floats, level: float) -> tuple[Estimate, float]:
        """Return the mean of differences, row by row, and its p value.

        The test is Student's t: over the splits, with the correction, or over the rows
        where there are no splits to compare.
        """
        if self.by_rows:
            value, n_units = self.mean(apart), self._n_effective()
            variance = self.mean((apart - value) ** 2) / max(n_units - 1, 1)
            error, method = math.sqrt(variance), STUDENT
        else:
            means = self.means(apart)
            value, n_units = float(means.mean()), float(len(means))
            error = corrected_error(means, self.test_per_train)
            method = CORRECTED
        half = t_quantile((1 + level) / 2, n_units - 1) * error
        if error > 0:
            p = t_tail(value / error, n_units - 1)
        else:
            p = 1.0 if value == 0 else 0.0
        return Estimate(value, value - half, value + half, method), p

    def _of_folds(self, losses: Floats, level: float) -> Estimate:
        value, means = self.mean(losses), self.means(losses)
        error = corrected_error(means, self.test_per_train)
        half = t_quantile((1 + level) / 2, len(means) - 1) * error
        return Estimate(value, value - half, value + half, CORRECTED)

    def _n_effective(self) -> float:
        """How many rows of equal weight know as much."""
        repeated = len(self.split) / self.n_different
        return float(self.weights.sum() ** 2 / (self.weights @ self.weights) / repeated)


def normal_quantile(share: float) -> float:
    """Return the value that a standard normal variable exceeds in the other cases."""
    from scipy.special import ndtri  # noqa: PLC0415 - slow to import

    return float(ndtri(share))


def t_quantile(share: float, degrees: float) -> float:
    """Return the same for Student's t."""
    from scipy.special import stdtrit  # noqa: PLC0415 - slow to import

    return float(stdtrit(degrees, share))


def t_tail(statistic: float, degrees: float) -> float:
    """Return how often Student's t is farther from 0, on either side."""
    from scipy.special import stdtr  # noqa: PLC0415 - slow to import

    return float(2 * stdtr(degrees, -abs(statistic)))
