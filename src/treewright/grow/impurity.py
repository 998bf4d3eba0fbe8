"""How mixed a set of rows is: entropy, Gini impurity, classification error, variance.

What is gained by splitting the rows is in `measures.py`, which has all of them
together. Labels can be a list, an array or a column of a data frame, of any hashable
values; `counts=` or `probabilities=` can be given in their place.
"""

from __future__ import annotations

import numpy as np

from treewright.errors import SettingError
from treewright.grow.outcomes import (
    Floats,
    Values,
    read_finite,
    read_outcomes,
    read_weights,
)


def entropy(
    labels: Values | None = None,
    *,
    counts: Values | None = None,
    probabilities: Values | None = None,
    weights: Values | None = None,
    base: float = 2,
) -> float:
    """Return the entropy H = - sum p log p, in bits.

    Parameters
    ----------
    labels : iterable of hashables, optional
        One label per row. Missing labels are refused.
    counts : iterable or mapping of numbers, optional
        Instead of labels: how often each outcome occurs.
    probabilities : iterable or mapping of numbers, optional
        Instead of labels: the probability of each outcome; they must sum to 1.
    weights : iterable of numbers, optional
        One weight per label.
    base : float, default 2
        Base of the logarithm: 2 for bits, `math.e` for nats.

    Examples
    --------
    >>> from treewright.grow.impurity import entropy
    >>> entropy(["heads", "tails"])
    1.0
    >>> entropy(probabilities=[1 / 2, 1 / 4, 1 / 8, 1 / 8])
    1.75
    >>> round(entropy(counts=[9, 5]), 3)
    0.94
    """
    outcomes = read_outcomes(
        labels, counts=counts, probabilities=probabilities, weights=weights
    )
    return float(entropy_of_weights(outcomes, base))


def gini(
    labels: Values | None = None,
    *,
    counts: Values | None = None,
    probabilities: Values | None = None,
    weights: Values | None = None,
) -> float:
    """Return the Gini impurity 1 - sum p^2; arguments as for `entropy`.

    It is the chance that two rows, drawn with replacement, differ in their label.

    Examples
    --------
    >>> from treewright.grow.impurity import gini
    >>> gini(["yes", "no", "yes", "no"])
    0.5
    """
    outcomes = read_outcomes(
        labels, counts=counts, probabilities=probabilities, weights=weights
    )
    return max(0.0, 1 - float(np.sum((outcomes / outcomes.sum()) ** 2)))


def classification_error(
    labels: Values | None = None,
    *,
    counts: Values | None = None,
    probabilities: Values | None = None,
    weights: Values | None = None,
) -> float:
    """Return the share of rows outside the largest class; arguments as for `entropy`.

    Examples
    --------
    >>> from treewright.grow.impurity import classification_error
    >>> classification_error(counts=[3, 1])
    0.25
    """
    outcomes = read_outcomes(
        labels, counts=counts, probabilities=probabilities, weights=weights
    )
    return max(0.0, 1 - float(outcomes.max() / outcomes.sum()))


def variance(y: Values, *, weights: Values | None = None) -> float:
    """Return the variance of numbers, the mean squared distance from their mean.

    Examples
    --------
    >>> from treewright.grow.impurity import variance
    >>> variance([1, 3, 5, 7])
    5.0
    """
    numbers = read_finite(y, "y")
    return variance_of_numbers(numbers, read_weights(weights, len(numbers)))


def entropy_of_weights(outcomes: Floats, base: float = 2) -> Floats:
    """Return the entropy along the last axis, given the weight of each outcome."""
    if not base > 0 or base == 1:
        raise SettingError(f"base is {base}: give a positive number other than 1")
    shares = outcomes / outcomes.sum(axis=-1, keepdims=True)
    # p log p tends to 0 with p: an outcome that does not occur adds nothing
    logs = np.log2(shares, where=shares > 0, out=np.zeros_like(shares))
    # adding 0 turns the -0.0 of a pure set into 0.0
    return np.asarray(-(shares * logs).sum(axis=-1) / np.log2(base) + 0.0)


def variance_of_numbers(numbers: Floats, weights: Floats) -> float:
    """Return the weighted variance; from the mean, because sums of squares cancel."""
    total = weights.sum()
    mean = (numbers * weights).sum() / total
    return float((weights * (numbers - mean) ** 2).sum() / total)
