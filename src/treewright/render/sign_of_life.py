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
_BAR = 24  # signs


class Sign:
    """What is shown: words, or how much is done; called with words, it shows these."""

    def __init__(self, what: str) -> None:
        self.line: Callable[[float], str] = _with_seconds(what)

    def __call__(self, words: str) -> None:
        """Show these words, and the seconds."""
        self.line = _with_seconds(words)

    def bar(
        self, what: str, done: float, total: int, unit: str, *, before: float = 0
    ) -> None:
        """Show `done` of `total` as a bar, with the rate and the time left.

        `before` were done before the seconds are counted, by an earlier run.
        """
        self.line = lambda seconds: bar_line(
            what, done, total, unit, seconds=seconds, ascii=_is_plain(), before=before
        )

    def going_on(self, what: str, unit: str) -> Callable[[float, int], None]:
        """Return what shows a bar; what is done at its first call was done before."""
        before: list[float] = []

        def tell(done: float, total: int) -> None:
            before.extend([] if before else [done])
            self.bar(what, done, total, unit, before=before[0])

        return tell


def bar_line(
    what: str,
    done: float,
    total: int,
    unit: str,
    *,
    seconds: float,
    ascii: bool = False,
    before: float = 0,
) -> str:
    """Return a bar with the rate, and the time left at that rate."""
    share = min(max(done / total, 0.0), 1.0) if total else 1.0
    full, free = ("#", "-") if ascii else ("█", "░")
    n_full = int(_BAR * share)
    words = [f"{what} {full * n_full}{free * (_BAR - n_full)} {100 * share:3.0f} %"]
    if done > before and seconds > 0:
        rate = (done - before) / seconds
        words.append(_rate(rate, unit))
        words.append(f"{_duration(max(total - done, 0) / rate)} left")
    return ", ".join(words)


@contextlib.contextmanager
def busy(what: str, *, quiet_seconds: float | None = None) -> Iterator[Sign]:
    """Show `what` and the seconds it has taken; only on a terminal, and not at once.

    The block gets the sign, to say what is done by now.
    """
    sign = Sign(what)
    if not _is_watched():
        yield sign
        return
    quiet = QUIET_SECONDS if quiet_seconds is None else quiet_seconds
    done = threading.Event()
    ticker = threading.Thread(target=_tick, args=(sign, done, quiet), daemon=True)
    ticker.start()
    try:
        yield sign
    finally:
        done.set()
        ticker.join()


def _is_watched() -> bool:
    """Whether somebody sees stderr: a terminal, or a notebook."""
    if sys.stderr is None:  # it is closed
        return False
    is_notebook = type(sys.stderr).__module__.startswith("ipykernel")
    return is_notebook or sys.stderr.isatty()


def _is_plain() -> bool:
    """Whether stderr cannot show the signs of a bar."""
    try:
        "█░".encode(getattr(sys.stderr, "encoding", None) or "ascii")
    except (LookupError, UnicodeEncodeError):
        return True
    return False


def _tick(sign: Sign, done: threading.Event, quiet_seconds: float) -> None:
    start = time.monotonic()
    if done.wait(quiet_seconds):
        return
    while not done.wait(_EVERY):
        line = sign.line(time.monotonic() - start)
        sys.stderr.write(f"{_ERASE}{line}")
        sys.stderr.flush()
    sys.stderr.write(_ERASE)
    sys.stderr.flush()


def _with_seconds(words: str) -> Callable[[float], str]:
    return lambda seconds: f"{words} ... {seconds:.0f} s"


def _rate(rate: float, unit: str) -> str:
    if rate >= 1:
        return f"{rate:{',.0f' if rate >= 10 else '.1f'}} {unit} a second"
    return f"{60 * rate:.2g} {unit} a minute"


def _duration(seconds: float) -> str:
    """Seconds as people say them: 8 s, 2:05, 1:10:00."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes}:{rest:02d} min"
    return f"{minutes // 60}:{minutes % 60:02d}:{rest:02d} h"
