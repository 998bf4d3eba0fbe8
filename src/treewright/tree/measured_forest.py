"""What out-of-bag rows say of a forest: which features count, how good its trees are.

`learners/forest/out_of_bag.py` finds these figures; a model keeps them, also in its
file, so that they can be shown without the training rows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

# of a normal distribution, 95 % are within so many standard deviations of the mean
WIDTH_OF_INTERVAL = 1.959963984540054


@dataclass(frozen=True, eq=False)
class Measures:
    """What a forest's out-of-bag rows say."""

    # the out-of-bag error: the share of wrong rows, or the mean squared error
    error: float
    # float64, shape (n_features,): permutation importance: what a tree loses on its
    # out-of-bag rows when the values of a feature are dealt anew among them, the mean
    # over the trees. Classes: the share of right rows that is lost. Numbers: what the
    # mean squared error rises by. Several outputs: the mean over them.
    importances: Floats
    # float64, shape (n_features,): of these means over the trees: the standard
    # deviation over the trees divided by the root of their number. NaN for a single
    # tree.
    standard_errors: Floats
    # per output the same of the rows of each class alone; NaN for a class that no tree
    # has out of bag. Empty for numbers.
    class_importances: tuple[Floats, ...] = ()
    class_standard_errors: tuple[Floats, ...] = ()  # of these
    # per output Breiman's strength s: the mean margin of the rows, which is the share
    # of out-of-bag votes for the right class less the largest share of another. Empty
    # for numbers.
    strength: tuple[float, ...] = ()
    # per output Breiman's mean correlation of the trees: the variance of the margins
    # divided by the square of the mean standard deviation of a tree's own margins
    correlation: tuple[float, ...] = ()

    @property
    def low(self) -> Floats:
        """The lower ends of the importances' 95 % intervals.

        The intervals are 1.96 standard errors to both sides. They tell how far the
        figures would be off with other trees from the same table, and not how far they
        would be with another table.
        """
        return self.importances - WIDTH_OF_INTERVAL * self.standard_errors

    @property
    def high(self) -> Floats:
        """The upper ends of these intervals."""
        return self.importances + WIDTH_OF_INTERVAL * self.standard_errors

    @property
    def error_bounds(self) -> tuple[float, ...]:
        """Per output Breiman's bound of the error, correlation (1 - s^2) / s^2.

        Infinite if the strength s is not above 0: then it says nothing.
        """
        return tuple(map(_bound, self.strength, self.correlation))


def _bound(strength: float, correlation: float) -> float:
    if strength >= 1:
        return 0.0
    if strength <= 0:
        return float("inf")
    return correlation * (1 - strength**2) / strength**2
