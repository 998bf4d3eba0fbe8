"""Ctrl-C while a command works: answered in a fraction of a second, whatever it does.

KeyboardInterrupt comes when Python has its turn: not while a library sorts millions of
values, and behind it there may be threads to wait for. So a thread of its own hears of
the signal at once, leaves the clean ending a moment, and then ends the process.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time

from treewright.cli.early import INTERRUPTED, INTERRUPTED_WORDS

TERMINATED = 143
_PATIENCE = 0.1  # seconds for the clean ending
_CODES = {int(signal.SIGINT): INTERRUPTED, int(signal.SIGTERM): TERMINATED}
_last_words = threading.Lock()
_watches = threading.Event()
_words = [INTERRUPTED_WORDS]
_patience = [_PATIENCE]


def answer_soon() -> None:
    """Watch for signals; from the main thread of a program that is nobody's part."""
    if os.name != "posix" or _watches.is_set():
        return
    heard, told = os.pipe()
    os.set_blocking(told, False)
    signal.set_wakeup_fd(told, warn_on_full_buffer=False)
    _watches.set()
    threading.Thread(target=_wait, args=(heard,), daemon=True).start()


def may_speak() -> bool:
    """Whether nobody has said yet that the command is interrupted."""
    return not _watches.is_set() or _last_words.acquire(blocking=False)


def interrupted_words() -> str:
    """What is said when the command is interrupted."""
    return _words[0]


def say_when_interrupted(words: str) -> None:
    """Let these words be said if the command is interrupted."""
    _words[0] = words


def leave_time(seconds: float = _PATIENCE) -> None:
    """Leave the clean ending of this command so many seconds."""
    _patience[0] = seconds


def _wait(heard: int) -> None:
    """End the process soon after a signal that should end it."""
    code = None
    while code is None:
        code = next(filter(None, map(_CODES.get, os.read(heard, 64))), None)
    time.sleep(_patience[0])
    if may_speak():
        _end(code, interrupted_words() if code == INTERRUPTED else "")
    time.sleep(_PATIENCE)  # the other one is speaking
    _end(code, "")


def _end(code: int, words: str) -> None:
    # here, not above: by now it is loaded, or there is nothing to remove
    from treewright.tree.file.atomic_write import remove_unfinished  # noqa: PLC0415

    remove_unfinished()
    if words:
        erase = "\r\x1b[K" if os.isatty(2) else ""
        with contextlib.suppress(OSError):  # stderr may be closed
            os.write(2, f"{erase}treewright: {words}\n".encode())
    os._exit(code)
