"""What a fitted estimator shows: text, JSON, DOT, explanations, importances."""

from __future__ import annotations

import doctest
import json

import numpy as np
import pandas as pd
import pytest

from refusals import refused
from treewright import CARTClassifier, CARTRegressor, ID3Classifier, datasets
from treewright.errors import DataError
from treewright.estimators import adaboost, forests, trees
from treewright.estimators.parts import loading


@pytest.fixture
def tennis():
    return datasets.tennis()


@pytest.mark.parametrize("module", [adaboost, forests, trees, loading])
def test_examples_in_docstrings_run(module):
    assert doctest.testmod(module).failed == 0
    assert doctest.testmod(module).attempted > 0


def test_text_in_both_styles(tennis):
    tree = ID3Classifier().fit(*tennis)
    assert tree.to_text().splitlines()[-1] == (
        "5 leaves, depth 2, 14 training rows, 0 wrong"
    )
    assert "Outlook Overcast: Yes (4)" in tree.to_text("lecture")
    assert tree.to_text(ascii=True).isascii()
    assert len(tree.to_text(max_depth=1)) < len(tree.to_text())


def test_json_and_dot(tennis):
    tree = ID3Classifier().fit(*tennis)
    data = json.loads(tree.to_json())
    assert data["learner"] == "id3"
    assert len(data["trees"][0]["nodes"]) == tree.tree_.node_count
    assert tree.to_dot().startswith("digraph tree {")
    assert len(tree.to_dot(max_depth=1)) < len(tree.to_dot())


ROWS = {
    "mapping": lambda X: X.row(0, named=True),
    "tuple": lambda X: X.row(0),
    "list": lambda X: list(X.row(0)),
    "pandas series": lambda X: X.to_pandas().iloc[0],
    "pandas series without names": lambda X: pd.Series(X.row(0)),
    "array": lambda X: np.array(X.row(0), object),
    "polars frame": lambda X: X[:1],
}


@pytest.mark.parametrize("form", ROWS)
def test_row_of_any_form_is_explained(tennis, form):
    X, y = tennis
    tree = ID3Classifier().fit(X, y)
    assert tree.explain(ROWS[form](X)) == (
        "Outlook = Sunny\n"
        "Humidity = High\n"
        "→ PlayTennis No (3 training rows; 100 % of this class; pure)"
    )


def test_explanation_tells_of_missing_and_unseen_values(tennis):
    X, y = tennis
    row = {**X.row(0, named=True), "Outlook": "Foggy"}
    assert ID3Classifier().fit(X, y).explain(row) == (
        "Outlook has a value that training never saw here: stops\n"
        "→ PlayTennis Yes (14 training rows; 64.3 % of this class)"
    )
    numbers = CARTRegressor(max_depth=1).fit({"a": [1, 2, 3]}, [1.0, 5.0, 6.0])
    assert numbers.explain({"a": None}).splitlines()[0] == (
        "a is missing: goes with a > 1.5"
    )
    assert numbers.explain({"a": 1}).splitlines()[1].startswith("→ target 1 (1 train")


def test_several_rows_are_not_explained(tennis):
    X, y = tennis
    tree = ID3Classifier().fit(X, y)
    with refused(DataError, "14 rows", "X.iloc[0]"):
        tree.explain(X)


def test_importances_are_shares_of_the_gain(tennis):
    tree = ID3Classifier().fit(*tennis)
    # Outlook gains 0.2467 bits over 14 rows, Humidity and Wind 0.9710 over 5 each
    outlook, branch = 14 * 0.24675, 5 * 0.97095
    expected = np.array([outlook, 0, branch, branch]) / (outlook + 2 * branch)
    np.testing.assert_allclose(tree.feature_importances_, expected, rtol=1e-4)


def test_importances_of_a_single_leaf_are_zero():
    tree = CARTClassifier().fit([[1, 2], [3, 4]], [1, 1])
    assert tree.feature_importances_.tolist() == [0.0, 0.0]


def test_nodes_and_paths_of_rows(tennis):
    X, y = tennis
    tree = ID3Classifier().fit(X, y)
    leaves, paths = tree.apply(X), tree.decision_path(X)
    assert paths.shape == (14, tree.tree_.node_count)
    assert paths.has_sorted_indices
    for row, leaf in enumerate(leaves.tolist()):
        visited = paths[[row]].indices
        assert visited[0] == 0
        assert visited[-1] == leaf


def test_logarithms_of_shares_do_not_warn(tennis):
    X, y = tennis
    shares = ID3Classifier().fit(X, y).predict_log_proba(X)
    assert set(np.unique(shares)) == {-np.inf, 0.0}
