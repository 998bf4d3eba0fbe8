"""Trees added, dropped and merged: the same trees, and honest out-of-bag figures."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import treewright as tw
from refusals import refused
from treewright.errors import DataError, SettingError
from treewright.learners.forest.bags import Bagging, tree_keys


def rows(n_rows: int = 120, *, wide: bool = False) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(5)
    X = random.normal(size=(n_rows, 4)).round(1)
    y = (X[:, 0] + X[:, 1] * X[:, 2] > random.normal(size=n_rows) / 2).astype(int)
    if wide:  # numbers that floats would round have a table of cuts in the schema
        return (X * 10).astype(np.int64) + 2**60, y
    return X, y


def same_trees(one, other) -> None:
    assert one.fingerprint() == other.fingerprint()
    assert one.model_.settings == other.model_.settings
    for mine, its in zip(one.trees_, other.trees_, strict=True):
        for field in dataclasses.fields(mine):
            if field.name != "surrogates":
                np.testing.assert_array_equal(
                    getattr(mine, field.name), getattr(its, field.name)
                )


def oob_error(forest, X, y, draws) -> float:
    """The out-of-bag error by a loop over rows and trees."""
    bagging = Bagging(len(X), len(X), replace=True)
    bags = [bagging.counts(tree_keys(seed, range(n, n + 1))[0]) for seed, n in draws]
    said = [
        dataclasses.replace(forest.model_, trees=(tree,)).predict_proba(X)
        for tree in forest.trees_
    ]
    wrong = []
    for row in range(len(X)):
        votes = [p[row] for p, bag in zip(said, bags, strict=True) if bag[row] == 0]
        if votes:
            wrong.append(np.mean(votes, axis=0).argmax() != y[row])
    return float(np.mean(wrong))


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("oob", [False, True])
def test_warm_start_is_the_forest_grown_at_once(wide, oob):
    X, y = rows(wide=wide)
    at_once = tw.RandomForestClassifier(9, random_state=3, oob_score=oob)
    at_once.set_params(warm_start=True).fit(X, y)
    grown = tw.RandomForestClassifier(2, random_state=3, oob_score=oob, warm_start=True)
    for n_trees in (2, 5, 5, 9):
        grown.set_params(n_estimators=n_trees).fit(X, y)
        assert len(grown.trees_) == n_trees
    same_trees(grown, at_once)
    np.testing.assert_array_equal(grown.predict_proba(X), at_once.predict_proba(X))
    assert grown.notes_ == at_once.notes_
    if oob:
        np.testing.assert_array_equal(grown.oob_curve_, at_once.oob_curve_)


@pytest.mark.parametrize("learner", [tw.ExtraTreesClassifier, tw.ExtraTreesRegressor])
def test_extra_trees_go_on_as_if_grown_at_once(learner):
    X, y = rows()
    at_once = learner(9, random_state=3, warm_start=True).fit(X, y)
    grown = learner(2, random_state=3, warm_start=True).fit(X, y)
    grown.set_params(n_estimators=9).fit(X, y)
    same_trees(grown, at_once)
    np.testing.assert_array_equal(grown.predict(X), at_once.predict(X))


def test_warm_start_keeps_the_seed_that_nobody_gave():
    X, y = rows()
    forest = tw.RandomForestClassifier(2, warm_start=True).fit(X, y)
    seed = forest.model_.settings["random_state"]
    forest.set_params(n_estimators=4).fit(X, y)
    at_once = tw.RandomForestClassifier(4, random_state=seed).fit(X, y)
    assert forest.fingerprint() == at_once.fingerprint()


def test_warm_start_refuses_what_is_not_the_same():
    X, y = rows()
    forest = tw.RandomForestClassifier(4, random_state=0, warm_start=True).fit(X, y)
    with refused(SettingError, "warm_start=True", "max_depth=None", 3):
        forest.set_params(max_depth=3).fit(X, y)
    forest.set_params(max_depth=None, n_estimators=3)
    with refused(SettingError, "n_estimators", 3, 4, "drop_trees"):
        forest.fit(X, y)
    with refused(DataError, "tree 1", "warm_start=False"):
        forest.set_params(n_estimators=5).fit(X[::-1], y)
    assert len(forest.trees_) == 4


def test_numbers_go_on_too(tmp_path):
    X, _ = rows()
    at_once = tw.RandomForestRegressor(6, random_state=1, oob_score=True).fit(
        X, X[:, 1]
    )
    forest = tw.RandomForestRegressor(4, random_state=1, oob_score=True).fit(X, X[:, 1])
    more = forest.add_trees(2)
    same_trees(more, at_once)
    assert more.oob_score_ == at_once.oob_score_
    assert len(forest.trees_) == 4  # stays as it was
    forest.save(tmp_path / "f.tw")
    loaded = tw.load(tmp_path / "f.tw")
    with refused(SettingError, "add_trees", "X=..."):
        loaded.add_trees(2)
    same_trees(loaded.add_trees(2, X, X[:, 1]), at_once)


def test_dropped_trees_leave_the_others_and_their_out_of_bag_error(tmp_path):
    X, y = rows()
    forest = tw.RandomForestClassifier(8, random_state=2, oob_score=True).fit(X, y)
    fewer = forest.drop_trees([0, -1, 3])
    assert [id(tree) for tree in fewer.trees_] == [
        id(forest.trees_[number]) for number in (1, 2, 4, 5, 6)
    ]
    draws = [(2, number) for number in (1, 2, 4, 5, 6)]
    assert fewer.oob_error_ == pytest.approx(oob_error(fewer, X, y, draws))
    assert fewer.fingerprint() == forest.drop_trees(keep=[1, 2, 4, 5, 6]).fingerprint()
    more = fewer.add_trees(2)
    draws += [(2, 7), (2, 8)]
    assert more.oob_error_ == pytest.approx(oob_error(more, X, y, draws))
    more.save(tmp_path / "f.tw")
    loaded = tw.load(tmp_path / "f.tw")
    with refused(AttributeError, "oob_error_", "file", "ask_out_of_bag(X, y)"):
        _ = loaded.oob_error_
    assert loaded.ask_out_of_bag(X, y).oob_error_ == more.oob_error_


@pytest.mark.parametrize("wide", [False, True])
def test_a_merged_forest_is_the_mean_of_both(wide):
    X, y = rows(wide=wide)
    one = tw.RandomForestClassifier(6, random_state=0, oob_score=True).fit(X, y)
    other = tw.RandomForestClassifier(3, random_state=1, oob_score=True).fit(X, y)
    both = one.merge(other)
    wanted = (6 * one.predict_proba(X) + 3 * other.predict_proba(X)) / 9
    np.testing.assert_allclose(both.predict_proba(X), wanted)
    draws = [(0, number) for number in range(6)] + [(1, n) for n in range(3)]
    assert both.oob_error_ == pytest.approx(oob_error(both, X, y, draws))
    assert both.add_trees(2).drop_trees([6, 7, 8]).fingerprint() == (
        one.add_trees(2).fingerprint()
    )


def test_merged_with_another_table_the_out_of_bag_figures_are_gone():
    X, y = rows()
    one = tw.RandomForestClassifier(3, random_state=0, oob_score=True).fit(X, y)
    other = tw.RandomForestClassifier(3, random_state=0).fit(X[:60], y[:60])
    both = one.merge(other)
    assert any("some trees count twice" in note for note in both.notes_)
    assert not any(note.startswith("out-of-bag") for note in both.notes_)
    with refused(AttributeError, "oob_error_", "oob_score=True"):
        _ = both.oob_error_
    with refused(DataError, "tree 4", "warm_start=False"):
        both.ask_out_of_bag(X, y)


def test_forests_of_other_settings_merge_and_say_so(tmp_path):
    X, y = rows()
    one = tw.RandomForestClassifier(3, random_state=0).fit(X, y)
    both = one.merge(
        tw.RandomForestClassifier(2, max_depth=1, random_state=0).fit(X, y)
    )
    assert any("other settings: max_depth" in note for note in both.notes_)
    both.save(tmp_path / "f.tw")
    for forest in (both, tw.load(tmp_path / "f.tw"), both.drop_trees([0])):
        with refused(SettingError, "forests", "settings"):
            forest.add_trees(1, X, y)


@pytest.mark.parametrize(
    ("change", "names"),
    [
        (lambda X, y: (X[:, :3], y), ["features", "('x0', 'x1', 'x2')"]),
        (lambda X, y: (X, y + 1), ["classes", "((0, 1),)", "((1, 2),)"]),
        (lambda X, y: (X.astype(str), y), ["'x0'", "numeric", "nominal"]),
    ],
)
def test_what_reads_another_table_is_not_merged(change, names):
    X, y = rows()
    one = tw.RandomForestClassifier(2, random_state=0).fit(X, y)
    other = tw.RandomForestClassifier(2, random_state=0).fit(*change(X, y))
    with refused(DataError, *names):
        one.merge(other)


def test_bad_numbers_are_refused_in_one_line():
    X, y = rows()
    forest = tw.RandomForestClassifier(3, random_state=0).fit(X, y)
    for call, names in [
        (lambda: forest.drop_trees([3]), ["tree 3", 2]),
        (lambda: forest.drop_trees([1, 1]), ["twice"]),
        (lambda: forest.drop_trees([0, 1, 2]), ["3 trees"]),
        (forest.drop_trees, ["keep"]),
        (lambda: forest.drop_trees([0.5]), ["tree 0.5", 2]),
        (lambda: forest.add_trees(0), ["n_trees", 0]),
        (lambda: forest.add_trees(1, X), ["X", "without", "y"]),
        (
            lambda: forest.add_trees(X, y, 5),
            ["n_trees", "ndarray", "add_trees(10, X, y)"],
        ),
        (lambda: forest.prototypes(X, y), ["neighbours", "prototypes(X=X, y=y)"]),
        (lambda: forest.merge(tw.ID3Classifier()), ["ID3Classifier"]),
    ]:
        with refused(SettingError, *names) as caught:
            call()
        assert "\n" not in str(caught.value)
