"""The rows that rules cover: conditions by number, rules as stretches of numbers.

C4.5rules asks the same few questions of thousands of rules: how many rows are covered,
how many of them are wrong, and what if a condition were left out. `core/rule_rows.hpp`
answers them from one bit per row and condition; this is what the steps of the procedure
(`rules/induction/generalise.py`, `rules/induction/subset.py`,
`rules/induction/order.py`, `rules/induction/polish.py`) see of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright import _core
from treewright.data.machine import available_bytes, bytes_in_words
from treewright.errors import DataError
from treewright.rules.condition import Asks, Condition
from treewright.sources.fixed_point import weights_to_fixed_point
from treewright.tree.predict.walk import Cells

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]
# the numbers of a rule's conditions
Numbers = tuple[int, ...]
_MANY_CELLS = 2**28


@dataclass(frozen=True, eq=False)
class Stretches:
    """Rules as arrays: rule after rule the numbers of its conditions."""

    start: Ints
    condition: Codes

    @classmethod
    def of(cls, rules: Sequence[Numbers]) -> Stretches:
        """Return the arrays of rules."""
        lengths = [len(rule) for rule in rules]
        flat = [number for rule in rules for number in rule]
        return cls(np.cumsum([0, *lengths], dtype=np.int64), np.array(flat, np.int32))

    @property
    def lengths(self) -> Ints:
        """How many conditions each rule has."""
        return np.diff(self.start)

    def __len__(self) -> int:
        return len(self.start) - 1

    def rule(self, position: int) -> Numbers:
        """Return the numbers of one rule."""
        own = self.condition[self.start[position] : self.start[position + 1]]
        return tuple(own.tolist())


@dataclass(frozen=True, eq=False)
class Without:
    """What rules cover, and what they cover without one of their conditions."""

    # float64, shape (n_rules,): the weight of the rows covered, and of those of another
    # class
    covered: Floats
    wrong: Floats
    # the same for each condition of each rule, rule after rule
    covered_without: Floats
    wrong_without: Floats


def refuse_too_large(n_bytes: float, what: str) -> None:
    """Raise if more memory would be needed than there is."""
    free = available_bytes()
    if free is not None and n_bytes > free:
        raise DataError(
            f"{what} would take {bytes_in_words(n_bytes)} of memory, and "
            f"{bytes_in_words(free)} are free; make rules of fewer rows, or of a "
            "smaller tree (min_samples_leaf, max_depth)"
        )


class RuleRows:
    """Rows with their classes, and the conditions that rules about them are made of.

    - `cells` (float64, shape (n_rows, n_features)): encoded rows.
    - `classes` (int, shape (n_rows,)): their class codes.
    - `n_classes`: how many classes there are.
    - `weights`: row weights; None: 1 for each. Sums are exact in fixed point.
    - `n_threads`: the answers are the same for any number.
    """

    def __init__(
        self,
        cells: Cells,
        classes: npt.NDArray[Any],
        n_classes: int,
        weights: Floats | None = None,
        *,
        n_threads: int = 1,
    ) -> None:
        self.classes = np.ascontiguousarray(classes, np.int32)
        self.n_classes = n_classes
        self._scale = 1.0
        self._weights = np.zeros(0, np.int64)
        if weights is not None:
            fixed = weights_to_fixed_point(weights)
            self._weights, self._scale = fixed.ints, fixed.scale
        self.conditions: list[Condition] = []
        self._numbers: dict[Condition, int] = {}
        self._core = _core.RuleRows(
            np.ascontiguousarray(cells.T),
            self.classes,
            n_classes,
            self._weights,
            1.0 / self._scale,
            n_threads,
        )

    @cached_property
    def weights(self) -> Floats:
        """The weight of each row."""
        if len(self._weights) == 0:
            return np.ones(len(self.classes))
        return self._weights / self._scale

    @cached_property
    def class_totals(self) -> Floats:
        """The weight of each class in all rows."""
        return self.weigh(np.ones(len(self.classes), bool))

    @property
    def total(self) -> float:
        """The weight of all rows."""
        return float(self.class_totals.sum())

    def weigh(self, rows: npt.NDArray[np.bool_]) -> Floats:
        """Return the weight of each class among some rows."""
        counted = np.bincount(
            self.classes[rows], self.weights[rows], minlength=self.n_classes
        )
        return np.asarray(counted, np.float64)

    def number(self, rules: Iterable[Iterable[Condition]]) -> list[Numbers]:
        """Return the numbers of the conditions of rules; new ones get the next."""
        n_known = len(self.conditions)
        found = []
        for rule in rules:
            own = []
            for condition in rule:
                number = self._numbers.setdefault(condition, len(self.conditions))
                if number == len(self.conditions):
                    self.conditions.append(condition)
                own.append(number)
            found.append(tuple(own))
        self._add(self.conditions[n_known:])
        return found

    def _add(self, conditions: Sequence[Condition]) -> None:
        if not conditions:
            return
        for one in conditions:
            assert not one.terms
            assert one.asks in (Asks.INTERVAL, Asks.CODES)
        refuse_too_large(
            len(self.conditions) * len(self.classes) / 8,
            f"which of {len(self.classes):,} rows meet {len(self.conditions):,} "
            "conditions",
        )
        # a set without codes is an interval without numbers
        none = [one.asks == Asks.CODES and not one.codes for one in conditions]
        low = [math.inf if no else one.low for no, one in zip(none, conditions)]  # noqa: B905
        high = [-math.inf if no else one.high for no, one in zip(none, conditions)]  # noqa: B905
        lengths = [len(one.codes) for one in conditions]
        codes = [code for one in conditions for code in one.codes]
        self._core.add(
            np.array([one.feature for one in conditions], np.int32),
            np.array(low, np.float64),
            np.array(high, np.float64),
            np.cumsum([0, *lengths], dtype=np.int64),
            np.array(codes, np.int32),
        )

    def without_each(self, rules: Stretches, classes: Codes) -> Without:
        """Return what rules for these classes cover, and without each condition."""
        found = self._core.without_each(rules.start, rules.condition, classes)
        return Without(*(each / self._scale for each in found))

    def count_classes(self, rules: Sequence[Numbers]) -> tuple[Floats, Ints]:
        """Return the class weights of the rows of each rule, and their number."""
        own = Stretches.of(rules)
        weights, n_rows = self._core.count_classes(own.start, own.condition)
        return weights / self._scale, n_rows

    def first_two(self, rules: Sequence[Numbers]) -> tuple[Codes, Codes]:
        """Return for each row the first rule that covers it, and the next; -1: none."""
        own = Stretches.of(rules)
        return self._core.first_two(own.start, own.condition)

    def any_of(self, rules: Sequence[Numbers]) -> npt.NDArray[np.bool_]:
        """Return whether each row is covered by one of the rules."""
        return self.first_two(rules)[0] >= 0

    def subsets(
        self,
        rules: Sequence[Numbers],
        of_class: int,
        rule_bits: Floats,
        starts: npt.NDArray[np.bool_],
    ) -> tuple[npt.NDArray[np.bool_], Floats]:
        """Return subsets of a class's rules that are short to describe, and their bits.

        One from each start; without any start, the best of all subsets.
        """
        if (
            len(rules) * len(self.classes) > _MANY_CELLS
        ):  # else it is not worth counting
            n_met = int(self.count_classes(rules)[1].sum())
            refuse_too_large(16 * n_met, f"the rows of {len(rules):,} rules of a class")
        own = Stretches.of(rules)
        inside, bits, _ = self._core.subsets(
            own.start,
            own.condition,
            of_class,
            np.ascontiguousarray(rule_bits),
            np.ascontiguousarray(starts, np.uint8),
        )
        return inside.astype(bool), bits
