"""The rows of the table of bad inputs, one test or more for each.

A test's name or id begins with the number of its row. Messages are compared whole: a
change of one is a change of what users read. `test_every_row.py` lists the parts of
rows that have no test, and why.
"""

from __future__ import annotations

import sys
from pathlib import Path

# the models built by hand, and the command line's runner
sys.path.insert(0, str(Path(__file__).parents[1] / "tree"))

from cli.conftest import _quiet_place, run, write

__all__ = ["_quiet_place", "run", "write"]
