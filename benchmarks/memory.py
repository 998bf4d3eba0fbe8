"""Peak memory above the input while a tree grows, as a multiple of the float32 matrix.

Each fit runs in a process of its own (`python memory.py PEER TASK FOLDER`), which reads
the table from a file, forgets its peak so far, fits, and prints the peak above what it
held before. Reads /proc, so it needs Linux.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import peers
import synthetic
from growing import N_ROWS, N_ROWS_QUICK, N_WARM_UP
from measure import Goal, heading, table
from peers import Peer, Task

BOUND = 6.0
STATUS = Path("/proc/self/status")
FORGET_PEAK = "5"  # see proc(5), clear_refs


def status_bytes(field: str) -> int:
    """A field of /proc/self/status, in bytes."""
    for line in STATUS.read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    raise RuntimeError(f"{STATUS} has no {field}")


def peak_of_fit(peer: Peer, task: Task, folder: Path) -> int:
    """Bytes at the peak of one fit, above what the process held before it."""
    data = np.load(folder / "table.npy"), np.load(folder / f"{task}.npy")
    peer.fit(peer.prepare(data[0][:N_WARM_UP], data[1][:N_WARM_UP]), task)
    prepared = peer.prepare(*data)
    Path("/proc/self/clear_refs").write_text(FORGET_PEAK)
    before = status_bytes("VmRSS")
    peer.fit(prepared, task)
    return status_bytes("VmHWM") - before


def peak_in_process(peer: Peer, task: Task, folder: Path) -> int:
    """The same, measured in a process of its own."""
    command = [sys.executable, __file__, peer.name, task, str(folder)]
    child = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return int(child.stdout)


def run(*, quick: bool, repeats: int) -> list[Goal]:
    """Measure every peer on both tasks, once: memory hardly varies."""
    del repeats
    n_rows = N_ROWS_QUICK if quick else N_ROWS
    matrix, classes = synthetic.two_classes(n_rows)
    _, numbers = synthetic.numbers(n_rows)
    heading(
        f"Memory: {n_rows:,} rows x {matrix.shape[1]}, {matrix.nbytes / 1e6:.1f} MB"
    )
    if not STATUS.exists():
        print("not measured: no /proc on this system")
        return []
    tasks: tuple[Task, ...] = ("classes", "numbers")
    peaks: dict[tuple[str, Task], float] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        np.save(folder / "table.npy", matrix)
        np.save(folder / "classes.npy", classes)
        np.save(folder / "numbers.npy", numbers)
        at_hand = peers.installed()
        for peer in at_hand:
            for task in tasks:
                peaks[peer.name, task] = peak_in_process(peer, task, folder)
    table(
        ("peak above the input", "classes MB", "numbers MB"),
        (
            (peer.name, *(f"{peaks[peer.name, task] / 1e6:.1f}" for task in tasks))
            for peer in at_hand
        ),
    )
    return [
        Goal(f"{task}: peak / float32 matrix", peak / matrix.nbytes, "<=", BOUND, "x")
        for (name, task), peak in peaks.items()
        if name == peers.TREEWRIGHT.name
    ]


def main(peer_name: str, task: Task, folder: str) -> None:
    """Print the peak of one fit; the half that runs in a process of its own."""
    (peer,) = (peer for peer in peers.PEERS if peer.name == peer_name)
    print(peak_of_fit(peer, task, Path(folder)))


if __name__ == "__main__":
    main(*sys.argv[1:])  # type: ignore[arg-type]
