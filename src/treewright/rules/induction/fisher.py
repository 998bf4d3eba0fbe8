"""Fisher's exact test: whether a condition parts right rows from wrong ones by chance.

              right  wrong
    holds       a      b
    does not    c      d

Of all tables with these sums, how likely is one in which the rows that meet the
condition are as often right, or more often?
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

# what is this near to a simple fraction, as 1/20, is that fraction
_DIGITS = 12


def chance(
    a: npt.ArrayLike, b: npt.ArrayLike, c: npt.ArrayLike, d: npt.ArrayLike
) -> npt.NDArray[np.float64]:
    """Return the probability of a table with `a` or more in the first cell.

    Examples
    --------
    >>> round(float(chance(3, 1, 1, 3)), 4)
    0.2429
    """
    from scipy.stats import hypergeom  # noqa: PLC0415 - slow to load, rarely asked for

    cells = np.array(np.broadcast_arrays(a, b, c, d))
    held, right = cells[0] + cells[1], cells[0] + cells[2]
    found = hypergeom.sf(cells[0] - 1, cells.sum(axis=0), right, held)
    return np.asarray(np.round(found, _DIGITS))
