"""Ctrl-C and SIGTERM while a stream is learned: the batch is finished, then it ends.

A signal must not break into a batch, so it only leaves a note; but a read that waits
for rows is broken off. `cli/interrupts.py` ends the process if this takes too long.
"""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Iterator
from types import FrameType
from typing import TypeVar

from treewright.cli.early import INTERRUPTED
from treewright.cli.interrupts import TERMINATED, leave_time

Found = TypeVar("Found")
_SECONDS = 20.0  # for the last batch and the last checkpoint
_CODES = {signal.SIGINT: INTERRUPTED, signal.SIGTERM: TERMINATED}


class _Wanted(Exception):  # noqa: N818 - no error: somebody wants an end
    """A read was broken off."""


class Ending:
    """Whether somebody wants an end.

    Attributes
    ----------
    code : int
        The exit code; 0 as long as nobody wants an end.
    """

    def __init__(self) -> None:
        self.code = 0
        self._waits = False

    @contextlib.contextmanager
    def heard(self) -> Iterator[None]:
        """Listen to the signals."""
        leave_time(_SECONDS)
        before = {}
        try:
            for number in _CODES:
                # one that is ignored, as in the background of a shell, stays so
                if signal.getsignal(number) is not signal.SIG_IGN:
                    before[number] = signal.signal(number, self._note)
        except ValueError:  # only the main thread may set handlers
            pass
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def until(self, work: Callable[[], Found]) -> Found | None:
        """Do some work that a signal may break off, or forgo; then None."""
        try:
            self._waits = True
            return None if self.code else work()
        except _Wanted:
            return None
        finally:
            self._waits = False

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.code = _CODES[signal.Signals(number)]
        if self._waits:
            self._waits = False
            raise _Wanted
