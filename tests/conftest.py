"""What all test folders share: the oracle on the path, and Hypothesis's profiles.

HYPOTHESIS_PROFILE=nightly tries 2000 examples for each property, and others each time.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from hypothesis import HealthCheck, settings

# `textbook` and its like stand beside this file
sys.path.insert(0, str(Path(__file__).parent))

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
