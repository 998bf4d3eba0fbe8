"""ID3: a signature over the dialect of `treewright.learners.dialects.id3`."""

from __future__ import annotations

from typing import Any

from treewright.estimators.parts.parameters import (
    ClassWeight,
    Discretize,
    FeatureKinds,
    documented,
    keeps_arguments,
)
from treewright.estimators.parts.tasks import ClassTask
from treewright.estimators.parts.tree_estimator import TreeEstimator
from treewright.learners.dialects.id3 import ID3


@documented
class ID3Classifier(ClassTask, TreeEstimator):
    """Quinlan's ID3: one branch per value, the largest information gain first.

    Parameters
    ----------
    {parameters}

    Notes
    -----
    A node whose rows agree is a leaf. Otherwise the feature that tells most about the
    class is asked, with one branch for each of its values, and is not asked again
    further down. A branch without rows predicts the majority of its parent (or nothing:
    `empty_branch`); where no feature is left, the majority decides. Numeric columns of
    a named table are refused: divide them into intervals with `discretize`, declare
    them nominal with `feature_kinds`, leave them out, or use `CARTClassifier`.

    A table without column names (a NumPy array, a list of rows, a sparse matrix) does
    not say what its numbers mean. They are taken as names of categories, as encoders
    give them, with a warning where they have fractions; columns that `discretize`
    names are numbers.

    Differences from the original: the whole table is used at once, not a growing window
    of it; the chi-square test is made if `chi_square_level` is set; a missing value has
    a branch of its own; equal gains take the first column. Weka's Id3 is
    `min_gain=1e-6, label_ties="first", empty_branch="unclassified"`.

    References
    ----------
    Quinlan, J. R. (1986). Induction of decision trees. Machine Learning 1, 81-106.

    Examples
    --------
    >>> import treewright as tw
    >>> X, y = tw.datasets.tennis()
    >>> tree = tw.ID3Classifier().fit(X, y)
    >>> print(tree.to_text("lecture"))
    Outlook Overcast: Yes (4)
    Outlook Rain
    | Wind Strong: No (2)
    | Wind Weak: Yes (3)
    Outlook Sunny
    | Humidity High: No (3)
    | Humidity Normal: Yes (2)
    >>> print(tree.explain(X[:1]))
    Outlook = Sunny
    Humidity = High
    → PlayTennis No (3 training rows; 100 % of this class; pure)

    Numbers as named intervals:

    >>> ages = {"AGE": [0, 1, 2, 3, 4, 5]}
    >>> names = {"infant": (0, 2), "toddler": (3, 5)}
    >>> tree = tw.ID3Classifier(discretize={"AGE": names})
    >>> print(tree.fit(ages, ["no"] * 3 + ["yes"] * 3).to_text("lecture"))
    AGE infant: no (3)
    AGE toddler: yes (3)
    """

    family, task, learner = "id3", "classes", "id3"
    dialect = ID3
    arrays_are_nominal = True

    @keeps_arguments
    def __init__(
        self,
        *,
        criterion: str = "entropy",
        missing: str = "own_branch",
        unseen: str = "stop",
        empty_branch: str = "parent_distribution",
        costs_in_growing: bool = False,
        probabilities: str = "raw",
        prior_weight: float = 2.0,
        label_ties: str = "ancestor",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_leaf: float = 0.0,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity: float = 0.0,
        min_gain: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        chi_square_level: float | None = None,
        cost_matrix: Any = None,
        class_weight: ClassWeight = None,
        feature_kinds: FeatureKinds = None,
        discretize: Discretize = None,
        drop_missing_target: bool = False,
        strict: bool = False,
        n_jobs: int | None = None,
    ) -> None: ...
