"""Intervals by entropy, as many as their description pays for (Fayyad and Irani).

The rows are cut in two where the entropy of the classes is least, then each part again,
as long as the gain is worth the bits that say where the cut is:

    gain > (log2(N - 1) + log2(3^k - 2) - (k E - k1 E1 - k2 E2)) / N

with N rows of k classes and entropy E, and k1, E1, k2, E2 of the two parts. A row of
weight 2 counts as two rows. Only a boundary point can be best, one that has not the
same single class on both sides (their theorem 1): values between are taken together.

References
----------
Fayyad, U. and Irani, K. (1993). Multi-interval discretization of continuous-valued
attributes for classification learning. IJCAI-93, 1022-1027.
"""

from __future__ import annotations

from math import log2
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.discretize.tally import Floats, ValueTally
from treewright.grow.impurity import entropy_of_weights
from treewright.grow.numeric_cut import TIE_TOLERANCE


def mdl(tally: ValueTally, n_intervals: int = 0) -> list[Any]:
    """Return the borders, half way between values; `n_intervals` is not used."""
    if len(tally.values) < 2:
        return []
    starts = _block_starts(tally.weights)
    blocks = np.add.reduceat(tally.weights, starts, axis=0)
    cuts = []
    parts = [(0, len(blocks))]  # a stack: nothing recurses on the depth of the cuts
    while parts:
        start, stop = parts.pop()
        cut = _best_cut(blocks[start:stop])
        if cut is not None:
            cuts.append(start + cut)
            parts += [(start, start + cut), (start + cut, stop)]
    last_below = starts[np.array(sorted(cuts), np.intp)] - 1
    return tally.midpoints_after(last_below)


def _block_starts(weights: Floats) -> npt.NDArray[np.intp]:
    """Return where runs of values begin that share one single class."""
    single = np.count_nonzero(weights > 0, axis=1) == 1
    label = np.where(single, np.argmax(weights > 0, axis=1), -1)
    goes_on = single[1:] & (label[1:] == label[:-1])
    return np.flatnonzero(np.concatenate([[True], ~goes_on]))


def _best_cut(blocks: Floats) -> int | None:
    """Return how many blocks are below the best cut, or None if it is not worth it."""
    if len(blocks) < 2:
        return None
    # each side is summed from its own end: total minus one side would cancel
    below = np.cumsum(blocks, axis=0)
    above = np.cumsum(blocks[::-1], axis=0)[::-1]
    whole, below, above = below[-1], below[:-1], above[1:]
    n_rows = float(whole.sum())
    mixed = below.sum(axis=1) * entropy_of_weights(below)
    mixed += above.sum(axis=1) * entropy_of_weights(above)
    mixed /= n_rows
    best = int(np.argmax(mixed <= mixed.min() + TIE_TOLERANCE))
    before = float(entropy_of_weights(whole))
    gain = before - float(mixed[best])
    k, k1, k2 = (int((part > 0).sum()) for part in (whole, below[best], above[best]))
    parts = entropy_of_weights(np.stack([below[best], above[best]]))
    saved = k * before - k1 * float(parts[0]) - k2 * float(parts[1])
    # weights may add up to less than two rows
    price = log2(max(n_rows - 1, 1)) + log2(3**k - 2) - saved
    return best + 1 if gain > price / n_rows else None
