"""What makes a rule set, besides the dialect of its trees."""

from __future__ import annotations

import numbers
from dataclasses import dataclass
from typing import Any

from treewright.data.columns import Columns
from treewright.errors import DataError, SettingError
from treewright.grow.dialect import Dialect

MOST_TREES = 1000
_LEAST_REDUNDANCY = 1e-3
# ways with missing values that give a branch to them, which no condition speaks of
_OWN_BRANCH = ("own_branch", "learned")


@dataclass(frozen=True)
class C45RulesSettings:
    """How rules are made of trees.

    Attributes
    ----------
    n_trees : int
        How many unpruned trees give rules: the first is grown from all rows, others
        from as many rows drawn with replacement.
    fisher : bool
        Whether a condition must also pass Fisher's exact test at 5 %.
    redundancy : float
        What the bits to name a feature are divided by; above 1 where several features
        say the same.
    random_state : int
        What the draws depend on: rows of further trees, and starts of the search.
    """

    n_trees: int = 1
    fisher: bool = False
    redundancy: float = 1.0
    random_state: int = 0

    def check(self) -> None:
        """Refuse what is out of its range."""
        for name, least in (("n_trees", 1), ("random_state", 0)):
            value: Any = getattr(self, name)
            is_whole = isinstance(value, numbers.Integral)
            if not is_whole or isinstance(value, bool) or value < least:
                raise SettingError(
                    f"{name} is {value!r}; it must be a whole number, at least {least}"
                )
        if self.n_trees > MOST_TREES:
            raise SettingError(
                f"n_trees is {self.n_trees}; more than {MOST_TREES:,} trees would give "
                "more rules than can be looked through"
            )
        if not isinstance(self.fisher, bool):
            raise SettingError(f"fisher is {self.fisher!r}; it must be True or False")
        value = self.redundancy
        is_number = isinstance(value, numbers.Real) and not isinstance(value, bool)
        if not is_number or not _LEAST_REDUNDANCY <= float(value) < float("inf"):
            raise SettingError(
                f"redundancy is {value!r}; it must be a number above 0, usually 1"
            )


def check_dialect(dialect: Dialect) -> None:
    """Refuse trees whose branches are no conditions on values."""
    if dialect.missing in _OWN_BRANCH:
        raise SettingError(
            f"missing is {dialect.missing!r}, which gives missing values a branch, and "
            "a missing value meets no condition of a rule; choose 'fractional' or "
            "'majority'"
        )


def check_target(columns: Columns) -> None:
    """Refuse what rules cannot be made for: numbers, several outputs, costs."""
    target = columns.schema.target
    if target.kind != "classes":
        raise DataError(
            "the target holds numbers, and C4.5rules is for classes; grow a tree, or "
            "declare the target nominal"
        )
    if target.n_outputs != 1:
        raise DataError(
            f"the target has {target.n_outputs} columns, and C4.5rules predicts one; "
            "fit one model for each"
        )
    if target.costs is not None:
        raise SettingError(
            "C4.5rules counts every mistake by the weight of its row and knows no "
            "costs of classes; leave them out, or weigh the rows"
        )
