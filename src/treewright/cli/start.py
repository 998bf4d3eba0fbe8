"""Where the program starts: Ctrl-C is answered before anything else is loaded.

Loading takes a good part of a second.
"""

from __future__ import annotations

from treewright.cli.early import leave_on_interrupt


def main() -> None:
    """Run the command line."""
    leave_on_interrupt()
    # here, not above: what it loads is what takes the time
    from treewright.cli.main import main as command  # noqa: PLC0415

    command()
