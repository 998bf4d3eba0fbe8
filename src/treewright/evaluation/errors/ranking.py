"""How well rows are ranked by their probabilities: the ROC curve and its area.

The probability of a class orders the rows; from the top, each row of the class is a
step up and each other row a step to the right. The area below is how often a row of the
class comes before another one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.evaluation.errors.held_out_answers import Floats, Outcomes

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
# where curves are read off, before they are averaged
PLACES = np.linspace(0.0, 1.0, 101)


def roc_area(outcomes: Outcomes) -> float | None:
    """Return the area under the ROC curve, the mean over the splits.

    Of more than two classes it is the mean over the classes, each against the others.
    Splits without rows of both sides are left out. None where no split has both, as in
    leave-one-out (probabilities of different models cannot be ranked together: a class
    is rarer among the training rows where one of its rows is held out, so the order
    would be turned round), and without probabilities.
    """
    area = _mean(outcomes, area_of)
    return None if area is None else float(area)


def roc_curve(outcomes: Outcomes) -> Floats | None:
    """Return the share of a class that is found, where `PLACES` of the others are.

    The mean over splits and classes, and None, as for the area.
    """
    curve: Floats | None = _mean(outcomes, curve_of)
    return curve


def _mean(outcomes: Outcomes, figure: Callable[[Flags, Floats, Floats], Any]) -> Any:
    """The mean of a figure over the splits, each the mean over the classes."""
    shares = outcomes.shares
    if shares is None:
        return None
    split, weights = outcomes.sampling.split, outcomes.sampling.weights
    of_splits = [
        _mean_of_classes(outcomes.actual[here], shares[here], weights[here], figure)
        for number in range(len(outcomes.splits))
        for here in [split == number]
    ]
    known = [one for one in of_splits if one is not None]
    return np.mean(known, axis=0) if known else None


def _mean_of_classes(
    actual: Ints,
    shares: Floats,
    weights: Floats,
    figure: Callable[[Flags, Floats, Floats], Any],
) -> Any:
    """Return the mean over the classes; None if it cannot be told for one."""
    n_classes = shares.shape[1]
    classes = [1] if n_classes == 2 else range(n_classes)
    found = []
    for code in classes:
        positive = actual == code
        # rows of weight 0 are as if absent
        if not weights[positive].sum() or not weights[~positive].sum():
            return None
        found.append(figure(positive, shares[:, code], weights))
    return np.mean(found, axis=0)


def area_of(positive: Flags, score: Floats, weights: Floats) -> float:
    """Return how often a positive row has the higher score; ties count half."""
    plus, minus = _by_score(positive, score, weights)
    below = np.cumsum(minus) - minus
    won = plus @ (below + minus / 2)
    return float(won / (plus.sum() * minus.sum()))


def curve_of(positive: Flags, score: Floats, weights: Floats) -> Floats:
    """Return the share of positive rows found at each of `PLACES` of the others.

    Rows of the same score are a slanting line. Where the curve is upright, as it often
    is at 0, its upper end counts.
    """
    plus, minus = _by_score(positive, score, weights)
    up = np.cumsum(np.append(0.0, plus[::-1])) / plus.sum()
    across = np.cumsum(np.append(0.0, minus[::-1])) / minus.sum()
    # of equal places the last one counts
    found: Floats = np.interp(PLACES, across, up)
    return found


def _by_score(positive: Flags, score: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """The weight of the positive and of the other rows at each score, rising."""
    values, place = np.unique(score, return_inverse=True)
    sums = np.zeros((2, len(values)))
    np.add.at(sums, (positive.astype(int), place), weights)
    return sums[1], sums[0]
