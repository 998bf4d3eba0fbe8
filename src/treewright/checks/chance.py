"""How likely chance alone makes what was found: bounds that hold for any sample.

    KL(a, b) = a ln(a / b) + (1 - a) ln((1 - a) / (1 - b))

If each of n rows is marked with probability b, then at least (or at most) a share a of
them is marked with a chance of at most exp(-n KL(a, b)); the same holds for n rows that
are drawn from a table of which a share b is marked (Hoeffding 1963). Bounds are a
little too large and never too small, so no list of columns makes more false alarms than
its level says, however short or skewed they are.

References
----------
Hoeffding, W. (1963). Probability inequalities for sums of bounded random variables.
Journal of the American Statistical Association 58, 13-30.
Wei, F. and Dudley, R. M. (2012). Two-sample Dvoretzky-Kiefer-Wolfowitz inequalities.
Statistics and Probability Letters 82, 636-644.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

LEVEL = 0.01  # chance of an alarm where there is nothing, of all columns together


def log_deviation(share: float, expected: float) -> float:
    """KL(share, expected), 0 if they are equal."""
    total = 0.0
    for a, b in ((share, expected), (1 - share, 1 - expected)):
        if a > 0:
            total += math.inf if b <= 0 else a * math.log(a / b)
    return max(total, 0.0)


def few_wrong(n_wrong: float, n_rows: int, expected: float) -> float:
    """Bound the log of the chance of so few wrong rows if guesses were made."""
    share = n_wrong / n_rows
    return 0.0 if share >= expected else -n_rows * log_deviation(share, expected)


def joint_count(n_both: int, n_first: int, n_second: int, n_rows: int) -> float:
    """Bound the log of the chance that two marks fall together so often, or so rarely.

    `n_both`: rows that have both marks. `n_first`, `n_second`: rows that have one mark,
    and the other. `n_rows`: all rows.
    """
    best = 0.0
    for n_drawn, n_marked in ((n_first, n_second), (n_second, n_first)):
        inside, outside = n_drawn, n_rows - n_drawn
        share = n_marked / n_rows
        if inside:
            best = max(best, inside * log_deviation(n_both / inside, share))
        if outside:
            others = (n_marked - n_both) / outside
            best = max(best, outside * log_deviation(others, share))
    return min(0.0, math.log(2) - best)


def largest_gap(distance: float, n_first: int, n_second: int) -> float:
    """Bound the log of the chance of a Kolmogorov-Smirnov distance of two samples.

    It is at most e exp(-2 size distance^2), proven for samples of the same size (Wei
    and Dudley 2012); the factor is nearer to 2 for large ones.
    """
    size = n_first * n_second / (n_first + n_second)
    return min(0.0, 1.0 - 2 * size * distance**2)


def all_on_one_side(n_found: int, n_side: int, n_rows: int) -> float:
    """Log of the chance that the first `n_found` rows of an order are of one side."""
    if n_found > n_side:
        return -math.inf
    return (
        math.lgamma(n_side + 1)
        - math.lgamma(n_side - n_found + 1)
        - math.lgamma(n_rows + 1)
        + math.lgamma(n_rows - n_found + 1)
    )


def log_arrangements(counts: npt.NDArray[np.int64]) -> float:
    """Log of how many ways there are to give so many rows to each value."""
    sizes, times = np.unique(counts, return_counts=True)
    within = math.fsum(
        count * math.lgamma(size + 1)
        for size, count in zip(sizes.tolist(), times.tolist(), strict=True)
    )
    return math.lgamma(int(counts.sum()) + 1) - within


def is_chance(log_bound: float, n_tests: int) -> bool:
    """Tell whether chance may well have made this, among so many things looked at."""
    return log_bound > math.log(LEVEL / max(n_tests, 1))
