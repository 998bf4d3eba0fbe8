"""What is fitted in a trial: our learners, and scikit-learn's forest beside them.

A method takes a trial and returns errors in per cent by column. Growing with F = 1 and
with F = int(log2 M + 1) gives all columns of the forest: the forest with the smaller
out-of-bag error is the one that `max_features="oob"` keeps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

import treewright as tw
from breiman.published import Row
from breiman.trials import Labels, Trial
from treewright.learners.bags import Bagging, tree_keys

NO_LIMIT = 1_000_000  # of the depth of boosted trees, which are stumps otherwise
Errors = dict[str, float]
Method = Callable[[Trial, Row], Errors]


@dataclass(frozen=True)
class Grown:
    """What one forest says of itself, and its errors in per cent.

    `one_tree` is of the single trees, each on the rows that it has not seen;
    `one_tree_test` of the single trees on the test rows.
    """

    out_of_bag: float
    forest: float
    one_tree: float
    one_tree_test: float


def our_forests(trial: Trial, row: Row) -> Errors:
    """Errors of both forests, of the one selected, and of its single trees."""

    def grown(n_features: int) -> Grown:
        forest = tw.RandomForestClassifier(
            row.n_trees,
            max_features=n_features,
            oob_score=True,
            random_state=trial.seed,
        ).fit(trial.train, trial.y_train)
        return Grown(
            out_of_bag=forest.oob_error_,
            forest=trial.error_of(forest.predict(trial.test)),
            one_tree=trees_out_of_bag(forest, trial),
            one_tree_test=_trees_tested(forest, trial),
        )

    return _columns(grown(1), grown(trial.n_several))


def our_boosting(trial: Trial, row: Row) -> Errors:
    """Error of AdaBoost.M1 with trees grown to the end, from rows drawn by weight.

    Weighing the rows instead would end with the first tree, which makes no error on
    the rows that it was grown from.
    """
    boosted = tw.AdaBoostClassifier(
        row.n_boosted,
        algorithm="m1",
        by="resampling",
        max_depth=NO_LIMIT,
        random_state=trial.seed,
    ).fit(trial.train, trial.y_train)
    return {"adaboost": trial.error_of(boosted.predict(trial.test))}


def sklearn_forests(trial: Trial, row: Row) -> Errors:
    """The same as `our_forests`, by scikit-learn, from the same rows."""
    from sklearn.ensemble import RandomForestClassifier  # noqa: PLC0415 - slow

    train, test = as_numbers(trial.train, trial.test)

    def grown(n_features: int) -> Grown:
        forest = RandomForestClassifier(
            row.n_trees,
            max_features=n_features,
            oob_score=True,
            random_state=trial.seed,
            n_jobs=2,
        ).fit(train, trial.y_train)
        pairs = zip(forest.estimators_, forest.estimators_samples_, strict=True)
        codes = np.searchsorted(forest.classes_, trial.y_train)
        out_of_bag = []
        for tree, bag in pairs:
            out = np.bincount(bag, minlength=len(train)) == 0
            out_of_bag.append(np.mean(tree.predict(train[out]) != codes[out]))
        said = [tree.predict(test).astype(int) for tree in forest.estimators_]
        return Grown(
            out_of_bag=1.0 - forest.oob_score_,
            forest=trial.error_of(forest.predict(test)),
            one_tree=100.0 * float(np.mean(out_of_bag)),
            one_tree_test=mean_of(trial.error_of(forest.classes_[one]) for one in said),
        )

    return _columns(grown(1), grown(trial.n_several))


METHODS: dict[str, Method] = {
    "forest": our_forests,
    "adaboost": our_boosting,
    "sklearn": sklearn_forests,
}


def _columns(single: Grown, several: Grown) -> Errors:
    # of equal out-of-bag errors the fewer features, as `max_features="oob"` has it
    chosen = single if single.out_of_bag <= several.out_of_bag else several
    return {
        "selection": chosen.forest,
        "single": single.forest,
        "several": several.forest,
        "one_tree": chosen.one_tree,
        "one_tree_single": single.one_tree,
        "one_tree_several": several.one_tree,
        "one_tree_test": chosen.one_tree_test,
        "chose_single": 100.0 * float(chosen is single),
    }


def mean_of(errors: Iterable[float]) -> float:
    """The plain mean."""
    return float(np.mean(list(errors)))


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


def as_numbers(*tables: pl.DataFrame) -> list[npt.NDArray[np.float64]]:
    """Return tables as numbers: categories by their rank, gaps by the median.

    Ranks and medians are those of the first table.
    """
    columns: list[list[Labels]] = [[] for _ in tables]
    for name in tables[0].columns:
        known = tables[0][name].drop_nulls()
        for table, out in zip(tables, columns, strict=True):
            column = table[name]
            if column.dtype == pl.String:
                values = known.unique().sort().to_list()
                ranks = [values.index(v) if v in values else -1 for v in column]
                out.append(np.array(ranks, np.float64))
            else:
                out.append(column.fill_null(known.median()).to_numpy())
    return [np.column_stack(each) for each in columns]
