"""`python -m conformance.rounding`: figures by the order in which shares are added."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence

from conformance.datasets import load
from conformance.rounding.answers import Comparison
from conformance.rounding.sums import EXACT, single

DESCRIPTION = "Grow C4.5 with 32-bit sums of shares, in random orders of the rows."


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the recorded figures, those of exact sums and those of random orders."""
    parser = argparse.ArgumentParser(prog="rounding", description=DESCRIPTION)
    parser.add_argument("--set", required=True, metavar="NAME", help="a data set")
    parser.add_argument(
        "--place",
        action="append",
        required=True,
        help="all rows, split, fold 0 ... fold 9",
    )
    parser.add_argument("--orders", type=int, default=20, help="how many orders")
    parser.add_argument(
        "--prefer",
        metavar="COLUMN",
        help="exact sums, and this column where the best ratios are equal and rows "
        "are divided",
    )
    options = parser.parse_args(arguments)
    dataset = load(options.set)
    for place in options.place:
        comparison = Comparison(dataset, place)
        recorded = comparison.recorded
        exact = comparison.figures(EXACT, options.prefer)
        print(f"{options.set}, {place}: recorded {recorded}, exact sums {exact}")
        found = Counter(comparison.figures(single(n)) for n in range(options.orders))
        hits = found[recorded]
        print(f"    recorded in {hits} of {options.orders} orders: {dict(found)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
