"""Cross-validation against one fit: what ten folds cost that share one encoded table.

Adult (48,842 rows), C4.5 with pruning, 2 threads. Needs the shared collection of data
sets.
"""

from __future__ import annotations

import sys
from pathlib import Path

import treewright as tw
from measure import Goal, heading, interleaved, table

sys.path.append(str(Path(__file__).resolve().parents[1]))
from conformance.datasets import DATA, load

AT_MOST = 8.0
QUICK_ROWS = 5000


def run(*, quick: bool, repeats: int) -> list[Goal]:
    """Time one fit and ten folds, in turns."""
    heading("cross-validation: 10 folds of C4.5 on Adult, against one fit")
    if not DATA.is_dir():
        print("not run: the shared data sets are not here")
        return []
    data = load("adult")
    inputs, answers = data.inputs, data.target
    if quick:
        inputs, answers = inputs[:QUICK_ROWS], answers[:QUICK_ROWS]
    tree = tw.C45Classifier(n_jobs=2)
    times = interleaved(
        {
            "one fit": lambda: tree.fit(inputs, answers),
            "10 folds": lambda: tw.evaluate(tree, inputs, answers, n_jobs=2),
        },
        repeats=repeats,
    )
    ratio = times["10 folds"] / times["one fit"]
    table(
        ["", "seconds"], [[name, f"{seconds:.2f}"] for name, seconds in times.items()]
    )
    return [Goal("10 folds / one fit", ratio, "<=", AT_MOST, "x")]
