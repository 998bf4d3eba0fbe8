"""The same columns by scikit-learn, from the same rows.

scikit-learn has no nominal columns and boosts by weights alone, so votes are numbers
here, and the loop of AdaBoost is written out around its trees.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import polars as pl

from breiman.columns import Errors, Grown, forest_columns, mean_of
from breiman.published import Row
from breiman.trials import Labels, Trial


def sklearn_forests(trial: Trial, row: Row) -> Errors:
    """Errors of both forests, of the one selected, and of its single trees."""
    from sklearn.ensemble import RandomForestClassifier  # noqa: PLC0415 - slow

    train, test = as_numbers(trial.train, trial.test)

    def grown(n_features: int) -> Grown:
        forest = RandomForestClassifier(
            row.n_trees,
            max_features=n_features,
            oob_score=True,
            random_state=trial.seed,
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
            one_tree=100.0 * mean_of(out_of_bag),
            one_tree_test=mean_of(trial.error_of(forest.classes_[one]) for one in said),
        )

    return forest_columns(grown(1), grown(trial.n_several))


def sklearn_boosting(trial: Trial, row: Row) -> Errors:
    """Error of AdaBoost.M1 over trees grown to the end from rows drawn by weight."""
    from sklearn.tree import DecisionTreeClassifier  # noqa: PLC0415 - slow

    train, test = as_numbers(trial.train, trial.test)
    classes, codes = np.unique(trial.y_train, return_inverse=True)
    random = np.random.default_rng(trial.seed)
    n_rows = len(train)
    equal = np.full(n_rows, 1.0 / n_rows)
    weights, votes = equal, np.zeros((len(test), len(classes)))
    for _ in range(row.n_boosted):
        rows = random.choice(n_rows, n_rows, p=weights)
        tree = DecisionTreeClassifier(random_state=int(random.integers(2**31)))
        tree.fit(train[rows], codes[rows])
        wrong = tree.predict(train) != codes
        error = float(weights[wrong].sum())
        if error >= 0.5:
            weights = equal
            continue
        vote = math.log((1.0 - error) / error if error else 2.0 * n_rows + 1.0)
        votes[np.arange(len(test)), tree.predict(test)] += vote
        weights = weights * np.exp(vote * wrong) if error else equal
        weights = weights / weights.sum()
    return {"adaboost": trial.error_of(classes[votes.argmax(axis=1)])}


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
