"""How a command ends when something goes wrong: one line on stderr and an exit code.

0    done (also if whoever read the output wanted no more of it)
1    the data, a file or the model is at fault
2    wrong usage
130  interrupted by Ctrl-C; 143 ended by SIGTERM
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import traceback
from collections.abc import Iterator
from types import FrameType

import click

from treewright.cli.early import INTERRUPTED, INTERRUPTED_WORDS
from treewright.cli.interrupts import (
    TERMINATED,
    interrupted_words,
    leave_time,
    may_speak,
    say_when_interrupted,
)
from treewright.cli.wording import on_the_command_line
from treewright.errors import FileReadError, SettingError, TreewrightError


@contextlib.contextmanager
def reported(*, debug: bool) -> Iterator[None]:
    """Report what goes wrong inside and exit; with `debug`, show the traceback too."""
    say_when_interrupted(INTERRUPTED_WORDS)
    leave_time()
    with _terminable():
        try:
            if sys.stdout is None:  # closed (`>&-`)
                raise FileReadError(
                    "stdout is closed; send the output to a file, or to /dev/null"
                )
            yield
            # inside, so that a full disk or a closed pipe is noticed here
            sys.stdout.flush()
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except (Exception, KeyboardInterrupt) as error:
            if debug and not isinstance(error, BrokenPipeError):
                traceback.print_exc()
            _end(error)


def _end(error: BaseException) -> None:
    """Say what went wrong and leave."""
    if isinstance(error, BrokenPipeError):
        _drop_stdout()
        raise click.exceptions.Exit(0)
    if isinstance(error, KeyboardInterrupt):
        # a second Ctrl-C must not break into the clean ending of the first
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        if may_speak():
            _say(interrupted_words())
        raise click.exceptions.Exit(INTERRUPTED)
    _say(_message(error))
    if sys.stdout is not None:  # else closed from the start
        try:
            sys.stdout.flush()
        except OSError:
            _drop_stdout()
    raise click.exceptions.Exit(2 if isinstance(error, SettingError) else 1)


def _message(error: BaseException) -> str:
    """Return what went wrong, in the words of someone at a command line."""
    if isinstance(error, TreewrightError):
        return on_the_command_line(str(error))
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror or error}"
    if isinstance(error, MemoryError):
        return "there is not enough memory; take fewer rows or columns"
    return (
        f"unexpected {type(error).__name__}: {error}; this is a fault in treewright: "
        "please report it with what 'treewright --debug ...' prints"
    )


def _say(message: str) -> None:
    """Print one line on stderr, whatever characters the message has."""
    line = "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode()
        for sign in message
    )
    from treewright.cli.console import for_stderr  # noqa: PLC0415 - it loads NumPy

    # nobody may be listening any more
    with contextlib.suppress(OSError):
        for part in for_stderr(f"treewright: {line}", indent=2):
            click.echo(part, err=True)


def _drop_stdout() -> None:
    """Send what is left in stdout nowhere: Python would complain at its exit."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


@contextlib.contextmanager
def _terminable() -> Iterator[None]:
    """Let SIGTERM end the command as an exception, so that temporary files go away."""

    def leave(signum: int, frame: FrameType | None) -> None:
        raise SystemExit(TERMINATED)

    try:
        before = signal.signal(signal.SIGTERM, leave)
    except ValueError:  # only the main thread may set handlers
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
