"""How much memory a process may still take, so that what is too large is refused."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

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
