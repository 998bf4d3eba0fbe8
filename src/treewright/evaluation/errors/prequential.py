"""The error of answers that were given before each row was learned.

So far, and over the last rows; beside it what answering without a tree would have been
wrong: the class that came most often so far, or the mean of the numbers so far. Errors
of numbers are the root of the mean squared error.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class ErrorSoFar:
    """The error after some rows: with the tree, and without."""

    n_rows: int
    so_far: float
    recent: float
    so_far_without: float
    recent_without: float


class Prequential:
    """Adds up how far answers were off.

    `kind` ({"classes", "numbers"}): what is answered. `window`: how many rows are the
    last ones. `n_rows`: rows so far.
    """

    def __init__(self, kind: str, window: int) -> None:
        self.kind = kind
        self.window = window
        self.n_rows = 0
        self._sums = np.zeros(2)  # of the errors: with the tree, without
        self._recent = np.zeros((0, 2))
        self._seen: dict[Any, float] = {}  # how often each class came
        self._total = 0.0  # of the numbers

    def add(self, answers: npt.NDArray[Any], truth: npt.NDArray[Any]) -> None:
        """Add rows: what was answered, and what was right."""
        if self.kind == "classes":
            with_tree = (answers != truth).astype(float)
            without = (self._usual(truth) != truth).astype(float)
        else:
            with_tree = (answers - truth) ** 2
            without = (self._means(truth) - truth) ** 2
        errors = np.column_stack([with_tree, without])
        # one after the other, so that batches do not matter
        self._sums = np.cumsum(np.vstack([self._sums, errors]), axis=0)[-1]
        self._recent = np.concatenate([self._recent, errors])[-self.window :]
        self.n_rows += len(truth)

    def error(self) -> ErrorSoFar:
        """Return the error so far."""
        n_recent = max(len(self._recent), 1)
        so_far = self._sums / max(self.n_rows, 1)
        recent = self._recent.sum(axis=0) / n_recent
        if self.kind == "numbers":
            so_far, recent = np.sqrt(so_far), np.sqrt(recent)
        return ErrorSoFar(
            self.n_rows,
            float(so_far[0]),
            float(recent[0]),
            float(so_far[1]),
            float(recent[1]),
        )

    def to_data(self) -> dict[str, Any]:
        """Return all of it as plain JSON data."""
        return {
            "kind": self.kind,
            "window": self.window,
            "n_rows": self.n_rows,
            "sums": [one.hex() for one in self._sums.tolist()],
            "recent": [[a.hex(), b.hex()] for a, b in self._recent.tolist()],
            "seen": [[int(code), n] for code, n in self._seen.items()],
            "total": self._total.hex(),
        }

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Prequential:
        """Return what `to_data` wrote down; ValueError, KeyError, TypeError if not."""
        own = cls(str(data["kind"]), int(data["window"]))
        own.n_rows = int(data["n_rows"])
        own._sums = np.array([float.fromhex(one) for one in data["sums"]])
        recent = [[float.fromhex(one) for one in pair] for pair in data["recent"]]
        own._recent = np.array(recent).reshape(-1, 2)
        own._seen = {int(code): float(n) for code, n in data["seen"]}
        own._total = float.fromhex(data["total"])
        if own.kind not in ("classes", "numbers") or own._sums.shape != (2,):
            raise ValueError("figures of no known kind")
        return own

    def _usual(self, truth: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The class that came most often before each row; of equal ones the first."""
        codes = sorted({*self._seen, *np.unique(truth).tolist()})
        places = np.searchsorted(codes, truth)
        counts = np.zeros((len(truth) + 1, len(codes)))
        counts[0] = [self._seen.get(code, 0.0) for code in codes]
        counts[np.arange(1, len(truth) + 1), places] = 1.0
        counts = np.cumsum(counts, axis=0)
        self._seen = dict(zip(codes, counts[-1].tolist(), strict=True))
        before = counts[:-1]
        usual = np.array(codes)[before.argmax(axis=1)]
        return np.where(before.any(axis=1), usual, -1)

    def _means(self, truth: Floats) -> Floats:
        """The mean of the numbers before each row; 0 before the first."""
        totals = np.cumsum(np.concatenate([[self._total], truth]))
        self._total = float(totals[-1])
        counts = np.maximum(np.arange(self.n_rows, self.n_rows + len(truth)), 1)
        return np.asarray(totals[:-1] / counts)
