"""Options that contradict each other are refused before anything slow is loaded."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

PROGRAM = """
import sys
from treewright.cli.start import main
try:
    main()
finally:
    print(*(name for name in ("sklearn", "polars") if name in sys.modules))
"""


@pytest.mark.parametrize("command", ["evaluate", "compare", "tune"])
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--folds", "3", "--hold-out", "0.3"), "--folds and --hold-out contradict"),
        (("--hold-out", "3"), "--hold-out is 3.0; it must be a share"),
        (("--jobs", "-7"), "--jobs is -7; it must be -1 or at least 1"),
        (("--seed", "-1"), "--seed is -1; it must be 0 or more"),
    ],
)
def test_arguments_fail_fast(command, words, said):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, command, "tennis", *words],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stdout.strip() == ""
