"""How soon Ctrl-C is answered, on a machine that others may keep busy."""

from __future__ import annotations

import os
import statistics
from collections.abc import Sequence

import pytest

SOON = 0.5  # seconds
HANGS = 10.0


def check_soon(seconds: Sequence[float]) -> None:
    """Refuse answers that are late as a rule, if the machine has time to answer."""
    assert max(seconds) < HANGS
    if statistics.median(seconds) <= SOON:
        return
    load, n_cores = os.getloadavg()[0], os.cpu_count() or 1
    if load > 2 * n_cores:
        pytest.skip(f"the machine is overloaded: {load:.1f} on {n_cores} cores")
    raise AssertionError(f"seconds to answer: {seconds}")
