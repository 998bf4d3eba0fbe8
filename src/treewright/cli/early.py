"""Ctrl-C while the program is loading: nothing is open or half done, so leave at once.

`interrupts.py` takes over when a command is loaded.
"""

from __future__ import annotations

import contextlib
import os
import signal
from types import FrameType

INTERRUPTED = 130
INTERRUPTED_WORDS = "interrupted; no file was changed"


def leave_on_interrupt() -> None:
    """Let Ctrl-C end the program at once, unless it is ignored."""
    # a program in the background of a shell has Ctrl-C ignored, and keeps it so
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)


def raise_on_interrupt() -> bool:
    """Let Ctrl-C raise KeyboardInterrupt again: there is something to clean up now.

    Whether it was this program that answered until now.
    """
    if signal.getsignal(signal.SIGINT) is not _leave:
        return False
    signal.signal(signal.SIGINT, signal.default_int_handler)
    return True


def _leave(signum: int, frame: FrameType | None) -> None:
    with contextlib.suppress(OSError):  # stderr may be closed
        os.write(2, f"treewright: {INTERRUPTED_WORDS}\n".encode())
    # an exception would reach modules that are half loaded
    os._exit(INTERRUPTED)
