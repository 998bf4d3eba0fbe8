"""How rows are to be divided, and how they were.

`estimators/judged/splitting.py` does it, with the splitters of scikit-learn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.errors import SettingError
from treewright.evaluation.errors.held_out_answers import Split

DEFAULT_FOLDS = 10


@dataclass(frozen=True, eq=False)
class Division:
    """How rows are to be divided."""

    # parts of k-fold cross-validation; None: 10, or as many as can be
    folds: int | None = None
    repeats: int = 1  # how often it is done, with other folds each time
    # instead of folds: the share of the rows that is held out, once (or `repeats`
    # times)
    hold_out: float | None = None
    leave_one_out: bool = False  # instead of folds: each row is held out on its own
    groups: npt.NDArray[Any] | None = None  # rows of one group are never on both sides
    # training rows are always earlier than those held out
    times: npt.NDArray[Any] | None = None
    seed: int = 0  # of the shuffling

    def __post_init__(self) -> None:
        self._check_numbers()
        asked = {
            "folds": self.folds is not None,
            "hold_out": self.hold_out is not None,
            "leave_one_out": self.leave_one_out,
        }
        both = [name for name, is_asked in asked.items() if is_asked]
        if len(both) > 1:
            raise SettingError(f"{' and '.join(both)} contradict each other; drop one")
        if self.leave_one_out and self.groups is not None:
            raise SettingError(
                "leave_one_out divides groups; drop it, or give folds=k with groups"
            )
        if self.times is not None:
            for name, is_set in (
                ("groups", self.groups is not None),
                ("leave_one_out", self.leave_one_out),
                ("repeats", self.repeats > 1),
            ):
                if is_set:
                    raise SettingError(
                        f"{name} cannot go with times: earlier rows are learned from, "
                        f"later ones held out; drop one of the two"
                    )
        if self.leave_one_out and self.repeats > 1:
            raise SettingError(
                "leave_one_out holds out each row once, so repeats change nothing; "
                "drop one of the two"
            )

    def _check_numbers(self) -> None:
        for name, least in (("folds", 2), ("repeats", 1), ("seed", 0)):
            number = getattr(self, name)
            if number is None and name == "folds":
                continue
            shown = "random_state" if name == "seed" else name
            if isinstance(number, bool) or not isinstance(number, int | np.integer):
                raise SettingError(f"{shown} is {number!r}; it must be a whole number")
            if number < least:
                raise SettingError(f"{shown} is {number}; it must be {least} or more")
            if number >= 2**32:
                raise SettingError(f"{shown} is {number}; it must be less than 2^32")
        share = self.hold_out
        if share is not None and not (_is_number(share) and 0 < share < 1):
            raise SettingError(
                f"hold_out is {share!r}; it must be a share between 0 and 1, as 0.3"
            )


def _is_number(value: Any) -> bool:
    return isinstance(value, float | int | np.floating | np.integer)


@dataclass(frozen=True, eq=False)
class Divided:
    """The splits, in words too, and what had to be done differently than asked.

    `for_curves`: splits that hold out more rows each, where these hold out too few.
    """

    splits: tuple[Split, ...]
    words: str
    notes: tuple[str, ...] = ()
    for_curves: Divided | None = None
