"""Reading the file of a search for settings: what is damaged is said to be so.

A file may be torn, or changed by hand with a new checksum; nothing that is read here is
believed before it was looked at. `tuning_state.py` writes it.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.errors import FileReadError
from treewright.tree.file.strict_json import canonical_json

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
    """What a state can hold: a place for each fit of a plan.

    Attributes
    ----------
    searches : tuple of int
        Inner folds of each search.
    folds : tuple of int
        Held-out rows of each outer fold.
    n_contenders : int
        Settings that are tried.
    n_classes : int or None
        Classes of the target; None if it holds numbers.
    """

    searches: tuple[int, ...]
    folds: tuple[int, ...]
    n_contenders: int
    n_classes: int | None

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
