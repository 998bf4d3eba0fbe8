"""A Hoeffding tree from a stream, beside River's: error, rows a second, memory.

The rows of Adult in a random order, with text, numbers and gaps. Both answer for each
row before they learn it, with the same settings (delta 1e-7, tau 0.05, 200 rows between
two looks, adaptive naive Bayes leaves, 10 cuts). River takes a row at a time, as a dict
without the cells that are missing; we take the same dicts one by one, and batches of
1000 rows as users hold them. Making dicts and batches is not part of anybody's time.

Memory is measured over ten million rows, the same ones again and again (`python
learn_stream.py`, a process of its own); it reads /proc, so it needs Linux.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl

sys.path.append(str(Path(__file__).resolve().parents[1]))
from conformance.datasets import DATA
from measure import Goal, heading, interleaved, table
from memory import status_bytes

N_QUICK = 5_000
BATCH = 1_000
LEAST_IN_BATCHES, LEAST_BY_ROW = 50.0, 5.0
MOST_POINTS = 0.5  # that the error may be above River's
N_MEMORY, N_WARM = 10_000_000, 1_000_000
MOST_GROWTH = 10.0  # MB, from the first million rows on
MAX_BYTES = 20_000_000


def adult() -> tuple[pl.DataFrame, pl.Series]:
    """The rows in a random order."""
    frame = pl.read_csv(DATA / "adult.csv.gz", null_values=["?"])
    frame = frame.sample(fraction=1.0, shuffle=True, seed=1)
    return frame.drop("income"), frame["income"]


def batches(rows: pl.DataFrame, labels: pl.Series, form: Any) -> list[tuple[Any, Any]]:
    """The stream in batches of some form, with the classes as an array."""
    truth = labels.to_numpy()
    return [
        (form(rows[start : start + BATCH]), truth[start : start + BATCH])
        for start in range(0, len(rows), BATCH)
    ]


def learn_in(parts: list[tuple[Any, Any]], n_wrong: list[int]) -> None:
    """Learn from batches, and note how many answers were wrong."""
    import treewright

    tree = treewright.HoeffdingTreeClassifier()
    wrong = 0
    for rows, labels in parts:
        said = tree.prequential(rows, labels)
        wrong += int((said != labels).sum())
    n_wrong.append(wrong)


def learn_by_row(rows: list[Any], labels: list[str], n_wrong: list[int]) -> None:
    import treewright

    tree = treewright.HoeffdingTreeClassifier()
    wrong = 0
    for row, label in zip(rows, labels, strict=True):
        wrong += tree.prequential([row], [label])[0] != label
    n_wrong.append(wrong)


def learn_with_river(rows: list[Any], labels: list[str], n_wrong: list[int]) -> None:
    from river.tree import HoeffdingTreeClassifier

    tree = HoeffdingTreeClassifier()
    wrong = 0
    for row, label in zip(rows, labels, strict=True):
        wrong += tree.predict_one(row) != label
        tree.learn_one(row, label)
    n_wrong.append(wrong)


def compare(rows: pl.DataFrame, labels: pl.Series, repeats: int) -> list[Goal]:
    """Everybody on the same stream."""
    dicts, answers = rows.to_dicts(), labels.to_list()
    without = [{k: v for k, v in row.items() if v is not None} for row in dicts]
    frames = batches(rows, labels, lambda part: part)
    pandas = batches(rows, labels, lambda part: part.to_pandas())
    arrays = batches(rows, labels, lambda part: {c.name: c.to_numpy() for c in part})
    wrong: dict[str, list[int]] = {}
    jobs: dict[str, Callable[[], None]] = {
        "polars": lambda: learn_in(frames, wrong["polars"]),
        "pandas": lambda: learn_in(pandas, wrong["pandas"]),
        "dict of arrays": lambda: learn_in(arrays, wrong["dict of arrays"]),
        "row by row": lambda: learn_by_row(dicts, answers, wrong["row by row"]),
    }
    if importlib.util.find_spec("river") is not None:
        jobs["river, row by row"] = lambda: learn_with_river(
            without, answers, wrong["river, row by row"]
        )
    wrong.update({name: [] for name in jobs})
    took = interleaved(jobs, repeats=repeats)
    n_rows = len(rows)
    errors = {name: 100 * each[0] / n_rows for name, each in wrong.items()}
    table(
        ("who", "wrong, %", "rows a second"),
        [(who, f"{errors[who]:.2f}", f"{n_rows / took[who]:,.0f}") for who in jobs],
    )
    if "river, row by row" not in jobs:
        return []
    theirs = took["river, row by row"]
    return [
        Goal(
            "stream: error above River's",
            errors["polars"] - errors["river, row by row"],
            "<=",
            MOST_POINTS,
            " points",
        ),
        Goal(
            "stream: batches (dict of arrays)",
            theirs / took["dict of arrays"],
            ">=",
            LEAST_IN_BATCHES,
            "x",
        ),
        Goal("stream: by row", theirs / took["row by row"], ">=", LEAST_BY_ROW, "x"),
    ]


def grown_memory(n_rows: int, n_warm: int) -> tuple[float, float]:
    """Megabytes that a process grows by after the first rows, and that a tree has."""
    import treewright

    rows, labels = adult()
    parts = batches(rows, labels, lambda part: part)
    tree = treewright.HoeffdingTreeClassifier(max_bytes=MAX_BYTES)
    before = 0
    n_done = 0
    while n_done < n_rows:
        for part, own in parts:
            tree.partial_fit(part, own)
        n_done += len(rows)
        if not before and n_done >= n_warm:
            before = status_bytes("VmRSS")
    return (status_bytes("VmRSS") - before) / 1e6, tree.n_bytes_ / 1e6


def run(*, quick: bool, repeats: int) -> list[Goal]:
    """Compare with River, and measure the memory of a long stream."""
    rows, labels = adult()
    if quick:
        rows, labels = rows[:N_QUICK], labels[:N_QUICK]
    heading(f"a Hoeffding tree from a stream of {len(rows):,} rows")
    goals = compare(rows, labels, repeats)
    n_rows, n_warm = (200_000, 50_000) if quick else (N_MEMORY, N_WARM)
    command = [sys.executable, __file__, str(n_rows), str(n_warm)]
    child = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    growth, size = map(float, child.stdout.split())
    table(
        (f"{n_rows:,} rows, max_bytes {MAX_BYTES:,}", "MB"),
        [("grown after the first million", f"{growth:.1f}"), ("tree", f"{size:.1f}")],
    )
    goals.append(Goal("stream: memory grows", growth, "<=", MOST_GROWTH, " MB"))
    return goals


if __name__ == "__main__":
    print(*grown_memory(int(sys.argv[1]), int(sys.argv[2])))
