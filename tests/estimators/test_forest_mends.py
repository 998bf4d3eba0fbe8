"""Forests that are handed other tables, damaged files and rows that do not count."""

import copy
import dataclasses
import pickle

import numpy as np
import polars as pl
import pytest

import treewright as tw
from refusals import refused
from treewright.errors import DataError, ModelFileError, SettingError, TreewrightError
from treewright.learners.forest.out_of_bag import OutOfBag


@pytest.fixture
def table():
    random = np.random.default_rng(0)
    X = random.normal(size=(150, 5))
    y = (X[:, 0] + 0.5 * random.normal(size=150) > 0).astype(int)
    return X, y


def flipped_out_of_bag(forest, y):
    """The target with other classes in rows that the first tree has not seen."""
    out = forest._grown_from.out_of_bag(0)
    other = y.copy()
    other[out] = 1 - other[out]
    return other


def test_rows_that_only_later_trees_have_seen_are_compared_too(table):
    X, y = table
    forest = tw.RandomForestClassifier(20, random_state=0, oob_score=True).fit(X, y)
    other = flipped_out_of_bag(forest, y)
    for change in (
        lambda: forest.ask_out_of_bag(X, other),
        lambda: forest.add_trees(5, X, other),
        lambda: forest.measure(X, other),
    ):
        with refused(DataError, "forest", "training", "150 rows"):
            change()


def test_a_forest_of_another_table_in_the_same_order_is_merged(table):
    X, y = table
    first = tw.RandomForestClassifier(5, random_state=0).fit(X, y)
    second = tw.RandomForestClassifier(5, random_state=1).fit(X * 2, y)
    merged = first.merge(second)
    means = (first.predict_proba(X) + second.predict_proba(X)) / 2
    assert np.allclose(merged.predict_proba(X), means)
    with pytest.raises(TreewrightError):
        merged.add_trees(1)


def test_halves_of_forests_of_two_tables_are_told_apart(table):
    X, y = table
    X2 = np.random.default_rng(1).normal(size=(150, 5))
    y2 = (X2[:, 2] > 0).astype(int)
    first = tw.RandomForestClassifier(10, random_state=0).fit(X, y)
    second = tw.RandomForestClassifier(10, random_state=0).fit(X2, y2)
    both = first.drop_trees(keep=range(5)).merge(second.drop_trees(keep=range(5, 10)))
    with refused(DataError, "forest", "training", "150 rows"):
        both.ask_out_of_bag(X, y)


def test_forests_that_vote_in_other_ways_are_not_merged(table):
    X, y = table
    mean = tw.RandomForestClassifier(3, random_state=0).fit(X, y)
    votes = tw.RandomForestClassifier(3, random_state=1, voting="votes").fit(X, y)
    with refused(DataError, "voting", "kind='mean'", "kind='votes'"):
        mean.merge(votes)


@pytest.mark.parametrize(
    "runs", [[[0, 0, 3 * 10**8]], [5], [[0, 0, "a"]], [[0, 0, -9]], "x", [[0, 0, 1]]]
)
def test_draws_of_a_damaged_file_are_refused(table, tmp_path, runs):
    X, y = table
    forest = tw.RandomForestClassifier(2, random_state=0).fit(X, y)
    settings = {**forest.model_.settings, "tree_draws": runs}
    forest.model_ = dataclasses.replace(forest.model_, settings=settings)
    forest.save(tmp_path / "damaged.tw")
    loaded = tw.load(tmp_path / "damaged.tw")
    with refused(SettingError, "2 trees", repr(runs), "damaged"):
        loaded.drop_trees([0])


def test_smoothed_probabilities_of_divided_rows_are_not_made_compact():
    nan = np.nan
    X = np.array([[2, 0], [0, 0], [0, 2], [2, 1], [nan, 0], [0, 1], [1, 1], [nan, 2]])
    y = [0, 0, 1, 2, 0, 2, 1, 1]
    model = tw.C45Classifier(probabilities="laplace").fit(X, y)
    with refused(SettingError, "compact", "probabilities='raw'"):
        model.compact()


def test_compact_trees_share_one_table_of_votes(table):
    X, y = table
    forest = tw.RandomForestClassifier(9, random_state=0, voting="votes").fit(X, y)
    small = forest.compact()
    assert (small.predict_proba(X) == forest.predict_proba(X)).all()
    assert len(small.model_._ballot._shared) == 1
    assert repr(small.trees_[0]).startswith("CompactTree(")


def test_rows_of_weight_0_are_noted(table):
    X, y = table
    forest = tw.RandomForestClassifier(2).fit(X, y, np.arange(150) % 3)
    assert forest.notes_[-1].startswith("50 rows of weight 0 or without a target left")


def test_rpart_trees_take_other_rules_for_missing_values(table):
    X, y = table
    X = np.where(np.random.default_rng(2).random(X.shape) < 0.1, np.nan, X)
    for missing in ("majority", "own_branch", "learned"):
        forest = tw.RandomForestClassifier(3, dialect="rpart", missing=missing)
        assert forest.fit(X, y).score(X, y) > 0.5


def test_prototypes_of_infinite_values():
    X = [[np.inf], [np.inf], [np.inf], [0.0], [1.0], [2.0]]
    forest = tw.RandomForestClassifier(20, random_state=0).fit(X, [0, 0, 0, 1, 1, 1])
    assert forest.prototypes()[0].values == {"x0": np.inf}


def test_a_measured_file_knows_its_out_of_bag_error(table, tmp_path):
    X, y = table
    forest = tw.RandomForestClassifier(20, random_state=0, oob_score=True).fit(X, y)
    forest.measure()
    forest.save(tmp_path / "forest.tw")
    assert tw.load(tmp_path / "forest.tw").oob_error_ == forest.oob_error_


@pytest.mark.parametrize("value", ["x", -1, 0, 0.5, None, [], True, 2**70, np.inf])
def test_a_file_that_says_what_nodes_looked_at_is_checked(table, tmp_path, value):
    forest = tw.RandomForestClassifier(2, random_state=0).fit(*table)
    settings = {**forest.model_.settings, "features_per_node": value}
    forest.model_ = dataclasses.replace(forest.model_, settings=settings)
    with refused(ModelFileError, "features_per_node", repr(value), 1) as error:
        forest.save(tmp_path / "damaged.tw")
        tw.load(tmp_path / "damaged.tw")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("features_per_node", 6),
        ("combined_features", "x"),
        ("combined_features", np.inf),
        ("n_estimators", [1]),
        ("random_state", "x"),
        ("bootstrap", 3),
        ("feature_kinds", 3),
        ("feature_kinds", "x"),
    ],
)
def test_settings_of_a_damaged_file_are_refused_in_one_line(
    table, tmp_path, name, value
):
    forest = tw.RandomForestClassifier(2, random_state=0).fit(*table)
    settings = {**forest.model_.settings, name: value}
    forest.model_ = dataclasses.replace(forest.model_, settings=settings)
    forest.save(tmp_path / "damaged.tw")
    for ask in (
        lambda damaged: damaged.ask_out_of_bag(*table),
        lambda damaged: damaged.add_trees(1, *table),
        lambda damaged: damaged.chalk(0, *table),
    ):
        with pytest.raises(TreewrightError) as error:
            ask(tw.load(tmp_path / "damaged.tw"))
        assert "\n" not in str(error.value)


def test_trees_of_a_compact_forest_keep_their_own_answers_alone(tmp_path):
    random = np.random.default_rng(3)
    X = random.normal(size=(400, 3))
    y = X[:, 0] + random.normal(size=400)  # nearly every leaf has an answer of its own
    forest = tw.RandomForestRegressor(20, min_samples_leaf=5, random_state=0).fit(X, y)
    small = forest.compact()
    few = small.drop_trees(keep=[3, 7])
    wanted = forest.drop_trees(keep=[3, 7])
    assert (few.predict(X) == wanted.predict(X)).all()
    assert few.trees_[0].answers is few.trees_[1].answers
    assert len(few.trees_[0].answers) <= sum(tree.node_count for tree in few.trees_)
    assert len(few.trees_[0].answers) < 0.2 * len(small.trees_[0].answers)
    sizes = []
    for number, each in enumerate([few, wanted.compact(), small.tree(3)]):
        each.save(tmp_path / f"{number}.tw")
        sizes.append((tmp_path / f"{number}.tw").stat().st_size)
    assert sizes[0] < 1.05 * sizes[1]
    assert sizes[2] < sizes[0]
    assert (tw.load(tmp_path / "0.tw").predict(X) == few.predict(X)).all()
    assert (small.tree(3).predict(X) == forest.tree(3).predict(X)).all()


@pytest.mark.parametrize("n_left_out", [0, 3])
def test_pickles_keep_the_out_of_bag_figures(table, n_left_out):
    X, y = table
    weights = np.ones(len(y))
    weights[:n_left_out] = 0
    forest = tw.RandomForestClassifier(20, random_state=0, oob_score=True)
    forest.fit(X, y, sample_weight=weights)
    for other in (pickle.loads(pickle.dumps(forest)), copy.deepcopy(forest)):
        assert other.oob_score_ == forest.oob_score_
        assert other.oob_error_ == forest.oob_error_
        for name in ("oob_curve_", "oob_decision_function_"):
            np.testing.assert_array_equal(getattr(other, name), getattr(forest, name))
        assert len(other.oob_decision_function_) == len(y)


def test_pickles_do_not_keep_the_rows(table):
    X, y = table
    forest = tw.RandomForestClassifier(20, random_state=0, oob_score=True).fit(X, y)
    pickled = pickle.loads(pickle.dumps(forest))
    assert not hasattr(pickled, "_grown_from")
    with refused(SettingError, "proximities", "proximities(X)"):
        pickled.proximities()


@pytest.mark.parametrize(
    ("change", "names"),
    [
        (lambda X, y: (X[:, :2], y), ["2 features", 5]),
        (lambda X, y: (X, np.where(y, "a", "b")), ["target", "classes"]),
        (lambda X, y: (X[:50], y[:50]), ["tree 1", "warm_start=False"]),
    ],
)
def test_going_on_with_another_table_says_what_differs(table, change, names):
    forest = tw.RandomForestClassifier(5, random_state=0, warm_start=True).fit(*table)
    before = forest.fingerprint()
    forest.set_params(n_estimators=8)
    other = change(*table)
    for go_on in (lambda: forest.fit(*other), lambda: forest.add_trees(3, *other)):
        with refused(DataError, *names):
            go_on()
    assert forest.fingerprint() == before


@pytest.mark.parametrize(
    "model",
    [
        tw.ExtraTreesClassifier(5, random_state=0),
        tw.AdaBoostClassifier(5),
        tw.RandomForestClassifier(5, random_state=0),
    ],
)
def test_compact_models_are_shown_in_figures(table, model):
    said = model.fit(*table).compact().to_text().splitlines()
    assert said[0] == model.to_text().splitlines()[0]
    assert said[-1] == "compact: which features count is not kept"


@pytest.mark.slow
@pytest.mark.parametrize("part", [{"depth": 1}, {"node": 0}])
def test_chalk_of_some_nodes_does_not_end_with_the_whole_tree(table, part):
    X, y = table
    forest = tw.RandomForestClassifier(3, random_state=0).fit(X, y)
    tree = tw.CARTClassifier().fit(X, y)
    for whole, some in (
        (forest.chalk(0), forest.chalk(0, **part)),
        (tree.chalk(), tree.chalk(**part)),
    ):
        assert " leaves, depth " in str(whole)
        assert " leaves, depth " not in str(some)
        assert " leaves, depth " in some.to_text(listing=True)


def test_a_class_to_fill_in_by_is_refused_where_there_are_several(table):
    X, y = table
    X = X.copy()
    X[3, 1] = np.nan
    both = np.column_stack([y, 1 - y])
    settings = {"missing": "most_common_in_class"}
    for model in (
        tw.RandomForestClassifier(3, random_state=0, **settings),
        tw.CARTClassifier(**settings),
    ):
        model.fit(X, y)
        with refused(DataError, "'x1'", "missing='most_common_in_node'"):
            model.fit(X, both)


@pytest.mark.parametrize("voting", ["mean", "votes"])
def test_forests_that_vote_grow_on(table, voting):
    settings = {"random_state": 0, "voting": voting}
    few = tw.RandomForestClassifier(3, warm_start=True, **settings).fit(*table)
    seven = tw.RandomForestClassifier(7, **settings).fit(*table).fingerprint()
    assert few.add_trees(4).fingerprint() == seven
    assert few.set_params(n_estimators=7).fit(*table).fingerprint() == seven


@pytest.mark.parametrize("spread", [3, 5, 200])
def test_light_rows_do_not_make_it_another_table(table, spread):
    X, y = table
    weights = np.random.default_rng(spread).lognormal(0, spread, len(y))
    for model, target in (
        (tw.RandomForestClassifier(5, random_state=0), y),
        (tw.RandomForestRegressor(5, random_state=0), X[:, 0] + y),
    ):
        forest = model.fit(X, target, sample_weight=weights)
        more = forest.add_trees(1)
        assert len(more.trees_) == 6
        other = target.copy()
        other[np.argmax(weights)] = target.max() - other[np.argmax(weights)]
        with refused(DataError, "forest", "table", "rows"):
            forest.add_trees(1, X, other, weights)


def test_trees_that_have_seen_all_rows_lose_nothing():
    random = np.random.default_rng(0)
    X = random.normal(size=(4, 2))
    X[0, 0] = np.nan
    forest = tw.RandomForestRegressor(20, random_state=0, missing="fractional")
    forest.fit(X, random.normal(size=4))
    seen_all = [len(forest._grown_from.out_of_bag(k)) == 0 for k in range(20)]
    assert any(seen_all)
    assert np.isfinite(forest.measure().importances).all()


def test_an_interrupted_fit_leaves_the_forest_before(table, monkeypatch):
    X, y = table
    forest = tw.RandomForestClassifier(5, random_state=0, oob_score=True).fit(X, y)
    before = forest.fingerprint(), forest.oob_error_, forest.measure().error

    def interrupted(self, columns):
        raise KeyboardInterrupt

    monkeypatch.setattr(OutOfBag, "by_given_rows", interrupted)
    with pytest.raises(KeyboardInterrupt):
        forest.fit(X[:80], y[:80])
    assert (forest.fingerprint(), forest.oob_error_, forest.measure().error) == before
    assert len(forest.oob_decision_function_) == len(y)
    assert forest._grown_from.columns.n_rows == len(y)


def test_a_frame_and_its_array_are_the_same_table(table):
    X, y = table
    frame = pl.DataFrame(X, schema=list("abcde"))
    named = tw.RandomForestClassifier(5, random_state=0).fit(frame, pl.Series("it", y))
    eight = tw.RandomForestClassifier(8, random_state=0).fit(frame, pl.Series("it", y))
    plain = tw.RandomForestClassifier(5, random_state=0).fit(X, y)
    more = named.add_trees(3, X, y)
    assert more.fingerprint() == eight.fingerprint()
    assert more.feature_names_in_.tolist() == list("abcde")
    assert len(plain.add_trees(3, frame, y).trees_) == 8
    assert (
        named.ask_out_of_bag(X, y).oob_error_
        == plain.ask_out_of_bag(frame, y).oob_error_
    )
    with refused(DataError, "'b'", "'a'"):
        named.add_trees(3, frame.select(list("bacde")), y)
