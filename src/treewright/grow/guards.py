"""Guards: how much a split must gain before its gain ratio is looked at.

A ratio is large where split information is near 0, however little the split gains. So
C4.5 and C5.0 compare the ratios of those features only that gain enough.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

# C4.5: a gain this much below the average still passes
AVERAGE_SLACK = 1e-3
# C5.0: so does one that reaches this share of the least gain
ENOUGH = 0.999


@dataclass(frozen=True, eq=False)
class Guard:
    """The least gain of a feature whose ratio is compared."""

    # {"c45", "c50"}: C4.5: the average gain, less `AVERAGE_SLACK`. C5.0: the average in
    # small tables, the bits that it takes to name a feature in large ones.
    kind: str
    # bool, shape (n_features,) or that of the gains: features that do not have very
    # many values. The gains of the others do not count in the average; under C5.0 they
    # are out.
    few_valued: Flags
    rows_per_class: float  # of the whole table

    def passes(self, gain: Floats, least: Floats) -> Flags:
        """Whether each feature of each node gains enough; `least` is per node."""
        enough = gain >= least[:, None]
        return np.asarray(enough if self.kind == "c45" else self.few_valued & enough)

    def least(self, gain: Floats, valid: Flags, weight: Floats) -> Floats:
        """The least gain that passes at each node.

        `gain` is per row, of the features that are `valid` at a node; `weight` is that
        of the nodes.
        """
        counted = valid & self.few_valued
        average = _average(gain, counted)
        if self.kind == "c45":
            return average - AVERAGE_SLACK
        n_possible = np.maximum(counted.sum(axis=1), 1)
        naming = 0.9 * np.log2(n_possible) / weight
        # a mix where a class has 500 to 1000 rows, one of the two on either side
        share = min(max((self.rows_per_class - 500) / 500, 0.0), 1.0)
        least = naming if share == 1 else (1 - share) * average + share * naming
        # rounding must not shut out a feature that gains just as much
        return np.asarray(ENOUGH * least - 1e-12)


def _average(gain: Floats, counted: Flags) -> Floats:
    """The mean of the gains that count; infinite where there is none."""
    n_counted = counted.sum(axis=1)
    average = np.where(counted, gain, 0.0).sum(axis=1) / np.maximum(n_counted, 1)
    average[n_counted == 0] = np.inf  # there is nothing to compare with
    return np.asarray(average)


def fewest_branches(
    ratio: Floats, gain: Floats, valid: Flags, n_branches: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """C5.0's choice at each node: the best ratio, as good as which are many.

    Of ratios within 0.1 % of the best the split with the fewest branches wins, of these
    the one that gains most, then the first. `valid` must hold somewhere at each node.
    """
    ratio = np.where(valid, ratio, -np.inf)
    left = ratio >= ENOUGH * ratio.max(axis=1, keepdims=True) - 1e-12
    branches = np.where(left, n_branches, np.iinfo(np.int64).max)
    left &= branches == branches.min(axis=1, keepdims=True)
    gain = np.where(left, gain, -np.inf)
    # rounding must not decide between equals
    most = gain >= gain.max(axis=1, keepdims=True) - 1e-12
    return np.asarray(np.argmax(most, axis=1))
