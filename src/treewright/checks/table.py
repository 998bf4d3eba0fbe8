"""The table as the checks see it: how often each code occurs, and what is predicted."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Column, Columns
from treewright.data.rank import rank
from treewright.data.schema import Feature
from treewright.render.fitting.safe_text import short_number
from treewright.tree.structure.branch_words import label_text

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

QUARTERS = ("lowest", "second", "third", "highest")


@dataclass(frozen=True, eq=False)
class Checked:
    """One feature with the rows of each of its codes; the last is missing."""

    feature: Feature
    column: Column
    counts: Ints

    @property
    def name(self) -> str:
        """The column's name."""
        return self.feature.name

    @property
    def is_nominal(self) -> bool:
        """Whether its values have no order."""
        return self.feature.kind == "nominal"

    @property
    def n_missing(self) -> int:
        """Rows without a value."""
        return int(self.counts[-1])

    @property
    def n_known(self) -> int:
        """Rows with a value."""
        return int(self.counts[:-1].sum())

    @cached_property
    def n_seen(self) -> int:
        """Different values that occur."""
        return int(np.count_nonzero(self.counts[:-1]))

    @property
    def is_constant(self) -> bool:
        """Whether no two rows differ."""
        return self.n_seen + (self.n_missing > 0) <= 1

    @property
    def is_missing(self) -> npt.NDArray[np.bool_]:
        """Which rows have no value."""
        return np.asarray(self.column.codes == self.column.n_codes)

    def label(self, code: int) -> str:
        """Return how a value is written."""
        if self.column.values is not None:
            return self._number(code)
        return label_text(self.feature.categories[code])

    def _number(self, code: int) -> str:
        """Return how a number, a date or a span of time is written."""
        assert self.column.values is not None
        value, storage = self.column.values[code], self.feature.storage
        if storage.startswith(("datetime", "timedelta")):
            return label_text(np.int64(value).view(storage))
        return short_number(float(value))


@dataclass(frozen=True, eq=False)
class Goal:
    """One output of the target.

    `codes` are the classes of the rows; of a number the quarter of the rows that it is
    in, by its `ranks`, which go from 0 to 1 (None for classes).
    """

    name: str
    codes: Ints
    labels: tuple[str, ...]
    ranks: Floats | None

    @cached_property
    def counts(self) -> Ints:
        """Rows of each class."""
        return np.bincount(self.codes, minlength=len(self.labels))


@dataclass(frozen=True, eq=False)
class CheckedTable:
    """Features, outputs, and the encoded table behind them."""

    columns: Columns
    features: tuple[Checked, ...]
    goals: tuple[Goal, ...]

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.columns.n_rows

    @classmethod
    def of(cls, columns: Columns) -> CheckedTable:
        """Count the codes of an encoded table."""
        features = tuple(
            Checked(
                feature, column, np.bincount(column.codes, minlength=column.n_codes + 1)
            )
            for feature, column in zip(
                columns.schema.features, columns.features, strict=True
            )
        )
        target = columns.schema.target
        goals = tuple(
            _number_goal(name, columns.target[:, k])
            if target.kind == "numbers"
            else _class_goal(name, columns.target[:, k], target.classes[k])
            for k, name in enumerate(target.names)
        )
        return cls(columns, features, goals)


def _class_goal(
    name: str, codes: npt.NDArray[np.int32], labels: tuple[object, ...]
) -> Goal:
    texts = tuple(label_text(label) for label in labels)
    return Goal(name, codes.astype(np.int64), texts, None)


def _number_goal(name: str, numbers: Floats) -> Goal:
    """Return ranks and quarters; equal numbers have the middle of their ranks."""
    codes, distinct, _ = rank(numbers)
    counts = np.bincount(codes, minlength=len(distinct))
    ranks = (np.cumsum(counts) - counts / 2)[codes] / len(numbers)
    quarters = np.minimum((4 * ranks).astype(np.int64), 3)
    labels = tuple(f"the {quarter} quarter" for quarter in QUARTERS)
    return Goal(name, quarters, labels, ranks)


def listed(names: tuple[str, ...] | list[str], at_most: int = 5) -> str:
    """List names in quotes, the first few of them if there are many."""
    shown = ", ".join(repr(name) for name in names[:at_most])
    more = len(names) - at_most
    return f"{shown} and {more:,} more" if more > 0 else shown


def percent(share: float) -> str:
    """Write a share for people; small ones do not become 0."""
    if 0 < share < 0.0005:
        return f"{100 * share:.2g} %"
    if 0.9995 < share < 1:
        return "more than 99.9 %"
    return f"{100 * share:.1f} %"


def ignoring(columns: Sequence[Checked]) -> str:
    """Return the option that leaves columns out; words are in a column of texts."""
    words = [one.feature.word for one in columns if one.feature.word is not None]
    if words:
        texts = ", ".join(repr(name) for name in dict.fromkeys(w.column for w in words))
        return f"take the word{'s' * (len(words) > 1)} out of the texts of {texts}"
    names = [one.name for one in columns]
    if len(names) > 5:
        return "--ignore"
    return f"--ignore {shlex.quote(','.join(names))}"
