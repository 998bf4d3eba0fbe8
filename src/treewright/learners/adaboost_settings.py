"""What makes a boosted model, besides the dialect of its trees."""

from __future__ import annotations

import numbers
from dataclasses import dataclass
from typing import Any

from treewright.data.columns import Columns
from treewright.errors import DataError, SettingError
from treewright.learners.forest_settings import MOST_TREES

BOOSTINGS = ("samme", "m1", "c50")
WAYS = ("weights", "resampling")
_SLOWEST, _FASTEST = 1e-6, 1e6  # rates of learning


@dataclass(frozen=True)
class AdaBoostSettings:
    """How many rounds, and what happens in each.

    Attributes
    ----------
    n_estimators : int
        Most rounds, each of which gives a tree.
    boosting : {"samme", "m1", "c50"}
        SAMME (Zhu et al. 2009), AdaBoost.M1 (Freund and Schapire 1996), or C5.0's way.
    by : {"weights", "resampling"}
        Whether a tree is grown from all rows, which weigh more or less, or from as many
        rows drawn with replacement, the heavier the more often.
    learning_rate : float
        Each vote is multiplied by it, and so is what the weights learn from a round.
    random_state : int
        What the draws depend on.
    """

    n_estimators: int = 50
    boosting: str = "samme"
    by: str = "weights"
    learning_rate: float = 1.0
    random_state: int = 0

    def check(self) -> None:
        """Refuse what is out of its range, or does not go together."""
        _check_whole("n_estimators", self.n_estimators, least=1, most=MOST_TREES)
        _check_whole("random_state", self.random_state, least=0)
        _check_word("boosting", self.boosting, BOOSTINGS)
        _check_word("by", self.by, WAYS)
        rate: Any = self.learning_rate
        is_number = isinstance(rate, numbers.Real) and not isinstance(rate, bool)
        # beyond, votes would not be finite and above 0
        if not is_number or not _SLOWEST <= float(rate) <= _FASTEST:
            raise SettingError(
                f"learning_rate is {rate!r}; it must be a number above 0, from "
                f"{_SLOWEST:g} to {_FASTEST:g}"
            )
        if self.boosting != "c50":
            return
        for name, only in (("by", "weights"), ("learning_rate", 1.0)):
            if getattr(self, name) != only:
                raise SettingError(
                    f"{name} is {getattr(self, name)!r}, and boosting='c50' knows "
                    f"{only!r} alone; leave it out"
                )


def check_target(columns: Columns) -> None:
    """Refuse what cannot be boosted: numbers, several outputs, costs."""
    target = columns.schema.target
    if target.kind != "classes":
        raise DataError(
            "the target holds numbers, and AdaBoost is for classes; grow a forest, or "
            "declare the target nominal"
        )
    if target.n_outputs != 1:
        raise DataError(
            f"the target has {target.n_outputs} columns, and AdaBoost predicts one; "
            "fit one model for each"
        )
    if target.costs is not None:
        raise SettingError(
            "AdaBoost counts every mistake by the weight of its row and knows no costs "
            "of classes; leave them out, or weigh the rows"
        )


def _check_whole(name: str, value: Any, *, least: int, most: int | None = None) -> None:
    is_whole = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    if not is_whole or value < least:
        raise SettingError(
            f"{name} is {value!r}; it must be a whole number, at least {least}"
        )
    if most is not None and value > most:
        raise SettingError(
            f"{name} is {value}; more than {most:,} trees would not fit into memory"
        )


def _check_word(name: str, value: Any, known: tuple[str, ...]) -> None:
    if not isinstance(value, str) or value not in known:
        wanted = ", ".join(map(repr, known))
        raise SettingError(f"{name} is {value!r}; it must be one of {wanted}")
