"""Growing a regression tree to the end: squared error, at least two rows in a leaf."""

from __future__ import annotations

import synthetic
from growing import N_ROWS, N_ROWS_QUICK, compare, title
from measure import Goal

GOALS = {"scikit-learn": 15.0, "YDF": 6.0}


def run(*, quick: bool, repeats: int) -> list[Goal]:
    """Compare the peers on numbers."""
    data = synthetic.numbers(N_ROWS_QUICK if quick else N_ROWS)
    title("Growing numbers", *data[0].shape, repeats)
    return compare("numbers", data, goals=GOALS, repeats=repeats)
