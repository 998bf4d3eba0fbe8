"""How many errors a leaf is expected to make on new rows, from those in training.

    predicted errors = E + U(N, E)

for a leaf with weight N of which E is wrong. U is the upper confidence limit of a
binomial count: Quinlan's pessimistic estimate, as C4.5 and J48 compute it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from treewright import _core
from treewright.data.short_rows import row_maxima, row_sums

Floats = npt.NDArray[np.float64]

# C4.5's table: confidence level against the normal quantile of 1 - level
_LEVELS = (0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.0)
_QUANTILES = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.0)


@dataclass(frozen=True)
class ErrorEstimate:
    """The switches of the estimate.

    Attributes
    ----------
    confidence : float
        The confidence level, between 0 and 1; smaller adds more.
    limit : {"normal", "table"}
        The quantile exact (J48), or from C4.5's table of nine points.
    mostly_wrong : {"rest", "two_thirds"}
        What is added where all rows but half a row are wrong: the rest (J48), or 0.67
        of it (C4.5).
    """

    confidence: float = 0.25
    limit: str = "normal"
    mostly_wrong: str = "rest"

    @cached_property
    def quantile(self) -> float:
        """The number of standard deviations that the confidence level stands for."""
        if self.limit == "table":
            return float(np.interp(self.confidence, _LEVELS, _QUANTILES))
        return NormalDist().inv_cdf(1 - self.confidence)

    def added(self, weight: npt.ArrayLike, errors: npt.ArrayLike) -> Floats:
        """U(N, E), for any numbers of leaves.

        Examples
        --------
        >>> float(ErrorEstimate().added(6, 0).round(4))
        1.2378
        """
        n, e = np.broadcast_arrays(
            np.asarray(weight, np.float64), np.asarray(errors, np.float64)
        )
        return self._added(n.ravel(), e.ravel()).reshape(n.shape)

    def _added(self, n: Floats, e: Floats) -> Floats:
        if self.confidence > 0.5:  # nothing is added: the limit would be below E
            return np.zeros(len(n))
        rest_share = 0.67 if self.mostly_wrong == "two_thirds" else 1.0
        return _core.added_errors(n, e, self.confidence, self.quantile, rest_share)

    def of(self, class_weights: Floats) -> Floats:
        """Predicted errors of leaves with these class weights, one row each."""
        weight = row_sums(class_weights)
        errors = weight - row_maxima(class_weights)
        return np.where(weight > 0, errors + self._added(weight, errors), 0.0)

    def at_least(self, class_weights: Floats) -> Floats:
        """A bound of `of` for leaves that have these rows and perhaps others.

        E + U(N, E) rises with N and with E, and rows that are added lower neither. Only
        C4.5's estimate falls, by 0.33 (N - E), where E + 0.5 reaches N; then no class
        weighs more than 0.5.
        """
        errors = self.of(class_weights)
        if self.mostly_wrong == "rest":
            return errors
        is_low = row_maxima(class_weights) <= 0.5
        return np.asarray(errors - np.where(is_low, 0.33 * 0.5, 0.0))
