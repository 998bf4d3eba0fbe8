"""Growing a tree of two classes to purity: entropy, at least two rows in a leaf."""

from __future__ import annotations

import synthetic
from growing import N_ROWS, N_ROWS_QUICK, compare, title
from measure import Goal

GOALS = {"scikit-learn": 20.0, "YDF": 8.0}


def run(*, quick: bool, repeats: int) -> list[Goal]:
    """Compare the peers on two classes."""
    data = synthetic.two_classes(N_ROWS_QUICK if quick else N_ROWS)
    title("Growing two classes", *data[0].shape, repeats)
    return compare("classes", data, goals=GOALS, repeats=repeats)
