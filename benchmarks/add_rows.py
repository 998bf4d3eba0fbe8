"""Rows added one by one to a tree, against a fresh fit after each of them.

Adult, 20 000 rows, CART, single rows as dicts. A fresh fit after every row would take
hours, so it is timed at every 200th row and these times stand for all. Times are those
of the process, on all its threads. Needs the shared collection of data sets.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import polars as pl

import treewright as tw
from measure import Goal, heading, table

sys.path.append(str(Path(__file__).resolve().parents[1]))
from conformance.datasets import DATA, load

ROWS, QUICK_ROWS, EVERY = 20_000, 2_000, 200
AT_LEAST = 50.0
SHARE_FORGOTTEN = 10  # one in so many


def run(*, quick: bool, repeats: int) -> list[Goal]:
    """Add rows, take some away, and grow trees anew at some of the sizes."""
    n_rows = QUICK_ROWS if quick else ROWS
    heading(f"adding {n_rows:,} rows of Adult to a tree, one by one")
    if not DATA.is_dir():
        print("not run: the shared data sets are not here")
        return []
    data = load("adult")
    # rows as dicts declare no categories, so the table should not, either
    inputs = data.inputs[:n_rows].with_columns(pl.col(pl.Enum).cast(pl.String))
    answers = data.target[:n_rows].to_list()
    rows = inputs.to_dicts()
    tree = tw.IncrementalTreeClassifier()
    adding = fresh = asking = 0.0
    for done, (row, answer) in enumerate(zip(rows, answers, strict=True), 1):
        start = time.process_time()
        tree.partial_fit([row], [answer])
        adding += time.process_time() - start
        if done % EVERY == 0:
            start = time.process_time()
            tree.predict([row])
            asking += (time.process_time() - start) * EVERY
            start = time.process_time()
            same = tw.CARTClassifier(n_jobs=2).fit(inputs[:done], answers[:done])
            fresh += (time.process_time() - start) * EVERY
    if same.fingerprint() != tree.fingerprint():
        raise RuntimeError("the trees differ")
    n_forgotten = n_rows // SHARE_FORGOTTEN
    start = time.process_time()
    for row, answer in zip(rows[:n_forgotten], answers, strict=False):
        tree.forget([row], [answer])
    forgetting = time.process_time() - start
    table(
        ["", "rows", "seconds", "per row"],
        [
            _line("added one by one", n_rows, adding),
            _line(f"fresh fits (every {EVERY}th timed)", n_rows, fresh),
            _line("making the arrays, if asked each time", n_rows, asking),
            _line("forgotten one by one", n_forgotten, forgetting),
        ],
    )
    return [Goal("fresh fits / adding", fresh / adding, ">=", AT_LEAST, "x")]


def _line(what: str, n_rows: int, seconds: float) -> list[str]:
    per_row = f"{seconds / n_rows * 1000:.2f} ms"
    return [what, f"{n_rows:,}", f"{seconds:.1f}", per_row]
