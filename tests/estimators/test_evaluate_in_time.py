"""Rows in order of time, given splits, and curves that agree with the error."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import load_iris, load_wine
from sklearn.model_selection import KFold, TimeSeriesSplit

import treewright as tw
from refusals import refused
from treewright.errors import DataError, SettingError
from treewright.evaluation.comparing.ranks import Ranks

IRIS = load_iris(return_X_y=True)
TREE = tw.CARTClassifier()


def splits_of(found):
    return [(one.train, one.test) for one in found.outcomes.splits]


def test_training_rows_are_always_earlier():
    X, y = IRIS
    order = np.random.default_rng(0).permutation(len(y))
    X, y = X[order], y[order]
    times = np.random.default_rng(1).integers(0, 12, len(y))
    found = tw.evaluate(TREE, X, y, times=times, folds=5)
    assert splits_of(found)
    for train, test in splits_of(found):
        assert times[train].max() < times[test].min()
    assert "same time" in " ".join(found.notes)


def test_different_times_are_divided_as_scikit_learn_does():
    X, y = IRIS
    order = np.random.default_rng(0).permutation(len(y))
    found = tw.evaluate(TREE, X[order], y[order], times=np.arange(len(y)), folds=4)
    wanted = list(TimeSeriesSplit(4).split(X))
    for (train, test), (train_2, test_2) in zip(splits_of(found), wanted, strict=True):
        np.testing.assert_array_equal(train, train_2)
        np.testing.assert_array_equal(test, test_2)
    assert not found.notes


def test_texts_are_dates_or_no_times():
    X, y = IRIS
    days = np.datetime64("2023-01-01") + np.random.default_rng(0).permutation(len(y))
    iso = tw.evaluate(TREE, X, y, times=days.astype(str), folds=3)
    dates = tw.evaluate(TREE, X, y, times=days, folds=3)
    assert iso.error == dates.error
    german = [f"{d:02d}.{m:02d}.2023" for m in range(1, 7) for d in range(1, 26)]
    with refused(DataError, "time", "'01.01.2023'", "2023-12-31"):
        tw.evaluate(TREE, X, y, times=german)
    with refused(DataError, "time", 1, "2023-12-31"):
        tw.evaluate(TREE, X, y, times=np.array([1, "a"] * 75, dtype=object))


def test_one_moment_cannot_be_divided():
    X, y = IRIS
    with refused(DataError, "row", "times"):
        tw.evaluate(TREE, X, y, times=np.ones(len(y)))


def test_masks_are_rows():
    X, y = IRIS
    held = np.arange(len(y)) % 3 == 0
    by_mask = tw.evaluate(TREE, X, y, folds=[(~held, held)])
    pair = (np.flatnonzero(~held), np.flatnonzero(held))
    assert by_mask.error == tw.evaluate(TREE, X, y, folds=[pair]).error
    np.testing.assert_array_equal(by_mask.outcomes.rows, np.flatnonzero(held))


@pytest.mark.parametrize(
    ("folds", "names"),
    [
        ([([0, 1], [50.9])], ["masks"]),
        ([([0, 1, 2], [-1])], ["row -1", 0, 149]),
        ([([0, 1, 2], [150])], ["row 150", 149]),
        ([(range(40), range(30, 50))], ["both"]),
        ([1, 2, 3], [1, "(train, test)"]),
        ([([True, False], [False, True])], ["mask", "(2,)", "150 rows"]),
        ([([], [1])], ["without"]),
    ],
)
def test_splits_that_cannot_be_are_refused(folds, names):
    with refused(SettingError, "folds", *names):
        tw.evaluate(TREE, *IRIS, folds=folds)


@pytest.mark.slow
@pytest.mark.parametrize("how", [{"folds": 7}, {"folds": 10}])
def test_curves_end_at_the_error(how):
    X, y = load_wine(return_X_y=True)
    found = tw.evaluate(TREE, X, y, curves=True, **how)
    learning, size = found.curves
    assert learning.held_out[-1] == pytest.approx(found.error.value)
    assert size.held_out[-1] == pytest.approx(found.error.value)
    numbers = tw.evaluate(tw.CARTRegressor(), X, X[:, 0], curves=True, **how)
    assert numbers.curves[0].held_out[-1] == pytest.approx(numbers.error.value)


def test_curve_in_time_goes_to_all_earlier_rows():
    X, y = load_wine(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    times = np.arange(len(y))
    found = tw.evaluate(TREE, X[order], y[order], times=times, folds=4, curves=True)
    mean = np.mean([len(train) for train, _ in splits_of(found)])
    assert found.curves[0].x[-1] == pytest.approx(mean)
    assert found.curves[0].held_out[-1] == pytest.approx(found.error.value)


@pytest.mark.slow
def test_curves_of_leave_one_out_hold_out_more_rows():
    X, y = IRIS
    found = tw.evaluate(TREE, X, y, leave_one_out=True, curves=True)
    folds = tw.evaluate(TREE, X, y, curves=True)
    np.testing.assert_array_equal(found.curves[1].held_out, folds.curves[1].held_out)
    assert found.notes[-1] == "the curves are of 10-fold cross-validation"


@pytest.mark.slow
def test_rows_of_different_models_are_not_ranked_together():
    found = tw.evaluate(TREE, *IRIS, leave_one_out=True)
    assert found.roc_area is None
    assert "ROC" not in found.to_text()


def test_large_and_small_weights_change_nothing():
    X, y = IRIS
    plain = tw.evaluate(TREE, X, y)
    for weight in (1e300, 1e-200):
        found = tw.evaluate(TREE, X, y, sample_weight=np.full(len(y), weight))
        for wanted, value in zip(
            (plain.error.low, plain.error.value, plain.error.high, plain.roc_area),
            (found.error.low, found.error.value, found.error.high, found.roc_area),
            strict=True,
        ):
            assert value == pytest.approx(wanted)


def test_difference_is_tested_as_nadeau_and_bengio_do():
    X, y = load_wine(return_X_y=True)
    keep = np.r_[0:120, 140:178]  # folds of different sizes
    X, y = X[keep], y[keep]
    trees = {"one": tw.CARTClassifier(max_depth=1), "deep": tw.CARTClassifier()}
    folds = KFold(6, shuffle=True, random_state=0)
    found = tw.compare(trees, X, y, folds=folds)
    errors = [one.errors for one in found.evaluations]
    apart = errors[0] - errors[1]
    n_test = np.mean([len(test) for _, test in folds.split(X)])
    n_train = len(y) - n_test
    scale = np.sqrt((1 / 6 + n_test / n_train) * apart.var(ddof=1))
    p = 2 * stats.t.sf(abs(apart.mean() / scale), 5)
    assert found.p_of("one", "deep") == pytest.approx(p)


@pytest.mark.slow
def test_friedman_counts_ties():
    X, y = IRIS
    trees = {f"depth {k}": tw.CARTClassifier(max_depth=k) for k in (1, 2, 3, 4)}
    draw = np.random.default_rng(0)
    tables = {
        str(k): (X[rows], y[rows])
        for k in range(6)
        for rows in [draw.choice(len(y), 60, replace=False)]
    }
    found = tw.compare(trees, tables, folds=3)
    assert isinstance(found, Ranks)
    assert any(len(set(row)) < 4 for row in found.ranks.tolist())
    chi, _ = stats.friedmanchisquare(*found.ranks.T)
    ratio = 5 * chi / (6 * 3 - chi)
    assert found.friedman_p == pytest.approx(stats.f.sf(ratio, 3, 15))


@pytest.mark.parametrize("n_tables", [2, 3])
def test_friedman_of_tables_that_agree_is_the_chance_of_that(n_tables):
    # with two learners every table but the first agrees by chance half of the time
    draw = np.random.default_rng(0)
    tables = {}
    for name in map(str, range(n_tables)):
        X = draw.normal(size=(90, 2))
        tables[name] = (X, (X[:, 0] > 0).astype(int))
    trees = {
        "a tree": tw.CARTClassifier(),
        "a leaf": tw.CARTClassifier(min_samples_leaf=60),
    }
    found = tw.compare(trees, tables, folds=3)
    assert isinstance(found, Ranks)
    assert found.friedman_p == pytest.approx(0.5 ** (n_tables - 1))


def test_unknown_argument_of_compare_is_named():
    with refused(SettingError, "compare", "'fold'", "'folds'"):
        tw.compare([TREE, tw.C45Classifier()], *IRIS, fold=3)


def test_text_says_where_a_model_is_no_better_than_none():
    draw = np.random.default_rng(0)
    X, y = draw.normal(size=(80, 3)), np.arange(80) % 4 == 0
    found = tw.evaluate(TREE, X, y)
    assert found.error.value >= found.baseline
    assert "no better than always saying" in found.to_text()
    assert "no better" not in tw.evaluate(TREE, *IRIS).to_text()
    alone = tw.compare([TREE, tw.CARTClassifier(max_depth=2)], X, y)
    assert "beside no model: That is no better" in " ".join(alone.to_text().split())


def test_confusions_that_are_too_wide_for_a_table_are_a_list():
    draw = np.random.default_rng(0)
    labels = np.array([f"kind number {k}" for k in range(7)])
    y = labels[draw.integers(0, 7, 140)]
    found = tw.evaluate(TREE, draw.normal(size=(140, 2)), y)
    text = found.to_text()
    assert "taken for another class most often" in text
    wrong = found.confusion.copy()
    np.fill_diagonal(wrong, 0)
    was, said = np.unravel_index(np.argmax(wrong), wrong.shape)
    line = f"{labels[was]}  {labels[said]}"
    assert line in text
    assert "was \\ said" in found.to_text(width=200)


@pytest.mark.parametrize("width", [20, 40])
def test_narrow_terminals_lose_no_figure(width):
    found = tw.evaluate(TREE, *IRIS)
    text = found.to_text(width=width)
    words = " ".join(text.split())
    error = found.error
    interval = f"{100 * error.low:.1f} - {100 * error.high:.1f}"
    for figure in (f"{100 * error.value:.1f} %", interval, "66.7 %"):
        assert figure in words
    both = tw.compare([TREE, tw.C45Classifier()], *IRIS)
    assert f"{100 * error.value:.1f} %" in " ".join(both.to_text(width=width).split())
