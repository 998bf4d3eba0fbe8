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
from treewright.learners.forest.bags import Bagging
from treewright.settings.kinds import Anything, Flag, OneOf, OrNone, Whole, is_whole
from treewright.settings.row import Clash, Settings, row

MOST_TREES = 1_000_000
MOST_COMBINED = 1_000  # features in a sum, or sums at a node
VOTINGS = ("mean", "votes")
TREES = Whole(
    1, MOST_TREES, f"more than {MOST_TREES:,} trees would not fit into memory"
)
MaxFeatures = str | int | float | Sequence[int] | None


@dataclass(frozen=True)
class ForestSettings(Settings):
    """How many trees, from which rows, looking at how many features."""

    n_estimators: int = row(
        TREES,
        "Number of trees.",
        default=100,
        takes="number of trees",
    )
    max_features: MaxFeatures = row(
        Anything(
            "None, int, float, str or list of int",
            "features that a node looks at: a number, a share, none (all), sqrt, "
            "log2, oob, or several as 1,3",
        ),
        "Features that a node looks at: all, so many, that share of them, "
        '"sqrt" or "log2" of their number; "oob": 1 or int(log2 M + 1), whichever has '
        "the smaller out-of-bag error; a list: the best of these by that error.",
        default="sqrt",
        usually="classes: sqrt; numbers: none",
        tries={
            "forest": ("sqrt", 0.33, None),
            "extra-trees": ("sqrt", 0.33, None),
        },
    )
    combined_features: int | None = row(
        OrNone(Whole(2, MOST_COMBINED)),
        "Nodes draw weighted sums of so many numeric features, `max_features` of them, "
        "instead of single features (Forest-RC; 3 in the paper).",
        default=None,
        takes="forest: features in a weighted sum, a whole number from 2 up, none (no "
        "sums)",
        hidden="ExtraTreesClassifier ExtraTreesRegressor",
        clashes=(
            Clash(
                lambda f: f.combined_features is not None and f.random_cuts,
                "combined_features searches for the best cut of sums, and extra trees "
                "draw cuts of single features; leave it out",
            ),
        ),
    )
    bootstrap: bool = row(
        Flag(),
        "Draw rows with replacement; else without.",
        default=True,
        usually="forest: true; extra-trees: false",
    )
    max_samples: float | None = row(
        Anything(
            "None, int or float", "rows that a tree gets: a number, a share, none"
        ),
        "Rows that each tree gets: as many as there are, so many, or that share.",
        default=None,
    )
    stratified: bool = row(
        Flag(), "Draw from each class in proportion.", default=False, classes_only=True
    )
    voting: str = row(
        OneOf(*VOTINGS),
        "The answer is the class with the largest mean share; or the one that most "
        "trees name, and `predict_proba` gives the shares of the votes. Out-of-bag "
        "answers follow it.",
        default="mean",
        takes="mean (of the shares), votes (a class each)",
        classes_only=True,
    )
    random_state: int = row(
        Whole(0),
        "The seed of all draws; None: another one each time, which the model keeps.",
        default=0,
        doc="int, RandomState, Generator or None",
        usually="another one each time",
    )
    # whether cuts are drawn, not searched for: what extra trees are, and no choice
    random_cuts: bool = False

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
        elif is_whole(wanted):
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
        if is_whole(wanted) and wanted is not None:
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
        if not all(is_whole(one) and 1 <= one <= most for one in wanted):
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


def refuse_values_in_node(dialect: Dialect) -> None:
    """Refuse rules for missing values that look for a value at each node."""
    if dialect.missing in ("most_common_in_node", "most_common_in_class"):
        raise SettingError(
            f"missing={dialect.missing!r} looks for a value at each node, and extra "
            "trees only draw cuts there; set missing to 'most_common', 'own_branch', "
            "'majority', 'fractional', 'learned' or 'surrogates'"
        )
