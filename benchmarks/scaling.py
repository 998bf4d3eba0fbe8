"""How the time to grow a tree grows with the rows: the exponent b of time = a * n^b."""

from __future__ import annotations

import numpy as np

import peers
import synthetic
from growing import N_WARM_UP
from measure import Goal, heading, interleaved, table

SIZES = (20_000, 200_000, 2_000_000)
SIZES_QUICK = (5_000, 20_000, 80_000)
BOUND = 1.15


def exponent(sizes: tuple[int, ...], times: list[float]) -> float:
    """Slope of the least-squares line through the logarithms."""
    return float(np.polyfit(np.log(sizes), np.log(times), 1)[0])


def run(*, quick: bool, repeats: int) -> list[Goal]:
    """Fit the same kind of table at three sizes."""
    sizes = SIZES_QUICK if quick else SIZES
    heading(f"Scaling: two classes, 20 columns, median of {repeats}")
    if not peers.TREEWRIGHT.is_installed:
        print("treewright is not installed")
        return []
    fit = peers.TREEWRIGHT.fit
    times = []
    for n_rows in sizes:
        data = synthetic.two_classes(n_rows)
        fit((data[0][:N_WARM_UP], data[1][:N_WARM_UP]), "classes")
        job = {"fit": lambda data=data: fit(data, "classes")}
        times.append(interleaved(job, repeats=repeats)["fit"])
    table(
        ("rows", "seconds", "microseconds per row"),
        (
            (f"{n_rows:,}", f"{time:.3f}", f"{1e6 * time / n_rows:.2f}")
            for n_rows, time in zip(sizes, times, strict=True)
        ),
    )
    return [Goal("exponent of the rows", exponent(sizes, times), "<=", BOUND)]
