"""The rows of the table of bad inputs, one test or more for each.

A test's name or id begins with the number of its row. A refusal is told by its kind and
by what it names, see `refusals.py`; notes, reports and what the command line prints are
compared whole. `test_every_row.py` lists the parts of rows that have no test, and why.
"""

from __future__ import annotations

import sys
from pathlib import Path

# the models built by hand, and the command line's runner
sys.path.insert(0, str(Path(__file__).parents[1] / "tree"))

from cli.conftest import _quiet_place, run, write

__all__ = ["_quiet_place", "run", "write"]
