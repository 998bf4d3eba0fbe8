"""Fisher's exact test: whether a condition parts right rows from wrong ones by chance.

              right  wrong
    holds       a      b
    does not    c      d

Of all tables with these sums, how likely is one in which the rows that meet the
condition are as often right, or more often?
"""

from __future__ import annotations

import math


def chance(a: int, b: int, c: int, d: int) -> float:
    """Return the probability of a table with `a` or more in the first cell.

    Examples
    --------
    >>> round(chance(3, 1, 1, 3), 4)
    0.2429
    """
    held, right, n = a + b, a + c, a + b + c + d
    fixed = (
        _log_factorial(held)
        + _log_factorial(n - held)
        + _log_factorial(right)
        + _log_factorial(n - right)
        - _log_factorial(n)
    )
    # cells as far as they stay at least 0; the largest term is the first or near it
    total = 0.0
    for more in range(min(b, c) + 1):
        cells = (a + more, b - more, c - more, d + more)
        term = math.exp(fixed - sum(map(_log_factorial, cells)))
        total += term
        if more > 0 and term < 1e-17 * total:
            break
    return min(total, 1.0)


def _log_factorial(n: int) -> float:
    return math.lgamma(n + 1)
