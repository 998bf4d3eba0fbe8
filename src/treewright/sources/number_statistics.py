"""Sums, or medians, of a set of rows when the target is numbers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from treewright.data.columns import Columns
from treewright.data.rank import rank
from treewright.errors import DataError
from treewright.sources.fixed_point import (
    FixedPoint,
    Floats,
    Ints,
    to_fixed_point,
    weights_to_fixed_point,
)
from treewright.sources.node_statistics import CRITERIA, NO_CLASSES, NO_INTS


@dataclass(frozen=True, eq=False)
class NumberStatistics:
    """Weight, sums and sums of squared deviations of numbers around a centre.

    The centre is the middle of each output's range, and its unit a power of two near
    half its width, so that the integers resolve the range and not the distance from
    zero. In the formulas below d = (number - centre) / unit. Scores are in the largest
    of the outputs' units.
    """

    criterion: str
    centre: Floats  # per output
    exponents: npt.NDArray[np.int32]  # per output: the unit is 2^exponent
    numbers: Floats  # (n_rows, n_outputs), as given
    row_weights: Floats | None
    values: FixedPoint  # d
    weighted: FixedPoint  # weight * d
    weights: FixedPoint | None

    @classmethod
    def of(
        cls, columns: Columns, criterion: str, *, fractional: bool = False
    ) -> NumberStatistics:
        """Prepare the number target of a table; `fractional` rows can be divided."""
        numbers = np.ascontiguousarray(columns.target, dtype=np.float64)
        low, high = numbers.min(axis=0), numbers.max(axis=0)
        centre = low + (high / 2 - low / 2)
        deviations = numbers - centre
        exponents = np.frexp(np.abs(deviations).max(axis=0))[1].astype(np.int32)
        if criterion == "squared_error":
            _refuse_squares(exponents[low < high], columns.schema.target.names)
        deviations = np.ldexp(deviations, -exponents)
        weights = columns.weights
        if fractional and weights is None:
            weights = np.ones(columns.n_rows)
        if weights is None:
            fixed, values = None, to_fixed_point(deviations)
            weighted = values
        else:
            fixed = weights_to_fixed_point(weights, divisible=fractional)
            values = to_fixed_point(deviations)
            weighted = to_fixed_point(deviations * weights[:, None])
        return cls(
            criterion=criterion,
            centre=centre,
            exponents=exponents,
            numbers=numbers,
            row_weights=weights,
            values=values,
            weighted=weighted,
            weights=fixed,
        )

    @property
    def n_outputs(self) -> int:
        """Number of outputs."""
        return int(self.centre.shape[0])

    @property
    def weight_scale(self) -> float:
        """Integer units per unit of weight."""
        return 1.0 if self.weights is None else self.weights.scale

    @property
    def _is_absolute(self) -> bool:
        return self.criterion == "absolute_error"

    @property
    def _power(self) -> int:
        """Power of a deviation in the criterion."""
        return 1 if self._is_absolute else 2

    @property
    def _factors(self) -> Floats:
        """Size of each output's unit in a score, relative to the largest."""
        shift = self._power * (self.exponents - self.exponents.max())
        return np.asarray(np.ldexp(np.ones(self.n_outputs), shift))

    @property
    def _score_scales(self) -> tuple[float, float]:
        """Two factors of the score per weight * d^2, or per weight * d.

        Their product may be out of a float's range where the weights are huge or tiny.
        """
        if self._is_absolute:
            return self.values.scale, self.weight_scale
        return self.weighted.scale / self.weight_scale, self.weighted.scale

    def weight(self, statistics: Ints) -> Floats:
        """Total row weight of each node."""
        return np.asarray(statistics[:, 0] / self.weight_scale)

    def _means(self, statistics: Ints) -> Floats:
        weight = np.maximum(self.weight(statistics), 1e-300)[:, None]
        sums = statistics[:, 1 : 1 + self.n_outputs] / self.weighted.scale
        return np.asarray(sums / weight)

    def impurity(self, statistics: Ints) -> Floats:
        """Variance, or mean absolute deviation from the median: mean over outputs."""
        weight = np.maximum(self.weight(statistics), 1e-300)[:, None]
        last = np.ascontiguousarray(statistics[:, 1 + self.n_outputs :])
        deviations = last.view(np.float64)  # see Target::width in core/target.hpp
        for _ in range(self._power):
            deviations = deviations / self.values.scale
        impurities = deviations / self.weight_scale / weight
        each = np.ldexp(impurities, self._power * self.exponents)
        # NumPy's mean of very many rows of one number is slow
        return np.asarray(each[:, 0] if each.shape[1] == 1 else each.mean(axis=1))

    def value(self, statistics: Ints, pure: npt.NDArray[np.bool_]) -> Floats:
        """Mean or median of each node; a node whose rows agree gives their number."""
        if self._is_absolute:
            middles = statistics[:, 1 : 1 + self.n_outputs] / 2 / self.values.scale
        else:
            middles = self._means(statistics)
        value = np.asarray(self.centre + np.ldexp(middles, self.exponents))
        for output, (rounded, numbers, _) in enumerate(self._rounding):
            # scaling has rounded the numbers: give back those that were meant
            which = nearest(rounded, middles[pure, output] * self.values.scale)
            value[pure, output] = numbers[which]
        return value

    @cached_property
    def _rounding(self) -> list[tuple[Floats, Floats, bool]]:
        """For each output, what scaling made of its numbers.

        The different fixed-point values, the mean of the numbers behind each, and
        whether many different numbers became one.
        """
        found = []
        for output in range(self.n_outputs):
            codes, rounded, _ = rank(self.values.ints[:, output])
            numbers = self.numbers[:, output]
            behind = np.zeros(len(rounded))
            behind[codes] = numbers
            apart = numbers - behind[codes]
            if apart.any():
                weights = self.row_weights
                weights = np.ones(len(codes)) if weights is None else weights
                shift = np.bincount(codes, weights * apart)
                behind += shift / np.bincount(codes, weights)
            # a few near neighbours among very many rows are no news
            matters = bool(np.count_nonzero(apart) > 0.001 * len(apart))
            found.append((rounded.astype(np.float64), behind, matters))
        return found

    def notes(self) -> tuple[str, ...]:
        """What a reader should know: numbers that are one to the engine."""
        steps = np.ldexp(1 / self.values.scale, self.exponents)
        return tuple(
            f"the target spreads so far that numbers closer than {step:.3g} are one to "
            "the learner: its largest values may be mistakes"
            for step, (_, _, became_one) in zip(steps, self._rounding, strict=True)
            if became_one
        )

    def agree(self, statistics: Ints, slack: float) -> npt.NDArray[np.bool_]:
        """No: numbers agree if they are equal, which the source has told."""
        return np.zeros(len(statistics), bool)

    def gain(self, score: Floats, weight: Floats) -> Floats:
        """Gain per unit weight of splits that raise the score by `score`."""
        first, second = self._score_scales
        gain = score / first / second / weight
        return np.asarray(np.ldexp(gain, self._power * int(self.exponents.max())))

    def fixed_weight(self, weight: float) -> int:
        """Give a weight in the units of the sums."""
        return int(np.ceil(weight * self.weight_scale))

    @property
    def _tie_unit(self) -> float:
        """Score of a unit of the deviations in a statistic."""
        first, second = self._score_scales
        unit = self.values.scale
        ratio = first / unit * (second / self.weight_scale)
        return ratio if self._is_absolute else ratio / unit

    def core_target(self) -> dict[str, object]:
        """What the compiled core needs to add these statistics up."""
        return {
            "criterion": CRITERIA[self.criterion],
            "n_outputs": self.n_outputs,
            "class_start": [],
            "classes": NO_CLASSES,
            "values": self.values.ints.reshape(-1),
            "weighted": self.weighted.ints.reshape(-1),
            "weights": NO_INTS if self.weights is None else self.weights.ints,
            "factors": self._factors.tolist(),
            "tie_unit": self._tie_unit,
        }


def nearest(table: Floats, values: Floats) -> npt.NDArray[np.intp]:
    """Place in an ascending table of the entry that is nearest to each value."""
    right = np.searchsorted(table, values).clip(0, len(table) - 1)
    left = np.maximum(right - 1, 0)
    take_left = values - table[left] <= table[right] - values
    return np.asarray(np.where(take_left, left, right))


def _refuse_squares(exponents: npt.NDArray[np.int32], names: tuple[str, ...]) -> None:
    """Refuse targets whose squares a float cannot hold; `exponents` are of spreads."""
    if len(exponents) == 0:  # all outputs are constant
        return
    if exponents.max() > 500:
        raise DataError(
            f"target {names[0]!r} spreads over more than 1e150, and its squares do not "
            "fit a float; divide the target by a constant, or use "
            "criterion='absolute_error'"
        )
    # the squares of what is told apart go down to 2^-86 of those of the spread
    if exponents.max() < -450:
        raise DataError(
            f"target {names[0]!r} spreads over less than 1e-135, and its squares do "
            "not fit a float; multiply the target by a constant, or use "
            "criterion='absolute_error'"
        )
