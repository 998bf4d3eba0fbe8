"""The measures that choose a split, as functions to calculate with.

They are what a student works out on paper: entropy, gain, gain ratio, Gini, variance.
The engine has its own compiled versions; the tests hold both to the same figures.
`impurity.py` has the measures of one set of rows, this file those of a split, and
`numeric_cut.py` finds the best threshold; all of them can be imported from here.

Glossary
--------
y            the target: a label (or, for the variance, a number) per row
x            the feature: a value per row, None or NaN where it is unknown
branch       the rows with one value of x, or on one side of a threshold
known part   the weight of the rows with a known x, over the weight of all rows
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.errors import DataError, SettingError
from treewright.grow.impurity import (
    classification_error,
    entropy,
    entropy_of_weights,
    gini,
    variance,
    variance_of_numbers,
)
from treewright.grow.numeric_cut import Cut, best_threshold
from treewright.grow.outcomes import (
    Floats,
    MeasuredRows,
    Values,
    read_branches,
    read_classes,
    read_finite,
    read_rows,
)

__all__ = [
    "Cut",
    "best_threshold",
    "classification_error",
    "conditional_entropy",
    "entropy",
    "gain_ratio",
    "gini",
    "information_gain",
    "intrinsic_value",
    "normalization",
    "variance",
    "variance_gain",
]

Impurity = Callable[[npt.NDArray[Any], Floats], float]


def conditional_entropy(
    y: Values,
    x: Values,
    *,
    threshold: float | None = None,
    weights: Values | None = None,
    base: float = 2,
) -> float:
    """Return H(y | x), the mean entropy of y in the branches, over rows with known x.

    Parameters
    ----------
    y : iterable of hashables
        The target.
    x : iterable of hashables
        The feature: one branch per value, or two sides if there is a threshold.
    threshold : float, optional
        x holds numbers and is cut into `x <= threshold` and `x > threshold`.
    weights : iterable of numbers, optional
        One weight per row.
    base : float, default 2
        Base of the logarithm.

    Examples
    --------
    >>> from treewright.grow.measures import conditional_entropy
    >>> conditional_entropy(["yes", "no", "yes", "yes"], ["a", "a", "b", "b"])
    0.5
    """
    rows = _read_classified(y, x, threshold, weights)
    known = rows.at(rows.is_known)
    if not len(known.weight):
        raise DataError("every x is missing: H(y | x) needs rows with a known x")
    return _remainder(known, partial(_label_entropy, base=base))


def information_gain(
    y: Values,
    x: Values,
    *,
    threshold: float | None = None,
    weights: Values | None = None,
    base: float = 2,
) -> float:
    """Return the known part times H(y) - H(y | x); arguments as `conditional_entropy`.

    H(y) and H(y | x) are taken over the rows with a known x (Quinlan 1993, chapter
    3), so a feature that is unknown in every row gains 0.

    Examples
    --------
    >>> from treewright.grow.measures import information_gain
    >>> information_gain(["yes", "no", "yes", "no"], ["a", "b", "a", "b"])
    1.0
    >>> round(information_gain([0, 0, 1, 2, 2], [30, 87, 110, 280, 560],
    ...                        threshold=195), 3)
    0.971
    """
    rows = _read_classified(y, x, threshold, weights)
    return _gain(rows, partial(_label_entropy, base=base))


def intrinsic_value(
    x: Values | None = None,
    *,
    counts: Values | None = None,
    probabilities: Values | None = None,
    threshold: float | None = None,
    weights: Values | None = None,
    base: float = 2,
) -> float:
    """Return the entropy of the split itself, also called split information.

    Arguments as for `entropy`, but unknown values are allowed and count as one more
    outcome (Quinlan 1993, chapter 3), and numbers can be cut at a threshold.

    Examples
    --------
    >>> from treewright.grow.measures import intrinsic_value
    >>> intrinsic_value(["a", "a", "b", None])
    1.5
    """
    if x is not None:
        # codes start at -1, for unknown
        x = (read_branches(x, threshold) + 1).tolist()
    elif threshold is not None:
        raise SettingError("threshold= needs x: counts and probabilities are not cut")
    return entropy(
        x, counts=counts, probabilities=probabilities, weights=weights, base=base
    )


def normalization(
    x: Values | None = None,
    *,
    counts: Values | None = None,
    probabilities: Values | None = None,
    threshold: float | None = None,
    weights: Values | None = None,
) -> float:
    """Return C4.5's factor 1 / intrinsic value; arguments as for `intrinsic_value`.

    The gain ratio is the gain times this factor: it takes back the advantage of a
    feature with many values. It is 1 for a fair coin and 1/2 for a four-sided die.

    Examples
    --------
    >>> from treewright.grow.measures import normalization
    >>> normalization(["heads", "tails"]), normalization([1, 2, 3, 4])
    (1.0, 0.5)
    """
    information = intrinsic_value(
        x,
        counts=counts,
        probabilities=probabilities,
        threshold=threshold,
        weights=weights,
    )
    if information == 0:
        raise DataError("x has one outcome only, so there is nothing to normalise")
    return 1 / information


def gain_ratio(
    y: Values,
    x: Values,
    *,
    threshold: float | None = None,
    weights: Values | None = None,
) -> float:
    """Return information gain / intrinsic value; arguments as `conditional_entropy`.

    A feature with one outcome only has ratio 0: it gains nothing.

    Examples
    --------
    >>> from treewright.grow.measures import gain_ratio
    >>> gain_ratio(["yes", "no", "yes", "no"], [1, 2, 3, 4])
    0.5
    """
    rows = _read_classified(y, x, threshold, weights)
    gain = _gain(rows, _label_entropy)
    information = _label_entropy(rows.branch + 1, rows.weight)  # -1 is unknown
    return gain / information if information > 0 else 0.0


def variance_gain(
    y: Values,
    x: Values,
    *,
    threshold: float | None = None,
    weights: Values | None = None,
) -> float:
    """Return the known part times Var(D) - sum |D_i| / |D| Var(D_i).

    The arguments are those of `conditional_entropy`, with numbers in y.

    Examples
    --------
    >>> from treewright.grow.measures import variance_gain
    >>> variance_gain([1, 3, 5, 7], ["a", "a", "b", "b"])
    4.0
    """
    rows = read_rows(y, x, threshold=threshold, weights=weights, read_y=read_finite)
    return _gain(rows, variance_of_numbers)


def _read_classified(
    y: Values, x: Values, threshold: float | None, weights: Values | None
) -> MeasuredRows:
    """Read rows whose target is a label."""
    return read_rows(y, x, threshold=threshold, weights=weights, read_y=read_classes)


def _gain(rows: MeasuredRows, impurity: Impurity) -> float:
    """Known part times the impurity of the known rows minus that of their branches."""
    known = rows.at(rows.is_known)
    if not len(known.weight):
        return 0.0
    part = known.weight.sum() / rows.weight.sum()
    gain = impurity(known.target, known.weight) - _remainder(known, impurity)
    return max(0.0, float(part * gain))  # rounding may go below zero


def _remainder(rows: MeasuredRows, impurity: Impurity) -> float:
    """Mean impurity of the branches, weighted."""
    order = np.argsort(rows.branch, kind="stable")
    starts = np.flatnonzero(np.diff(rows.branch[order])) + 1
    parts = [rows.at(part) for part in np.split(order, starts)]
    impurities = [impurity(part.target, part.weight) for part in parts]
    return float(np.average(impurities, weights=[p.weight.sum() for p in parts]))


def _label_entropy(codes: npt.NDArray[Any], weights: Floats, base: float = 2) -> float:
    """Entropy of labels, given as codes."""
    counts = np.bincount(codes, weights=weights).astype(np.float64)
    return float(entropy_of_weights(counts, base))
