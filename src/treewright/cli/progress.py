"""A sign of life on stderr, once something takes longer than two seconds."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator

QUIET_SECONDS = 2.0
_EVERY = 0.5
_ERASE = "\r\x1b[K"


@contextlib.contextmanager
def busy(what: str) -> Iterator[Callable[[str], None]]:
    """Show `what` and the seconds it has taken; only on a terminal, and not at once.

    The block gets a function that takes other words, for what is done by now.
    """
    words = [what]
    # None: it is closed
    if sys.stderr is None or not sys.stderr.isatty():
        yield words.append
        return
    done = threading.Event()
    ticker = threading.Thread(target=_tick, args=(words, done), daemon=True)
    ticker.start()
    try:
        yield words.append
    finally:
        done.set()
        ticker.join()


def _tick(words: list[str], done: threading.Event) -> None:
    start = time.monotonic()
    if done.wait(QUIET_SECONDS):
        return
    while not done.wait(_EVERY):
        seconds = time.monotonic() - start
        sys.stderr.write(f"{_ERASE}{words[-1]} ... {seconds:.0f} s")
        sys.stderr.flush()
    sys.stderr.write(_ERASE)
    sys.stderr.flush()
