"""The settings of Hoeffding trees; `hoeffding.py` says what they mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from treewright.grow.dialect import Dialect, TreeSettings
from treewright.settings.kinds import Between, OneOf, OrNone, Real, Whole
from treewright.settings.row import row, shared

LEAF_PREDICTIONS = ("majority", "naive_bayes", "adaptive")
# what a Hoeffding tree is like for those who read it
_SHAPE = Dialect(
    name="hoeffding",
    criterion="entropy",
    nominal_splits="multiway",
    numeric_splits="midpoint",
    reuse_features=True,
    missing="majority",
)


@dataclass(frozen=True)
class HoeffdingSettings(TreeSettings):
    """The settings of a Hoeffding tree."""

    criterion: str = row(
        OneOf("entropy", "gini", "squared_error"),
        "What a split is judged by: information gain, or the decrease of gini's index.",
        doc='{"entropy", "gini"}',
        classes_only=True,
    )
    reduction: str = row(
        OneOf("variance", "deviation"),
        "What a split is to lower: the variance, or the standard deviation.",
        default="variance",
        hidden="HoeffdingTreeClassifier",
    )
    delta: float = row(
        Between(0.0, 1.0),
        "The chance, for each split, that it is another one than all rows of the "
        "stream would give. Smaller waits longer.",
        default=1e-7,
    )
    tau: float = row(
        Real(0.0, 1.0),
        "The tie threshold: where the bound is below it, the best split is taken, "
        "however close the second best is.",
        default=0.05,
    )
    grace_period: int = row(
        Whole(1),
        "How many rows, by weight, a leaf sees between two looks at its splits.",
        default=200,
    )
    leaf_prediction: str = row(
        OneOf(*LEAF_PREDICTIONS),
        "What a leaf answers: its heaviest class, what naive Bayes finds from its "
        "sums, or of these two the one that was right more often there so far.",
        default="adaptive",
        classes_only=True,
    )
    min_branch_share: float = row(
        Real(0.0, 0.5),
        "Two branches of a split must have this share of the rows that have a value.",
        default=0.01,
    )
    n_cuts: int = row(
        Whole(1),
        "How many cuts of a numeric feature are compared, at equal distances.",
        default=10,
        classes_only=True,
    )
    max_depth: int | None = shared(Dialect, "max_depth")
    max_categories: int = row(
        Whole(2),
        "How many categories of a feature are told apart. Those that come up later "
        "count as missing, so that an identifier cannot fill the memory.",
        default=1000,
    )
    max_bytes: int | None = row(
        OrNone(Whole(10_000)),
        "How large the tree may become. Then the leaves that promise least are put to "
        "sleep: they count and answer, but are not split until there is room again. "
        "None for no limit.",
        default=100_000_000,
    )

    @property
    def task(self) -> str:
        """Whether "classes" or "numbers" are predicted."""
        return "numbers" if self.criterion == "squared_error" else "classes"

    @property
    def missing(self) -> str:
        """What rows without a value do: they go down the heaviest branch."""
        return _SHAPE.missing

    @property
    def unseen(self) -> str:
        """What a category does that training never saw."""
        return _SHAPE.unseen

    def settings(self) -> dict[str, Any]:
        """Every setting, with what the tree is like besides."""
        return {**_SHAPE.settings(), **super().settings()}

    def unknown(self, name: str) -> str:
        """Return what is said of a setting that is not among these."""
        if name not in Dialect.rows():
            return super().unknown(name)
        return (
            f"{name} changes nothing in a Hoeffding tree, which sees every row once; "
            f"leave it out ({self.name} has {', '.join(self.rows())})"
        )

    def core_settings(self, is_nominal: list[bool]) -> dict[str, Any]:
        """Return the settings as the core takes them."""
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
