"""`treewright.tune`: what scikit-learn's searches find, from one encoded table."""

from __future__ import annotations

import doctest
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_diabetes, load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_val_predict,
    cross_val_score,
)

import treewright as tw
from refusals import refused
from treewright.errors import DataError, SettingError, TreewrightError
from treewright.estimators.judged import tuning
from treewright.evaluation.cross_validation import Mean
from treewright.evaluation.tuning.tuning_search import Trial, chosen_trial

IRIS = load_iris(return_X_y=True, as_frame=True)
# as many rows as give equal folds, inside too
DIABETES = tuple(part[:400] for part in load_diabetes(return_X_y=True))
FIVE = StratifiedKFold(5, shuffle=True, random_state=0)
# names in order, as GridSearchCV puts them
CART = {"max_depth": [1, 2, 4, None], "min_samples_leaf": [1, 8]}


def leaves(estimator, X, y):
    trees = estimator.trees_ if hasattr(estimator, "trees_") else (estimator.tree_,)
    return sum(tree.n_leaves for tree in trees)


def simplest_within_one_se(results):
    """The 1-SE rule from what GridSearchCV tells, by hand."""
    wrong = 1 - results["mean_test_accuracy"]
    n_leaves, n_rows = results["mean_test_leaves"], results["n_rows"]
    best = min(range(len(wrong)), key=lambda n: (round(wrong[n], 9), n_leaves[n], n))
    limit = wrong[best] + math.sqrt(wrong[best] * (1 - wrong[best]) / n_rows)
    near = [n for n in range(len(wrong)) if wrong[n] <= limit + 1e-12]
    return min(near, key=lambda n: (n_leaves[n], round(wrong[n], 9), n))


def least_error(results):
    wrong, n_leaves = 1 - results["mean_test_accuracy"], results["mean_test_leaves"]
    return min(range(len(wrong)), key=lambda n: (round(wrong[n], 9), n_leaves[n], n))


def searching(estimator, space, choose, n_rows):
    scoring = {"accuracy": "accuracy", "leaves": leaves}
    return GridSearchCV(
        estimator,
        space,
        cv=FIVE,
        scoring=scoring,
        refit=lambda results: choose({**results, "n_rows": n_rows}),
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rule", "choose"),
    [("one_se", simplest_within_one_se), ("minimum", least_error)],
)
@pytest.mark.parametrize(
    ("estimator", "space"),
    [
        (tw.CARTClassifier(), CART),
        (
            tw.CARTClassifier(pruning="cost_complexity"),
            {"cp": [0, 0.01, 0.1], "max_depth": [2, None]},
        ),
        (tw.C45Classifier(), {"confidence": [0.01, 0.5], "min_samples_leaf": [2, 20]}),
        (
            tw.RandomForestClassifier(n_estimators=4, random_state=3),
            {"max_features": [1, 3], "min_samples_leaf": [1, 10]},
        ),
    ],
    ids=["cart", "cp", "c45", "forest"],
)
def test_nested_error_is_that_of_grid_search_in_cross_val_score(
    estimator, space, rule, choose
):
    found = tw.tune(estimator, *IRIS, space=space, rule=rule)
    search = searching(estimator, space, choose, 120)
    scores = cross_val_score(search, *IRIS, cv=FIVE, scoring="accuracy")
    np.testing.assert_allclose(found.nested.errors, 1 - scores, atol=1e-12)
    whole = searching(estimator, space, choose, 150).fit(*IRIS)
    assert found.settings == whole.best_params_
    assert found.chosen == whole.best_index_
    untuned = 1 - cross_val_score(estimator, *IRIS, cv=FIVE)
    np.testing.assert_allclose(found.untuned.errors, untuned, atol=1e-12)


@pytest.mark.slow
def test_trials_are_those_of_cross_val_score():
    found = tw.tune(tw.CARTClassifier(), *IRIS, space=CART)
    for trial in found.trials:
        tree = tw.CARTClassifier(**trial.settings)
        said = cross_val_predict(tree, *IRIS, cv=FIVE)
        wrong = np.asarray(said != IRIS[1], float)
        assert trial.loss.value == pytest.approx(wrong.mean())
        error = wrong.std() / math.sqrt(len(wrong))
        assert trial.loss.standard_error == pytest.approx(error)
        sizes = cross_val_score(tree, *IRIS, cv=FIVE, scoring=leaves)
        assert trial.size == pytest.approx(sizes.mean())


@pytest.mark.slow
def test_numbers_are_tuned_as_by_an_explicit_loop():
    X, y = DIABETES
    five = KFold(5, shuffle=True, random_state=0)
    space = {"max_depth": [1, 3, None], "min_samples_leaf": [1, 15]}
    found = tw.tune(tw.CARTRegressor(), X, y, space=space)
    errors = []
    for train, test in five.split(X):
        search = GridSearchCV(
            tw.CARTRegressor(), space, cv=five, scoring="neg_mean_squared_error"
        ).fit(X[train], y[train])
        losses = {}
        for n, settings in enumerate(search.cv_results_["params"]):
            tree = tw.CARTRegressor(**settings)
            said = cross_val_predict(tree, X[train], y[train], cv=five)
            size = cross_val_score(tree, X[train], y[train], cv=five, scoring=leaves)
            loss = (said - y[train]) ** 2
            assert loss.mean() == pytest.approx(
                -search.cv_results_["mean_test_score"][n]
            )
            losses[n] = (loss.mean(), loss.std() / math.sqrt(len(loss)), size.mean())
        best = min(losses.values())
        near = [n for n in losses if losses[n][0] <= best[0] + best[1]]
        chosen = min(near, key=lambda n: (losses[n][2], losses[n][0], n))
        tree = tw.CARTRegressor(**search.cv_results_["params"][chosen])
        said = tree.fit(X[train], y[train]).predict(X[test])
        errors.append(math.sqrt(np.mean((said - y[test]) ** 2)))
    np.testing.assert_allclose(found.nested.errors, errors)
    assert found.nested.error.value < found.untuned.error.value


def test_groups_and_times_hold_inside_too():
    X, y = DIABETES
    groups = np.arange(400) // 20
    how = {"space": {"max_depth": [2]}, "folds": 4, "inner_folds": 3}
    found = tw.tune(tw.CARTRegressor(), X, y, groups=groups, **how)
    outer = GroupKFold(4, shuffle=True, random_state=0)
    said = cross_val_predict(
        tw.CARTRegressor(max_depth=2), X, y, cv=outer, groups=groups
    )
    order = found.nested.outcomes.rows
    np.testing.assert_allclose(found.nested.outcomes.predicted, said[order])
    times = np.arange(400)[::-1]
    found = tw.tune(tw.CARTRegressor(), X, y, times=times, **how)
    expected = [test.tolist() for _, test in TimeSeriesSplit(4).split(X)]
    assert [(399 - split.test).tolist() for split in found.nested.outcomes.splits] == (
        expected
    )


trials = st.lists(
    st.tuples(st.integers(0, 30), st.integers(1, 8), st.integers(1, 6)),
    min_size=1,
    max_size=9,
)


@given(trials)
def test_one_se_rule_is_that_of_a_hand_loop(figures):
    tried = [
        Trial({"n": n}, Mean(error / 100, se / 100), float(size))
        for n, (error, se, size) in enumerate(figures)
    ]
    best = None
    for one in tried:
        key = (one.loss.value, one.size)
        if best is None or key < (best.loss.value, best.size):
            best = one
    chosen = None
    for one in tried:
        if one.loss.value > best.loss.value + best.loss.standard_error:
            continue
        key = (one.size, one.loss.value)
        if chosen is None or key < (chosen.size, chosen.loss.value):
            chosen = one
    assert tried[chosen_trial(tried, "minimum")] is best
    assert tried[chosen_trial(tried, "one_se")] is chosen
    assert chosen.size <= best.size


@pytest.mark.slow
@pytest.mark.parametrize(
    "estimator",
    [
        tw.ID3Classifier(discretize="mdl"),
        tw.C45Classifier(dialect="j48"),
        tw.C45Classifier(dialect="lecture"),
        tw.CARTClassifier(),
        tw.CARTClassifier(dialect="rpart"),
        tw.TreeClassifier(),
        tw.RandomForestClassifier(n_estimators=2),
        tw.ExtraTreesClassifier(n_estimators=2),
        tw.AdaBoostClassifier(n_estimators=2),
        tw.AdaBoostClassifier(n_estimators=2, boosting="c50"),
        tw.C45RulesClassifier(),
    ],
    ids=str,
)
def test_every_estimator_has_a_space(estimator):
    found = tw.tune(estimator, *IRIS, folds=2, inner_folds=2)
    assert len(found.trials) > 1
    assert type(estimator)(**{**estimator.get_params(), **found.settings})
    assert all(len(line) <= 80 for line in str(found).splitlines())


def test_settings_that_are_given_are_not_tried():
    found = tw.tune(tw.C45Classifier(confidence=0.1), *IRIS, folds=2, inner_folds=2)
    assert [trial.settings for trial in found.trials] == [
        {"min_samples_leaf": n} for n in (2, 5, 10)
    ]
    assert found.usual == 0
    given = tw.C45Classifier(confidence=0.1, min_samples_leaf=3)
    with refused(SettingError, "confidence, min_samples_leaf", "space"):
        tw.tune(given, *IRIS)


@pytest.mark.slow
def test_threads_change_nothing():
    forest = tw.RandomForestClassifier(n_estimators=3)
    found = [tw.tune(forest, *IRIS, n_jobs=n).to_dict() for n in (1, 2, 5)]
    assert found[0] == found[1] == found[2]


def test_class_with_fewer_rows_than_folds_is_named():
    X, y = IRIS[0][:103], IRIS[1][:103]
    found = tw.tune(tw.CARTClassifier(), X, y, space={"max_depth": [1, 2]})
    assert "1 class has fewer rows than the 5 folds, 2 (3)" in found.notes[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    "estimator",
    [
        tw.CARTClassifier(),
        tw.RandomForestClassifier(n_estimators=2),
        tw.C45Classifier(),
    ],
    ids=str,
)
def test_a_class_of_one_row_leaves_one_class_and_that_is_said(estimator):
    y = ["a"] * 11 + ["b"]
    space = {"min_samples_leaf": [1, 2]}
    found = tw.tune(estimator, {"x": list(range(12))}, y, space=space)
    assert any("all rows have the same target" in note for note in found.notes)
    # the only b is answered by a tree that has never seen one
    assert found.nested.error.value >= 1 / 12


TEXT = ["a", "b"] * 10
COLUMN = {"x": list(range(20))}


@pytest.mark.parametrize(
    ("estimator", "y", "how", "names"),
    [
        (tw.CARTClassifier(), ["a"] * 20, {}, ["'target'", "'a'"]),
        (tw.CARTRegressor(), TEXT, {}, ["CARTRegressor", "CARTClassifier"]),
        (tw.CARTClassifier(), TEXT, {"folds": 21}, ["21 folds", "20 rows"]),
        (tw.CARTClassifier(), TEXT, {"inner_folds": 17}, ["17 folds", "16 rows"]),
        (tw.CARTClassifier(), TEXT, {"folds": 1}, ["folds", 1, "2 or more"]),
        (tw.CARTClassifier(), TEXT, {"inner_folds": "x"}, ["folds", "'x'"]),
        (tw.CARTClassifier(), TEXT, {"groups": [1] * 20}, ["group", 1]),
        (tw.CARTClassifier(), TEXT, {"groups": TEXT}, ["2 groups", 3]),
        (tw.CARTClassifier(), TEXT, {"state": 3}, ["state", 3, "file"]),
        (
            tw.CARTClassifier(),
            TEXT,
            {"times": range(20), "folds": 9},
            ["outer fold 1", "2 rows"],
        ),
        (tw.CARTClassifier(), TEXT, {"rule": "best"}, ["rule", "'best'"]),
        (tw.CARTClassifier(), TEXT, {"level": 2}, ["level", 2, 0.95]),
        (tw.CARTClassifier(), TEXT, {"space": {}}, ["space", {}]),
        (
            tw.CARTClassifier(),
            TEXT,
            {"space": {"max_depth": 3}},
            ["space", "'max_depth'", 3, [3]],
        ),
        (
            tw.CARTClassifier(),
            TEXT,
            {"space": {"max_depth": []}},
            ["space", "'max_depth'", "no values"],
        ),
        (
            tw.CARTClassifier(),
            TEXT,
            {"space": {"max_depth": [2, 2]}},
            ["space", "'max_depth'", 2, "twice"],
        ),
        (
            tw.CARTClassifier(),
            TEXT,
            {"space": {"max_deph": [2]}},
            ["'max_deph'", "'max_depth'"],
        ),
        (
            tw.CARTClassifier(),
            TEXT,
            {"space": {"max_depth": [2, 0]}},
            ["max_depth", 0, 1],
        ),
        (tw.CARTClassifier(), TEXT, {"space": {"strict": [True]}}, ["space", "strict"]),
        (
            tw.CARTClassifier(),
            TEXT,
            {"space": {"max_depth": range(1, 2000)}},
            ["1,999"],
        ),
        (
            tw.RandomForestClassifier(),
            TEXT,
            {"space": {"max_features": [2]}},
            ["max_features", 2, 1],
        ),
        (
            tw.TreeClassifier(pruning="reduced_error", validation_share=0.3),
            TEXT,
            {},
            ["space", "cp", "pruning='cost_complexity'"],
        ),
        (LogisticRegression(), TEXT, {}, ["LogisticRegression", "GridSearchCV"]),
        (tw.CARTClassifier, TEXT, {}, ["CARTClassifier", "CARTClassifier()"]),
    ],
)
def test_what_cannot_be_tuned_is_refused_in_one_line(estimator, y, how, names):
    with refused(TreewrightError, *names) as caught:
        tw.tune(estimator, COLUMN, y, **how)
    assert isinstance(caught.value, (SettingError, DataError))
    assert "\n" not in str(caught.value)


def test_examples_in_docstrings():
    assert doctest.testmod(tuning).failed == 0
