"""The estimators inside scikit-learn's pipelines, searches and compositions."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_iris
from sklearn.ensemble import BaggingClassifier
from sklearn.impute import SimpleImputer
from sklearn.inspection import permutation_importance
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder, StandardScaler
from sklearn.utils import get_tags

from refusals import refused, warned
from treewright import CARTClassifier, CARTRegressor, ID3Classifier, datasets


@pytest.fixture
def weather():
    """Text and numbers side by side, as a pandas frame."""
    X, y = datasets.tennis()
    table = X.to_pandas()
    table["Degrees"] = np.arange(len(table)) * 1.5
    return table, y.to_pandas()


def test_pipeline_scales_before_the_tree():
    X, y = load_iris(return_X_y=True)
    model = make_pipeline(StandardScaler(), CARTClassifier(max_depth=3)).fit(X, y)
    assert model.score(X, y) > 0.95


def test_grid_search_finds_a_depth():
    X, y = load_iris(return_X_y=True)
    search = GridSearchCV(
        CARTClassifier(), {"max_depth": [1, 3], "criterion": ["gini", "entropy"]}, cv=3
    )
    assert search.fit(X, y).best_params_["max_depth"] == 3


def test_grid_search_names_a_misspelt_parameter():
    search = GridSearchCV(CARTClassifier(), {"max_deph": [1]}, cv=3)
    with refused(ValueError, "CARTClassifier", "'max_deph'", "'max_depth'"):
        search.fit(*load_iris(return_X_y=True))


def test_cross_validation_takes_frames_with_text(weather):
    X, y = weather
    scores = cross_val_score(CARTClassifier(), X, y, cv=3)
    assert scores.shape == (3,)


def test_column_transformer_with_pandas_output_keeps_the_names(weather):
    X, y = weather
    impute = ColumnTransformer(
        [("degrees", SimpleImputer(), ["Degrees"])],
        remainder="passthrough",
        verbose_feature_names_out=False,
    ).set_output(transform="pandas")
    model = make_pipeline(impute, CARTClassifier()).fit(X, y)
    tree = model.named_steps["cartclassifier"]
    assert tree.feature_names_in_[0] == "Degrees"
    assert model.score(X, y) == 1.0


def test_encoded_categories_grow_the_tree_of_the_text():
    """ID3 takes the codes of an encoder for what they are."""
    X, y = datasets.tennis()
    encoded = OrdinalEncoder().fit_transform(X.to_pandas())
    on_codes = ID3Classifier().fit(encoded, y)
    on_text = ID3Classifier().fit(X, y)
    assert on_codes.predict(encoded).tolist() == on_text.predict(X).tolist()
    assert on_codes.tree_.node_count == on_text.tree_.node_count


def test_bagging_and_permutation_importance_accept_a_tree():
    X, y = load_iris(return_X_y=True)
    forest = BaggingClassifier(CARTClassifier(), n_estimators=3, random_state=0)
    assert forest.fit(X, y).score(X, y) > 0.9
    tree = CARTClassifier().fit(X, y)
    importance = permutation_importance(tree, X, y, n_repeats=2, random_state=0)
    assert importance.importances_mean.argmax() in (2, 3)


def test_clone_copies_the_parameters_and_not_the_tree():
    tree = CARTRegressor(max_depth=3, feature_kinds={"a": "nominal"})
    tree.fit({"a": [1, 2, 3]}, [1.0, 2.0, 4.0])
    copy = clone(tree)
    assert copy.get_params() == tree.get_params()
    assert not hasattr(copy, "model_")
    assert not hasattr(copy, "tree_")


def test_representation_shows_what_is_not_as_usual():
    assert repr(ID3Classifier()) == "ID3Classifier()"
    assert repr(CARTClassifier(max_depth=2)) == "CARTClassifier(max_depth=2)"


def test_names_are_there_only_if_the_table_had_them():
    X, y = np.zeros((3, 2)), [0, 1, 1]
    tree = CARTClassifier().fit(pd.DataFrame(X, columns=["a", "b"]), y)
    assert tree.feature_names_in_.tolist() == ["a", "b"]
    assert not hasattr(tree.fit(X, y), "feature_names_in_")
    assert not hasattr(tree.fit(pd.DataFrame(X), y), "feature_names_in_")
    assert tree.n_features_in_ == 2


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, dict])
def test_columns_are_matched_by_name(frame):
    rows = {"low": [1.0, 2.0, 3.0, 4.0], "high": [7.0, 5.0, 8.0, 6.0]}
    tree = CARTClassifier().fit(frame(rows), [0, 0, 1, 1])
    swapped = {"high": rows["high"], "low": rows["low"]}
    assert tree.predict(frame(swapped)).tolist() == [0, 0, 1, 1]


def test_extra_column_is_ignored_with_a_warning():
    tree = CARTClassifier().fit({"a": [1, 2]}, [0, 1])
    with warned(UserWarning, "1 column", "'b'"):
        assert tree.predict({"a": [1, 2], "b": [1, 2]}).tolist() == [0, 1]


def test_tags_follow_the_parameters():
    assert get_tags(CARTClassifier()).input_tags.allow_nan
    assert not get_tags(CARTClassifier(missing="error")).input_tags.allow_nan
    assert get_tags(ID3Classifier()).input_tags.categorical
    assert get_tags(CARTRegressor()).target_tags.multi_output
