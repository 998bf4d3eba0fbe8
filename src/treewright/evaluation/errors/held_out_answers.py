"""What models answer for rows that they have not seen, split by split.

    for each split a model is learned from its training rows, and answers for the others

All that is learned, intervals, filling and pruning too, is learned from the training
rows of a split alone: `evaluation/table_part.py` makes a table of them. Splits are
shared among threads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Columns
from treewright.data.schema import Target
from treewright.evaluation.cross_validation import held_out_cells
from treewright.evaluation.error_intervals import Sampling
from treewright.evaluation.sharing import shared_out
from treewright.evaluation.table_part import part_of
from treewright.rules.rule_model import RuleModel
from treewright.tree.model import Model
from treewright.tree.structure.tree import NO_CLASS

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.intp]
Learned = Model | RuleModel
Learn = Callable[[Columns], Any]  # what is learned: Learned
Tell = Callable[[float, int], object]


@dataclass(frozen=True, eq=False)
class Split:
    """Rows to learn from, and rows to answer for."""

    train: Rows
    test: Rows


@dataclass(frozen=True, eq=False)
class Answer:
    """What is said of the held-out rows of a split."""

    predicted: npt.NDArray[Any]  # class codes (int64; -1 for none) or numbers (float64)
    # float64, shape (n_rows, n_classes), or None: the probability of each class
    shares: Floats | None
    # the error on the training rows: share of wrong ones, or mean squared error
    trained_loss: float
    model: Model | None = None  # what was learned, if it is trees of treewright


Ask = Callable[[Split], Answer]


def asking(columns: Columns, learn: Learn) -> Ask:
    """Return what learns from the training rows of a split and answers for the others.

    `columns`: the table, encoded once for all splits. `learn`: makes a model of a part
    of the table; also intervals, if there shall be any.
    """
    target = columns.schema.target

    def ask(split: Split) -> Answer:
        part = part_of(columns, split.train)
        model = learn(part)
        predicted, shares = answers_of(model, columns.take(split.test), target)
        trained, _ = answers_of(model, columns.take(split.train), target, shares=False)
        loss = losses(target, columns.target[split.train, 0], trained)
        trained_loss = float(np.average(loss, weights=_weights(columns, split)))
        # a rule set has no trees to be measured
        trees = model if isinstance(model, Model) else None
        return Answer(predicted, shares, trained_loss, trees)

    return ask


def losses(
    target: Target, actual: npt.NDArray[Any], predicted: npt.NDArray[Any]
) -> Floats:
    """Return 1 for each row whose class is wrong, else 0; squared errors of numbers."""
    if target.kind == "classes":
        return np.asarray(predicted != actual, np.float64)
    return np.asarray((predicted - actual) ** 2, np.float64)


def answers_of(
    model: Learned, rows: Columns, target: Target, *, shares: bool = True
) -> tuple[npt.NDArray[Any], Floats | None]:
    """Return a model's answers in the classes of the whole table."""
    cells = held_out_cells(rows, model)
    answers = model.answers(cells)[:, 0]
    if target.kind != "classes":
        return answers, None
    codes = codes_in(model.schema.target.classes[0], target.classes[0])
    # one more at the end: -1 is no class there and here
    predicted = np.append(codes, NO_CLASS)[answers]
    if not shares:
        return predicted, None
    spread = np.zeros((rows.n_rows, len(target.classes[0])))
    spread[:, codes] = model.shares(cells)
    return predicted, spread


def codes_in(labels: Sequence[Any], classes: Sequence[Any]) -> npt.NDArray[np.int64]:
    """Return the place of each label among the classes."""
    place = {label: code for code, label in enumerate(classes)}
    return np.array([place[label] for label in labels], np.int64)


@dataclass(frozen=True, eq=False)
class Outcomes:
    """All held-out rows of all splits, one after the other."""

    columns: Columns
    splits: tuple[Split, ...]  # how it was divided
    answers: tuple[Answer, ...]  # what was said, split by split

    @property
    def target(self) -> Target:
        """What is predicted."""
        return self.columns.schema.target

    @property
    def is_classes(self) -> bool:
        """Whether classes are predicted, not numbers."""
        return self.target.kind == "classes"

    @cached_property
    def rows(self) -> Rows:
        """The number of each held-out row in the table."""
        return np.concatenate([split.test for split in self.splits])

    @cached_property
    def actual(self) -> npt.NDArray[Any]:
        """The target of each held-out row."""
        actual: npt.NDArray[Any] = self.columns.target[self.rows, 0]
        return actual

    @cached_property
    def predicted(self) -> npt.NDArray[Any]:
        """The answer for each held-out row."""
        return np.concatenate([answer.predicted for answer in self.answers])

    @cached_property
    def shares(self) -> Floats | None:
        """The probability of each class for each held-out row, where all give them."""
        parts = [answer.shares for answer in self.answers]
        if any(part is None for part in parts):
            return None
        return np.concatenate([part for part in parts if part is not None])

    @cached_property
    def usual(self) -> npt.NDArray[Any]:
        """The answer without a model: the training rows' most common class, or mean."""
        return np.concatenate(
            [np.full(len(split.test), self._usual(split)) for split in self.splits]
        )

    @cached_property
    def usual_shares(self) -> Floats:
        """The shares of the classes among the training rows, for each held-out row."""
        return np.concatenate(
            [
                np.tile(weights / weights.sum(), (len(split.test), 1))
                for split in self.splits
                for weights in [self._class_weights(split)]
            ]
        )

    @cached_property
    def sampling(self) -> Sampling:
        """Where the held-out rows come from."""
        sizes = [len(split.test) for split in self.splits]
        weights = self.columns.weights
        return Sampling(
            split=np.repeat(np.arange(len(sizes)), sizes),
            weights=np.ones(len(self.rows))
            if weights is None
            else _ordinary(weights[self.rows]),
            n_trained=np.array([len(split.train) for split in self.splits]),
            n_different=len(np.unique(self.rows)),
        )

    def losses(self) -> Floats:
        """Return 1 for each wrong row, else 0; or the squared errors."""
        return losses(self.target, self.actual, self.predicted)

    def _usual(self, split: Split) -> float:
        if self.is_classes:
            return int(np.argmax(self._class_weights(split)))
        weights = _weights(self.columns, split)
        return float(np.average(self.columns.target[split.train, 0], weights=weights))

    def _class_weights(self, split: Split) -> Floats:
        n_classes = len(self.target.classes[0])
        codes, weights = (
            self.columns.target[split.train, 0],
            _weights(self.columns, split),
        )
        return np.bincount(codes, weights, n_classes).astype(np.float64)


def _weights(columns: Columns, split: Split) -> Floats | None:
    """Return the weights of the training rows, if they have any."""
    return None if columns.weights is None else columns.weights[split.train]


def outcomes_of(
    columns: Columns,
    splits: Sequence[Split],
    ask: Ask,
    *,
    n_threads: int = 1,
    tell: Tell = lambda done, total: None,
) -> Outcomes:
    """Learn and ask for every split; several at a time.

    `splits`: how it is divided. `ask`: learns and answers; see `asking`. `n_threads`:
    how many splits are looked at at the same time. `tell`: told how many splits are
    done, and of how many.
    """
    pieces = [partial(ask, split) for split in splits]
    answers = shared_out(pieces, n_threads=n_threads, tell=tell)
    return Outcomes(columns, tuple(splits), tuple(answers))


def _ordinary(weights: Floats) -> Floats:
    """Return weights whose squares can be added up: extreme ones are scaled."""
    exponent = int(np.frexp(weights.max())[1])
    return weights if abs(exponent) < 200 else np.ldexp(weights, -exponent)
