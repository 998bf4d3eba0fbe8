"""Hoeffding trees: every row is looked at once, and then forgotten.

    start with one leaf
    for each row: walk to its leaf, and add it to the leaf's sums
        after every `grace_period` rows at a leaf, look at its splits:
            G1, G2  the two best gains over all features, no split (0) among them
            eps     sqrt(R^2 ln(1/delta) / (2 n)) after n rows at the leaf
            G1 - G2 > eps, or eps < tau  ->  the leaf is split by the best

With a chance of 1 - delta the split is the one that all rows of the stream would give
(Hoeffding's inequality). The loop is `core/hoeffding.cpp`; `hoeffding_learner.py` holds
a tree that learns, `hoeffding_model.py` makes an ordinary model of it, and
`checkpoint.py` a checkpoint.

What the papers leave open
--------------------------
- G is the information gain (R = log2 of the number of classes at the leaf, 1 at least)
  or the decrease of gini's index (R = 1); for numbers the decrease of the variance or
  of the standard deviation, where G2 / G1 < 1 - eps is asked, so R = 1.
- n, and the sums, are of the rows that the leaf has seen since it came to be. What its
  parent knew of the branch is where its class weights (or mean) start, and counts
  for answers only.
- Numbers, for classes: a normal distribution for each class; `n_cuts` cuts at equal
  distances between the least and the largest value, rounded to a tenth of that
  distance or less, so that they can be read. Below a class's least value it has no
  weight, above its largest all of it.
- Numbers, for numbers: up to 64 bins of equal width, a power of 2, with the moments of
  the target; a cut between any two of them.
- Nominal features have one branch for each category seen at the leaf. A category that
  comes up later gets a branch of its own then. They may be asked about again below.
- Missing values are in no sums; a gain counts by the share of the rows that have a
  value; at a question they go to the branch that was heaviest when it was made (of
  equal ones to the lower, or to the category that came up first in the stream).
  Numbers beyond 1e140 are compared, but in no sums.
- Two branches of a split need `min_branch_share` of the rows that have a value.
- Naive Bayes: the leaf's class weights; (n_cv + 1) / (n_c + k) for a category, with k
  different ones at the leaf; for a number the normal distribution with a standard
  deviation of at least a thousandth of the range at the leaf, or, for a class with a
  weight of 1 or less there, any place in the range alike.
- Adaptive: naive Bayes, unless the majority was right about more rows of the leaf.
- Equal gains (to 1e-12): the first feature, the lowest cut. Equal weights: the class
  that is heavier in the nearest ancestor that decides, then the first in class order.
- Memory: when `max_bytes` is used up, and once in 10 000 rows, leaves are sorted by
  the weight of their wrong rows (for numbers: by their squared error). The first ones
  that have room in nine tenths of it stay awake or are woken; the others lose their
  sums, count, answer their majority, and are not split.

References
----------
Domingos, P. and Hulten, G. (2000). Mining high-speed data streams. KDD.
Pfahringer, B., Holmes, G. and Kirkby, R. (2008). Handling numeric attributes in
Hoeffding trees. PAKDD.
Holmes, G., Kirkby, R. and Pfahringer, B. (2005). Stress-testing Hoeffding trees. PKDD.
Ikonomovska, E., Gama, J. and Dzeroski, S. (2011). Learning model trees from evolving
data streams. Data Mining and Knowledge Discovery 23.
"""

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


HOEFFDING = HoeffdingSettings(name="hoeffding", criterion="entropy")
HOEFFDING_NUMBERS = HoeffdingSettings(name="hoeffding", criterion="squared_error")
