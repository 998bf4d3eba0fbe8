"""model.chalk(): whose rows it needs, and that it is about the model's own tree."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import treewright as tw
from refusals import refused
from treewright.errors import DataError, SettingError
from treewright.estimators.parts import kept


@pytest.fixture
def tennis():
    return tw.datasets.tennis()


ESTIMATORS = {
    "id3": tw.ID3Classifier(),
    "c45": tw.C45Classifier(),
    "j48": tw.C45Classifier(dialect="j48"),
    "cart": tw.CARTClassifier(),
    "cart by cross-validation": tw.CARTClassifier(
        pruning="cost_complexity", alpha_choice="cross_validation", n_folds=3
    ),
    "costs in growing": tw.CARTClassifier(
        cost_matrix={"No": {"Yes": 5}}, costs_in_growing=True
    ),
    "class weights": tw.CARTClassifier(class_weight="balanced"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ESTIMATORS)
def test_chalk_is_about_the_grown_tree(name, tennis):
    X, y = tennis
    tree = ESTIMATORS[name].fit(X, y)
    chalk = tree.chalk()
    root = chalk[0].step
    assert root.rows.n_rows == 14
    if not root.is_leaf and tree.get_n_leaves() > 1:
        feature = tree.feature_names_in_[tree.tree_.feature[0]]
        asked = {root.candidates[root.best].feature}
        asked |= {step.step.candidates[step.step.best].feature for step in chalk[1:]
                  if step.step.best is not None}  # fmt: skip
        assert feature in asked
    assert "root" in str(chalk)


def test_formula_of_the_lecture(tennis):
    chalk = tw.ID3Classifier().fit(*tennis).chalk()
    assert chalk[0].formula("Outlook") == (
        "0.9403 - 4/14*0 - 5/14*0.9710 - 5/14*0.9710 = 0.2467"
    )


def test_regression():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 2))
    tree = tw.CARTRegressor(max_depth=2).fit(X, X[:, 0] > 0)
    root = tree.chalk()[0].step
    assert root.measure == "squared_error"
    assert root.candidates[root.best].feature == "x0"
    assert root.candidates[0].n_tried == 59


def test_pickled_and_loaded_models_ask_for_the_rows(tennis, tmp_path):
    X, y = tennis
    tree = tw.ID3Classifier().fit(X, y)
    tree.save(tmp_path / "t.tw")
    for other in (pickle.loads(pickle.dumps(tree)), tw.load(tmp_path / "t.tw")):
        with refused(SettingError, "chalk", "model.chalk(X, y)"):
            other.chalk()
        assert len(other.chalk(X, y)) == 8


def test_large_tables_are_not_kept(tennis, monkeypatch):
    monkeypatch.setattr(kept, "MOST_KEPT", 50)
    tree = tw.ID3Classifier().fit(*tennis)
    with refused(SettingError, "chalk", "model.chalk(X, y)"):
        tree.chalk()


def test_other_rows_are_refused(tennis):
    X, y = tennis
    tree = tw.ID3Classifier().fit(X, y)
    with refused(DataError, "chalk"):
        tree.chalk(X[:9], y[:9])
    with refused(SettingError, "X", "without", "y"):
        tree.chalk(X)


def test_validation_and_folds_are_kept(tennis):
    X, y = tennis
    tree = tw.C45Classifier(pruning="reduced_error").fit(
        X, y, validation=(X[:7], y[:7])
    )
    assert len(tree.chalk().pruning.stages) >= 1
    assert len(tree.chalk(X, y, validation=(X[:7], y[:7]))) == len(tree.chalk())


def test_node_depth_and_row(tennis):
    X, y = tennis
    tree = tw.ID3Classifier().fit(X, y)
    assert [one.step.node for one in tree.chalk(depth=0)] == [0]
    assert [one.step.node for one in tree.chalk(node=2)] == [2]
    (way,) = tree.chalk(row=X[0]).walks
    assert way.answer == ("No",)
    with refused(SettingError, "node 50", 7):
        tree.chalk(node=50)


def test_the_table_may_change_after_fit():
    X = np.array([[0.0], [1.0], [2.0], [3.0]])
    tree = tw.CARTClassifier().fit(X, [0, 0, 1, 1])
    X[:] = 7
    assert tree.chalk()[0].step.candidates[0].threshold == 1.5
