"""What `treewright stream` prints on its way: a line of figures now and then."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator

import click

from treewright.cli.console import Console, say
from treewright.evaluation.errors.prequential import ErrorSoFar, Prequential
from treewright.render.fitting.safe_text import short_number

_ERASE = "\r\x1b[K"
_EVERY = 0.2  # seconds between two looks of the line on a terminal
_MANY = 100_000  # from here on, a line for each of so many rows


def next_mark(n_rows: int) -> int:
    """Return after how many rows the next line comes: 1, 2 or 5 thousand, and so on."""
    mark = 1000
    while mark < _MANY:
        for factor in (1, 2, 5):
            if n_rows < factor * mark <= _MANY:
                return factor * mark
        mark *= 10
    return (n_rows // _MANY + 1) * _MANY


class Figures:
    """Prints the figures; on a terminal there is a line that is written anew, too."""

    def __init__(self, preq: Prequential) -> None:
        self.preq = preq
        self._start = time.monotonic()
        self._n_start = preq.n_rows
        self._last_look = 0.0
        self._last_line = -1
        self._lives = sys.stderr is not None and sys.stderr.isatty()

    def head(self, console: Console) -> Iterator[str]:
        """Yield the heads of the columns."""
        of_classes = self.preq.kind == "classes"
        what = "wrong, %" if of_classes else "root of the mean squared error"
        last = f"last {self.preq.window:,}"
        other = "most common class" if of_classes else "mean so far"
        yield console.cut(f"{'':>11}  {what:>20}  {f'saying the {other}':>28}")
        yield console.cut(
            f"{'rows':>11}  {'so far':>8} {last:>11}  {'so far':>8} {last:>11}  "
            f"{'leaves':>6} {'rows/s':>10}"
        )

    def line(self, n_leaves: int) -> None:
        """Print the figures as they are now."""
        if self.preq.n_rows == self._last_line:
            return
        self._last_line = self.preq.n_rows
        self.clear()
        line = _line(self.preq.error(), self.preq.kind, n_leaves)
        say([f"{line} {self._rate():>10,.0f}"])
        sys.stdout.flush()

    def look(self) -> None:
        """Write the line on a terminal anew, if it is time to."""
        now = time.monotonic()
        if not self._lives or now - self._last_look < _EVERY:
            return
        self._last_look = now
        error = self.preq.error()
        shown = _number(error.so_far, self.preq.kind)
        unit = " % wrong" if self.preq.kind == "classes" else " off"
        line = f"{error.n_rows:,} rows, {shown}{unit}, {self.rate()}"
        click.echo(f"{_ERASE}{line[:78]}", nl=False, err=True)

    def clear(self) -> None:
        """Take the line on a terminal away."""
        if self._lives and self._last_look:
            click.echo(_ERASE, nl=False, err=True)

    def rate(self) -> str:
        """Say how many rows a second it has been."""
        return f"{self._rate():,.0f} rows a second"

    def _rate(self) -> float:
        seconds = max(time.monotonic() - self._start, 1e-9)
        return (self.preq.n_rows - self._n_start) / seconds


def _line(error: ErrorSoFar, kind: str, n_leaves: int) -> str:
    """Return a line of figures."""
    so_far, recent, without, recent_without = (
        _number(one, kind)
        for one in (
            error.so_far,
            error.recent,
            error.so_far_without,
            error.recent_without,
        )
    )
    return (
        f"{error.n_rows:>11,}  {so_far:>8} {recent:>11}  {without:>8} "
        f"{recent_without:>11}  {n_leaves:>6,}"
    )


def _number(error: float, kind: str) -> str:
    return f"{100 * error:.2f}" if kind == "classes" else short_number(error)
