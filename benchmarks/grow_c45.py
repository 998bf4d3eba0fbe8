"""C4.5 with pruning against Weka's J48: the time to build, and the peak of memory.

Each build runs in a process of its own (`python grow_c45.py NAME`), Weka's with `java`.
Weka's time is the one that it prints; ours includes everything that `fit` does. Memory
is compared between the command lines, which read the same ARFF file and print a tree;
a process with the estimators also holds scikit-learn, and pandas where it is installed.
Needs Debian's package `weka` and the shared collection of data sets.
"""

from __future__ import annotations

import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from measure import Goal, heading, interleaved, table

sys.path.append(str(Path(__file__).resolve().parents[1]))
from conformance.datasets import DATA, Dataset, load

WEKA = Path("/usr/share/java/weka.jar")
FASTER, SMALLER, FRACTIONAL = 10.0, 0.5, 1.5
TARGET = "target of the learner"
J48, FIT, COMMAND = "J48", "C45Classifier.fit", "treewright fit, with reading"


@dataclass(frozen=True)
class Build:
    """What one build took."""

    seconds: float
    peak: int  # bytes


def measured(command: Sequence[str], pattern: str = "") -> Build:
    """Run a command that prints its seconds; its peak is read while it runs.

    Without a pattern the seconds are those of the whole process.
    """
    start = time.perf_counter()
    with tempfile.TemporaryFile("w+") as output:
        child = subprocess.Popen(command, stdout=output)
        peak = 0
        while child.poll() is None:
            peak = max(peak, peak_of(child.pid))
            time.sleep(0.02)
        output.seek(0)
        said = output.read()
    if child.returncode != 0:
        raise RuntimeError(f"{command[0]} failed:\n{said[-500:]}")
    if not pattern:
        return Build(time.perf_counter() - start, peak)
    found = re.search(pattern, said)
    if found is None:
        raise RuntimeError(f"{command[0]} said nothing of its time:\n{said[-500:]}")
    return Build(float(found.group(1)), peak)


def peak_of(process: int) -> int:
    """Largest size of a process so far, in bytes; 0 if it is gone."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    return int(found.group(1)) * 1024 if found else 0


def training_rows(data: Dataset, name: str) -> tuple[pl.DataFrame, pl.Series]:
    """The rows to build from: Adult's training part, all of Covertype."""
    if name == "adult" and data.train_rows is not None:
        return data.inputs[data.train_rows], data.target[data.train_rows]
    return data.inputs, data.target


def write_arff(path: Path, inputs: pl.DataFrame, target: pl.Series) -> None:
    """Write a table as Weka reads it."""
    frame = inputs.with_columns(target.alias(TARGET))
    with path.open("w", encoding="utf-8") as file:
        file.write("@relation t\n")
        for column in frame:
            kind = "numeric"
            if column.dtype == pl.Enum:
                values = column.dtype.categories.to_list()
                kind = "{" + ",".join(f"'{value}'" for value in values) + "}"
            file.write(f"@attribute '{column.name}' {kind}\n")
        file.write("@data\n")
        quoted = frame.with_columns(
            ("'" + pl.col(pl.Enum).cast(pl.String) + "'").name.keep()
        )
        file.write(
            quoted.write_csv(include_header=False, null_value="?", quote_style="never")
        )


def build_ours(name: str) -> None:
    """Build one tree and print the seconds; the half in a process of its own."""
    import treewright

    inputs, target = training_rows(load(name), name)
    tree = treewright.C45Classifier(dialect="j48", n_jobs=2)
    few = np.arange(200)
    treewright.C45Classifier(dialect="j48").fit(inputs[few], target[few])
    start = time.perf_counter()
    tree.fit(inputs, target)
    print(f"seconds {time.perf_counter() - start:.4f}, {tree.get_n_leaves()} leaves")


def compare(name: str, folder: Path, repeats: int) -> list[Goal]:
    """Build with both programs in turns."""
    inputs, target = training_rows(load(name), name)
    arff = folder / f"{name}.arff"
    write_arff(arff, inputs, target)
    # -no-cv: no cross-validation, the tree alone and its errors in training
    j48 = ["java", "-Xmx8g", "-cp", str(WEKA), "weka.classifiers.trees.J48"]
    j48 += ["-t", str(arff), "-no-cv"]
    ours = [sys.executable, __file__, name]
    command = [str(Path(sys.executable).with_name("treewright")), "fit", str(arff)]
    command += ["--target", TARGET, "--algorithm", "j48"]
    command += ["-o", str(folder / f"{name}.tw")]
    builds: dict[str, list[Build]] = {J48: [], FIT: [], COMMAND: []}
    for _ in range(repeats):
        builds[J48].append(measured(j48, r"build model: ([0-9.]+) sec"))
        builds[FIT].append(measured(ours, r"seconds ([0-9.]+)"))
        builds[COMMAND].append(measured(command))
    times = {
        w: statistics.median(b.seconds for b in each) for w, each in builds.items()
    }
    peaks = {w: statistics.median(b.peak for b in each) for w, each in builds.items()}
    table(
        (f"{name}: {len(target):,} rows", "seconds", "peak MB"),
        ((w, f"{times[w]:.3f}", f"{peaks[w] / 1e6:.0f}") for w in builds),
    )
    return [
        Goal(
            f"{name}: J48's time / ours",
            times[J48] / times[FIT],
            ">=",
            FASTER,
            "x",
        ),
        Goal(
            f"{name}: our command's peak / J48's",
            peaks[COMMAND] / peaks[J48],
            "<=",
            SMALLER,
            "x",
        ),
    ]


def fractional(repeats: int) -> list[Goal]:
    """Growing with rows that are divided, against growing with a branch for them."""
    import treewright

    inputs, target = training_rows(load("adult"), "adult")
    jobs = {
        rule: lambda rule=rule: treewright.C45Classifier(
            dialect="j48", missing=rule, pruning=None, n_jobs=2
        ).fit(inputs, target)
        for rule in ("fractional", "own_branch")
    }
    times = interleaved(jobs, repeats=2 * repeats + 1)
    table(
        ("adult, unpruned", "seconds"),
        ((rule, f"{seconds:.3f}") for rule, seconds in times.items()),
    )
    ratio = times["fractional"] / times["own_branch"]
    return [Goal("adult: fractional / own branch", ratio, "<=", FRACTIONAL, "x")]


def run(*, quick: bool, repeats: int) -> list[Goal]:
    """Compare with J48 on Adult and Covertype."""
    heading("C4.5 with pruning")
    if not DATA.exists():
        print("not measured: no ../shared/data")
        return []
    goals = fractional(repeats)
    if not WEKA.exists():
        print("J48 not measured: install Debian's package weka")
        return goals
    with tempfile.TemporaryDirectory() as folder:
        goals += compare("adult", Path(folder), repeats)
        if not quick:  # J48 takes minutes
            goals += compare("covertype", Path(folder), 1)
    return goals


if __name__ == "__main__":
    build_ours(sys.argv[1])
