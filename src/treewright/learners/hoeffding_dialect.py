"""The switches of Hoeffding trees; `hoeffding.py` says what they mean."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from treewright.errors import SettingError
from treewright.grow.dialect import Dialect
from treewright.grow.switch_checks import Between, Count, OneOf, Real, Whole

# switches of all dialects that mean something here
_SHARED = ("criterion", "max_depth")
# how a Hoeffding tree is, whoever asks
HOEFFDING_SWITCHES: dict[str, Any] = {
    "nominal_splits": "multiway",
    "reuse_features": True,
    "numeric_splits": "midpoint",
    "missing": "majority",
    "unseen": "stop",
}
LEAF_PREDICTIONS = ("majority", "naive_bayes", "adaptive")
# name: what it takes
_CHECKS: dict[str, Any] = {
    "delta": Between(0.0, 1.0),
    "tau": Real(0.0, 1.0),
    "grace_period": Count(1),
    "min_branch_share": Real(0.0, 0.5),
    "n_cuts": Count(1),
    "max_categories": Count(2),
    "max_bytes": Whole(10_000),
}


@dataclass(frozen=True)
class HoeffdingDialect(Dialect):
    """The switches of a Hoeffding tree.

    Attributes
    ----------
    delta : float
        The chance that a split is another one than from all rows of the stream.
    tau : float
        Where the bound is below this, the best split is taken, however close the
        second best is.
    grace_period : int
        How many rows (by weight) a leaf sees between two looks at its splits.
    leaf_prediction : {"majority", "naive_bayes", "adaptive"}
        What a leaf answers, for classes: its heaviest class; what naive Bayes finds; of
        these two what was right more often there so far.
    reduction : {"variance", "deviation"}
        For numbers: whether splits are to lower the variance or the standard deviation.
    min_branch_share : float
        Two branches of a split must have this share of the rows with a value.
    n_cuts : int
        For classes: how many cuts of a numeric feature are compared.
    max_categories : int
        How many categories of a feature are told apart; further ones count as missing.
    max_bytes : int or None
        How large the tree may become; then the leaves that promise least are put to
        sleep. None: no limit.
    """

    delta: float = 1e-7
    tau: float = 0.05
    grace_period: int = 200
    leaf_prediction: str = "adaptive"
    reduction: str = "variance"
    min_branch_share: float = 0.01
    n_cuts: int = 10
    max_categories: int = 1000
    max_bytes: int | None = 100_000_000

    def __post_init__(self) -> None:
        super().__post_init__()
        self._refuse_idle()
        OneOf("entropy", "gini", "squared_error")("criterion", self.criterion)
        OneOf(*LEAF_PREDICTIONS)("leaf_prediction", self.leaf_prediction)
        OneOf("variance", "deviation")("reduction", self.reduction)
        for name, check in _CHECKS.items():
            check(name, getattr(self, name))

    def _refuse_idle(self) -> None:
        """Refuse the switches of other dialects, which would do nothing."""
        for field in dataclasses.fields(Dialect):
            name = field.name
            if name in ("name", "n_folds", "random_state", *_SHARED):
                continue
            if getattr(self, name) != HOEFFDING_SWITCHES.get(name, field.default):
                known = ", ".join(own_switches())
                raise SettingError(
                    f"{name} changes nothing in a Hoeffding tree, which sees every row "
                    f"once; leave it out ({self.name} has {known})"
                )

    def core_settings(self, is_nominal: list[bool]) -> dict[str, Any]:
        """Return the switches as the core takes them."""
        of_numbers = self.task == "numbers"
        by = self.reduction if of_numbers else self.criterion
        answer = 0 if of_numbers else LEAF_PREDICTIONS.index(self.leaf_prediction)
        return {
            "is_nominal": list(map(int, is_nominal)),
            "second_measure": by in ("deviation", "gini"),
            "answer": answer,
            "max_depth": -1 if self.max_depth is None else int(self.max_depth),
            "max_bytes": -1 if self.max_bytes is None else int(self.max_bytes),
            "n_cuts": int(self.n_cuts),
            **{
                name: float(getattr(self, name))
                for name in ("delta", "tau", "grace_period", "min_branch_share")
            },
        }


def own_switches() -> tuple[str, ...]:
    """Return the names of the switches that mean something in a Hoeffding tree."""
    return (*_SHARED, "leaf_prediction", "reduction", *_CHECKS)
