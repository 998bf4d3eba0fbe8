"""CAL2 and CAL3: signatures over the dialects of `treewright.learners`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from treewright.estimators.parts.inputs import warn_of_column_vector
from treewright.estimators.parts.parameters import (
    Discretize,
    FeatureKinds,
    documented,
    keeps_arguments,
)
from treewright.estimators.parts.tasks import ClassTask
from treewright.estimators.parts.tree_estimator import TreeEstimator
from treewright.grow.chalk.cal_record import CALRecord
from treewright.learners.cal.cal2 import CAL2
from treewright.learners.cal.cal3 import CAL3
from treewright.learners.chalked import refuse_other_rows
from treewright.render.chalk.cal_chalk import CALChalk


class CALTree(ClassTask, TreeEstimator):
    """The base of the two."""

    family, task = "cal", "classes"
    _takes_several = False
    arrays_are_nominal = True
    class_weight = None

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:  # type: ignore[override]
        """Learn the tree row by row.

        Parameters
        ----------
        X : data frame, array, dict of columns, list of rows or sparse matrix
            The features, a row for each case: pandas, polars, Arrow, NumPy, SciPy. The
            order of the rows matters.
        y : series, array or list
            The classes, one per row.
        sample_weight : array-like, optional
            How often each row comes in a pass, one directly after the other; whole
            numbers.

        Returns
        -------
        self
            The fitted estimator.
        """
        warn_of_column_vector(y)
        return super().fit(X, y, sample_weight)

    def chalk(  # type: ignore[override]
        self, X: Any = None, y: Any = None, sample_weight: Any = None
    ) -> CALChalk:
        """Return what each row changed, pass by pass.

        Parameters
        ----------
        X, y, sample_weight : optional
            What the tree was fitted with. Not needed after `fit`, which keeps a table
            of up to 200 000 cells in memory for this; needed for a loaded model.

        Returns
        -------
        CALChalk
            Printed, it is the working as text. `to_markdown`, `to_latex`, `to_html` and
            `to_json` give other forms.
        """
        model = self._fitted()
        columns = self._known(X, y, sample_weight, None, None).columns
        record = CALRecord()
        again = self._plan().fit(columns, record=record).model
        refuse_other_rows(again, model)
        return CALChalk(record, model)


@documented
class CAL2Classifier(CALTree):
    """CAL2: one row after the other, again and again, until nothing changes.

    Parameters
    ----------
    {parameters}

    Notes
    -----
    The tree starts as `*`, a leaf without a class. A row that falls on `*` puts its
    class there. A row that falls on another class makes that leaf a question about the
    next feature, in a fixed order, with its own class in its branch and `*` in the
    others. The rows are gone through again until a whole pass changes nothing; `notes_`
    says why and when learning ended. Which tree comes out depends on the order of rows
    and columns. If rows that agree in all features differ in the class, CAL2 stops at
    the first that it meets, unless `when_exhausted="go_on"`; `CAL3Classifier` is for
    such tables.

    Features are categories, with a branch for each value. Columns of up to 20 different
    whole numbers are taken as categories, other numbers are refused: divide them into
    intervals with `discretize`. A feature with one value is not asked about. Leaves
    that are still `*` answer nothing: rows that end there are unclassified.

    References
    ----------
    Unger, S. and Wysotzki, F. (1981). Lernfähige Klassifizierungssysteme.

    Examples
    --------
    >>> import treewright as tw
    >>> X = {"x1": [0, 1, 0, 1, 0], "x2": [0, 0, 1, 1, 0], "x3": [1, 0, 4, 2, 3]}
    >>> tree = tw.CAL2Classifier().fit(X, ["A", "A", "B", "B", "A"])
    >>> tree.get_n_leaves()
    4
    >>> tree.notes_[-1]
    'cal2 ended after 3 passes, 15 steps: the last pass changed nothing'
    """

    learner = "cal2"
    dialect = CAL2

    @keeps_arguments
    def __init__(
        self,
        *,
        max_passes: int = 1000,
        attribute_order: Sequence[str] | None = None,
        when_exhausted: str = "stop",
        missing: str = "own_branch",
        unseen: str = "stop",
        probabilities: str = "raw",
        prior_weight: float = 2.0,
        feature_kinds: FeatureKinds = None,
        discretize: Discretize = None,
        drop_missing_target: bool = False,
        strict: bool = False,
        n_jobs: int | None = None,
    ) -> None: ...


@documented
class CAL3Classifier(CALTree):
    """CAL3: as CAL2, but leaves count rows before they are decided.

    Parameters
    ----------
    {parameters}

    Notes
    -----
    A row is counted at the leaf where it falls. Once a leaf has counted `s1` rows it is
    decided: if one class has a share of `s2` or more, the leaf gets that class for
    good; else it becomes a question about the next feature, in a fixed order, and
    counting starts anew with the row at hand. The rows are gone through again until
    every leaf is closed, or a whole pass changes nothing (all rows fall on closed
    leaves); `notes_` says why and when learning ended. So classes may overlap: the
    larger `s2`, the larger the tree and the smaller its error.

    A leaf that has not counted `s1` rows when learning ends answers the class that it
    counted most often, of equal ones the first in class order. Features are as for
    `CAL2Classifier`. The nodes have the training rows that end there, which may be
    others than those that decided.

    References
    ----------
    Unger, S. and Wysotzki, F. (1981). Lernfähige Klassifizierungssysteme.

    Examples
    --------
    >>> import treewright as tw
    >>> X = {"x1": [0, 0, 0, 1, 1], "x2": [0, 1, 1, 0, 1]}
    >>> y = ["A", "B", "A", "B", "A"]
    >>> tree = tw.CAL3Classifier(s1=4, s2=0.7).fit(X, y)
    >>> round(1 - tree.score(X, y), 1)
    0.2
    """

    learner = "cal3"
    dialect = CAL3

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # a few rows can close the root
        tags.classifier_tags.poor_score = True
        return tags

    @keeps_arguments
    def __init__(
        self,
        *,
        max_passes: int = 1000,
        attribute_order: Sequence[str] | None = None,
        when_exhausted: str = "stop",
        missing: str = "own_branch",
        unseen: str = "stop",
        probabilities: str = "raw",
        prior_weight: float = 2.0,
        s1: int = 4,
        s2: float = 0.7,
        feature_kinds: FeatureKinds = None,
        discretize: Discretize = None,
        drop_missing_target: bool = False,
        strict: bool = False,
        n_jobs: int | None = None,
    ) -> None: ...
