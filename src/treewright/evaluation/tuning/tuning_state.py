"""What a search for settings has found so far, in a file that it can go on from.

The file is JSON with a checksum, replaced as a whole, so after a Ctrl-C or a crash it
is that of an earlier moment and never a mixture. It says what it belongs to: the table,
the folds, what is tried, the versions. A file that belongs to anything else is refused,
because its figures would be wrong here.

A file may be torn, or changed by hand with a new checksum; nothing that is read here is
believed before it was looked at.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import threading
import time
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.errors import FileReadError, SettingError
from treewright.evaluation.errors.held_out_answers import Answer
from treewright.tree.file.atomic_write import write_atomically
from treewright.tree.file.strict_json import canonical_json

_SECONDS = 0.5  # that may be lost


class TuningState:
    """What is done by now; kept in a file if there is a name for it.

    - `identity`: what the figures belong to, by what it is called in a message.
    - `places`: what there can be figures of.
    - `path`: the file. If it is there, what it has is taken over.
    - `tried`: figures of single fits, by "search/split/settings".
    - `answers`: what was answered for the rows of an outer fold, by "fold/settings".
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
        self.save()

    @property
    def n_done(self) -> int:
        """How many fits are done."""
        return len(self.tried) + len(self.answers)

    def add_tried(self, key: str, figures: list[float]) -> None:
        """Take in the figures of a fit."""
        self._add(self.tried, key, figures)

    def add_answer(self, key: str, answer: Answer) -> None:
        """Take in what was answered for the rows of an outer fold."""
        data = {
            "type": answer.predicted.dtype.str,
            "predicted": packed(answer.predicted),
            "trained_loss": answer.trained_loss,
        }
        self._add(self.answers, key, data)

    def answer(self, key: str) -> Answer:
        """Return an answer as it was taken in."""
        data = self.answers[key]
        predicted = unpacked(data["predicted"], data["type"])
        assert predicted is not None  # looked at when it was read
        return Answer(predicted, None, data["trained_loss"])

    def _add(self, place: dict[str, Any], key: str, value: Any) -> None:
        """Take something in, and write the file unless that was a moment ago."""
        with self._lock:
            place[key] = value
            self._has_news = True
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
            shown, is_hash = "", re.fullmatch(r"[0-9a-f]{64}", here)
            if len(f"{there}{here}") < 80 and not is_hash:
                shown = f" ({there}, and here {here})"
            raise SettingError(
                f"the state file {path!r} is of other {name}{shown}; {NO_NUMBERS}"
            )


def versions() -> str:
    """Return the versions that figures depend on."""
    found = []
    for name in ("treewright", "numpy", "scikit-learn"):
        try:
            found.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:  # a copy that was not installed
            found.append(f"{name} ?")
    return ", ".join(found)


KIND = "state of treewright tune"
FORMAT = 1
NO_NUMBERS = (
    "begin anew with another name, or remove the file (what it has is lost then)"
)
_LARGEST = 1e154  # its square is a float
_TRIED = re.compile(r"(0|[1-9]\d{0,8})/(0|[1-9]\d{0,8})/(0|[1-9]\d{0,8})")
_ANSWER = re.compile(r"(0|[1-9]\d{0,8})/(-1|0|[1-9]\d{0,8})")


@dataclass(frozen=True)
class Places:
    """What a state can hold: a place for each fit of a plan."""

    searches: tuple[int, ...]  # inner folds of each search
    folds: tuple[int, ...]  # held-out rows of each outer fold
    n_contenders: int  # settings that are tried
    n_classes: int | None  # classes of the target; None if it holds numbers

    def fault_in(self, body: Mapping[str, Any]) -> str | None:
        """Say what is wrong with what a file has; None if nothing is."""
        parts = [body.get(name) for name in ("identity", "tried", "answers")]
        if not all(isinstance(part, dict) for part in parts):
            return "a part of it is not there"
        _, tried, answers = parts
        assert tried is not None
        assert answers is not None
        for key, figures in tried.items():
            if not (self._is_try(key) and _are_figures(figures)):
                return f"what it says of the fit {key!r} cannot be"
        for key, answer in answers.items():
            if not self._is_answer(key, answer):
                return f"what it says of the outer fold {key!r} cannot be"
        return None

    def _is_try(self, key: str) -> bool:
        match = _TRIED.fullmatch(key)
        if match is None:
            return False
        search, split, number = map(int, match.groups())
        return (
            search < len(self.searches)
            and split < self.searches[search]
            and number < self.n_contenders
        )

    def _is_answer(self, key: str, answer: Any) -> bool:
        match = _ANSWER.fullmatch(key)
        if match is None or not isinstance(answer, dict):
            return False
        fold, number = map(int, match.groups())
        if fold >= len(self.folds) or number >= self.n_contenders:
            return False
        kind = "<f8" if self.n_classes is None else "<i8"
        if {*answer} != {"type", "predicted", "trained_loss"} or answer["type"] != kind:
            return False
        predicted = unpacked(answer["predicted"], kind, self.folds[fold])
        if predicted is None or not _is_number(answer["trained_loss"]):
            return False
        if self.n_classes is None:
            return bool(np.isfinite(predicted).all())
        return bool(((predicted >= -1) & (predicted < self.n_classes)).all())


def _are_figures(figures: Any) -> bool:
    """Whether they can be weight, loss, spread and leaves."""
    if not isinstance(figures, list) or len(figures) != 4:
        return False
    if not all(map(_is_number, figures)) or figures[0] <= 0:
        return False
    return bool(min(figures) >= 0 and figures[1] / figures[0] < _LARGEST)


def _is_number(value: Any) -> bool:
    return isinstance(value, float) and abs(value) < _LARGEST**2


def packed(array: npt.NDArray[Any]) -> str:
    """Return an array as text."""
    return base64.b64encode(zlib.compress(array.tobytes())).decode()


def unpacked(
    text: Any, kind: str, n_rows: int | None = None
) -> npt.NDArray[Any] | None:
    """Return the array that a text holds; None if it is not one of so many rows."""
    dtype = np.dtype(kind)
    size = None if n_rows is None else n_rows * dtype.itemsize
    if not isinstance(text, str):
        return None
    try:
        # one more than there may be: what would be huge is not made; 0: no limit
        most = 0 if size is None else size + 1
        compressed = base64.b64decode(text, validate=True)
        data = zlib.decompressobj().decompress(compressed, most)
    except (ValueError, zlib.error):
        return None
    return np.frombuffer(data, dtype) if size in (None, len(data)) else None


def read_body(path: str) -> dict[str, Any]:
    """Return what a state file has, if it is whole."""
    try:
        with open(path, "rb") as file:
            text = file.read()
    except OSError as error:
        raise FileReadError(
            f"cannot read the state file {path!r}: {error.strerror}"
        ) from None
    begins_so = text.lstrip().startswith(b'{"answers":')
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict) or body.get("kind") != KIND:
        what = "is torn" if begins_so or not text else "is no state of treewright tune"
        raise FileReadError(f"the state file {path!r} {what}; {NO_NUMBERS}")
    if body.get("format") != FORMAT:
        raise FileReadError(
            f"the state file {path!r} has the format {body.get('format')!r}, and this "
            f"version reads {FORMAT}; {NO_NUMBERS}"
        )
    try:
        matches = body.pop("checksum", None) == checksum(body)
    except (ValueError, RecursionError):  # 1e999 is no number that is written
        matches = False
    if not matches:
        raise damaged(path, "its checksum does not match")
    return body


def damaged(path: str, fault: str) -> FileReadError:
    """Return the error about a file that was changed."""
    return FileReadError(f"the state file {path!r} is damaged: {fault}; {NO_NUMBERS}")


def checksum(body: Mapping[str, Any]) -> str:
    """Return the checksum of what a file has."""
    return hashlib.sha256(canonical_json(body).encode()).hexdigest()
