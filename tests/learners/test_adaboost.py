"""AdaBoost against the published loop over textbook trees, and against scikit-learn."""

from __future__ import annotations

import csv
import math

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

import textbook
import treewright as tw
from conformance import datasets
from refusals import refused
from treewright.data.encoding.encode import encode
from treewright.errors import SettingError
from treewright.learners.boosting.adaboost import AdaBoostSettings, grow_adaboost
from treewright.learners.dialects.cart import CART
from treewright.tree.file.save import to_bytes


def small_table(seed, n_rows=30, n_classes=3):
    random = np.random.default_rng(seed)
    x = random.permutation(n_rows) / 8
    z = random.permutation(n_rows) / 4
    colour = random.choice(["red", "green", "blue"], n_rows)
    y = (np.digitize(x + z / 3, [2.0, 3.5]) + (colour == "red")) % n_classes
    flipped = random.random(n_rows) < 0.15
    y = np.where(flipped, random.integers(n_classes, size=n_rows), y)
    return {"x": x, "z": z, "colour": colour}, y


def textbook_answer(tree, row, features):
    while "split" in tree:
        test = tree["split"]
        branch = textbook.branch_of(test, features[test[1]], row[test[1]])
        tree = tree["branches"][branch]
    return tree["label"][0]


def boost_by_hand(table, y, depth, n_rounds, *, samme, weights=None):
    """Freund and Schapire's figure, and Zhu et al.'s, word for word."""
    names = list(table)
    rows = [
        dict(zip(names, row, strict=True)) for row in zip(*table.values(), strict=True)
    ]
    features = {"x": None, "z": None, "colour": ["blue", "green", "red"]}
    classes = sorted(set(y.tolist()))
    w = np.ones(len(y)) if weights is None else np.array(weights)
    w = w / w.sum()
    errors, votes, tally = [], [], np.zeros((len(y), len(classes)))
    for _ in range(n_rounds):
        tree = textbook.grow_cart(
            rows,
            features,
            y.tolist(),
            w.tolist(),
            criterion="gini",
            max_depth=depth,
            classes=[classes],
        )
        said = np.array([textbook_answer(tree, row, features) for row in rows])
        error = w[said != y].sum()
        if error == 0 or error >= (1 - 1 / len(classes) if samme else 0.5):
            break
        alpha = math.log((1 - error) / error)
        if samme:
            alpha += math.log(len(classes) - 1)
        errors.append(error)
        votes.append(alpha)
        tally[np.arange(len(y)), said] += alpha
        w = w * np.where(said != y, math.exp(alpha), 1.0)
        w /= w.sum()
    return errors, votes, tally


@pytest.mark.slow
@pytest.mark.parametrize("boosting", ["samme", "m1"])
@pytest.mark.parametrize(("seed", "depth"), [(0, 1), (1, 2), (2, 2), (3, 1)])
def test_rounds_are_those_of_the_textbook(boosting, seed, depth):
    table, y = small_table(seed, n_classes=2 if depth == 1 else 3)
    wanted = boost_by_hand(table, y, depth, 8, samme=boosting == "samme")
    model = tw.AdaBoostClassifier(8, boosting=boosting, max_depth=depth).fit(table, y)
    n_same = len(wanted[0])
    assert n_same >= 3
    np.testing.assert_allclose(model.estimator_errors_[:n_same], wanted[0], rtol=1e-9)
    np.testing.assert_allclose(model.estimator_weights_[:n_same], wanted[1], rtol=1e-9)
    shares = list(model.staged_predict_proba(table))[n_same - 1]
    tally = wanted[2] / wanted[2].sum(axis=1, keepdims=True)
    np.testing.assert_allclose(shares, tally, atol=1e-9)


def test_first_weights_are_those_of_the_rows():
    table, y = small_table(5)
    weights = np.random.default_rng(0).uniform(0.2, 3, len(y))
    wanted = boost_by_hand(table, y, 2, 5, samme=True, weights=weights)
    model = tw.AdaBoostClassifier(5, max_depth=2).fit(table, y, weights)
    np.testing.assert_allclose(model.estimator_errors_, wanted[0], rtol=1e-9)


def shared_table(name):
    path = datasets.DATA / f"{name}.csv"
    if not path.exists():
        pytest.skip(f"{path.name} is not there")
    with open(path, newline="") as file:
        rows = [row for row in list(csv.reader(file))[1:] if "?" not in row]
    rows = [row for row in rows if "" not in row]
    X = np.array([row[:-1] for row in rows], float)
    return X, np.unique([row[-1] for row in rows], return_inverse=True)[1]


@pytest.mark.slow
@pytest.mark.parametrize(
    "load",
    [
        lambda: load_iris(return_X_y=True),
        lambda: load_breast_cancer(return_X_y=True),
        lambda: load_wine(return_X_y=True),
        lambda: shared_table("breast-w"),
        lambda: shared_table("glass"),
        lambda: shared_table("sonar"),
    ],
    ids=["iris", "breast-cancer", "wine", "breast-w", "glass", "sonar"],
)
@pytest.mark.parametrize("rate", [1.0, 0.5])
def test_stumps_answer_as_scikit_learn_does(load, rate):
    X, y = load()
    ours = tw.AdaBoostClassifier(40, learning_rate=rate).fit(X, y)
    stump = DecisionTreeClassifier(max_depth=1, random_state=0)
    theirs = AdaBoostClassifier(
        stump, n_estimators=40, learning_rate=rate, random_state=0
    ).fit(X, y)
    assert len(ours.trees_) == len(theirs.estimators_)
    np.testing.assert_allclose(
        ours.estimator_errors_, theirs.estimator_errors_, rtol=1e-9
    )
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    for mine, other in zip(
        ours.staged_predict(X), theirs.staged_predict(X), strict=True
    ):
        np.testing.assert_array_equal(mine, other)


@pytest.mark.parametrize("boosting", ["samme", "c50"])
def test_progress_is_told_round_by_round_and_may_stop_it(boosting):
    X, y = load_iris(return_X_y=True)
    columns = encode(X, y, task="classes")
    told = []

    def progress(done, of):
        told.append((done, of))
        if done == 3:
            raise KeyboardInterrupt

    settings = AdaBoostSettings(n_estimators=9, boosting=boosting)
    with pytest.raises(KeyboardInterrupt):
        grow_adaboost(columns, CART.change(max_depth=1), settings, progress=progress)
    assert told == [(1, 9), (2, 9), (3, 9)]


@pytest.mark.parametrize("boosting", ["samme", "m1", "c50"])
def test_boosting_that_is_stopped_has_the_trees_of_its_rounds(boosting):
    X, y = load_iris(return_X_y=True)
    model = tw.AdaBoostClassifier(9, boosting=boosting, max_depth=2)
    stopped = model.fit(X, y, progress=lambda done, of: done < 4)
    assert stopped.notes_ == ("boosting was stopped after 4 of 9 rounds",)
    fewer = tw.AdaBoostClassifier(4, boosting=boosting, max_depth=2).fit(X, y)
    np.testing.assert_array_equal(stopped.predict_proba(X), fewer.predict_proba(X))


def test_progress_of_boosting_is_a_switch_or_a_function(capsys):
    X, y = load_iris(return_X_y=True)
    model = tw.AdaBoostClassifier(3).fit(X, y, progress=True)
    before = model.fingerprint()
    with refused(SettingError, "progress", 7, True, False):
        model.fit(X, y, progress=7)

    def fails(done, of):
        raise KeyError(done)

    with pytest.raises(KeyError):
        model.set_params(n_estimators=5).fit(X, y, progress=fails)
    assert model.fingerprint() == before


@pytest.mark.slow
@pytest.mark.parametrize("by", ["weights", "resampling"])
def test_same_bytes_for_any_number_of_threads(by):
    X, y = load_wine(return_X_y=True)
    X[::9, 3] = np.nan
    one = tw.AdaBoostClassifier(8, by=by, max_depth=3, random_state=0)
    models = [to_bytes(one.set_params(n_jobs=n).fit(X, y).model_) for n in (1, 2, 5)]
    assert len(set(models)) == 1


def test_a_perfect_tree_ends_it_with_a_finite_vote():
    X, y = [[1], [2], [3], [4]], [0, 0, 1, 1]
    model = tw.AdaBoostClassifier(50).fit(X, y)
    assert len(model.trees_) == 1
    assert model.estimator_errors_.tolist() == [0.0]
    assert model.estimator_weights_[0] == pytest.approx(math.log((1 - 0.1) / 0.1))
    assert "tree 1 has no errors" in model.notes_[-1]
    assert model.predict(X).tolist() == y


def test_a_first_tree_at_chance_is_kept():
    X, y = [[1], [1], [1], [1]], [0, 0, 1, 1]
    model = tw.AdaBoostClassifier().fit(X, y)
    assert len(model.trees_) == 1
    assert model.estimator_weights_.tolist() == [1.0]
    assert "ended with one tree: it is wrong on 50 %" in model.notes_[-1]


def test_a_later_tree_at_chance_is_thrown_away():
    # x says all there is to say; the mistakes that are left have equal features
    X, y = [[0], [0], [0], [1], [1], [1]], [0, 0, 1, 1, 1, 0]
    model = tw.AdaBoostClassifier(50).fit(X, y)
    assert len(model.trees_) == 1
    assert model.estimator_errors_[0] == pytest.approx(1 / 3)
    assert "ended after 1 tree: the next is wrong on 50 %" in model.notes_[-1]


def test_an_end_in_the_last_round_is_told_only_if_a_tree_was_thrown_away():
    X, y = [[0], [0], [0], [1], [1], [1]], [0, 0, 1, 1, 1, 0]
    model = tw.AdaBoostClassifier(2).fit(X, y)
    assert "ended after 1 tree" in model.notes_[-1]
    assert tw.AdaBoostClassifier(1).fit([[1], [2]], [0, 1]).notes_ == ()


def test_m1_needs_less_than_half_wrong():
    X, y = load_iris(return_X_y=True)
    random = np.random.default_rng(0)
    y = np.where(random.random(150) < 0.5, random.integers(3, 6, 150), y)
    m1 = tw.AdaBoostClassifier(30, boosting="m1").fit(X, y)
    assert len(m1.trees_) == 1
    assert "or boosting='samme', go on" in m1.notes_[-1]
    assert len(tw.AdaBoostClassifier(30).fit(X, y).trees_) == 30


def test_two_classes_are_the_same_to_both():
    X, y = load_breast_cancer(return_X_y=True)
    prints = {
        tw.AdaBoostClassifier(10, boosting=name).fit(X, y).fingerprint()
        for name in ("m1", "samme")
    }
    assert len(prints) == 1


def test_draws_begin_again_after_a_perfect_tree():
    X, y = [[1], [2], [3], [4]] * 3, [0, 0, 1, 1] * 3
    model = tw.AdaBoostClassifier(6, by="resampling", random_state=0).fit(X, y)
    assert len(model.trees_) == 6
    assert model.score(X, y) == 1.0


def test_draws_keep_a_tree_where_all_are_at_chance():
    X, y = [[1]] * 6, [0, 0, 0, 1, 1, 1]
    model = tw.AdaBoostClassifier(5, by="resampling", random_state=0).fit(X, y)
    assert len(model.trees_) == 1


def test_full_trees_are_boosted_by_draws():
    X, y = load_wine(return_X_y=True)
    rows = np.arange(len(y)) % 3 == 0
    one = tw.CARTClassifier().fit(X[~rows], y[~rows]).score(X[rows], y[rows])
    many = tw.AdaBoostClassifier(
        25, by="resampling", max_depth="none", random_state=0
    ).fit(X[~rows], y[~rows])
    assert len(many.trees_) == 25
    assert max(tree.depth for tree in many.trees_) > 2
    assert many.score(X[rows], y[rows]) > one


@pytest.mark.slow
@pytest.mark.parametrize("rate", [1.0, 30.0, 1e6, 1e-6])
def test_rows_far_lighter_than_others_do_no_harm(rate):
    random = np.random.default_rng(1)
    X = random.normal(size=(300, 4))
    y = (X[:, 0] + X[:, 1] * X[:, 2] > 0).astype(int)
    model = tw.AdaBoostClassifier(150, max_depth=4, learning_rate=rate).fit(X, y)
    assert np.isfinite(model.estimator_weights_).all()
    if rate == 1.0:
        assert model.score(X, y) == 1.0
