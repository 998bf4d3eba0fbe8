"""Timing side by side, and the tables that say what came out.

Sides take turns, so that a machine that gets slower or faster in the course of a run
does so for all of them; medians are compared, never the best of one with the worst of
another.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

WIDTH = 80


@dataclass(frozen=True)
class Goal:
    """One measured number and what it should be."""

    what: str
    measured: float
    relation: Literal[">=", "<="]
    bound: float
    unit: str = ""

    @property
    def reached(self) -> bool:
        if self.relation == ">=":
            return self.measured >= self.bound
        return self.measured <= self.bound


def seconds(job: Callable[[], Any]) -> float:
    """Wall-clock time of one call."""
    start = time.perf_counter()
    job()
    return time.perf_counter() - start


def interleaved(
    jobs: dict[str, Callable[[], Any]],
    *,
    repeats: int,
    models: dict[str, Any] | None = None,
) -> dict[str, float]:
    """Median seconds of each job; the jobs take turns.

    What jobs leave in `models` is let go before they make it anew, and what that frees
    is given back, both outside the time: millions of small pieces of memory that one
    side has freed would else be put in order when the next side asks for some.
    """
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(repeats):
        for name, job in jobs.items():
            if models is not None:
                models.pop(name, None)
                give_memory_back()
            times[name].append(seconds(job))
    return {name: statistics.median(each) for name, each in times.items()}


def give_memory_back() -> None:
    """Return freed memory to the system, where the C library can."""
    gc.collect()
    with contextlib.suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


def heading(text: str) -> None:
    """Print the title of a benchmark."""
    print(f"\n{text}\n{'-' * len(text)}", flush=True)


def table(names: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table: first column to the left, the others to the right."""
    lines = [list(names), *map(list, rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        first, *rest = (
            cell.ljust(width) if position == 0 else cell.rjust(width)
            for position, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        print("   ".join([first, *rest]).rstrip()[:WIDTH], flush=True)


def report(goals: Sequence[Goal], *, meant: bool = True) -> None:
    """Print measured numbers beside their goals.

    With `meant` false the sizes were too small for the goals to mean anything.
    """
    if not goals:
        return
    print()
    table(
        ("goal", "measured", "bound", "reached"),
        (
            (
                goal.what,
                f"{goal.measured:.2f}{goal.unit}",
                f"{goal.relation} {goal.bound:g}{goal.unit}",
                ("yes" if goal.reached else "NO") if meant else "(quick)",
            )
            for goal in goals
        ),
    )
