"""AdaBoost: a signature over `learners/boosting/adaboost.py`."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any, NoReturn, Self

import numpy as np
import numpy.typing as npt

from treewright.data.encoding.weights import read_weights
from treewright.estimators.parts.inputs import warn_of_column_vector
from treewright.estimators.parts.kept import with_parameters
from treewright.estimators.parts.many_trees import ManyTrees
from treewright.estimators.parts.parameters import (
    ClassWeight,
    FeatureKinds,
    documented,
    keeps_arguments,
)
from treewright.estimators.parts.progress import told
from treewright.estimators.parts.settings import (
    check_data_parameters,
    checked_dialect,
)
from treewright.estimators.parts.tasks import ClassTask, known_codes
from treewright.learners.boosting.adaboost import Progress
from treewright.learners.forest.rules_of_forest import refuse_boosted
from treewright.learners.registry import LEARNERS
from treewright.tree.importance import mean_gained_shares
from treewright.tree.predict.vote import codes_of, labels_of
from treewright.tree.staged import staged_shares

Floats = npt.NDArray[np.float64]


@documented
class AdaBoostClassifier(ClassTask, ManyTrees):
    """Trees one after the other, each looking harder at what was wrong before.

    Parameters
    ----------
    {parameters}

    Notes
    -----
    All rows weigh the same at first. A tree's vote is the logarithm of its right weight
    over its wrong weight (SAMME adds log(classes - 1)), and the rows that it gets wrong
    weigh more in the next round. The answer is the class with the most votes;
    `predict_proba` gives the shares of the votes.

    Trees of CART are stumps unless `max_depth` says otherwise, as in scikit-learn: a
    tree that is grown to the end makes no errors, and boosting ends with it. Trees of
    C4.5 are pruned and grown to the end, as Freund and Schapire (1996) and Quinlan
    (1996) did it.

    A tree without errors ends boosting; it votes as if its error were 0.5 / (n + 1) on
    n rows. A tree no better than chance ends it, too, and is thrown away, unless it is
    the first. With `by="resampling"` both begin again from the first weights, with
    other draws, as in Breiman's arc-fs (1998). `notes_` say why there are fewer trees.

    `boosting="c50"` is boosting as C5.0 does it, as far as that is published: wrong
    rows gain weight by addition, later trees are no larger than the first, rows that
    cannot be won are given up, and a vote counts by the confidence of its leaf. R's
    `trials=10` is `n_estimators=10`.

    Differences from scikit-learn: its perfect tree votes 1; its shares are those of a
    softmax; a first tree at chance is an error there.

    References
    ----------
    Freund, Y. and Schapire, R. (1996). Experiments with a new boosting algorithm. ICML.
    Zhu, J., Zou, H., Rosset, S. and Hastie, T. (2009). Multi-class AdaBoost. Statistics
    and Its Interface 2, 349-360.

    Examples
    --------
    >>> import treewright as tw
    >>> X, y = tw.datasets.tennis()
    >>> model = tw.AdaBoostClassifier(10, max_depth=2).fit(X, y)
    >>> model.predict(X[:3])
    array(['No', 'No', 'Yes'], dtype=object)
    """

    family, task, learner = "adaboost", "classes", "adaboost"
    _takes_several = False
    dialects = LEARNERS["adaboost"].dialects("classes")
    dialect = dialects["cart"]
    own = LEARNERS["adaboost"].own
    dialect_text = (
        'Whose trees they are: "cart" (as None), "rpart", "id3", "c45", "j48", '
        '"lecture", "c50" (C4.5 with C5.0\'s switches; as None with boosting="c50"). '
        "Each keeps its own pruning; those without, cart, id3 and lecture, are one "
        'question deep unless max_depth says more ("none": no limit). A parameter '
        "that is None is as the dialect says."
    )

    random_state: Any
    boosting: str

    @keeps_arguments
    def __init__(
        self,
        n_estimators: int = 50,
        *,
        dialect: str | None = None,
        boosting: str = "samme",
        by: str = "weights",
        learning_rate: float = 1.0,
        random_state: Any = None,
        criterion: str | None = None,
        missing: str | None = None,
        unseen: str | None = None,
        confidence: float | None = None,
        max_depth: int | None = None,
        min_samples_split: float | None = None,
        min_samples_leaf: float | None = None,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        class_weight: ClassWeight = None,
        feature_kinds: FeatureKinds = None,
        drop_missing_target: bool = False,
        strict: bool = False,
        n_jobs: int | None = None,
    ) -> None: ...

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        progress: bool | Progress = False,
    ) -> Self:
        """Boost trees.

        Parameters
        ----------
        X : data frame, array, dict of columns, list of rows or sparse matrix
            The features, a row for each case: pandas, polars, Arrow, NumPy, SciPy.
        y : series, array or list
            The classes, one per row.
        sample_weight : array-like, optional
            The weights of the rows before the first round. A row of weight 0 is as if
            it were not there.
        progress : bool or function(done, total)
            True: a bar with the time left on stderr, where that is a terminal or a
            notebook. A function is told after each round; if it returns False, boosting
            ends with the trees that are there; what it raises goes through, and the
            estimator stays as it was.

        Returns
        -------
        self
            The fitted estimator.
        """
        dialect = checked_dialect(self)
        check_data_parameters(self)
        plan = self._plan(dialect)
        settings: Any = plan.own
        warn_of_column_vector(y)
        columns = self._columns_of(X, y, sample_weight, dialect)
        with told(
            progress, settings.n_estimators, doing="boosting", unit="rounds"
        ) as tell:
            boosted: Any = plan.fit(columns, n_jobs=self.n_jobs, progress=tell).made
        own = {**dataclasses.asdict(settings), "dialect": dialect.name}
        self.model_ = with_parameters(self, boosted.model, **own)
        self._errors = boosted.errors
        return self

    @property
    def estimator_weights_(self) -> Floats:
        """How much each tree counts."""
        model = self._fitted()
        return np.array([model.voting.weight(k) for k in range(len(model.trees))])

    @property
    def estimator_errors_(self) -> Floats:
        """Each tree's error in its round, by the weights of that round."""
        self._fitted()
        errors: Floats | None = self.__dict__.get("_errors")
        if errors is None:
            raise AttributeError(
                "estimator_errors_ is known after fit only; a model file does not keep "
                "it"
            )
        return errors

    @property
    def feature_importances_(self) -> Floats:
        """Share of each feature in what the splits gain, trees counted as they vote."""
        weights = self.estimator_weights_
        return mean_gained_shares(self.trees_, self.n_features_in_, weights)

    def staged_predict_proba(self, X: Any) -> Iterator[Floats]:
        """Yield the shares of the votes after 1, 2, ... trees."""
        model = self._model_for(X)
        for shares in staged_shares(model, model.encode(X)[0]):
            yield shares[0]

    def staged_predict(self, X: Any) -> Iterator[npt.NDArray[Any]]:
        """Yield the answers after 1, 2, ... trees."""
        target = self._fitted().schema.target
        for codes in self._staged_codes(X):
            yield labels_of(target, codes)

    def staged_score(
        self, X: Any, y: Any, sample_weight: Any = None
    ) -> Iterator[float]:
        """Yield the share of rows that are right after 1, 2, ... trees.

        Parameters
        ----------
        X : table
            Like the training table.
        y : series, array or list
            The classes of the rows.
        sample_weight : array-like, optional
            A weight per row.
        """
        target = self._fitted().schema.target
        actual = None
        for codes in self._staged_codes(X):
            if actual is None:
                actual = known_codes(y, len(codes), target)
                weights = read_weights(sample_weight, len(codes))
            right = (codes == actual)[:, 0]
            yield float(np.average(right, weights=weights))

    def rules(self, *_args: Any, **_options: Any) -> NoReturn:
        """Refuse: no rule of one tree says what boosted trees do together."""
        refuse_boosted(self._fitted())
        raise AssertionError("boosted trees have no rules")

    def _staged_codes(self, X: Any) -> Iterator[npt.NDArray[np.integer[Any]]]:
        model = self._model_for(X)
        for shares in staged_shares(model, model.encode(X)[0]):
            yield codes_of(model.schema.target, shares, model.voting)
