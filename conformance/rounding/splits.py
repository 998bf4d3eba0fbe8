"""The split of each feature at a node, and the choice among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from conformance.datasets import Rows
from conformance.rounding.sums import (
    Array,
    Members,
    Sums,
    Table,
    bits,
    to_single,
    x_log2_x,
)

MIN_ROWS = 2.0
MIN_GAP = 1e-5
GUARD_SLACK = 1e-3
MIN_INFORMATION = 1e-3
# ratios that differ by less may be equal ones that were rounded apart
ROUNDED_APART = 2e-6


@dataclass(frozen=True, eq=False)
class Split:
    """A test; its gain, less the cost of a cut, and its information, in 32 bits."""

    feature: int
    cut: float | None
    gain: Any
    information: Any

    @property
    def ratio(self) -> float:
        """The gain ratio, in 32 bits."""
        return float(to_single(float(self.gain) / float(self.information)))


@dataclass(frozen=True, eq=False)
class Training:
    """The table, how its weights are added up, and the rows it is grown on.

    `prefer` is a column that is taken where the best ratios are equal but for rounding
    and rows are divided; None: the largest float is.
    """

    table: Table
    sums: Sums
    rows: Rows
    prefer: int | None = None

    def splits(self, members: Members, features: Sequence[int]) -> list[Split]:
        """Return the admissible split of each of these features."""
        found = (
            self.nominal(members, feature)
            if self.table.n_values[feature]
            else self.numeric(members, feature)
            for feature in features
        )
        return [split for split in found if split is not None]

    def nominal(self, members: Members, feature: int) -> Split | None:
        """One branch per value, two of them large enough."""
        members = self.sums.arranged(members)
        n_values = self.table.n_values[feature]
        weights = np.zeros((n_values + 1, self.table.n_classes), self.sums.number)
        codes = self.table.columns[feature][members.rows]
        labels = self.table.labels[members.rows]
        np.add.at(weights, (codes, labels), members.weights)
        sizes = np.cumsum(weights, axis=1, dtype=self.sums.number)[:, -1]
        if (sizes[:-1] >= MIN_ROWS - self.sums.slack).sum() < 2:
            return None
        total = self.sums.total(members.weights)
        known = total - sizes[-1]
        before = _bits_before(np.cumsum(weights[:-1], axis=0)[-1], float(known))
        after = np.cumsum(bits(self.sums, weights[:-1]), dtype=np.float32)[-1]
        share = to_single(1 - to_single(float(sizes[-1]) / float(total)))
        gain = _gain(before, after, known, share)
        return Split(feature, None, gain, self._information(sizes, total))

    def numeric(self, members: Members, feature: int) -> Split | None:
        """The cut that gains most, less its cost."""
        members = self.sums.arranged(members)
        is_missing = np.isnan(self.table.columns[feature][members.rows])
        total = self.sums.total(members.weights)
        unknown = self.sums.total(members.weights[is_missing])
        known = total - unknown
        members = members.where(~is_missing)
        if known < 2 * MIN_ROWS - self.sums.slack:
            return None
        values = self.table.columns[feature][members.rows]
        order = np.argsort(values, kind="stable")
        members, values = members.where(order), values[order]
        low = np.cumsum(members.weights, dtype=self.sums.number)
        cuts = self._cuts(values, low, known)
        if len(cuts) == 0:
            return None
        sides = self._sides(members, cuts)
        left_over = to_single(bits(self.sums, sides[0]) + bits(self.sums, sides[1]))
        before = bits(self.sums, self.sums.by_class(self.table, members))
        before = to_single(float(before) / float(known))
        share = to_single(1 - to_single(1 - to_single(float(known) / float(total))))
        gains = _gain(before, left_over, known, share)
        best = int(np.argmax(gains))
        cost = to_single(np.log2(len(cuts)) / float(total))
        gain = gains[best] - cost
        if not gain > 0:
            return None
        place = cuts[best]
        sizes = np.array([low[place], known - low[place], unknown], self.sums.number)
        cut = self._threshold(feature, values[place], values[place + 1])
        return Split(feature, cut, gain, self._information(sizes, total))

    def _information(self, sizes: Array, total: Any) -> Any:
        """Return the split information; the unknown come last and are added first."""
        return to_single(float(bits(self.sums, np.roll(sizes, 1))) / float(total))

    def _cuts(self, values: Array, low: Array, known: Any) -> Rows:
        """Return the places after which a cut may lie."""
        least = 0.1 * float(known) / self.table.n_classes
        least = self.sums.number(min(max(least, MIN_ROWS), 25.0))
        wide = values.astype(np.float64)
        places = np.flatnonzero(wide[:-1] < wide[1:] - MIN_GAP)
        is_large = (low[places] >= least - self.sums.slack) & (
            low[places] <= known - least + self.sums.slack
        )
        found: Rows = places[is_large]
        return found

    def _sides(self, members: Members, cuts: Rows) -> Array:
        """Return the class weights below and above each cut.

        Below, rows are added as they come; above, they are taken off the sum.
        """
        labels = self.table.labels[members.rows]
        sides = np.zeros((2, len(cuts), self.table.n_classes), self.sums.number)
        for label in np.unique(labels):
            own = np.where(labels == label, members.weights, self.sums.number(0))
            sides[0, :, label] = np.cumsum(own, dtype=self.sums.number)[cuts]
            whole = self.sums.total(own)
            rest = np.subtract.accumulate(np.append(whole, own).astype(own.dtype))
            sides[1, :, label] = rest[cuts + 1]
        return sides

    def _threshold(self, feature: int, low: float, high: float) -> float:
        """Return the largest training value that is not above the middle."""
        middle = to_single((float(low) + float(high)) / 2)
        values = self.table.columns[feature][self.rows]
        return float(values[values <= middle].max())

    def choose(self, splits: Sequence[Split], members: Members) -> Split | None:
        """Return the largest ratio among gains of at least the average."""
        passed = self._guarded(splits)
        best: Split | None = None
        for split in passed:
            if best is None or split.ratio > best.ratio:
                best = split
        if best is None or self.prefer is None or members.are_whole:
            return best
        for split in passed:
            if split.feature == self.prefer:
                return split if best.ratio - split.ratio < ROUNDED_APART else best
        return best

    def _guarded(self, splits: Sequence[Split]) -> list[Split]:
        many = [count >= 0.3 * len(self.rows) for count in self.table.n_values]
        counted = [s.gain for s in splits if all(many) or not many[s.feature]]
        if not counted:
            return []
        average = np.cumsum(counted, dtype=np.float32)[-1] / np.float32(len(counted))
        return [
            split
            for split in splits
            if split.gain >= average - GUARD_SLACK
            and split.information > MIN_INFORMATION
        ]


def _bits_before(weights: Array, known: float) -> Any:
    """Return the bits per row before a nominal split, rounded to 32 bits at the end."""
    left = x_log2_x(known) - x_log2_x(weights).cumsum()[-1]
    return to_single(left / known)


def _gain(before: Any, after: Any, known: Any, share: Any) -> Any:
    """Return the gain per row, in 32 bits after each step."""
    per_row = to_single(np.asarray(after, np.float64) / float(known))
    return to_single(float(share) * to_single(before - per_row).astype(np.float64))
