"""rpart's trees: what R's rpart 4.1.19 made of tables that come with scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine

import treewright as tw
from refusals import refused
from treewright.errors import SettingError
from treewright.learners.dialects.rpart import RPART, RPART_NUMBERS
from treewright.prune.cost_complexity.weakest_links import exact_links, one_pass_links


def test_iris_is_the_tree_of_rpart():
    X, y = load_iris(return_X_y=True, as_frame=True)
    tree = tw.CARTClassifier(dialect="rpart").fit(X, y)
    # rpart prints Petal.Length< 2.45 and Petal.Width< 1.75, with 6 rows wrong
    text = tree.to_text()
    assert "petal length (cm)" in text
    assert "< 2.45" in text
    assert "< 1.75" in text
    assert tree.get_n_leaves() == 3
    assert round((1 - tree.score(X, y)) * 150) == 6


def test_iris_has_the_complexity_table_of_rpart():
    X, y = load_iris(return_X_y=True)
    tree = tw.CARTClassifier(dialect="rpart").fit(X, y)
    # printcp(rpart(Species ~ ., iris)): CP, nsplit, rel error
    expected = [[0.50, 0, 1.00], [0.44, 1, 0.50], [0.01, 2, 0.06]]
    np.testing.assert_allclose(tree.complexity_table_, expected)


def test_whole_tree_of_iris_has_the_leaves_of_rpart():
    X, y = load_iris(return_X_y=True)
    tree = tw.CARTClassifier(
        dialect="rpart", cp=0.0, min_samples_split=2, min_samples_leaf=1
    ).fit(X, y)
    assert (tree.get_n_leaves(), tree.score(X, y)) == (9, 1.0)


def test_wine_has_the_complexity_table_of_rpart():
    X, y = load_wine(return_X_y=True)
    tree = tw.CARTClassifier(dialect="rpart", cp=0.0).fit(X, y)
    # rpart(class ~ ., wine, cp = 0) from the same 178 rows
    expected = [
        [0.495327103, 0, 1.0],
        [0.317757009, 1, 0.504672897],
        [0.056074766, 2, 0.186915888],
        [0.028037383, 3, 0.130841121],
        [0.0, 4, 0.102803738],
    ]
    np.testing.assert_allclose(tree.complexity_table_, expected, atol=1e-8)


def test_numbers_half_way_between_two_values_go_with_the_larger_ones():
    X = np.repeat([0.0, 1.0], 20)[:, None]
    tree = tw.CARTRegressor(dialect="rpart").fit(X, X[:, 0])
    assert tree.predict([[0.49], [0.5], [0.51]]).tolist() == [0.0, 1.0, 1.0]
    assert tw.CARTRegressor().fit(X, X[:, 0]).predict([[0.5]]).tolist() == [0.0]


def test_split_that_gains_nothing_is_not_made():
    # exclusive or: neither feature alone tells anything
    X = np.tile([[0, 0], [0, 1], [1, 0], [1, 1]], (10, 1))
    y = X[:, 0] ^ X[:, 1]
    whole = {"cp": 0.0, "min_samples_split": 2, "min_samples_leaf": 1}
    assert tw.CARTClassifier(dialect="rpart", **whole).fit(X, y).get_n_leaves() == 1
    assert tw.CARTClassifier().fit(X, y).get_n_leaves() == 4


def test_parameters_that_are_none_are_as_the_dialect_says():
    X, y = load_iris(return_X_y=True)
    settings = tw.CARTClassifier(dialect="rpart").fit(X, y).model_.settings
    assert settings == RPART.settings() | {
        name: settings[name] for name in settings.keys() - RPART.settings().keys()
    }
    settings = tw.CARTRegressor(dialect="rpart").fit(X, y).model_.settings
    assert settings["complexity_by"] == RPART_NUMBERS.complexity_by == "impurity"


def test_ccp_alpha_stands_in_for_cp():
    X, y = load_iris(return_X_y=True)
    # the second split saves 44 of 150 rows
    for alpha, n_leaves in ((0.29, 3), (0.30, 2)):
        tree = tw.CARTClassifier(dialect="rpart", ccp_alpha=alpha).fit(X, y)
        assert tree.get_n_leaves() == n_leaves


def test_unknown_dialect_is_refused():
    with refused(SettingError, "dialect", "'c45'", "None, 'cart', 'rpart'"):
        tw.CARTClassifier(dialect="c45").fit([[1], [2]], [0, 1])


@pytest.mark.parametrize("parameters", [{}, {"cp": 0.0, "min_samples_leaf": 3}])
def test_saved_rpart_tree_comes_back_as_what_it_was(parameters, tmp_path):
    X, y = load_iris(return_X_y=True)
    tree = tw.CARTClassifier(dialect="rpart", **parameters).fit(X, y)
    tree.save(tmp_path / "tree.tw")
    again = tw.load(tmp_path / "tree.tw")
    assert again.get_params() == tree.get_params()
    assert again.fingerprint() == tree.fingerprint()


def test_one_pass_differs_from_the_exact_links_where_a_branch_goes_late(chain):
    """A branch that collapses before its parent counts as collapsed further up.

    Node 1 is worth 3 (its branch 3, worth 2, has gone then), node 0 exactly
    (10 - 5 - 0) / 3 = 1.67 with all three splits; rpart takes 3 as collapsed and finds
    (10 - 7 - 0) / 2 = 1.5.
    """
    tree, risk = chain
    assert exact_links(tree, risk).alpha[0] == pytest.approx(5 / 3)
    links, is_split = one_pass_links(tree, risk, risk, 0.0)
    assert links.alpha[0] == pytest.approx(1.5)
    assert is_split.sum() == 3


@pytest.fixture
def chain():
    """A chain of three splits: 10, 10, 7 and 5 errors, the other branches without."""
    X = np.repeat([0, 1, 2, 3], 10)[:, None]
    tree = tw.CARTClassifier(max_depth=3).fit(X, np.repeat([0, 1, 0, 1], 10)).tree_
    assert tree.n_leaves == 4
    risk = np.zeros(7)
    place = [0]
    while tree.n_children[place[-1]]:
        place.append(
            max(tree.children(place[-1]), key=lambda child: tree.n_children[child])
        )
    risk[place] = [10, 10, 7, 5]
    return tree, risk
