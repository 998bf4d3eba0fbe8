"""What all test folders share: the oracle on the path, and Hypothesis's profiles.

HYPOTHESIS_PROFILE=nightly tries 2000 examples for each property, and others each time.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from pathlib import Path

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
