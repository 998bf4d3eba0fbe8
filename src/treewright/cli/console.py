"""The terminal: how wide it is, what it can show, and how output reaches it."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import click

from treewright.errors import FileReadError, SettingError
from treewright.render.fitting.safe_text import clip, display_width, visible
from treewright.render.fitting.wrapping import wrapped
from treewright.tree.file.atomic_write import write_atomically

DEFAULT_WIDTH = 80
MIN_WIDTH = 20
_DRAWN = "├└│─→≤≥≠…"  # what the trees are drawn with


@dataclass(frozen=True)
class Console:
    """What stdout can show."""

    width: int = DEFAULT_WIDTH  # columns of the terminal
    ascii: bool = False  # whether to keep to ASCII

    @classmethod
    def of_stdout(cls) -> Console:
        """Return what is known of the terminal, or of the file behind stdout."""
        columns = shutil.get_terminal_size((DEFAULT_WIDTH, 24)).columns
        dumb = os.environ.get("TERM") == "dumb"
        return cls(max(columns, MIN_WIDTH), dumb or not _can_show(_DRAWN))

    @classmethod
    def of(cls, output: str | None) -> Console:
        """Return what stdout can show, or a file that is written in its place."""
        return cls.of_stdout() if output is None else cls()

    def wrap(self, text: str, *, indent: int = 0) -> Iterator[str]:
        """Yield a paragraph's lines; all but the first are indented."""
        shown = visible(text, ascii=self.ascii)
        yield from wrapped(shown, self.width, indent=indent)

    def wrap_command(self, start: str, command: str) -> Iterator[str]:
        r"""Yield a command that can be copied: long ones go on after a backslash."""
        first, *options = re.split(r" (?=--)", visible(command, ascii=self.ascii))
        line = start + first
        for option in options:
            if display_width(f"{line} {option}") > self.width - 2:
                yield f"{line} \\"
                line = " " * len(start) + option
            else:
                line = f"{line} {option}"
        yield line

    def cut(self, line: str) -> str:
        """Return a line that fits, with what does not print escaped."""
        return clip(visible(line, ascii=self.ascii), self.width, ascii=self.ascii)


def _can_show(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def say(lines: Iterable[str]) -> None:
    """Print lines for people on stdout, escaping what it cannot encode."""
    encoding = sys.stdout.encoding or "ascii"
    text = "\n".join(lines).encode(encoding, "backslashreplace")
    click.echo(text.decode(encoding))


def remark(text: str, *, indent: int = 0) -> None:
    """Print a line on stderr, beside the output; on a terminal lines that fit."""
    for line in for_stderr(visible(text), indent=indent):
        click.echo(line, err=True)


def for_stderr(text: str, *, indent: int = 0) -> Iterator[str]:
    """Yield a message as one line, or on a terminal as lines that fit."""
    if not sys.stderr.isatty():
        yield text
        return
    columns = shutil.get_terminal_size((DEFAULT_WIDTH, 24)).columns
    yield from wrapped(text, max(columns, MIN_WIDTH), indent=indent)


def write_output(path: str | None, data: str | bytes) -> None:
    """Write text as UTF-8, or bytes, to a file, all or nothing; else to stdout."""
    if isinstance(data, str):
        data = data.encode()
    if path is None:
        # data, not a message: the same bytes on every terminal
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        write_atomically(path, data)


def put_out(path: str | None, text: str) -> None:
    """Write text to a file and say so on stderr; else to stdout."""
    write_output(path, text)
    if path is not None:
        remark(f"wrote {path} ({file_size(path)})")


def check_can_write(path: str | None, *inputs: str, option: str = "-o") -> None:
    """Refuse a file that cannot be written, before hours are spent on its content.

    Nor may it be one of the inputs, under whatever name: they would be lost.
    """
    if path is None:
        return
    for source in inputs:
        # a terminal may well be read and written at the same time
        are_files = os.path.isfile(path) and os.path.isfile(source)
        if are_files and os.path.samefile(path, source):
            raise SettingError(
                f"{option} {path!r} would overwrite the input {source!r}; choose "
                "another name"
            )
    folder = os.path.dirname(os.path.realpath(path))
    if not os.path.isdir(folder):
        fault = f"there is no folder {folder!r}; create it, or choose"
    elif not os.access(folder, os.W_OK | os.X_OK):
        fault = f"the folder {folder!r} is read-only; choose"
    else:
        return
    raise FileReadError(f"cannot write {path!r}: {fault} another place with {option}")


def file_size(path: str) -> str:
    """Return the size of a file for people: 512 bytes, 4.2 KB, 13 MB."""
    return size_words(os.path.getsize(path))


def size_words(size: int) -> str:
    """Return a number of bytes for people."""
    for unit, factor in (("GB", 10**9), ("MB", 10**6), ("KB", 10**3)):
        if size >= factor:
            return f"{size / factor:.{1 if size < 10 * factor else 0}f} {unit}"
    return f"{size} bytes"
