"""What makes a forest, besides the dialect of its trees."""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from treewright.data.columns import Columns
from treewright.errors import SettingError
from treewright.grow.dialect import Dialect
from treewright.learners.bags import Bagging

MOST_TREES = 1_000_000
MOST_COMBINED = 1_000  # features in a sum, or sums at a node
VOTINGS = ("mean", "votes")
MaxFeatures = str | int | float | Sequence[int] | None


@dataclass(frozen=True)
class ForestSettings:
    """How many trees, from which rows, looking at how many features.

    Attributes
    ----------
    n_estimators : int
        Number of trees.
    max_features : None, int, float, str or sequence of int
        Features that a node looks at: all; so many; that share of them; "sqrt" or
        "log2" of their number. "oob": 1 or int(log2 M + 1), whichever has the smaller
        out-of-bag error (Breiman's Forest-RI); a sequence: the best of these.
    bootstrap : bool
        Draw rows with replacement; else without.
    max_samples : None, int or float
        Rows that each tree gets: as many as there are, so many, or that share.
    stratified : bool
        Draw from each class in proportion.
    voting : {"mean", "votes"}
        The mean of the trees' shares, or each tree votes for its own class alone.
    random_state : int
        What all draws depend on.
    random_cuts : bool
        Draw one cut for each feature that a node looks at, and do not search for the
        best one (extra trees).
    combined_features : int or None
        Nodes draw weighted sums of so many features, as many sums as `max_features`
        says, and take the best cut of these (Breiman's Forest-RC); None: they look at
        single features.
    """

    n_estimators: int = 100
    max_features: MaxFeatures = "sqrt"
    bootstrap: bool = True
    max_samples: int | float | None = None
    stratified: bool = False
    voting: str = "mean"
    random_state: int = 0
    random_cuts: bool = False
    combined_features: int | None = None

    def check(self) -> None:
        """Refuse what is out of its range, or does not go together."""
        if not _is_whole(self.n_estimators) or self.n_estimators < 1:
            raise SettingError(
                f"n_estimators is {self.n_estimators!r}; it must be a whole number, at "
                "least 1"
            )
        if self.n_estimators > MOST_TREES:
            raise SettingError(
                f"n_estimators is {self.n_estimators}; more than {MOST_TREES:,} trees "
                "would not fit into memory"
            )
        if not _is_whole(self.random_state) or self.random_state < 0:
            raise SettingError(
                f"random_state is {self.random_state!r}; it must be a whole number "
                "from 0 up"
            )
        for name in ("bootstrap", "stratified", "random_cuts"):
            value = getattr(self, name)
            if not isinstance(value, bool | np.bool_):
                raise SettingError(f"{name} is {value!r}; it must be True or False")
        if not isinstance(self.voting, str) or self.voting not in VOTINGS:
            wanted = " or ".join(map(repr, VOTINGS))
            raise SettingError(f"voting is {self.voting!r}; it must be {wanted}")
        self._check_combined()

    def _check_combined(self) -> None:
        wanted = self.combined_features
        if wanted is None:
            return
        if not _is_whole(wanted) or not 2 <= wanted <= MOST_COMBINED:
            raise SettingError(
                f"combined_features is {wanted!r}; it must be None (single features) "
                f"or a whole number from 2 to {MOST_COMBINED}, for example 3"
            )
        if self.random_cuts:
            raise SettingError(
                "combined_features searches for the best cut of sums, and extra trees "
                "draw cuts of single features; leave it out"
            )

    def feature_counts(self, n_features: int) -> list[int]:
        """Return the numbers of features to try, which is mostly one."""
        wanted: Any = self.max_features
        if isinstance(wanted, str):
            named = {
                "sqrt": [int(math.sqrt(n_features))],
                "log2": [int(math.log2(max(n_features, 1)))],
                "oob": [1, int(math.log2(max(n_features, 1)) + 1)],
            }
            if wanted not in named:
                raise self._bad_features(n_features)
            counts = named[wanted]
        elif wanted is None:
            counts = [n_features]
        elif _is_whole(wanted):
            counts = [int(wanted)]
            if not 1 <= counts[0] <= self.most_looked(n_features):
                raise self._bad_features(n_features)
        elif isinstance(wanted, numbers.Real) and not isinstance(wanted, bool):
            if not 0 < float(wanted) <= 1:
                raise self._bad_features(n_features)
            counts = [int(float(wanted) * n_features)]
        else:
            counts = self._listed(n_features)
        most = self.most_looked(n_features)
        return sorted({min(max(count, 1), most) for count in counts})

    def most_looked(self, n_features: int) -> int:
        """How many features, or sums of them, a node may look at."""
        if self.combined_features is None:
            return n_features
        return max(n_features, MOST_COMBINED)

    @property
    def chooses_features(self) -> bool:
        """Whether out-of-bag rows choose how many features a node looks at."""
        wanted = self.max_features
        if isinstance(wanted, str):
            return wanted == "oob"
        return isinstance(wanted, list | tuple | np.ndarray)

    def bagging(self, columns: Columns) -> Bagging:
        """Return how the rows of each tree are drawn from a table."""
        if self.voting == "votes" and columns.schema.target.kind == "numbers":
            raise SettingError(
                "voting is 'votes', and trees for numbers have no classes to vote for; "
                "leave it out"
            )
        n_rows, wanted = columns.n_rows, self.max_samples
        n_drawn = n_rows
        if _is_whole(wanted) and wanted is not None:
            n_drawn = int(wanted)
        elif isinstance(wanted, numbers.Real) and not isinstance(wanted, bool):
            share = float(wanted)
            n_drawn = max(round(share * n_rows), 1) if 0 < share <= 1 else 0
        elif wanted is not None:
            n_drawn = 0
        if not 1 <= n_drawn <= n_rows:
            raise SettingError(
                f"max_samples is {wanted!r}; it must be None, a whole number from 1 to "
                f"{n_rows} (the rows), or a share above 0 and up to 1"
            )
        classes = None
        if self.stratified:
            classes = self._strata(columns, n_drawn)
        bagging = Bagging(n_rows, n_drawn, bool(self.bootstrap), classes)
        if self.chooses_features and bagging.takes_all:
            raise SettingError(
                f"max_features is {self.max_features!r}, which the out-of-bag rows "
                "decide, and there are none: every tree gets all rows; set "
                "bootstrap=True or max_samples below 1.0, or give a number"
            )
        return bagging

    def _strata(self, columns: Columns, n_drawn: int) -> Any:
        if columns.schema.target.kind != "classes" or columns.target.shape[1] != 1:
            raise SettingError(
                "stratified=True draws from each class in proportion, and this target "
                "is not one column of classes; leave it out"
            )
        classes = columns.target[:, 0]
        n_classes = len(np.unique(classes))
        if n_drawn < n_classes:
            raise SettingError(
                f"stratified=True needs a row of each of {n_classes} classes, and each "
                f"tree gets {n_drawn}; raise max_samples"
            )
        return classes

    def _listed(self, n_features: int) -> list[int]:
        wanted: Any = self.max_features
        if not isinstance(wanted, list | tuple | np.ndarray) or len(wanted) == 0:
            raise self._bad_features(n_features)
        most = self.most_looked(n_features)
        if not all(_is_whole(one) and 1 <= one <= most for one in wanted):
            raise self._bad_features(n_features)
        return [int(one) for one in wanted]

    def _bad_features(self, n_features: int) -> SettingError:
        what = " (the features)" if self.combined_features is None else " (sums)"
        return SettingError(
            f"max_features is {self.max_features!r}; it must be None (all), a whole "
            f"number from 1 to {self.most_looked(n_features)}{what}, a share above 0 "
            'and up to 1, "sqrt", "log2", "oob", or a list of whole numbers to choose '
            "from"
        )


def _is_whole(value: Any) -> bool:
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def refuse_values_in_node(dialect: Dialect) -> None:
    """Refuse rules for missing values that look for a value at each node."""
    if dialect.missing in ("most_common_in_node", "most_common_in_class"):
        raise SettingError(
            f"missing={dialect.missing!r} looks for a value at each node, and extra "
            "trees only draw cuts there; set missing to 'most_common', 'own_branch', "
            "'majority', 'fractional', 'learned' or 'surrogates'"
        )
