"""What the machine grants: threads, and memory.

There is one reading of n_jobs, for encoding, growing and walking; what would not fit
into memory is refused before it is made.
"""

from __future__ import annotations

import functools
import numbers
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from treewright.errors import SettingError

P = ParamSpec("P")
R = TypeVar("R")

# where n_jobs is not given; new threads start without it
_granted: ContextVar[int | None] = ContextVar("granted", default=None)


@contextmanager
def with_threads(n_threads: int) -> Iterator[None]:
    """Let all that is called inside, and does not say otherwise, use so many threads.

    A fit with n_jobs=1 prunes with one thread, too, and threads that share the folds of
    an evaluation do not start two more each.
    """
    token = _granted.set(n_threads)
    try:
        yield
    finally:
        _granted.reset(token)


def keeping_to_n_jobs(function: Callable[P, R]) -> Callable[P, R]:
    """Let a function, and all that it calls, use the threads of its keyword n_jobs."""

    @functools.wraps(function)
    def with_its_threads(*args: P.args, **kwargs: P.kwargs) -> R:
        n_jobs: Any = kwargs.get("n_jobs")
        with with_threads(thread_count(n_jobs)):
            return function(*args, **kwargs)

    return with_its_threads


def thread_note(n_jobs: int | None) -> tuple[str, ...]:
    """Say that fewer threads are used than were asked for, if it is so."""
    n_threads = thread_count(n_jobs)
    if n_jobs is None or n_jobs <= n_threads:
        return ()
    return (f"n_jobs is {n_jobs}; {n_threads} threads are enough here",)


def _is_whole(n_jobs: object) -> bool:
    return isinstance(n_jobs, numbers.Integral) and not isinstance(n_jobs, bool)


def thread_count(n_jobs: int | None) -> int:
    """Turn n_jobs into a number of threads: all usable cores for None and -1.

    OMP_NUM_THREADS limits them, as process pools set it for their workers. None is what
    `with_threads` says, where somebody has said it.
    """
    if n_jobs is not None and not _is_whole(n_jobs):
        raise SettingError(
            f"n_jobs is {n_jobs!r}; it must be None, -1 or a whole number from 1"
        )
    granted = _granted.get()
    if n_jobs is None and granted is not None:
        return granted
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 0
    cores = cores or os.cpu_count() or 1
    if n_jobs is None or n_jobs == -1:
        limit = os.environ.get("OMP_NUM_THREADS", "")
        return min(cores, int(limit)) if limit.isdigit() and int(limit) else cores
    if n_jobs == 0 or n_jobs < -cores:
        raise SettingError(f"n_jobs is {n_jobs}; it must be None, -1 or at least 1")
    # more threads than this only cost memory; the tree is the same
    return min(n_jobs, 4 * cores) if n_jobs > 0 else max(1, cores + 1 + n_jobs)


_UNITS = ("bytes", "KB", "MB", "GB", "TB")
_MACHINE = Path("/proc/meminfo")
# what a container may take, and what it has taken
_CONTAINERS = (
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    (
        "/sys/fs/cgroup/memory/memory.limit_in_bytes",
        "/sys/fs/cgroup/memory/memory.usage_in_bytes",
    ),
)


def available_bytes() -> int | None:
    """Return what is free, or can be freed, on the machine and in the container.

    None where the system does not say.
    """
    return min((*_of_machine(), *_of_containers()), default=None)


def bytes_in_words(n_bytes: float) -> str:
    """Return a size in words, for example "18.6 GB"."""
    unit = 0
    while n_bytes >= 1000 and unit + 1 < len(_UNITS):
        n_bytes, unit = n_bytes / 1000, unit + 1
    return f"{n_bytes:.{min(unit, 1)}f} {_UNITS[unit]}"


def _of_machine() -> Iterator[int]:
    try:
        for line in _MACHINE.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                yield int(line.split()[1]) * 1024
                return
        yield os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return


def _of_containers() -> Iterator[int]:
    for limit, taken in _CONTAINERS:
        try:
            free = int(Path(limit).read_text()) - int(Path(taken).read_text())
        except (OSError, ValueError):  # not there, or "max": no limit
            continue
        yield max(free, 0)
