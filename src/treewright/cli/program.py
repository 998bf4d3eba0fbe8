"""What to type for `treewright`, so that printed commands work when they are copied."""

from __future__ import annotations

import os
import shlex
import shutil
import sys

NAME = "treewright"


def program() -> str:
    """Return the bare name if the shell finds this program by it, else its path."""
    started = sys.argv[0]
    stem, _ = os.path.splitext(os.path.basename(started))
    if stem != NAME or not os.path.isfile(started):
        return NAME  # called from Python, where there is no path to print
    found = shutil.which(NAME)
    if found is not None and os.path.samefile(found, started):
        return NAME
    return shlex.quote(started)
