"""What is fitted in a trial: our learners, and scikit-learn's beside them.

A method takes a trial and returns errors in per cent by column. Growing with F = 1 and
with F = int(log2 M + 1) gives all columns of the forest: the forest with the smaller
out-of-bag error is the one that `max_features="oob"` keeps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

import treewright as tw
from breiman.columns import Errors, Grown, forest_columns, mean_of
from breiman.published import Row
from breiman.second_opinion import sklearn_boosting, sklearn_forests
from breiman.trials import Trial
from treewright.learners.forest.bags import Bagging, tree_keys

NO_LIMIT = 1_000_000  # of the depth of boosted trees, which are stumps otherwise
Method = Callable[[Trial, Row], Errors]


def our_forests(trial: Trial, row: Row) -> Errors:
    """Errors of both forests, of the one selected, and of its single trees."""

    def grown(n_features: int) -> Grown:
        forest = tw.RandomForestClassifier(
            row.n_trees,
            max_features=n_features,
            oob_score=True,
            random_state=trial.seed,
            n_jobs=1,
        ).fit(trial.train, trial.y_train)
        return Grown(
            out_of_bag=forest.oob_error_,
            forest=trial.error_of(forest.predict(trial.test)),
            one_tree=trees_out_of_bag(forest, trial),
            one_tree_test=_trees_tested(forest, trial),
        )

    return forest_columns(grown(1), grown(trial.n_several))


def our_boosting(trial: Trial, row: Row) -> Errors:
    """Error of AdaBoost.M1 with trees grown to the end, from rows drawn by weight.

    Weighing the rows instead would end with the first tree, which makes no error on
    the rows that it was grown from.
    """
    boosted = tw.AdaBoostClassifier(
        row.n_boosted,
        boosting="m1",
        by="resampling",
        max_depth=NO_LIMIT,
        random_state=trial.seed,
        n_jobs=1,  # trials are what is divided among processes
    ).fit(trial.train, trial.y_train)
    return {"adaboost": trial.error_of(boosted.predict(trial.test))}


METHODS: dict[str, Method] = {
    "forest": our_forests,
    "adaboost": our_boosting,
    "sklearn": sklearn_forests,
    "sklearn_adaboost": sklearn_boosting,
}
# whose errors are subtracted from whose, trial by trial
OURS = {"sklearn": "forest", "sklearn_adaboost": "adaboost"}


def trees_out_of_bag(forest: Any, trial: Trial) -> float:
    """Mean error of the trees, each on the training rows that are not in its bag."""
    n_rows = len(trial.y_train)
    bagging = Bagging(n_rows, n_rows, replace=True)
    keys = tree_keys(trial.seed, range(len(forest.trees_)))
    codes = np.searchsorted(forest.classes_, trial.y_train)
    said = _answers(forest, trial.train)
    outs = [bagging.counts(key) == 0 for key in keys]
    return 100.0 * mean_of(
        np.mean(said[out, number] != codes[out]) for number, out in enumerate(outs)
    )


def _trees_tested(forest: Any, trial: Trial) -> float:
    """Mean error of the trees on the test rows."""
    return mean_of(map(trial.error_of, forest.classes_[_answers(forest, trial.test)].T))


def _answers(forest: Any, table: pl.DataFrame) -> npt.NDArray[np.intp]:
    """The code of the class that each tree names for each row, a column per tree."""
    nodes = forest.apply(table)
    trees = enumerate(forest.trees_)
    return np.column_stack([tree.label[nodes[:, k], 0] for k, tree in trees])
