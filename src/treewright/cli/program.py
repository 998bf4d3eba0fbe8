"""What to type for `treewright`: commands that work when they are copied."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Callable
from typing import Any

import click

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


def examples(*commands: str) -> str:
    """Return commands as an epilog; the backspace keeps click from joining lines."""
    return "\n".join(("\b", *commands))


def example_command(
    name: str, *commands: str, more: str = "", cls: type[click.Command] = click.Command
) -> Callable[[Callable[..., Any]], click.Command]:
    """Make a command whose help ends with commands, one per line, and more."""
    return click.command(name, cls=cls, epilog=examples(*commands) + more)
