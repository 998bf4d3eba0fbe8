"""Fitted estimators kept and found again: files, pickles, joblib, copies."""

from __future__ import annotations

import copy
import pickle

import joblib
import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.exceptions import NotFittedError

from refusals import refused
from treewright import (
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    TreeClassifier,
    TreeRegressor,
    datasets,
    load,
)
from treewright.data.encoding.encode import encode
from treewright.errors import FileReadError, ModelFileError
from treewright.learners.dialects.aima import AIMA
from treewright.learners.dialects.id3 import ID3
from treewright.learners.recipe import grow_tree
from treewright.tree.file.save import from_bytes, save, to_bytes

NUMBERS = np.arange(40.0).reshape(10, 4) % 7


def fitted():
    """Return estimators of all kinds with tables that they are fitted on."""
    tennis, play = datasets.tennis()
    iris, flower = load_iris(return_X_y=True)
    body, disease = load_diabetes(return_X_y=True)
    two_classes = [["a", 0], ["b", 1]] * 5
    return [
        (ID3Classifier(max_depth=2, unseen="missing").fit(tennis, play), tennis),
        (CARTClassifier(class_weight={0: 2.0, 1: 1.0, 2: 1}).fit(iris, flower), iris),
        (CARTClassifier(criterion="entropy").fit(NUMBERS, two_classes), NUMBERS),
        (CARTRegressor(min_samples_leaf=0.1).fit(body, disease), body),
        (
            CARTRegressor(criterion="absolute_error").fit(NUMBERS, NUMBERS[:, :2]),
            NUMBERS,
        ),
        (TreeClassifier(nominal_splits="multiway").fit(tennis, play), tennis),
        (
            TreeRegressor(
                feature_kinds={"x0": "nominal", "x1": [0, 1, 2, 3, 4, 5, 6]},
                reuse_features=False,
            ).fit(NUMBERS, NUMBERS[:, 3]),
            NUMBERS,
        ),
        (TreeClassifier(min_samples_leaf=np.int64(2)).fit(iris, flower), iris),
        (
            CARTClassifier(strict=True, drop_missing_target=True).fit(
                [[2**60], [2**60 + 1]], [True, False]
            ),
            [[2**60], [2**60 + 1]],
        ),
    ]


CASES = fitted()


def assert_same(tree, other, table):
    assert type(other) is type(tree)
    assert other.get_params() == tree.get_params()
    assert to_bytes(other.model_) == to_bytes(tree.model_)
    np.testing.assert_array_equal(other.predict(table), tree.predict(table))
    assert other.predict(table).dtype == tree.predict(table).dtype
    assert hasattr(other, "feature_names_in_") == hasattr(tree, "feature_names_in_")
    if hasattr(tree, "predict_proba"):
        np.testing.assert_array_equal(
            other.predict_proba(table), tree.predict_proba(table)
        )
        assert repr(other.classes_) == repr(tree.classes_)


@pytest.mark.parametrize(("tree", "table"), CASES)
def test_file_gives_back_the_estimator(tree, table, tmp_path):
    tree.save(tmp_path / "model.tw")
    assert_same(tree, load(tmp_path / "model.tw"), table)


@pytest.mark.slow
@pytest.mark.parametrize("protocol", [2, pickle.HIGHEST_PROTOCOL])
@pytest.mark.parametrize(("tree", "table"), CASES)
def test_pickle_gives_back_the_estimator(tree, table, protocol):
    assert_same(tree, pickle.loads(pickle.dumps(tree, protocol)), table)


@pytest.mark.parametrize(("tree", "table"), CASES)
def test_joblib_gives_back_the_estimator(tree, table, tmp_path):
    joblib.dump(tree, tmp_path / "tree.joblib")
    assert_same(tree, joblib.load(tmp_path / "tree.joblib"), table)


def test_copy_is_the_same():
    tree, table = CASES[0]
    assert_same(tree, copy.deepcopy(tree), table)


def test_unfitted_estimator_is_pickled_too():
    tree = pickle.loads(pickle.dumps(CARTClassifier(max_depth=7, n_jobs=2)))
    assert (tree.max_depth, tree.n_jobs) == (7, 2)
    assert not hasattr(tree, "model_")


def test_pickle_holds_the_bytes_of_the_file_and_is_checked():
    state = CASES[0][0].__getstate__()
    assert from_bytes(state["model_"]).learner == "id3"
    broken = {**state, "model_": state["model_"][:-1]}
    with pytest.raises(ModelFileError):
        ID3Classifier().__setstate__(broken)


def test_loaded_estimator_can_be_fitted_again(tmp_path):
    tree, _ = CASES[0]
    tree.save(tmp_path / "model.tw")
    again = load(tmp_path / "model.tw").fit(*datasets.tennis())
    assert to_bytes(again.model_) == to_bytes(tree.model_)


@pytest.mark.parametrize(
    ("dialect", "estimator"),
    [
        (ID3, ID3Classifier()),
        (ID3.change(max_depth=1), ID3Classifier(max_depth=1)),
        (
            ID3.change(numeric_splits="midpoint"),
            TreeClassifier(
                criterion="entropy",
                nominal_splits="multiway",
                missing="own_branch",
                reuse_features=False,
            ),
        ),
        (
            AIMA,
            TreeClassifier(
                criterion="entropy",
                nominal_splits="multiway",
                numeric_splits="refuse",
                missing="own_branch",
                reuse_features=False,
            ),
        ),
    ],
)
def test_model_of_any_dialect_comes_as_an_estimator(dialect, estimator, tmp_path):
    """As the command line writes them: without the parameters of an estimator."""
    X, y = datasets.tennis()
    save(grow_tree(encode(X, y, task="classes"), dialect), tmp_path / "model.tw")
    loaded = load(tmp_path / "model.tw")
    assert repr(loaded) == repr(estimator)
    assert loaded.feature_names_in_.tolist() == X.columns
    assert loaded.predict(X).tolist() == estimator.fit(X, y).predict(X).tolist()


def test_missing_file_is_an_os_error(tmp_path):
    with refused(FileReadError, f"'{tmp_path / 'nothing.tw'}'"):
        load(tmp_path / "nothing.tw")


def test_unfitted_estimator_cannot_be_saved(tmp_path):
    with refused(NotFittedError, "CARTClassifier", "'fit'"):
        CARTClassifier().save(tmp_path / "model.tw")
    assert list(tmp_path.iterdir()) == []


def test_a_table_is_not_loaded_as_a_model(tmp_path):
    path = tmp_path / "messy.csv"
    path.write_text("x,y\n1,a\n2,b\n")
    with refused(ModelFileError, f"treewright.read_table('{path}')"):
        load(path)
