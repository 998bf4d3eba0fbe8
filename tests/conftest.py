"""What all test folders share: the oracle on the path, and Hypothesis's profiles.

HYPOTHESIS_PROFILE=nightly tries 2000 examples for each property, and others each time.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# `textbook` and its like stand beside this file
sys.path.insert(0, str(Path(__file__).parent))

from chromium import browser

__all__ = ["browser"]

# A shell starts background jobs with Ctrl-C ignored, and children inherit that: tests
# that interrupt one would wait for ever.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    with contextlib.suppress(ValueError):  # not in the main thread
        signal.signal(signal.SIGINT, signal.default_int_handler)

# a busy machine is slow, and that says nothing about the code
settings.register_profile(
    "default",
    max_examples=50,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "nightly",
    max_examples=2000,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


# ---- what was left out ------------------------------------------------------------

LEFT_OUT = pytest.StashKey[Counter[str]]()


@pytest.hookimpl(trylast=True)
def pytest_deselected(items):
    """Count the tests that -m left out, by folder."""
    if items and items[0].config.option.markexpr:
        here = Path(__file__).parent
        folders = (item.path.relative_to(here).parts[0] for item in items)
        items[0].config.stash[LEFT_OUT] = Counter(folders)


def pytest_sessionfinish(session):
    """Tell the process that started this one, which collects nothing itself."""
    if hasattr(session.config, "workeroutput"):
        left_out = session.config.stash.get(LEFT_OUT, Counter())
        session.config.workeroutput["left_out"] = dict(left_out)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node, error):
    found = getattr(node, "workeroutput", {}).get("left_out")
    if found:
        node.config.stash[LEFT_OUT] = Counter(found)


def pytest_unconfigure(config):
    """Say it last, where it is seen."""
    left_out = config.stash.get(LEFT_OUT, Counter())
    if left_out and not hasattr(config, "workeroutput"):
        folders = ", ".join(f"{name} {n}" for name, n in left_out.most_common())
        config.get_terminal_writer().line(
            f"left out by -m {config.option.markexpr!r}: {left_out.total()} tests "
            f"({folders}), and the C++ tests of the core; `make test` runs all"
        )
