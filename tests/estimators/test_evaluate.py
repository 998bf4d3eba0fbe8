"""`treewright.evaluate`: the figures of scikit-learn, from one encoded table."""

from __future__ import annotations

import doctest

import numpy as np
import pytest
from sklearn import metrics
from sklearn.datasets import load_diabetes, load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneOut,
    RepeatedStratifiedKFold,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_val_predict,
    cross_val_score,
)
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeRegressor

import treewright as tw
from refusals import refused
from treewright.errors import DataError, SettingError, TreewrightError
from treewright.estimators.judged import comparing, evaluating
from treewright.evaluation.comparing import comparison
from treewright.evaluation.errors import evaluation_text as columns_of_text

IRIS = load_iris(return_X_y=True, as_frame=True)
DIABETES = load_diabetes(return_X_y=True)
TEN = StratifiedKFold(10, shuffle=True, random_state=0)
CLASSIFIERS = [
    tw.C45Classifier(),
    tw.C45Classifier(dialect="j48"),
    tw.CARTClassifier(max_depth=3),
    tw.CARTClassifier(
        pruning="cost_complexity", alpha_choice="cross_validation", n_folds=3
    ),
    tw.TreeClassifier(pruning="reduced_error", validation_share=0.3),
    tw.ID3Classifier(discretize="mdl"),
    tw.RandomForestClassifier(n_estimators=5, random_state=1),
    tw.AdaBoostClassifier(n_estimators=4),
    tw.C45RulesClassifier(),
    make_pipeline(SelectKBest(k=2), tw.C45Classifier()),
    RandomForestClassifier(n_estimators=5, random_state=0),
    LogisticRegression(max_iter=1000),
]


@pytest.mark.slow
@pytest.mark.parametrize("estimator", CLASSIFIERS, ids=lambda one: str(one)[:40])
def test_errors_are_those_of_cross_val_score(estimator):
    found = tw.evaluate(estimator, *IRIS)
    expected = 1 - cross_val_score(estimator, *IRIS, cv=TEN)
    np.testing.assert_allclose(found.errors, expected, atol=1e-12)
    assert found.error.value == pytest.approx(expected.mean())


@pytest.mark.parametrize(
    "estimator",
    [
        tw.CARTRegressor(min_samples_leaf=5),
        tw.RandomForestRegressor(n_estimators=3, random_state=0),
        DecisionTreeRegressor(max_depth=3, random_state=0),
    ],
    ids=lambda one: type(one).__name__,
)
def test_errors_of_numbers_are_those_of_cross_val_score(estimator):
    X, y = DIABETES
    found = tw.evaluate(estimator, X, y, folds=5, random_state=3)
    folds = KFold(5, shuffle=True, random_state=3)
    expected = -cross_val_score(
        estimator, X, y, cv=folds, scoring="neg_root_mean_squared_error"
    )
    np.testing.assert_allclose(found.errors, expected)
    predicted = cross_val_predict(estimator, X, y, cv=folds)
    assert found.absolute_error.value == pytest.approx(
        metrics.mean_absolute_error(y, predicted)
    )
    assert found.r_squared == pytest.approx(metrics.r2_score(y, predicted))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("asked", "splitter"),
    [
        (
            {"folds": 3, "repeats": 4, "random_state": 5},
            RepeatedStratifiedKFold(n_splits=3, n_repeats=4, random_state=5),
        ),
        ({"leave_one_out": True}, LeaveOneOut()),
        ({"folds": TEN}, TEN),
        ({"folds": list(TEN.split(*IRIS))}, TEN),
    ],
)
def test_ways_to_divide_are_those_of_scikit_learn(asked, splitter):
    tree = tw.CARTClassifier(max_depth=2)
    found = tw.evaluate(tree, *IRIS, **asked)
    expected = 1 - cross_val_score(tree, *IRIS, cv=splitter)
    np.testing.assert_allclose(found.errors, expected, atol=1e-12)


def test_groups_are_never_on_both_sides():
    groups = np.repeat(np.arange(30), 5)
    found = tw.evaluate(tw.C45Classifier(), *IRIS, groups=groups, folds=6, repeats=2)
    assert len(found.outcomes.splits) == 12
    for split in found.outcomes.splits:
        assert not set(groups[split.train]) & set(groups[split.test])
    X, y = DIABETES
    groups = np.arange(len(y)) // 10
    folds = GroupKFold(4, shuffle=True, random_state=0)
    expected = -cross_val_score(
        tw.CARTRegressor(max_depth=2),
        X,
        y,
        groups=groups,
        cv=folds,
        scoring="neg_root_mean_squared_error",
    )
    found = tw.evaluate(tw.CARTRegressor(max_depth=2), X, y, groups=groups, folds=4)
    np.testing.assert_allclose(found.errors, expected)


def test_earlier_rows_answer_for_later_ones():
    X, y = DIABETES
    times = np.random.default_rng(0).permutation(len(y))
    order = np.argsort(times)
    tree = tw.CARTRegressor(max_depth=2)
    found = tw.evaluate(tree, X, y, times=times, folds=4)
    for split in found.outcomes.splits:
        assert times[split.train].max() < times[split.test].min()
    expected = -cross_val_score(
        tree,
        X[order],
        y[order],
        cv=TimeSeriesSplit(4),
        scoring="neg_root_mean_squared_error",
    )
    np.testing.assert_allclose(found.errors, expected)


@pytest.mark.slow
def test_figures_of_classes_are_those_of_scikit_learn():
    X, y = IRIS
    tree = tw.C45Classifier()
    found = tw.evaluate(tree, X, y)
    predicted = cross_val_predict(tree, X, y, cv=TEN)
    shares = cross_val_predict(tree, X, y, cv=TEN, method="predict_proba")
    np.testing.assert_allclose(
        found.confusion[:, :-1], metrics.confusion_matrix(y, predicted)
    )
    precision, recall, _, support = metrics.precision_recall_fscore_support(
        y, predicted
    )
    np.testing.assert_allclose([one.precision for one in found.classes], precision)
    np.testing.assert_allclose([one.recall for one in found.classes], recall)
    np.testing.assert_allclose([one.weight for one in found.classes], support)
    assert found.brier == pytest.approx(metrics.brier_score_loss(y, shares))
    area = cross_val_score(tree, X, y, cv=TEN, scoring="roc_auc_ovr")
    assert found.roc_area == pytest.approx(area.mean())


@pytest.mark.slow
def test_area_and_brier_of_two_classes_are_those_of_scikit_learn():
    X, y = IRIS
    y = np.where(y == 1, "yes", "no")
    tree = tw.CARTClassifier(max_depth=2)
    found = tw.evaluate(tree, X, y)
    area = cross_val_score(tree, X, y, cv=TEN, scoring="roc_auc")
    assert found.roc_area == pytest.approx(area.mean())
    shares = cross_val_predict(tree, X, y, cv=TEN, method="predict_proba")[:, 1]
    assert found.brier == pytest.approx(
        metrics.brier_score_loss(y, shares, pos_label="yes")
    )


@pytest.mark.slow
def test_leak_through_preprocessing_cannot_pass():
    # the target is a coin: 2,000 columns of noise, the best of which fit by chance
    draw = np.random.default_rng(1)
    X, y = draw.normal(size=(80, 2000)), draw.integers(0, 2, 80)
    chosen = SelectKBest(k=10).fit(X, y).transform(X)
    leaking = tw.evaluate(LogisticRegression(), chosen, y)
    honest = tw.evaluate(make_pipeline(SelectKBest(k=10), LogisticRegression()), X, y)
    assert leaking.error.high < 0.5
    assert honest.error.low < 0.5 < honest.error.high


def test_no_split_sees_anything_of_its_held_out_rows(monkeypatch):
    # every row has a number and a category of its own; what is learned from is kept
    n_rows = 40
    X = {"x": np.arange(n_rows) / 7, "k": [f"k{row}" for row in range(n_rows)]}
    y = np.tile(["a", "b"], n_rows // 2)
    seen = []
    prepared = tw.C45Classifier._prepared

    def spying(self, columns):
        seen.append(columns)
        return prepared(self, columns)

    monkeypatch.setattr(tw.C45Classifier, "_prepared", spying)
    found = tw.evaluate(tw.C45Classifier(), X, y, folds=5, n_jobs=1)
    # margins are of the tree of all rows
    parts = [columns for columns in seen if columns.n_rows < n_rows]
    for part, split in zip(parts, found.outcomes.splits, strict=True):
        values, categories = part.features[0].values, part.schema.features[1].categories
        assert not set(values) & set(X["x"][split.test])
        assert set(categories) == {f"k{row}" for row in split.train}


def test_threads_change_nothing():
    one = tw.evaluate(tw.C45Classifier(), *IRIS, n_jobs=1).to_dict()
    assert tw.evaluate(tw.C45Classifier(), *IRIS, n_jobs=4).to_dict() == one


def test_weights_count_in_learning_and_in_figures():
    X, y = IRIS
    weights = np.random.default_rng(0).integers(1, 4, len(y)).astype(float)
    found = tw.evaluate(tw.CARTClassifier(max_depth=2), X, y, sample_weight=weights)
    assert found.confusion.sum() == pytest.approx(weights.sum())
    split = found.outcomes.splits[0]
    tree = tw.CARTClassifier(max_depth=2).fit(
        X.iloc[split.train], y[split.train], sample_weight=weights[split.train]
    )
    right = tree.score(X.iloc[split.test], y[split.test], weights[split.test])
    assert found.errors[0] == pytest.approx(1 - right)


def test_stability_counts_the_roots_of_the_trees():
    X, y = DIABETES
    found = tw.evaluate(tw.CARTRegressor(max_depth=2), X, y)
    roots = [
        model.schema.features[model.trees[0].feature[0]].name for model in found.models
    ]
    root = found.places[0]
    assert root.path == ()
    assert root.n_same == roots.count(root.feature)
    assert root.n_trees == 10
    assert root.is_fragile


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        ({"folds": 151}, ["151 folds", "150 rows", "150 folds"]),
        ({"folds": 1}, ["folds", 1, 2]),
        ({"hold_out": 1.5}, ["hold_out", 1.5]),
        ({"folds": 5, "hold_out": 0.3}, ["folds", "hold_out"]),
        ({"leave_one_out": True, "repeats": 2}, ["leave_one_out", "repeats"]),
        ({"groups": np.zeros(150)}, ["group", 0.0]),
        ({"groups": np.arange(150) % 4, "folds": 5}, ["4 groups", "4 folds"]),
        ({"groups": [1, 2]}, ["groups", "(2,)", "150 rows"]),
        ({"times": np.arange(150), "repeats": 2}, ["times", "repeats"]),
        ({"level": 95}, ["level", 95, 0.95]),
        ({"folds": TEN, "repeats": 2}, ["folds", "repeats"]),
        ({"folds": "10"}, ["folds", "'10'"]),
        ({"random_state": "x"}, ["random_state", "'x'"]),
        ({"random_state": -1}, ["random_state", -1, 0]),
    ],
)
def test_what_cannot_be_divided_is_refused(asked, names):
    with refused(TreewrightError, *names):
        tw.evaluate(tw.C45Classifier(), *IRIS, **asked)


def test_target_that_cannot_be_evaluated_is_refused():
    X = np.arange(20.0).reshape(-1, 1)
    with refused(DataError, "'target'", "'a'"):
        tw.evaluate(tw.C45Classifier(), X, ["a"] * 20)
    with refused(DataError, "CARTRegressor", "CARTClassifier"):
        tw.evaluate(tw.CARTRegressor(), X, ["a", "b"] * 10)
    with refused(DataError, "'target0', 'target1'"):
        tw.evaluate(tw.CARTRegressor(), X, np.ones((20, 2)))
    with refused(TypeError, "X", "LogisticRegression"):
        tw.evaluate(LogisticRegression(), {"x": [1, 2, 3]}, ["a", "b", "a"])
    with refused(SettingError, "CARTRegressor", "CARTRegressor()"):
        tw.evaluate(tw.CARTRegressor, X, np.ones(20))


def test_class_with_fewer_rows_than_folds_is_said():
    X = np.arange(40.0).reshape(-1, 1)
    y = ["a"] * 20 + ["b"] * 17 + ["rare"] * 3
    found = tw.evaluate(tw.C45Classifier(), X, y)
    assert "1 class has fewer rows than the 10 folds, 'rare' (3)" in found.notes[0]
    alone = tw.evaluate(tw.C45Classifier(), X, list(range(40)), folds=5)
    assert "without regard to the classes" in alone.notes[0]
    assert alone.error.value == 1.0


def test_unseen_values_are_refused_if_that_is_asked_for():
    X = {"k": ["a", "b"] * 10 + ["alone"]}
    y = ["u", "v"] * 10 + ["u"]
    strict = tw.C45Classifier(unseen="error")
    with refused(DataError, "'k'", "unseen='missing'", "unseen='stop'"):
        tw.evaluate(strict, X, y, folds=3)
    assert tw.evaluate(tw.C45Classifier(unseen="stop"), X, y, folds=3)


@pytest.mark.parametrize("module", [comparing, evaluating, columns_of_text, comparison])
def test_examples_in_docstrings_run(module):
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0


@pytest.mark.parametrize("n_jobs", ["2", 2.5, True, [1], 0])
def test_numbers_of_threads_that_are_none_are_refused(n_jobs):
    X, y = tw.datasets.tennis()
    for task in (tw.evaluate, tw.tune):
        with refused(SettingError, "n_jobs", repr(n_jobs), None, -1):
            task(tw.ID3Classifier(), X, y, n_jobs=n_jobs)
