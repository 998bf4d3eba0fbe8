"""Trees of streams: their size, what reads them, and how good they become."""

from __future__ import annotations

import math
import pickle

import numpy as np
import polars as pl
import pytest
from made_streams import made_rows

import treewright as tw
from refusals import refused
from treewright.errors import SettingError
from treewright.learners.streams.checkpoint import checkpoint_bytes
from treewright.tree.file.save import save
from treewright.tree.structure.tree import Reason

SMALL = {"grace_period": 20, "delta": 0.1}


def fitted(n_rows=400, **switches):
    rows, labels = made_rows(n_rows, 5)
    return tw.HoeffdingTreeClassifier(**{**SMALL, **switches}).fit(rows, labels)


# ---- memory ----


@pytest.mark.slow
def test_the_tree_stays_within_its_bytes_and_leaves_wake_up_again():
    X, y = tw.datasets.hyperplane(60_000, noise=0.1, speed=0.001, random_state=0)
    small = tw.HoeffdingTreeClassifier(max_bytes=60_000, **SMALL)
    free = tw.HoeffdingTreeClassifier(max_bytes=None, **SMALL)
    awake = []
    for start in range(0, len(X), 2000):
        part = X[start : start + 2000], y[start : start + 2000]
        small.partial_fit(*part)
        free.partial_fit(*part)
        assert small.n_bytes_ <= 60_000
        arrays = small._learner.core.arrays()
        awake.append({int(k) for k in np.flatnonzero(arrays["awake"])})
    assert free.n_bytes_ > 3 * small.n_bytes_
    reasons = {Reason(int(one)) for one in small.tree_.reason}
    assert {Reason.ASLEEP, Reason.LEARNING} <= reasons
    # some leaf was awake, then not, then again
    assert any(_woke(leaf, awake) for leaf in set.union(*awake))
    assert small.score(X, y) > 0.6


def _woke(leaf, awake):
    states = [leaf in one for one in awake]
    first = states.index(True)
    asleep = [k for k in range(first, len(states)) if not states[k]]
    return bool(asleep) and any(states[asleep[0] :])


def test_the_size_does_not_grow_with_the_rows():
    X, y = tw.datasets.sea(20_000, random_state=0)
    tree = tw.HoeffdingTreeClassifier(max_bytes=100_000)
    sizes = []
    for _ in range(10):
        tree.partial_fit(X, y)
        sizes.append(len(checkpoint_bytes(tree._learner)))
    assert tree.n_rows_ == 200_000
    assert tree.n_bytes_ <= 100_000
    assert max(sizes[5:]) < 200_000


# ---- the tree, and the model that is made of it ----


@pytest.mark.parametrize("late", [False, True])
def test_the_model_answers_as_leaves_by_majority_do(late):
    rows, labels = made_rows(500, 8, classes=("a", "b", "c"), late=late)
    tree = tw.HoeffdingTreeClassifier(**SMALL, leaf_prediction="majority")
    tree.fit(rows, labels)
    others, _ = made_rows(300, 9, missing=0.4)
    others[0]["colour"] = "never seen"
    assert tree.predict(others).tolist() == tree.model_.predict(others).tolist()
    np.testing.assert_allclose(
        tree.predict_proba(others), tree.model_.predict_proba(others), rtol=1e-12
    )


def test_everything_that_reads_trees_reads_it(tmp_path):
    tree = fitted()
    assert tree.to_text()
    assert tree.rules()
    assert tree.to_svg()
    assert tree.to_json()
    assert tree.explain({"x": 1.0, "colour": "red", "n": 2.0, "size": "small"})
    assert tree.get_depth() >= 1
    assert tree.feature_importances_.sum() == pytest.approx(1.0)
    assert tree.decision_path(made_rows(5, 1)[0]).shape[0] == 5
    path = tmp_path / "model.tw"
    save(tree.model_, path)
    model = tw.load(path)
    assert isinstance(model, tw.HoeffdingTreeClassifier)
    assert model.fingerprint() == tree.fingerprint()
    with refused(SettingError, "checkpoint", "save", "fit"):
        model.partial_fit(*made_rows(5, 1))
    assert "majority of each leaf" in tree.notes_[-1]


def test_compact_keeps_the_answers_or_refuses():
    with refused(
        SettingError, "leaf_prediction='adaptive'", "leaf_prediction='majority'"
    ):
        fitted().compact()
    tree = fitted(leaf_prediction="majority")
    rows, _ = made_rows(50, 3)
    assert tree.compact().predict(rows).tolist() == tree.predict(rows).tolist()


def test_it_comes_to_agree_with_the_tree_of_all_rows():
    # a stationary stream: x1 + x2 against a threshold is approximated by both
    X, y = tw.datasets.sea(100_000, thresholds=[8.0], noise=0.0, random_state=3)
    new, truth = tw.datasets.sea(5_000, thresholds=[8.0], noise=0.0, random_state=4)
    whole = tw.CARTClassifier(min_samples_leaf=200).fit(X, y)
    stream = tw.HoeffdingTreeClassifier()
    agree = []
    for start in range(0, 100_000, 20_000):
        stream.partial_fit(X[start : start + 20_000], y[start : start + 20_000])
        agree.append((stream.predict(new) == whole.predict(new)).mean())
    assert agree[-1] > 0.97
    assert agree[-1] >= agree[0]
    assert stream.score(new, truth) > 0.97


def test_nominal_trees_ask_what_the_batch_tree_asks_first():
    for concept in (2, 3):
        X, y = tw.datasets.stagger(20_000, concepts=[concept], random_state=0)
        stream = tw.HoeffdingTreeClassifier().fit(X, y)
        batch = tw.ID3Classifier().fit(X, y)
        assert stream.score(X, y) == batch.score(X, y) == 1.0
        if concept == 3:  # of the others, two features gain the same
            assert stream.tree_.feature[0] == batch.tree_.feature[0] == 0


# ---- numbers ----


def test_the_best_cut_of_few_values_is_that_of_all_cuts():
    random = np.random.default_rng(0)
    x = random.integers(0, 30, 200).astype(float)
    y = np.where(x < 11, 0.0, 5.0) + 0.3 * random.normal(size=200)
    tree = tw.HoeffdingTreeRegressor(grace_period=200, delta=0.5).fit({"x": x}, y)

    def gain(cut):
        left, right = y[x <= cut], y[x > cut]
        after = (len(left) * left.var() + len(right) * right.var()) / len(y)
        return y.var() - after

    values = np.unique(x)
    cuts = (values[1:] + values[:-1]) / 2
    best = max(cuts, key=gain)
    assert tree.tree_.threshold[0] == best
    assert tree.tree_.gain[0] == pytest.approx(gain(best))
    assert tree.predict({"x": [0.0, 29.0]}) == pytest.approx(
        [y[x <= best].mean(), y[x > best].mean()]
    )


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e12])
@pytest.mark.parametrize("shift", [0.0, 1e6])
def test_many_values_are_cut_near_the_best_place(scale, shift):
    random = np.random.default_rng(1)
    x = (random.random(5000) + shift) * scale
    y = np.where(x < (0.37 + shift) * scale, 1.0, 2.0)
    tree = tw.HoeffdingTreeRegressor(max_depth=1).fit({"x": x}, y)
    place = tree.tree_.threshold[0] / scale - shift
    assert place == pytest.approx(0.37, abs=0.04)


def test_the_reduction_of_the_deviation_may_choose_otherwise():
    X, y = {"x": np.arange(400.0)}, np.where(np.arange(400) < 100, 0.0, 1.0)
    for reduction in ("variance", "deviation"):
        tree = tw.HoeffdingTreeRegressor(reduction=reduction, max_depth=1).fit(X, y)
        assert tree.tree_.n_leaves == 2
    gains = {
        one: tw.HoeffdingTreeRegressor(reduction=one, max_depth=1, grace_period=400)
        .fit(X, y)
        .tree_.gain[0]
        for one in ("variance", "deviation")
    }
    # pure halves (nearly): the whole of 3/16, and its root
    assert gains["variance"] == pytest.approx(3 / 16, rel=0.1)
    assert gains["deviation"] == pytest.approx(math.sqrt(3) / 4, rel=0.15)


def test_regression_answers_are_those_of_its_model():
    rows, _ = made_rows(600, 4)
    y = [0.0 if row["x"] is None else row["x"] ** 2 for row in rows]
    tree = tw.HoeffdingTreeRegressor(**SMALL).fit(pl.DataFrame(rows), y)
    assert tree.get_n_leaves() > 2
    assert tree.predict(rows).tolist() == tree.model_.predict(rows).tolist()


# ---- beside the other estimators ----


def test_it_is_evaluated_and_compared_as_any_estimator():
    X, y = tw.datasets.sea(1500, thresholds=[8.0], random_state=0)
    stream = tw.HoeffdingTreeClassifier()
    found = tw.evaluate(stream, X, y, folds=3)
    assert found.error.value < found.baseline
    assert tw.compare([stream, tw.CARTClassifier()], X, y, folds=3)
    for task, instead in {tw.report: "evaluate", tw.tune: "GridSearchCV"}.items():
        with refused(SettingError, "HoeffdingTreeClassifier", instead):
            task(stream, X, y)


@pytest.mark.parametrize("leaves", ["majority", "naive_bayes", "adaptive"])
def test_score_is_the_share_of_right_answers(leaves):
    tree = fitted(leaf_prediction=leaves)
    rows, labels = made_rows(300, 6)
    right = np.mean(tree.predict(rows) == np.array(labels))
    assert tree.score(rows, labels) == pytest.approx(right)


def test_rows_that_do_not_count_are_passed_over_in_mid_stream():
    rows, labels = made_rows(400, 5)
    tree = tw.HoeffdingTreeClassifier(**SMALL, drop_missing_target=True)
    tree.partial_fit(rows, labels)
    before = tree.fingerprint()
    tree.partial_fit([rows[0]], [None])
    tree.partial_fit([rows[0]], [labels[0]], sample_weight=[0.0])
    assert tree.fingerprint() == before
    assert tree.n_rows_ == 400
    assert len(tree.prequential([rows[0]], [None])) == 1
    numbers = tw.HoeffdingTreeRegressor(drop_missing_target=True)
    numbers.partial_fit([[1.0], [2.0]], [1.0, 2.0])
    assert np.isnan(numbers.prequential([[3.0]], [math.nan])).all()


def test_weighted_sums_survive_rounding():
    # 0.1 * 0.1 / 0.1 is more than 0.1: the mean of one row lies past it
    for cell, weight in ((0.1, 0.1), (0.84, 2.5), (0.22, 0.3)):
        tree = tw.HoeffdingTreeClassifier()
        tree.partial_fit([{"a": cell}], ["A"], sample_weight=[weight])
        assert pickle.loads(pickle.dumps(tree)).fingerprint() == tree.fingerprint()
        numbers = tw.HoeffdingTreeRegressor()
        numbers.partial_fit([{"a": cell}], [cell], sample_weight=[weight])
        pickle.loads(pickle.dumps(numbers))


def test_text_after_missing_cells_is_text():
    empty = pl.DataFrame({"b": pl.Series([None, None], dtype=pl.String)})
    tree = tw.HoeffdingTreeClassifier(grace_period=5, delta=0.5, tau=1.0)
    tree.partial_fit(empty, ["A", "B"])
    tree.partial_fit(pl.DataFrame({"b": ["1", "2"] * 40}), ["A", "B"] * 40)
    tree.partial_fit([{"b": "x"}], ["A"])
    assert tree.model_.schema.features[0].kind == "nominal"


def test_numbers_too_close_for_a_variance_have_shares():
    X = np.array([[1e-300], [-1e-300], [2e-300], [-2e-300]] * 20)
    tree = tw.HoeffdingTreeClassifier(leaf_prediction="naive_bayes")
    shares = tree.fit(X, ["A", "B"] * 40).predict_proba(X)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)


def test_splits_of_many_categories_keep_within_the_bound():
    draw = np.random.default_rng(0)
    codes = draw.integers(0, 3000, 9000)
    frame = pl.DataFrame({"a": [f"c{k}" for k in codes]})
    tree = tw.HoeffdingTreeClassifier(
        max_bytes=300_000, max_categories=10**6, grace_period=50, delta=0.5, tau=1.0
    )
    tree.partial_fit(frame, np.where(codes % 2, "odd", "even"))
    assert tree.n_bytes_ <= 300_000
