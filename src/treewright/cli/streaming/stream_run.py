"""The loop of `treewright stream`: read, answer and learn, print, keep."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FrameType
from typing import Any, TypeVar

import click

from treewright.cli.console import Console, say
from treewright.cli.early import INTERRUPTED
from treewright.cli.interrupts import TERMINATED, leave_time
from treewright.cli.options.roles import Roles
from treewright.cli.streaming.stream_input import Batch, Input, InputPlan
from treewright.data.complaints import counted
from treewright.errors import ModelFileError, SettingError, TreewrightError
from treewright.evaluation.errors.prequential import ErrorSoFar, Prequential
from treewright.learners.streams.checkpoint import load_checkpoint, save_checkpoint
from treewright.learners.streams.hoeffding_learner import HoeffdingLearner
from treewright.render.fitting.safe_text import short_number

_EVERY = 100_000


@dataclass(frozen=True)
class Keeping:
    """Where and how often checkpoints are written."""

    checkpoint: str | None
    every: int | None

    def next_after(self, n_rows: int) -> int:
        """Return the number of rows at which the next one is due."""
        every = self.every or _EVERY
        return (n_rows // every + 1) * every


def learn_stream(
    source: Input,
    state: StreamState,
    figures: RunFigures,
    keeping: Keeping,
    ending: Ending,
) -> None:
    """Learn until the rows, or somebody's patience, end; then keep the last state."""
    rows = source.batches(state.plan, state.settled, state.n_skipped)
    kept_at = state.n_read
    try:
        for batch in _until_ended(rows, ending):
            for piece in _pieces(batch, state, keeping):
                _learn(piece, state)
                figures.look()
                if state.preq.n_rows == next_mark(state.preq.n_rows - 1):
                    figures.line(n_leaves(state))
                due = keeping.next_after(state.n_read - 1)
                if keeping.checkpoint and state.n_read == due:
                    state.save(keeping.checkpoint)
                    kept_at = state.n_read
                if ending.code:
                    break
    except TreewrightError as error:
        figures.clear()
        if state.learner.n_rows and keeping.checkpoint:
            state.save(keeping.checkpoint)
            n_learned = counted(state.learner.n_rows, "row")
            raise type(error)(
                f"{error} ({n_learned} before it: {keeping.checkpoint})"
            ) from None
        raise
    if state.learner.n_rows:
        figures.line(n_leaves(state))
        if keeping.checkpoint and kept_at != state.n_read:
            state.save(keeping.checkpoint)


def n_leaves(state: StreamState) -> int:
    """Return the number of leaves."""
    return int((state.learner.core.arrays()["feature"] < 0).sum())


def _until_ended(rows: Iterator[Batch], ending: Ending) -> Iterator[Batch]:
    """Yield batches until there are no more, or somebody wants an end."""
    while not ending.code:
        batch = ending.until(lambda: next(rows, None))
        if batch is None:
            return
        yield batch


def _pieces(batch: Batch, state: StreamState, keeping: Keeping) -> Iterator[Batch]:
    """Yield the batch in pieces that end where a line or a checkpoint is due."""
    start = 0
    while start < len(batch):
        due = [next_mark(state.preq.n_rows) - state.preq.n_rows]
        if keeping.checkpoint:
            due.append(keeping.next_after(state.n_read) - state.n_read)
        length = min([*due, len(batch) - start])
        yield batch.slice(start, length)
        start += length


def _learn(batch: Batch, state: StreamState) -> None:
    learned = state.learner.learn(
        batch.features, batch.target, batch.weights, batch.where
    )
    state.preq.add(learned.answers, learned.truth)
    state.n_read += len(batch)


# ---- How far a stream is: the tree, its figures, the rows read; kept in a checkpoint.


@dataclass(eq=False)
class StreamState:
    """All that is needed to go on."""

    plan: InputPlan  # what each column is for
    learner: HoeffdingLearner
    preq: Prequential  # its error so far
    # how many rows of the data were read, those without a target included
    n_read: int = 0
    n_skipped: int = 0  # how many of them are passed over when learning goes on

    def settled(self) -> dict[str, str]:
        """Return the kinds of the features that have one by now."""
        table = self.learner.table
        if table is None:
            return {}
        return {one.name: one.kind for one in table.features if one.kind}

    def save(self, path: str) -> None:
        """Write a checkpoint."""
        save_checkpoint(self.learner, path, facts={"cli": self._facts()})

    def _facts(self) -> dict[str, Any]:
        roles = self.plan.roles
        return {
            "target": self.plan.target,
            "task": self.plan.task,
            "ignored": list(roles.ignored),
            "weights": roles.weights,
            # a list: the keys of an object are sorted in a file
            "kinds": [[name, kind] for name, kind in self.plan.kinds.items()],
            "n_read": self.n_read,
            "figures": self.preq.to_data(),
        }

    @classmethod
    def load(cls, path: str) -> StreamState:
        """Read a checkpoint that a stream has written."""
        _, learner, facts = load_checkpoint(path)
        if learner is None or "cli" not in facts:
            what = "a model" if learner is None else "saved by Python"
            raise ModelFileError(
                f"{os.fspath(path)!r} is {what}, not a checkpoint of 'treewright "
                "stream'; name the file of --checkpoint"
            )
        try:
            own = facts["cli"]
            names = {"targets": (str(own["target"]),), "ignored": tuple(own["ignored"])}
            roles = Roles(kinds={}, weights=own["weights"], **names)  # type: ignore[arg-type]
            kinds = {str(name): str(kind) for name, kind in own["kinds"]}
            if own["task"] != learner.target.kind:
                raise ValueError("another task")
            plan = InputPlan(roles, own["task"], kinds)
            preq = Prequential.from_data(own["figures"])
            return cls(plan, learner, preq, int(own["n_read"]))
        except (KeyError, TypeError, ValueError) as error:
            raise ModelFileError(
                f"{os.fspath(path)!r}: damaged checkpoint: {error}"
            ) from None

    def refuse_other_target(self, wanted: tuple[str, ...]) -> None:
        """Refuse a target that is not the one of the checkpoint."""
        if wanted and wanted != (self.plan.target,):
            raise SettingError(
                f"--target is {wanted[0]!r}, and the checkpoint is about "
                f"{self.plan.target!r}; drop --target, or start anew in another file"
            )


# ---- What `treewright stream` prints on its way: a line of figures now and then.

_ERASE = "\r\x1b[K"
_LOOK = 0.2  # seconds between two looks of the line on a terminal
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


class RunFigures:
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
        if not self._lives or now - self._last_look < _LOOK:
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
    pairs = (error.so_far, error.recent), (error.so_far_without, error.recent_without)
    both = "  ".join(
        f"{_number(so_far, kind):>8} {_number(recent, kind):>11}"
        for so_far, recent in pairs
    )
    return f"{error.n_rows:>11,}  {both}  {n_leaves:>6,}"


def _number(error: float, kind: str) -> str:
    return f"{100 * error:.2f}" if kind == "classes" else short_number(error)


# ---- Ctrl-C and SIGTERM: the batch is finished, then the stream ends.
# A signal must not break into a batch, so it only leaves a note; but a read that waits
# for rows is broken off. `cli/interrupts.py` ends the process if this takes too long.

Found = TypeVar("Found")
_SECONDS = 20.0  # for the last batch and the last checkpoint
_CODES = {signal.SIGINT: INTERRUPTED, signal.SIGTERM: TERMINATED}


class _Wanted(Exception):  # noqa: N818 - no error: somebody wants an end
    """A read was broken off."""


class Ending:
    """Whether somebody wants an end.

    `code`: the exit code; 0 as long as nobody wants an end.
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
