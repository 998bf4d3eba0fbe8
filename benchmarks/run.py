"""All benchmarks, or some: `python benchmarks/run.py [--quick] [NAME ...]`.

Every comparison runs its sides in one process, in turns, and prints what was measured
beside its goal.
"""

from __future__ import annotations

import argparse
import os
import platform
from importlib import metadata

import add_rows
import cross_validate
import explorer
import grow_c45
import grow_classes
import grow_forest
import grow_numbers
import learn_stream
import make_rules
import memory
import scaling
import small_fits
import sparse_words
import startup
from measure import Goal, report

BENCHMARKS = {
    "grow_classes": grow_classes.run,
    "grow_numbers": grow_numbers.run,
    "grow_c45": grow_c45.run,
    "grow_forest": grow_forest.run,
    "learn_stream": learn_stream.run,
    "make_rules": make_rules.run,
    "memory": memory.run,
    "scaling": scaling.run,
    "small_fits": small_fits.run,
    "sparse_words": sparse_words.run,
    "startup": startup.run,
    "cross_validate": cross_validate.run,
    "add_rows": add_rows.run,
    "explorer": explorer.run,
}
PACKAGES = ("treewright", "numpy", "scikit-learn", "ydf", "river")


def version(package: str) -> str:
    """Version of an installed package."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"


def print_machine() -> None:
    """Say what this was measured on."""
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python", end=" ")
    print(platform.python_version())
    print(", ".join(f"{package} {version(package)}" for package in PACKAGES))


def main() -> None:
    """Run the benchmarks named on the command line."""
    parser = argparse.ArgumentParser(description="Run the benchmarks of treewright.")
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"some of {', '.join(BENCHMARKS)}"
    )
    parser.add_argument(
        "--quick", action="store_true", help="small sizes, seconds only"
    )
    parser.add_argument("--repeats", type=int, default=3, help="fits of each side")
    options = parser.parse_args()
    unknown = sorted(set(options.names) - set(BENCHMARKS))
    if unknown:
        parser.error(f"no benchmark {unknown[0]!r}; there are {', '.join(BENCHMARKS)}")
    print_machine()
    goals: list[Goal] = []
    for name in options.names or BENCHMARKS:
        found = BENCHMARKS[name](quick=options.quick, repeats=options.repeats)
        report(found, meant=not options.quick)
        goals += found
    if not options.quick:
        n_reached = sum(goal.reached for goal in goals)
        print(f"\n{n_reached} of {len(goals)} goals reached")


if __name__ == "__main__":
    main()
