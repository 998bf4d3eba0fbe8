"""A sign of life on stderr, once something takes longer than two seconds."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Iterator

QUIET_SECONDS = 2.0
_EVERY = 0.5
_ERASE = "\r\x1b[K"


@contextlib.contextmanager
def busy(what: str) -> Iterator[None]:
    """Show `what` and the seconds it has taken; only on a terminal, and not at once."""
    if not sys.stderr.isatty():
        yield
        return
    done = threading.Event()
    ticker = threading.Thread(target=_tick, args=(what, done), daemon=True)
    ticker.start()
    try:
        yield
    finally:
        done.set()
        ticker.join()


def _tick(what: str, done: threading.Event) -> None:
    start = time.monotonic()
    if done.wait(QUIET_SECONDS):
        return
    while not done.wait(_EVERY):
        seconds = time.monotonic() - start
        sys.stderr.write(f"{_ERASE}{what} ... {seconds:.0f} s")
        sys.stderr.flush()
    sys.stderr.write(_ERASE)
    sys.stderr.flush()
