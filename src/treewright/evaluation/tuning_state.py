"""What a search for settings has found so far, in a file that it can go on from.

The file is JSON with a checksum, replaced as a whole, so after a Ctrl-C or a crash it
is that of an earlier moment and never a mixture. It says what it belongs to: the table,
the folds, what is tried, the versions. A file that belongs to anything else is refused,
because its figures would be wrong here.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Mapping
from importlib import metadata
from typing import Any

from treewright.errors import SettingError
from treewright.evaluation.outcomes import Answer
from treewright.evaluation.tuning_state_file import (
    FORMAT,
    KIND,
    NO_NUMBERS,
    Places,
    checksum,
    damaged,
    packed,
    read_body,
    unpacked,
)
from treewright.tree.file.atomic_write import write_atomically
from treewright.tree.file.strict_json import canonical_json

_SECONDS = 0.5  # that may be lost


class TuningState:
    """What is done by now; kept in a file if there is a name for it.

    Parameters
    ----------
    identity : mapping of str to str
        What the figures belong to, by what it is called in a message.
    places : Places
        What there can be figures of.
    path : path, optional
        The file. If it is there, what it has is taken over.

    Attributes
    ----------
    tried : dict
        Figures of single fits, by "search/split/settings".
    answers : dict
        What was answered for the rows of an outer fold, by "fold/settings".
    n_before : int
        How many of these the file had.
    """

    def __init__(
        self,
        identity: Mapping[str, str] | None = None,
        places: Places | None = None,
        path: str | os.PathLike[str] | None = None,
    ) -> None:
        self.identity = dict(identity or {})
        self.places = places
        self.path = path
        self.tried: dict[str, list[float]] = {}
        self.answers: dict[str, dict[str, Any]] = {}
        self._lock = threading.Lock()
        self._saved_at = 0.0
        self._has_news = True
        if path is not None and os.path.exists(path):
            self._read(os.fspath(path))
        self.n_before = self.n_done
        self.save()

    @property
    def n_done(self) -> int:
        """How many fits are done."""
        return len(self.tried) + len(self.answers)

    def add_tried(self, key: str, figures: list[float]) -> None:
        """Take in the figures of a fit."""
        with self._lock:
            self.tried[key] = figures
            self._has_news = True
        self.keep()

    def add_answer(self, key: str, answer: Answer) -> None:
        """Take in what was answered for the rows of an outer fold."""
        data = {
            "type": answer.predicted.dtype.str,
            "predicted": packed(answer.predicted),
            "trained_loss": answer.trained_loss,
        }
        with self._lock:
            self.answers[key] = data
            self._has_news = True
        self.keep()

    def answer(self, key: str) -> Answer:
        """Return an answer as it was taken in."""
        data = self.answers[key]
        predicted = unpacked(data["predicted"], data["type"])
        assert predicted is not None  # looked at when it was read
        return Answer(predicted, None, data["trained_loss"])

    def keep(self) -> None:
        """Write the file, unless that was a moment ago."""
        if time.monotonic() - self._saved_at >= _SECONDS:
            self.save()

    def save(self) -> None:
        """Write the file, if there is one and anything is new."""
        if self.path is None:
            return
        with self._lock:
            if not self._has_news:
                return
            body = {
                "kind": KIND,
                "format": FORMAT,
                "identity": self.identity,
                "tried": self.tried,
                "answers": self.answers,
            }
            data = canonical_json({**body, "checksum": checksum(body)})
            write_atomically(self.path, data.encode())
            self._has_news = False
            self._saved_at = time.monotonic()

    def _read(self, path: str) -> None:
        body = read_body(path)
        identity = body.get("identity")
        if isinstance(identity, dict):
            self._check_identity(path, identity)
        fault = None if self.places is None else self.places.fault_in(body)
        if fault is not None:
            raise damaged(path, fault)
        self.tried, self.answers = body["tried"], body["answers"]
        self._has_news = False

    def _check_identity(self, path: str, identity: Mapping[str, str]) -> None:
        """Refuse figures of anything else, and say of what."""
        for name, here in self.identity.items():
            there = identity.get(name)
            if there == here:
                continue
            shown = ""
            if len(f"{there}{here}") < 80 and not _is_hash(here):
                shown = f" ({there}, and here {here})"
            raise SettingError(
                f"the state file {path!r} is of other {name}{shown}; {NO_NUMBERS}"
            )


def _is_hash(text: str) -> bool:
    return len(text) == 64 and all(sign in "0123456789abcdef" for sign in text)


def versions() -> str:
    """Return the versions that figures depend on."""
    found = []
    for name in ("treewright", "numpy", "scikit-learn"):
        try:
            found.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:  # a copy that was not installed
            found.append(f"{name} ?")
    return ", ".join(found)
