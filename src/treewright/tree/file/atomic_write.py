"""Writing a file so that it is either the old one or the new one, never a mixture."""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
import re
import secrets
import stat
from collections.abc import Mapping

from treewright.errors import FileReadError

_unfinished: set[str] = set()  # temporaries that are being written


def write_atomically(path: str | os.PathLike[str], data: bytes) -> None:
    """Write `data` beside the file at `path`, then rename it into place.

    A link at `path` is kept: the file that it points to is replaced. A file that is
    replaced passes its permissions on.

    Raises `FileReadError`: if anything goes wrong. Then the old file is as it was and
    nothing is left beside it.
    """
    write_all_atomically({os.fspath(path): data})


def write_all_atomically(files: Mapping[str, bytes]) -> None:
    """Write several files: all of them beside their places, then rename each.

    So a disk that is full leaves all old files as they were.
    """
    renamed: list[tuple[str, str]] = []  # temporaries and the files they become
    now = ""
    try:
        for now, data in files.items():
            target = os.path.realpath(now)
            renamed.append((_temporary_for(target), target))
            _write_new(renamed[-1][0], data, _mode_of(target))
        for path, (temporary, target) in zip(files, renamed, strict=True):
            now = path
            os.replace(temporary, target)
    except BaseException as error:
        for temporary, _ in renamed:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        if isinstance(error, OSError) and not isinstance(error, FileReadError):
            reason = error.strerror or error
            raise FileReadError(
                f"cannot write {now!r}: {reason}; nothing was changed there"
            ) from error
        raise
    finally:
        _unfinished.difference_update(temporary for temporary, _ in renamed)
    for folder in {os.path.dirname(target) for _, target in renamed}:
        _sync_folder(folder)


def _temporary_for(target: str) -> str:
    """Return the name of a new file beside another, and clear away old ones."""
    folder, name = os.path.split(target)
    stem = _stem(name)
    # a random part: two threads may save to one path at the same time
    temporary = os.path.join(folder, f"{stem}{os.getpid()}.{secrets.token_hex(8)}.tmp")
    _remove_strays(folder, stem)
    _unfinished.add(temporary)
    return temporary


def remove_unfinished() -> None:
    """Remove what is half written; for a process that ends at once."""
    for temporary in tuple(_unfinished):
        with contextlib.suppress(OSError):
            os.unlink(temporary)


def _stem(name: str) -> str:
    """How the names of temporaries for a file begin, on this machine."""
    machine = hashlib.sha256(platform.node().encode()).hexdigest()[:8]
    return f".{name[:100]}.{machine}."


def _remove_strays(folder: str, stem: str) -> None:
    """Remove what processes of this machine that were killed have left behind."""
    if os.name != "posix":  # elsewhere, asking after a process may end it
        return
    pattern = re.compile(re.escape(stem) + r"(\d+)\.[0-9a-f]+\.tmp")
    for name in os.listdir(folder):
        match = pattern.fullmatch(name)
        if match and not _is_alive(int(match[1])):
            with contextlib.suppress(OSError):
                os.unlink(os.path.join(folder, name))


def _is_alive(process: int) -> bool:
    """Whether a process runs; True also if it is not ours to ask."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _mode_of(target: str) -> int | None:
    """Permissions of the file to replace; None if there is none yet."""
    try:
        mode = os.stat(target).st_mode
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(mode):
        what = "a folder" if stat.S_ISDIR(mode) else "not a regular file"
        raise FileReadError(f"cannot write {target!r}: it is {what}; give a file name")
    return stat.S_IMODE(mode)


def _write_new(path: str, data: bytes, mode: int | None) -> None:
    """Write a file that must not exist yet, down to the disk."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(path, flags, 0o666), "wb") as file:
        if mode is not None:
            os.chmod(path, mode)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(folder: str) -> None:
    """Bring the new name to the disk too, where folders can be synced."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
