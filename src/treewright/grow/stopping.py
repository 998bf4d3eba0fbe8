"""Stopping: which nodes are leaves before, and which after, a split was looked for."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral

import numpy as np
import numpy.typing as npt

from treewright.grow.chi_square import chances
from treewright.grow.dialect import Dialect
from treewright.sources.source import LeafLimits
from treewright.tree.structure.tree import Reason


@dataclass(frozen=True)
class Stopping:
    """The stopping switches of a dialect, with shares turned into numbers of rows."""

    max_depth: int | None
    min_rows_to_split: int
    min_rows_in_leaf: int
    min_weight_in_leaf: float
    min_impurity: float
    min_gain: float
    min_relative_gain: float
    min_impurity_decrease: float
    max_leaf_nodes: int | None
    total_weight: float
    min_weight_to_split: float = 0.0
    slack: float = 0.0  # weights that differ by no more are equal
    chi_square_level: float | None = None
    min_branch_weight: float = 0.0  # a branch that weighs less is empty

    @classmethod
    def of(cls, dialect: Dialect, n_rows: int, total_weight: float) -> Stopping:
        """Read the switches for a table of `n_rows` rows."""
        in_leaf = _rows(dialect.min_samples_leaf, n_rows)
        by_weight = dialect.count_by == "weight"
        to_split = max(2, _rows(dialect.min_samples_split, n_rows))
        share = dialect.min_weight_fraction_leaf * total_weight
        in_leaf_weight = max(dialect.min_weight_leaf, share, by_weight * in_leaf)
        return cls(
            max_depth=dialect.max_depth,
            min_rows_to_split=to_split,
            min_rows_in_leaf=1 if by_weight else in_leaf,
            # more than all there is forbids every split, however much more
            min_weight_in_leaf=min(in_leaf_weight, 2 * total_weight),
            min_impurity=dialect.min_impurity,
            min_gain=dialect.min_gain,
            min_relative_gain=dialect.min_relative_gain,
            min_impurity_decrease=dialect.min_impurity_decrease,
            max_leaf_nodes=dialect.max_leaf_nodes,
            total_weight=total_weight,
            min_weight_to_split=by_weight * 2.0 * in_leaf,
            # shares of rows are rounded, and limits are not
            slack=max(dialect.tolerance, 1e-9) if by_weight else dialect.tolerance,
            chi_square_level=dialect.chi_square_level,
            min_branch_weight=dialect.min_branch_weight,
        )

    @property
    def by_sums(self) -> bool:
        """Whether what is open is told by depth, rows and weights alone."""
        others = (
            self.min_impurity,
            self.min_gain,
            self.min_relative_gain,
            self.min_impurity_decrease,
            self.min_branch_weight,
        )
        return not any(others) and self.chi_square_level is None

    @property
    def by_rows(self) -> bool:
        """Whether depth and numbers of rows alone make leaves of impure nodes."""
        return self.by_sums and not self.min_weight_to_split and not self.slack

    @property
    def leaf_limits(self) -> LeafLimits:
        """When a node is a leaf `by_sums`."""
        return LeafLimits(
            self.min_rows_in_leaf,
            self.min_rows_to_split,
            self.max_depth,
            self.min_weight_to_split and self.min_weight_to_split - self.slack,
            self.slack,
        )

    def before(
        self,
        *,
        n_rows: npt.NDArray[np.int64],
        weight: npt.NDArray[np.float64],
        depth: npt.NDArray[np.int32],
        impurity: npt.NDArray[np.float64],
        pure: npt.NDArray[np.bool_],
    ) -> npt.NDArray[np.uint8]:
        """Why each node is a leaf without looking at splits; NONE if it stays open.

        `weight` and `impurity` are looked at only where there is a least one.
        """
        reason = np.zeros(len(n_rows), np.uint8)
        # the last one written is the first that a reader should hear
        if 2 * self.min_rows_in_leaf > self.min_rows_to_split:
            reason[n_rows < 2 * self.min_rows_in_leaf] = Reason.MIN_SAMPLES_LEAF
        if self.min_weight_to_split > 0:
            light = weight < self.min_weight_to_split - self.slack
            reason[light] = Reason.MIN_SAMPLES_LEAF
        reason[n_rows < self.min_rows_to_split] = Reason.MIN_SAMPLES_SPLIT
        if self.max_depth is not None:
            reason[depth >= self.max_depth] = Reason.MAX_DEPTH
        if self.min_impurity > 0:
            reason[impurity <= self.min_impurity] = Reason.MIN_IMPURITY
        reason[pure] = Reason.PURE
        reason[n_rows == 0] = Reason.EMPTY
        return reason

    def after(
        self,
        gain: npt.NDArray[np.float64],
        weight: npt.NDArray[np.float64],
        impurity: npt.NDArray[np.float64],
    ) -> npt.NDArray[np.bool_]:
        """Whether each node's best split gains too little; gains per unit weight.

        `impurity` is that of each node, if there is a least relative gain.
        """
        if not (self.min_gain or self.min_impurity_decrease or self.min_relative_gain):
            return np.zeros(len(gain), bool)
        decrease = gain * (weight / self.total_weight)  # gains may be huge
        # rounding must not turn a gain of exactly the minimum away
        slack = 1e-12
        return np.asarray(
            (gain < self.min_gain * (1 - slack))
            | (decrease < self.min_impurity_decrease * (1 - slack))
            | (self.min_relative_gain > 0) & (gain <= self.min_relative_gain * impurity)
        )

    def could_be_chance(
        self,
        branch_weights: npt.NDArray[np.float64],
        n_branches: npt.NDArray[np.int64],
    ) -> npt.NDArray[np.bool_]:
        """Whether each node's split tells too little by the chi-square test.

        `branch_weights` has the class weights of the branches, node after node.
        """
        if self.chi_square_level is None:
            return np.zeros(len(n_branches), bool)
        return chances(branch_weights, n_branches) > self.chi_square_level


def _rows(value: float, n_rows: int) -> int:
    """A number of rows; a float is a share of them, rounded up."""
    whole = isinstance(value, Integral)
    rows = int(value) if whole else math.ceil(float(value) * n_rows)
    return min(rows, n_rows + 1)  # more than all forbids every split
