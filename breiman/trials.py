"""The protocol: what is trained on and what is tested on, trial by trial.

Small sets: a tenth of the rows, drawn at random, is held out. Large sets: the fixed
test set, and only the seed of the learner changes. Synthetic sets: 300 rows to train on
and 3000 to test, drawn afresh. A trial depends on the set's name and the trial's number
alone, so that a run can be continued, or repeated in part.

Two sets have missing values. A vote that was not cast is a third value of the vote; the
16 missing numbers of breast-w stay missing.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from breiman.published import Row
from conformance.datasets import Dataset, load
from treewright import datasets

Labels = npt.NDArray[Any]

HELD_OUT = 0.1
N_DRAWN_TRAIN, N_DRAWN_TEST = 300, 3000
REPEATS = {"splits": 100, "fixed": 10, "drawn": 100}
NOT_CAST = "not cast"


@dataclass(frozen=True, eq=False)
class Trial:
    """Rows to train on, rows to test on, and the seed of what is random in learning."""

    train: pl.DataFrame
    y_train: Labels
    test: pl.DataFrame
    y_test: Labels
    seed: int

    @property
    def n_several(self) -> int:
        """The larger number of features that a node looks at: int(log2 M + 1)."""
        return int(np.log2(self.train.shape[1]) + 1)

    def error_of(self, said: Labels) -> float:
        """Share of the test rows that were given another class, in per cent."""
        return 100.0 * float(np.mean(said != self.y_test))


def trial_of(row: Row, repeat: int) -> Trial:
    """Return one trial of a data set, by its number."""
    source = _drawn if row.kind == "drawn" else _recorded
    random = np.random.default_rng([zlib.crc32(row.name.encode()), repeat])
    return source(row, random, seed=repeat)


def trials(row: Row, n_repeats: int) -> Iterator[Trial]:
    """Yield the first trials of a data set."""
    return (trial_of(row, repeat) for repeat in range(n_repeats))


def _drawn(row: Row, random: np.random.Generator, seed: int) -> Trial:
    draw = getattr(datasets, row.name)
    train, y_train = draw(N_DRAWN_TRAIN, random_state=random)
    test, y_test = draw(N_DRAWN_TEST, random_state=random)
    return Trial(train, y_train.to_numpy(), test, y_test.to_numpy(), seed)


def _recorded(row: Row, random: np.random.Generator, seed: int) -> Trial:
    data = _loaded(row.name)
    inputs, y = data.inputs, data.target.cast(pl.String).to_numpy()
    if row.name == "votes":
        inputs = inputs.cast(pl.String).fill_null(NOT_CAST)
    if row.kind == "fixed":
        assert data.train_rows is not None
        assert data.test_rows is not None
        train, test = data.train_rows, data.test_rows
    else:
        shuffled = random.permutation(data.n_rows)
        n_test = round(HELD_OUT * data.n_rows)
        train, test = np.sort(shuffled[n_test:]), np.sort(shuffled[:n_test])
    return Trial(inputs[train], y[train], inputs[test], y[test], seed)


@lru_cache(maxsize=1)
def _loaded(name: str) -> Dataset:
    return load(name)
