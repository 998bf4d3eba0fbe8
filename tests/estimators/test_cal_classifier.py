"""`CAL2Classifier` and `CAL3Classifier` as estimators: kept, shown, refused."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

import treewright as tw
from refusals import refused
from treewright import CAL2Classifier, CAL3Classifier
from treewright.errors import DataError, SettingError

X = {"x1": [0, 1, 0, 1, 0], "x2": [0, 0, 1, 1, 0], "x3": [1, 0, 4, 2, 3]}
y = [*"AABBA"]
BOTH = (CAL2Classifier, CAL3Classifier)


def _by_design(estimator):
    if isinstance(estimator, CAL3Classifier) and estimator.s1 == CAL3Classifier().s1:
        why = "which rows come first matters, and the check shuffles them"
        return {
            f"check_sample_weight_equivalence_on_{kind}_data": why
            for kind in ("dense", "sparse")
        }
    if estimator.when_exhausted == "stop":
        why = "rows that contradict each other end CAL2 before it has seen all"
        return {"check_classifiers_train": why}
    return {}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.* takes the numbers of a table without column")
@parametrize_with_checks(
    [
        CAL2Classifier(),
        CAL2Classifier(when_exhausted="go_on"),
        CAL2Classifier(when_exhausted="go_on", discretize="mdl"),
        CAL3Classifier(),
        CAL3Classifier(s1=20, s2=0.9, when_exhausted="go_on", discretize="quartiles"),
    ],
    expected_failed_checks=_by_design,
)
def test_they_keep_the_conventions(estimator, check):
    check(estimator)


@pytest.mark.slow
@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize("passes", [1, 1000])
def test_a_file_keeps_everything(kind, passes, tmp_path):
    tree = kind(max_passes=passes, attribute_order=["x3", "x1"]).fit(X, y)
    tree.save(tmp_path / "m.tw")
    again = tw.load(tmp_path / "m.tw")
    assert type(again) is kind
    assert again.max_passes == passes
    assert [*again.attribute_order] == ["x3", "x1"]
    assert again.fingerprint() == tree.fingerprint()
    assert [*again.predict(X)] == [*tree.predict(X)]
    assert again.chalk(X, y).to_text() == tree.chalk().to_text()
    copy = pickle.loads(pickle.dumps(tree))
    assert copy.fingerprint() == tree.fingerprint()
    assert [*tree.compact().predict(X)] == [*tree.predict(X)]
    assert clone(tree).fit(X, y).fingerprint() == tree.fingerprint()


@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize("passes", [1, 2, 1000])
def test_the_rules_are_the_tree(kind, passes):
    tree = kind(max_passes=passes).fit(X, y)
    grid = np.array(np.meshgrid([0, 1], [0, 1], range(5))).reshape(3, -1)
    rows = dict(zip(X, grid, strict=True))
    assert [*tree.rules().predict(rows)] == [*tree.predict(rows)]


@pytest.mark.parametrize("kind", BOTH)
def test_what_others_have_works_too(kind):
    tree = kind().fit(X, y)
    assert tree.to_text("lecture")
    assert "svg" in tree.to_svg()
    assert tree.explain({"x1": 0, "x2": 0, "x3": 1}).startswith("x1 = 0\n")
    assert tree.feature_importances_.sum() == pytest.approx(1.0)
    assert tree.predict_proba(X).sum(axis=1).tolist() == [1.0] * 5
    assert tree.prune("pessimistic").get_n_leaves() <= tree.get_n_leaves()
    assert len(tree.decision_path(X).toarray()) == 5
    assert "<html" in tree.to_html()


def test_a_pruned_tree_is_kept_too(tmp_path):
    table, play = tw.datasets.tennis()
    tree = CAL2Classifier().fit(table, play)
    smaller = tree.prune("pessimistic")
    assert smaller.get_n_leaves() < tree.get_n_leaves()
    smaller.save(tmp_path / "m.tw")
    again = tw.load(tmp_path / "m.tw")
    assert [*again.predict(table)] == [*smaller.predict(table)]
    with refused(SettingError, "chalk", "model.chalk(X, y)"):
        smaller.chalk()
    with refused(DataError, "chalk"):
        smaller.chalk(table, play)


@pytest.mark.parametrize(
    ("parameters", "names"),
    [
        ({"max_passes": 0}, ["max_passes", 0, 1]),
        ({"max_passes": 2.5}, ["max_passes", 2.5]),
        ({"max_passes": None}, ["max_passes", None]),
        ({"when_exhausted": "crash"}, ["when_exhausted", "'crash'"]),
        ({"missing": "fractional"}, ["missing", "'fractional'"]),
        ({"attribute_order": ["x9"]}, ["attribute_order", "'x9'", "'x1', 'x2', 'x3'"]),
        ({"attribute_order": ["x1", "x1"]}, ["attribute_order", "'x1'", "twice"]),
        ({"attribute_order": 3}, ["attribute_order", 3]),
        ({"attribute_order": [1]}, ["attribute_order", [1]]),
    ],
)
@pytest.mark.parametrize("kind", BOTH)
def test_parameters_out_of_range(kind, parameters, names):
    with refused(SettingError, *names):
        kind(**parameters).fit(X, y)


@pytest.mark.parametrize("s1", [0, -1, 1.5, None, True, "4"])
def test_s1_is_a_whole_number(s1):
    with refused(SettingError, "s1", repr(s1), 1):
        CAL3Classifier(s1=s1).fit(X, y)


@pytest.mark.parametrize("s2", [0.5, 0, 1.01, -1, None, "0.7", float("nan"), True])
def test_s2_is_above_one_half(s2):
    with refused(SettingError, "s2", repr(s2), 0.5):
        CAL3Classifier(s2=s2).fit(X, y)


@pytest.mark.parametrize("kind", BOTH)
def test_one_class_and_one_row(kind):
    tree = kind().fit(X, ["A"] * 5)
    assert tree.get_n_leaves() == 1
    assert [*tree.predict(X)] == ["A"] * 5
    single = kind().fit({"x": ["a"]}, ["A"])
    assert [*single.predict({"x": ["b"]})] == ["A"]


@pytest.mark.parametrize("kind", BOTH)
def test_tables_that_cannot_be_learned_from(kind):
    with refused(DataError, "'target'", 5, "CARTRegressor"):
        kind().fit(X, [0.1, 0.25, 0.7, 1.5, 3.25])
    with refused(DataError, "target", "2 columns"):
        kind().fit(X, np.array([y, y]).T)
    with refused(DataError, kind.__name__, "(5, 0)"):
        kind().fit(np.zeros((5, 0)), y)
    with refused(DataError, "weight", 0.5):
        kind().fit(X, y, sample_weight=[1, 1, 0.5, 1, 1])
    with refused(TypeError, kind.__name__, "'class_weight'"):
        kind(class_weight="balanced")


def test_a_weight_of_0_is_no_row():
    weighed = CAL2Classifier().fit(X, y, sample_weight=[1, 1, 0, 1, 1])
    fewer = {name: np.delete(cells, 2) for name, cells in X.items()}
    kinds = dict.fromkeys(X, "nominal")
    plain = CAL2Classifier(feature_kinds=kinds).fit(fewer, np.delete(y, 2))
    assert weighed.get_n_leaves() >= plain.get_n_leaves() > 1
    # row 4 is the third that comes, and is called 4
    assert "row 4   x1=1" in weighed.chalk().to_text()


def test_evaluated_and_compared():
    table, play = tw.datasets.tennis()
    found = tw.evaluate(CAL3Classifier(), table, play, folds=3)
    assert 0 <= found.error.value <= 1
    # whole numbers that become categories are found again in held-out rows
    numbers = {"x1": [0, 1] * 20, "x2": [3, 3, 7, 7] * 10}
    answers = [*"ABBA"] * 10
    assert tw.evaluate(CAL2Classifier(), numbers, answers, folds=4).error.value == 0
